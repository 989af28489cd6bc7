"""R29: each process stopped by SIGSTOP in turn: nothing stale looks live, and health says what is missing."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from bench.faults.environment import INTERVAL_S, SITE, Load, World, until
from bench.faults.row import Score
from bench.service.calls import NO_ANSWER, Answer, call
from bench.service.processes import DATABASE, REDIS

NOTICED_S = 40.0
"""Until health reports a stopped process: a worker counts as late after 30 s."""
HEALTH_S = 3.0
STALE_S = 45.0
"""Until a silent node is marked: two intervals, a pause of the rounds, and a loaded machine."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A process to stop, and how one sees it."""

    name: str
    is_noticed: Callable[[World], bool]


def run(world: World, tries: int) -> Score:
    """Each of six processes, and the agents, `tries` times."""
    score = Score()
    with world.load() as load:
        for _ in range(tries):
            for stop in STOPS:
                _stop(world, load, stop, score)
            _stop_agents(world, load, score)
    found = load.compare()
    score.remarks.append(str(found))
    if not found.is_right:
        score.count(False, "the ledger differs")
    return score


def _stop(world: World, load: Load, stop: Stop, score: Score) -> None:
    world.service.signal(signal.SIGSTOP, stop.name)
    began = time.monotonic()
    try:
        is_noticed = _within(NOTICED_S, lambda: stop.is_noticed(world))
        took_s = time.monotonic() - began
        # Everything that a page can read meanwhile is either refused or says its age.
        lies = [] if stop.name in {"web", DATABASE} else _lies(world, time.monotonic() - began)
    finally:
        world.service.signal(signal.SIGCONT, stop.name)
    score.count(is_noticed, f"{stop.name}: health still says ok after {took_s:.0f} s")
    score.count(not lies, f"{stop.name}: {'; '.join(lies[:2])}")
    back_s = load.flows_again(90)
    score.count(back_s <= 90, f"{stop.name}: no return")
    if not _within(60, lambda: _health(world).get("status") == "ok"):
        score.wrong.append(f"{stop.name}: health is not ok 60 s after the return")


def _stop_agents(world: World, load: Load, score: Score) -> None:
    """The agents stop: each node is shown as not reporting, and has an incident."""
    load.signal(signal.SIGSTOP)
    try:
        is_marked = _within(STALE_S, lambda: not _reporting(world))
        score.count(is_marked, f"agents: {len(_reporting(world))} nodes still shown as reporting")
        is_alerted = _within(STALE_S, lambda: _incidents(world) >= 1)
        score.count(is_alerted, "agents: no incident")
    finally:
        load.signal(signal.SIGCONT)
    score.count(load.flows_again(90) <= 90, "agents: no return")
    score.count(_within(STALE_S, lambda: bool(_reporting(world))), "agents: nodes stay not reporting")


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    try:
        until(condition, seconds, "")
    except TimeoutError:
        return False
    return True


def _health(world: World) -> dict[str, object]:
    """The body of a health answer that came in time; empty otherwise."""
    answer = _ask_health(world)
    try:
        found = json.loads(answer.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _ask_health(world: World) -> Answer:
    return call(world.service.backend.web_port, "GET", "/api/v1/health", timeout_s=HEALTH_S)


def _nodes(world: World) -> list[dict[str, object]]:
    answer = world.service.call("GET", f"/api/v1/nodes?site={SITE}&limit=100", timeout_s=10)
    return list(answer.json()["items"]) if answer.status == 200 else []


def _reporting(world: World) -> list[dict[str, object]]:
    return [node for node in _nodes(world) if node["reporting"] == "reporting" or node["state"] == "ok"]


def _lies(world: World, stopped_s: float) -> list[str]:
    """Nodes that are shown as ok and whose values are older than they may be."""
    oldest = 2 * INTERVAL_S + 10.0
    return [
        f"{node['name']} is {node['state']}, last seen {node['age_s']} s ago"
        for node in _nodes(world)
        if node["state"] == "ok" and isinstance(node["age_s"], (int, float)) and node["age_s"] > oldest
    ]


def _incidents(world: World) -> int:
    path = f"/api/v1/incidents?site={SITE}&kind=node_stale&phase=open"
    answer = world.service.call("GET", path, timeout_s=10)
    return len(answer.json()["items"]) if answer.status == 200 else 0


def _is_degraded(world: World) -> bool:
    return _health(world).get("status") not in {"ok", None}


def _database_noticed(world: World) -> bool:
    answer = _ask_health(world)
    return answer.status != NO_ANSWER and b'"database":false' in answer.body.replace(b" ", b"")


STOPS = [
    Stop(DATABASE, _database_noticed),
    Stop(REDIS, lambda world: _health(world).get("redis") is False),
    # A stopped web server answers nothing: no page shows anything as live.
    Stop("web", lambda world: _ask_health(world).status == NO_ANSWER),
    Stop("ingest", _is_degraded),
    Stop("worker", _is_degraded),
    Stop("beat", _is_degraded),
]
