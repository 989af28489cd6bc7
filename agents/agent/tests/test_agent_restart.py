"""A killed agent, restarted as its systemd unit says, is back within 2 s; no report is lost or doubled."""

import os
import re
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import wait_until
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.sink import Sink
from backstay_wire import Desired, LinuxSource, PortSamples

pytestmark = [pytest.mark.netns, pytest.mark.quiet]
UNIT = Path(__file__).parents[2] / "deploy/backstay-agent.service"
BACK_S = 2.0
KILLS = 5
INTERVAL_S = 0.25


def pause_s() -> float:
    """The unit's pause before a restart."""
    found = re.search(r"^RestartSec=(\d+)ms$", UNIT.read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1000


@contextmanager
def supervised(agent: AgentProcess) -> Iterator[None]:
    """Restart the agent whenever it ends, after the unit's pause."""
    stopping = threading.Event()

    def watch() -> None:
        while not stopping.is_set():
            if agent.running:
                time.sleep(0.005)
            elif not stopping.wait(pause_s()):
                agent.start()

    thread = threading.Thread(target=watch)
    agent.start()
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
        agent.stop()


@pytest.fixture
def host(make_namespace: Callable[[], Namespace]) -> Namespace:
    space, far = make_namespace(), make_namespace()
    join(space, "css0", far, "peer0")
    return space


@pytest.fixture
def sink(host: Namespace) -> Iterator[Sink]:
    source = LinuxSource(device="sp01", interval_s=INTERVAL_S)
    made = Sink(desired=Desired(generation=1, site="lab", node="sp01", sources=[source], paths=[]))
    run_in(host, made.start)
    yield made
    made.stop()


def numbers(sink: Sink) -> dict[UUID, list[int]]:
    """Stored numbers of each boot, in order."""
    found: dict[UUID, list[int]] = defaultdict(list)
    with sink.lock:
        for boot, number in sink.stored:
            found[boot].append(number)
    return {boot: sorted(stored) for boot, stored in found.items()}


def test_killed_agent_is_back_within_2_s_with_every_report_once(
    host: Namespace, sink: Sink, tmp_path: Path
) -> None:
    agent = AgentProcess(tmp_path, ["--backend", sink.url, "--token", sink.token], host.enter())
    took: list[float] = []
    with supervised(agent):
        wait_for_reports(sink, 4)
        for _ in range(KILLS):
            took.append(kill(agent, sink))
            wait_for_reports(sink, 4)
    assert max(took) < BACK_S, took
    for boot, stored in numbers(sink).items():
        assert stored == list(range(1, len(stored) + 1)), f"reports of {boot} are missing"
    moments = [report.at for report in sink.reports("ports") if isinstance(report, PortSamples)]
    assert len(moments) == len(set(moments))
    assert '"dropped":0' in (tmp_path / "state" / "status.json").read_text()


def kill(agent: AgentProcess, sink: Sink) -> float:
    """Seconds until the first report of the next process is acknowledged."""
    boots = set(numbers(sink))
    os.kill(agent.pid, signal.SIGKILL)
    killed_ns = time.time_ns()
    wait_until(lambda: len(numbers(sink)) > len(boots), 60, 0.005)
    with sink.lock:
        back_ns = min(stored.arrived_ns for (boot, _), stored in sink.stored.items() if boot not in boots)
    return (back_ns - killed_ns) / 1e9


def wait_for_reports(sink: Sink, count: int) -> None:
    """Further reports of the ports' counters."""
    before = len(sink.reports("ports"))
    wait_until(lambda: len(sink.reports("ports")) >= before + count, 60)
