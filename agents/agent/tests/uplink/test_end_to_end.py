"""A real agent, backend outages, lost acknowledgements, kill -9: every report is stored exactly once.

The agent's numbering is the ledger. Reports of one boot are numbered 1, 2, 3, ... just before they are
appended to the spool: a gap is a loss, and only the last report of a killed boot may be missing.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.sink import Sink, Stored
from backstay_wire import Desired, GatewayAddress, LinuxSource, PathWatch, PortSamples

pytestmark = [pytest.mark.netns, pytest.mark.slow]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]
INTERVAL_S = 0.25
DESIRED = Desired(
    generation=1,
    site="lab",
    node="sp01",
    sources=[LinuxSource(device="sp01", interval_s=INTERVAL_S)],
    paths=[],
)


@pytest.fixture
def host(make_namespace: Callable[[], Namespace]) -> Namespace:
    space, far = make_namespace(), make_namespace()
    join(space, "css0", far, "peer0")
    return space


@pytest.fixture
def sink(host: Namespace) -> Iterator[Sink]:
    made = Sink(desired=DESIRED)
    run_in(host, made.start)
    yield made
    made.stop()


def ledger(sink: Sink) -> dict[UUID, list[int]]:
    """Stored numbers of each boot, in order."""
    found: dict[UUID, list[int]] = defaultdict(list)
    with sink.lock:
        for boot, number in sink.stored:
            found[boot].append(number)
    return {boot: sorted(numbers) for boot, numbers in found.items()}


def samples(sink: Sink) -> list[PortSamples]:
    return [report for report in sink.reports("ports") if isinstance(report, PortSamples)]


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.05)


def test_outage_kill_and_lost_acknowledgements_lose_or_duplicate_nothing(
    host: Namespace, sink: Sink, tmp_path: Path, start_agent: StartAgent
) -> None:
    arguments = ["--backend", sink.url, "--token", sink.token]
    agent = start_agent(tmp_path, arguments, host.enter())
    wait_until(lambda: len(samples(sink)) >= 4)

    sink.faults.lose_acks = 3
    before = len(samples(sink))
    wait_until(lambda: sink.faults.lose_acks == 0 and len(samples(sink)) > before)

    sink.stop()
    time.sleep(4)
    agent.kill()
    agent.start()
    wait_until(lambda: spooled(tmp_path) > 20)
    run_in(host, sink.start)
    boots = len(ledger(sink))
    wait_until(lambda: len(ledger(sink)) == boots + 1)

    ended = len(samples(sink))
    wait_until(lambda: len(samples(sink)) > ended + 4)
    assert agent.stop() == 0

    numbers = ledger(sink)
    assert len(numbers) == 2
    for stored in numbers.values():
        assert stored == list(range(1, len(stored) + 1))
    assert sink.duplicates > 0, "the lost acknowledgements were meant to make the agent send again"
    moments = [report.at for report in samples(sink)]
    assert len(moments) == len(set(moments))
    assert '"dropped":0' in (tmp_path / "state" / "status.json").read_text()
    covered = sum(report.duration_ns for report in samples(sink)) / 1e9
    assert covered <= (max(moments) - min(moments)) / 1e9 + 2 * INTERVAL_S


def spooled(folder: Path) -> int:
    """Size of the spool, kB."""
    return sum(path.stat().st_size for path in (folder / "state" / "spool").glob("*.seg")) // 1024


def test_agent_with_known_assignments_starts_without_a_backend(
    host: Namespace, sink: Sink, tmp_path: Path, start_agent: StartAgent
) -> None:
    agent = start_agent(tmp_path, ["--backend", sink.url, "--token", sink.token], host.enter())
    wait_until(lambda: len(samples(sink)) >= 2)
    agent.stop()
    sink.stop()
    size = spooled(tmp_path)
    agent.start()
    wait_until(lambda: spooled(tmp_path) > size + 3)
    run_in(host, sink.start)
    wait_until(lambda: len(ledger(sink)) == 2)
    assert agent.stop() == 0


def test_unchanged_path_arrives_in_the_same_request_as_counters(
    host: Namespace, sink: Sink, tmp_path: Path, start_agent: StartAgent
) -> None:
    """And replies to reports replace the questions for the desired state."""
    gateways = [GatewayAddress(name="gw", address="10.1.0.1")]
    watch = PathWatch(policy="out", prefix="10.9.0.0/16", gateways=gateways)
    source = LinuxSource(device="sp01", interval_s=2)
    sink.desired = DESIRED.model_copy(update={"sources": [source], "paths": [watch]})
    agent = start_agent(tmp_path, ["--backend", sink.url, "--token", sink.token], host.enter())

    def heartbeats() -> list[Stored]:
        with sink.lock:
            paths = [one for one in sink.stored.values() if one.report.kind == "path"]
        return [two for one, two in pairwise(paths) if two.report.at - one.report.at > 8e9]

    wait_until(lambda: len(heartbeats()) >= 2)
    assert agent.stop() == 0
    counted = {one.arrived_ns for one in sink.stored.values() if one.report.kind == "ports"}
    assert {one.arrived_ns for one in heartbeats()[:2]} <= counted
    assert sink.requests["desired"] == 1
