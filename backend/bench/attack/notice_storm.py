"""1,000 notices per second of one device, each about another part of it."""

from __future__ import annotations

import time
import uuid

from bench.attack.poison import notice_report
from bench.attack.target import SITE, Result, Target, in_parallel
from bench.site import batch

RATE = 1_000
BATCHES = 2
"""Batches per second."""
INCIDENTS_GOAL = 10
"""Incidents of one device at most: beyond a limit they are one."""
OPENED = """
SELECT count(*) FROM alerts_incident AS incident JOIN inventory_site AS site ON site.id = incident.site_id
WHERE site.name = %s AND incident.phase <> 'pending' AND incident.opened_at > now() - %s * interval '1 second'
"""
NAMES = ("link_down", "card_down", "gated_down", "pvc_down", "sm_trap")


def run(target: Target) -> Result:
    """Send them evenly; the number of incidents afterwards is a goal of its own."""
    result, sender, boot = Result(), target.attackers[0], uuid.uuid4()
    began, sent = time.monotonic(), [0]

    def send(_: int) -> None:
        number = sent[0]
        sent[0] += 1
        texts = [f"port {number % 50}-{place}: down" for place in range(RATE // BATCHES)]
        report = notice_report(sender.node, boot, texts, NAMES[number % len(NAMES)])
        result.attacker.add(target.ingest("reports", batch([report], sent=time.time_ns()), sender))
        time.sleep(max(0.0, began + sent[0] / BATCHES - time.monotonic()))

    in_parallel(1, target.seconds, send)
    time.sleep(3)
    (opened,) = target.service.rows(OPENED, SITE, time.monotonic() - began)[0]
    result.remarks.append(f"{sent[0] * RATE // BATCHES:,} notices in {time.monotonic() - began:.0f} s")
    result.expect(opened <= INCIDENTS_GOAL, f"{opened} incidents at the device's site")
    return result
