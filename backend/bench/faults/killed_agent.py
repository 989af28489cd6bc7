"""R2: a real agent killed at random instants: its reports arrive once, and it is back in 2 s.

Its numbering is the ledger: reports of one boot are numbered 1, 2, 3, ... before they are appended to the
spool, so a gap is a loss. Only the last report of a killed boot, the one in hand, may be missing.

Judged is the agent's own time: without the time in which it waited for a processor (schedstat of proc(5)),
which on a busy machine is most of it. The wall time, with these waits, is printed beside it.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections import defaultdict
from contextlib import redirect_stderr
from pathlib import Path
from statistics import median
from uuid import UUID

from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import join, namespace, run_in
from backstay_testing.sink import Sink
from backstay_wire import Desired, LinuxSource
from bench.faults.environment import World, until
from bench.faults.row import Score

BACK_S = 2.0
START_S = 60.0
INTERVAL_S = 0.25


def run(world: World, tries: int) -> Score:
    """`tries` kills in a namespace with one port; right: back in time. The numbers are checked at the end."""
    folder = world.folder / "agent"
    shutil.rmtree(folder, ignore_errors=True)  # Of an earlier run, which another sink enrolled.
    folder.mkdir()
    score = Score()
    sink = Sink(
        desired=Desired(
            generation=1,
            site="lab",
            node="sp01",
            sources=[LinuxSource(device="sp01", interval_s=INTERVAL_S)],
            paths=[],
        )
    )
    # The sink reports each connection that the kill cuts.
    with (
        namespace() as host,
        namespace() as far,
        (folder / "sink.log").open("w") as log,
        redirect_stderr(log),
    ):
        join(host, "css0", far, "peer0")
        run_in(host, sink.start)
        try:
            arguments = ["--backend", sink.url, "--token", sink.token]
            agent = AgentProcess(folder, arguments, host.enter()).start()
            own, wall = _kill_often(sink, agent, score, tries)
        finally:
            sink.stop()
    _judge(sink, folder, score)
    score.remarks += [
        f"judged: own time until back, {_summary(own)}, goal {BACK_S:g} s",
        f"not judged: wall time, with waits for a processor, {_summary(wall)};"
        f" {sum(took <= BACK_S for took in wall)} of {len(wall)} within {BACK_S:g} s",
        f"{len(sink.stored):,} reports, {sink.duplicates} resent",
    ]
    return score


def _summary(seconds: list[float]) -> str:
    return f"median {median(seconds):.2f} s, slowest {max(seconds):.2f} s"


def _kill_often(sink: Sink, agent: AgentProcess, score: Score, tries: int) -> tuple[list[float], list[float]]:
    """Seconds until the agent was back, of each kill: its own, and wall time."""
    own, walls, dice = list[float](), list[float](), random.Random(2)  # noqa: S311
    try:
        until(lambda: len(_numbers(sink)) == 1, START_S, "the agent does not report")
        for _ in range(tries):
            time.sleep(dice.uniform(0.05, 1.5))
            boots = len(_numbers(sink))
            agent.kill()
            began = time.monotonic()
            agent.start()
            _until_boot(sink, boots + 1)
            wall = time.monotonic() - began
            took = max(0.0, wall - _waited_s(agent.pid))
            own.append(took)
            walls.append(wall)
            score.count(took <= BACK_S, f"back after {took:.1f} s ({wall:.1f} s with waits for a processor)")
        stored = len(sink.stored)
        until(lambda: len(sink.stored) > stored + 4, START_S, "the agent does not report")
    finally:
        agent.stop()
    return own, walls


def _until_boot(sink: Sink, boots: int) -> None:
    deadline = time.monotonic() + START_S
    while len(_numbers(sink)) < boots:
        if time.monotonic() > deadline:
            raise TimeoutError("the killed agent does not come back")
        time.sleep(0.02)


def _waited_s(pid: int) -> float:
    """Seconds that the main thread was ready to run and had no processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def _numbers(sink: Sink) -> dict[UUID, list[int]]:
    found: dict[UUID, list[int]] = defaultdict(list)
    with sink.lock:
        for boot, number in sink.stored:
            found[boot].append(number)
    return found


def _judge(sink: Sink, folder: Path, score: Score) -> None:
    """No gap within a boot, and no record that the agent itself counted as lost."""
    for boot, numbers in _numbers(sink).items():
        missing = set(range(1, max(numbers) + 1)) - set(numbers)
        if missing:
            score.count(False, f"boot {boot}: {len(missing)} reports lost")
    status = json.loads((folder / "state" / "status.json").read_text())
    if dropped := _dropped(status):
        score.count(False, f"{dropped} records torn")


def _dropped(value: object) -> int:
    """The sum of the counts `dropped` anywhere in the agent's status."""
    if isinstance(value, dict):
        own = value.get("dropped", 0)
        return (own if isinstance(own, int) else 0) + sum(
            _dropped(item) for key, item in value.items() if key != "dropped"
        )
    return 0
