"""1,000 traps and syslog lines per second over UDP to a real agent, which reports to the attacked service."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable

from backstay_testing.agent_process import AgentProcess
from backstay_testing.ports import free_udp_port
from backstay_testing.udp_storm import COMMUNITY, HIDDEN, Receiver
from bench.attack.target import Result, Target
from bench.service.processes import Service
from bench.site import notice_site

SITE, NODE, DEVICE = "udp-storm", "mgmt0", "127.0.0.2"
START_S, DRAIN_S = 60.0, 60.0
COUNTED = """
SELECT named.metric, coalesce(sum(past.numbers[array_position(past.places, named.place::integer)]), 0)::bigint
FROM telemetry_metriclayout AS layout
JOIN inventory_node AS node ON node.id = layout.node_id
JOIN inventory_site AS site ON site.id = node.site_id
CROSS JOIN LATERAL unnest(layout.metrics) WITH ORDINALITY AS named (metric, place)
JOIN telemetry_metrichistory AS past ON past.layout_id = layout.id AND past.node_id = node.id
WHERE site.name = %s AND named.metric LIKE 'notices.%%' GROUP BY named.metric
"""
"""The stored growth of each metric, over both ports."""
ALARMS = """
SELECT alarm.name, alarm.subject FROM telemetry_alarm AS alarm
JOIN inventory_node AS node ON node.id = alarm.node_id
JOIN inventory_site AS site ON site.id = node.site_id WHERE site.name = %s
"""
RAISED = {kind for kind in HIDDEN if kind[0] != "link_up" and ("link_up", kind[1]) not in HIDDEN}
CLEARED = {("link_down", subject) for name, subject in HIDDEN if name == "link_up"}


def run(target: Target) -> Result:
    """Every datagram is in the stored counts, the kernel drops none, and the storm hides no alarm."""
    result, service, receiver = Result(), target.service, Receiver(free_udp_port(), free_udp_port(), DEVICE)
    agent = _start(service, receiver)
    try:
        _wait(START_S, lambda: bool(_counts(service)))
        sent = receiver.storm(target.seconds)
        _wait(DRAIN_S, lambda: _counts(service)["received"] >= sent and _alarms(service) >= RAISED)
        # The counts that belong to the last datagrams are in the next report.
        time.sleep(2)
    finally:
        agent.stop()
    counts, alarms = _counts(service), _alarms(service)
    lost, suppressed = counts["kernel_drops"] + counts["overflows"], counts["suppressed"]
    result.expect(
        counts["received"] == sent and not lost,
        f"{counts['received']:,} of {sent:,} datagrams received, {counts['kernel_drops']:,} dropped by the"
        f" kernel, {counts['overflows']:,} lost above the rate, {suppressed:,} counted as suppressed",
    )
    is_right = alarms >= RAISED and not alarms & CLEARED
    result.expect(
        is_right,
        f"{len(RAISED & alarms)} of {len(RAISED)} hidden alarms raised,"
        f" {len(CLEARED & alarms)} of {len(CLEARED)} cleared ones left",
    )
    return result


def _start(service: Service, receiver: Receiver) -> AgentProcess:
    """Import the site and start its agent. Raises RuntimeError."""
    text = notice_site(
        SITE,
        address=DEVICE,
        snmp_port=free_udp_port(),
        trap_port=receiver.trap_port,
        syslog_port=receiver.syslog_port,
        community=COMMUNITY,
    )
    _post(service, "site-files", {"text": text, "name": f"{SITE}.yaml"})
    token = _post(service, "enrolment-tokens", {"site": SITE, "node": NODE})["token"]
    folder = service.layout.data / "udp-storm"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    backend = f"http://127.0.0.1:{service.backend.ingest_port}"
    return AgentProcess(folder, ["--backend", backend, "--token", token], []).start()


def _post(service: Service, path: str, body: dict[str, str]) -> dict[str, str]:
    answer = service.call("POST", f"/api/v1/{path}", json.dumps(body).encode())
    if answer.status not in {200, 201}:
        raise RuntimeError(f"{path}: {answer.status} {answer.body[:300]!r}")
    return dict(answer.json())


def _wait(seconds: float, condition: Callable[[], bool]) -> None:
    """Until it holds, at most so long: what is missing then is in the result."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.5)


def _counts(service: Service) -> dict[str, int]:
    return {name.removeprefix("notices."): int(grown) for name, grown in service.rows(COUNTED, SITE)}


def _alarms(service: Service) -> set[tuple[str, str]]:
    return {(name, subject) for name, subject in service.rows(ALARMS, SITE)}
