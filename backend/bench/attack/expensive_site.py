"""A site whose data make evaluation expensive or impossible."""

from __future__ import annotations

import time
import uuid

from bench.attack.target import SITE, Result, Target
from bench.service.sites import PORTS
from bench.site import batch

ADDRESSES = 8_000
REPEAT_S = 5.0
RAISES = """
UPDATE alerts_siterule SET parameters = %s::jsonb
WHERE kind <> 'device_alarm' AND site_id = (SELECT id FROM inventory_site WHERE name = %s)
"""
BAD = '{"after_s": "soon", "clear_s": [], "raise_at": null, "interval_s": {}}'


def disagreement(target: Target) -> Result:
    """Two hosts report 8,000 addresses with different link addresses, again and again."""
    result, boot = Result(), uuid.uuid4()
    end, seq = time.monotonic() + target.seconds, 0
    while time.monotonic() < end:
        seq += 1
        for number, sender in enumerate(target.attackers[:2]):
            report = {
                "kind": "neighbours",
                "boot": str(boot),
                "seq": 2 * seq + number,
                "device": sender.node,
                "at": time.time_ns(),
                "neighbours": [_neighbour(number, host) for host in range(ADDRESSES)],
            }
            body = batch([report], sent=time.time_ns())
            result.attacker.add(target.ingest("reports", body, sender))
        time.sleep(min(REPEAT_S, max(0.0, end - time.monotonic())))
    return result


def _neighbour(reporter: int, host: int) -> dict[str, str]:
    return {
        "port": PORTS[0],
        "address": f"10.9.{host // 250}.{host % 250 + 1}",
        "mac": f"02:00:{reporter:02x}:00:{host >> 8 & 255:02x}:{host & 255:02x}",
        "state": "reachable",
    }


def raising_rule(target: Target) -> Result:
    """Parameters of the site's rules that no rule can calculate with, as a defect in a rule would be."""
    result = Result()
    with target.service.connect() as connection:
        changed = connection.execute(RAISES, (BAD, SITE)).rowcount
        result.remarks.append(f"{changed} rules of the site fail")
        time.sleep(target.seconds)
        connection.execute(RAISES, ("{}", SITE))
    return result
