"""R7, R8: PostgreSQL or the ingest killed under load; Redis killed or emptied."""

from __future__ import annotations

import contextlib
import http.client
import random
import threading
import time

from bench.faults.environment import JOBS_SITE, SITE, Load, World, until
from bench.faults.row import Score
from bench.service.calls import LOOPBACK, bearer
from bench.service.processes import DATABASE, REDIS

BACK_S = 10.0
"""From the database's own return to the acknowledgement of every agent's new report."""
RECOVER_S = 120.0
LIVE_S = 5.0
GROUP_S = 5.0
IN_GROUP = """
SELECT 1 FROM pg_stat_activity
WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() AND query LIKE '%FOR NO KEY UPDATE OF a SKIP LOCKED%'
"""
ALARMS = """
SELECT node.name, count(*) FROM alerts_incident AS incident
JOIN inventory_node AS node ON node.id = incident.node_id
JOIN inventory_site AS site ON site.id = node.site_id
JOIN alerts_siterule AS rule ON rule.id = incident.rule_id
WHERE site.name = %s AND rule.kind = 'device_alarm' AND incident.phase <> 'pending' GROUP BY node.name
"""


def postgres(world: World, tries: int) -> Score:
    """Kill -9 of all its processes, restarted at once; the ledger decides at the end."""
    score, dice = Score(), random.Random(7)  # noqa: S311
    slowest = 0.0
    with world.load() as load:
        for _ in range(tries):
            time.sleep(dice.uniform(0.5, 3.0))
            world.service.kill(DATABASE)
            world.service.restart(DATABASE)
            until(lambda: _answers(world), RECOVER_S, "PostgreSQL does not answer")
            back_s = load.flows_again(RECOVER_S)
            slowest = max(slowest, back_s)
            score.count(back_s <= BACK_S, f"ingest back after {back_s:.1f} s")
    _judge_ledger(score, load)
    score.remarks.append(f"slowest return {slowest:.1f} s")
    return score


def groups(world: World, tries: int) -> Score:
    """Kill -9 of the ingest and of PostgreSQL in turn, while a group is being stored; the ledger decides."""
    score, dice = Score(), random.Random(11)  # noqa: S311
    slowest, caught = 0.0, 0
    with world.load([*world.senders, *world.hosts]) as load:
        for number in range(tries):
            time.sleep(dice.uniform(0.1, 0.6))
            name = DATABASE if number % 2 else "ingest"
            caught += _wait_for_group(world)
            time.sleep(dice.uniform(0.0, 0.006))
            world.service.kill(name)
            world.service.restart(name)
            until(lambda: _answers(world), RECOVER_S, "PostgreSQL does not answer")
            back_s = load.flows_again(RECOVER_S)
            slowest = max(slowest, back_s)
            score.count(back_s <= BACK_S, f"ingest back after {back_s:.1f} s")
    _judge_ledger(score, load)
    score.remarks.append(f"{caught} kills while a group was stored; slowest return {slowest:.1f} s")
    return score


def _wait_for_group(world: World) -> bool:
    """Whether a transaction of a group was seen within GROUP_S."""
    end = time.monotonic() + GROUP_S
    with world.service.connect() as connection:
        while time.monotonic() < end:
            if connection.execute(IN_GROUP).fetchone():
                return True
    return False


def _answers(world: World) -> bool:
    with contextlib.suppress(Exception):
        return bool(world.service.rows("SELECT 1"))
    # It does not start while a backend lives that was forked during the kill.
    world.service.revive()
    return False


def _judge_ledger(score: Score, load: Load) -> None:
    found = load.compare()
    score.remarks.append(str(found))
    if not found.is_right:
        score.count(False, "the ledger differs")


def redis(world: World, tries: int) -> Score:
    """Killed and emptied in turn, each time with an alarm on its way; the live stream must resume."""
    score, dice = Score(), random.Random(8)  # noqa: S311
    slowest, alarmed = 0.0, []
    with world.load() as load, Stream(world) as stream:
        for number in range(tries):
            time.sleep(dice.uniform(0.5, 2.0))
            host = world.hosts[number % len(world.hosts)]
            if number % 2:
                _flush(world)
            else:
                world.service.kill(REDIS)
            report = {**world.head(host, "notices"), "notices": [_alarm(number)]}
            sent = threading.Thread(target=_until_stored, args=(world, host, report))
            sent.start()
            alarmed.append(host.node)
            if not number % 2:
                time.sleep(dice.uniform(0.0, 1.0))
                world.service.restart(REDIS)
            live_s = stream.resumed(RECOVER_S)
            sent.join()
            slowest = max(slowest, live_s)
            score.count(live_s <= LIVE_S, f"live stream resumed after {live_s:.1f} s")
    until(lambda: set(alarmed) <= dict(world.service.rows(ALARMS, JOBS_SITE)).keys(), 60, "an alarm is lost")
    opened = dict(world.service.rows(ALARMS, JOBS_SITE))
    for node in alarmed:
        if opened.get(node, 0) != 1:
            score.count(False, f"{node} has {opened.get(node, 0)} incidents for one alarm")
    score.remarks.append(f"slowest live stream {slowest:.1f} s; {len(alarmed)} alarms, one incident each")
    _judge_ledger(score, load)
    return score


def _alarm(number: int) -> dict[str, object]:
    return {
        "at": time.time_ns(),
        "source": "trap",
        "name": "card_down",
        "severity": "critical",
        "subject": f"card {number}",
        "text": "no answer",
    }


def _until_stored(world: World, host: object, report: dict[str, object]) -> None:
    from bench.service.sites import Sender

    assert isinstance(host, Sender)
    until(lambda: world.post(host, report).status in {200, 409}, 60, "an alarm cannot be stored")


def _flush(world: World) -> None:
    import redis as client

    client.Redis.from_url(world.service.environment["BACKSTAY_REDIS_URL"]).flushall()


class Stream(threading.Thread):
    """A page's live stream: reads server-sent events, and reopens as a browser does."""

    def __init__(self, world: World) -> None:
        super().__init__(name="stream", daemon=True)
        self._world = world
        self._stopped = threading.Event()
        self._seen = 0.0

    def __enter__(self) -> Stream:
        self.start()
        until(lambda: self._seen > 0, 60, "no live update")
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()

    def resumed(self, limit_s: float) -> float:
        """Seconds until the next live update that is not a greeting; infinite after the limit."""
        began = time.monotonic()
        while time.monotonic() < began + limit_s:
            if self._seen > began:
                return self._seen - began
            time.sleep(0.05)
        return float("inf")

    def run(self) -> None:
        """Until stopped."""
        while not self._stopped.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._read()
            time.sleep(0.5)

    def _read(self) -> None:
        service = self._world.service
        connection = http.client.HTTPConnection(LOOPBACK, service.backend.web_port, timeout=30)
        connection.request("GET", f"/api/v1/live?site={SITE}", headers=bearer(service.token))
        reply, event = connection.getresponse(), ""
        greeted = False
        while not self._stopped.is_set() and (line := reply.readline()):
            text = line.decode()
            if text.startswith("event:"):
                event = text.partition(":")[2].strip()
                # The first load is part of the greeting, read from the database.
                if event in {"load", "event", "changed"} and greeted:
                    self._seen = time.monotonic()
                greeted = greeted or event == "load"
