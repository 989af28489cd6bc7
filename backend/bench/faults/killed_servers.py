"""R9: worker and web killed in the middle of a job: another takes it over, and its effect happens once."""

from __future__ import annotations

import json
import random
import threading
import time

from bench.faults.environment import JOBS_SITE, World, until
from bench.faults.row import Score
from bench.service.calls import Answer, bearer, call
from bench.service.sites import PORTS
from bench.service.watch import oldest_round
from bench.site import port_samples

TAKEN_OVER_S = 60.0
SETTLES_S = 60.0
"""Until then the nodes that reported in an earlier row have fallen silent."""
JOBS_A_KILL = 0.5
"""Nodes that fall silent per kill of the worker."""
STALE = """
SELECT node.name,
    (SELECT count(*) FROM telemetry_event AS event
        WHERE event.node_id = node.id AND event.kind = 'node.stale'),
    (SELECT count(*) FROM alerts_incident AS incident
        JOIN alerts_siterule AS rule ON rule.id = incident.rule_id
        WHERE incident.node_id = node.id AND rule.kind = 'node_stale' AND incident.phase <> 'pending')
FROM inventory_node AS node JOIN inventory_site AS site ON site.id = node.site_id
WHERE site.name = %s AND node.name = ANY(%s)
"""
TOKENS = "SELECT count(*) FROM accounts_enrolmenttoken WHERE site = %s AND node = %s"


def _silences(world: World, nodes: list[str]) -> dict[str, tuple[int, int]]:
    """Node -> events and incidents of its silences, also of those in earlier rows."""
    rows = world.service.rows(STALE, JOBS_SITE, nodes)
    return {node: (events, incidents) for node, events, incidents in rows}


def worker(world: World, tries: int) -> Score:
    """Nodes fall silent one after the other while the worker is killed: one event, one incident each."""
    score, dice = Score(), random.Random(9)  # noqa: S311
    silent: list[str] = []
    slowest = 0.0
    spare = iter(world.hosts)
    time.sleep(SETTLES_S)
    earlier = _silences(world, [host.node for host in world.hosts])
    for number in range(tries):
        if number * JOBS_A_KILL >= len(silent) and (host := next(spare, None)):
            report = port_samples(host.node, PORTS, world.next_seq(), boot=world.boot, at=time.time_ns())
            until(lambda: world.post(host, report).status in {200, 409}, 60, "a report cannot be stored")  # noqa: B023
            silent.append(host.node)
        time.sleep(dice.uniform(0.2, 3.0))
        world.service.kill("worker")
        killed = time.time()
        world.service.restart("worker")
        taken_s = _wait_for_round(world, killed)
        slowest = max(slowest, taken_s)
        score.count(taken_s <= TAKEN_OVER_S, f"no round for {taken_s:.0f} s")

    def noticed() -> dict[str, tuple[int, int]]:
        return {
            node: (events - earlier[node][0], incidents - earlier[node][1])
            for node, (events, incidents) in _silences(world, silent).items()
        }

    try:
        until(lambda: all(events and incidents for events, incidents in noticed().values()), 90, "")
    except TimeoutError:
        score.wrong.append("not every silent node was noticed")
    for node, (events, incidents) in noticed().items():
        if (events, incidents) != (1, 1):
            score.count(False, f"{node}: {events} events, {incidents} incidents of one silence")
    score.remarks.append(f"slowest next round {slowest:.1f} s; {len(silent)} nodes fell silent")
    return score


def _wait_for_round(world: World, since: float) -> float:
    began = time.monotonic()
    while time.monotonic() < began + 2 * TAKEN_OVER_S:
        with world.service.connect() as connection:
            oldest = oldest_round(connection)
        if oldest is not None and oldest > since:
            return time.monotonic() - began
        time.sleep(0.1)
    return float("inf")


def web(world: World, tries: int) -> Score:
    """A POST with an Idempotency-Key is cut by the kill and repeated with the same key: it acts once."""
    score, dice = Score(), random.Random(10)  # noqa: S311
    slowest = 0.0
    for number in range(tries):
        host = world.hosts[number % len(world.hosts)]
        before = world.service.rows(TOKENS, host.site, host.node)[0][0]
        body = json.dumps({"site": host.site, "node": host.node}).encode()
        key = f"kill-{number}-{time.time_ns()}"
        first = threading.Thread(target=_post, args=(world, body, key))
        first.start()
        time.sleep(dice.uniform(0.0, 0.12))
        world.service.kill("web")
        first.join()
        world.service.restart("web")
        began = time.monotonic()
        answer = Answer(0)
        while time.monotonic() < began + 2 * TAKEN_OVER_S and answer.status not in {200, 201}:
            answer = _post(world, body, key)
            time.sleep(0.2)
        took = time.monotonic() - began
        made = world.service.rows(TOKENS, host.site, host.node)[0][0] - before
        slowest = max(slowest, took)
        score.count(
            made == 1 and took <= TAKEN_OVER_S and answer.status in {200, 201},
            f"{made} effects, status {answer.status} after {took:.0f} s",
        )
    score.remarks.append(f"slowest completion {slowest:.1f} s")
    return score


def _post(world: World, body: bytes, key: str) -> Answer:
    service = world.service
    headers = {**bearer(service.token), "Idempotency-Key": key}
    path = "/api/v1/enrolment-tokens"
    return call(service.backend.web_port, "POST", path, body, headers, timeout_s=10)
