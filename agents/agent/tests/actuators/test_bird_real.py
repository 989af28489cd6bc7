"""A real BIRD in a namespace: its state on the wire, and its absence."""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.collectors.bird import BirdCollector
from backstay_agent.host.daemon_control.bird import BirdSocket
from backstay_testing.clock import ManualClock
from backstay_testing.namespaces import Namespace, join
from backstay_testing.report_list import ReportList
from backstay_wire import CollectorOutcome, DaemonReport, MetricReport

pytestmark = [
    pytest.mark.netns,
    pytest.mark.anyio,
    pytest.mark.skipif(shutil.which("bird") is None, reason="bird2 is not installed"),
]

CONFIG = """
router id 10.77.0.1;
protocol device { scan time 10; }
protocol bfd fast { interface "p*" { min rx interval 50 ms; min tx interval 50 ms; multiplier 3; }; }
protocol static prim { ipv4; route 10.99.0.0/16 via 10.77.1.1 bfd; }
protocol static spare { disabled; ipv4; route 10.98.0.0/16 blackhole; }
"""


class Daemon:
    """A bird process and its control socket."""

    def __init__(self, space: Namespace, folder: Path) -> None:
        self.socket = folder / "b.ctl"
        self._config = folder / "bird.conf"
        self._config.write_text(CONFIG)
        self._space = space
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        bird = [*self._space.enter(), "/usr/sbin/bird", "-f", "-c", str(self._config), "-s", str(self.socket)]
        self.process = subprocess.Popen(bird, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not self._answers():
            assert time.monotonic() < deadline, "bird did not start"
            time.sleep(0.02)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def command(self, *tokens: str) -> None:
        birdc = ["/usr/sbin/birdc", "-s", str(self.socket), *tokens]
        subprocess.run(birdc, check=True, capture_output=True)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(5)


class Reports(ReportList):
    def daemon(self) -> DaemonReport:
        return [report for report in self if isinstance(report, DaemonReport)][-1]

    def metrics(self) -> dict[str, object]:
        """Metric -> newest value."""
        newest = [report for report in self if isinstance(report, MetricReport)][-1]
        return {item.metric: item.value for item in newest.metrics}


async def settled(collector: BirdCollector, reports: Reports) -> None:
    """Collect until BIRD is unchanged for half a second: on a busy machine it is read while it starts."""
    deadline, unchanged_since, count = time.monotonic() + 20, time.monotonic(), len(reports)
    while time.monotonic() - unchanged_since < 0.5:
        assert time.monotonic() < deadline, "BIRD keeps changing"
        await collector.collect()
        if len(reports) != count:
            unchanged_since, count = time.monotonic(), len(reports)


@pytest.fixture
def daemon(make_namespace: Callable[[], Namespace], tmp_path: Path) -> Iterator[Daemon]:
    space, far = make_namespace(), make_namespace()
    join(space, "p0", far, "q0")
    space.run("address", "add", "10.77.1.2/24", "dev", "p0")
    made = Daemon(space, tmp_path)
    yield made
    made.stop()


async def test_bird_is_reported_while_running_on_changes_and_after_it_stops(daemon: Daemon) -> None:
    reports = Reports()
    collector = BirdCollector(
        device="sp01", interval_s=1, control=BirdSocket(str(daemon.socket)), clock=ManualClock(), emit=reports
    )
    ran = await collector.collect()
    assert ran.outcome is CollectorOutcome.NO_DATA
    assert reports.daemon().running is False

    daemon.start()
    assert (await collector.collect()).outcome is CollectorOutcome.OK
    found = reports.daemon()
    assert found.running
    assert found.version.startswith("2.")
    states = {protocol.name: protocol.state for protocol in found.protocols}
    assert states == {"device1": "up", "fast": "up", "prim": "up", "spare": "down"}
    assert [str(session.neighbour) for session in found.bfd] == ["10.77.1.1"]
    assert found.bfd[0].state == "Down"

    await settled(collector, reports)
    count = len(reports)
    await collector.collect()
    assert len(reports) == count, "an unchanged daemon is reported once a minute"

    daemon.command("enable", "spare")
    await collector.collect()
    states = {protocol.name: protocol.state for protocol in reports.daemon().protocols}
    assert states["spare"] == "up"
    assert reports.metrics()["routing.destinations"] == 1, "the blackhole; the other waits for BFD"

    daemon.stop()
    assert (await collector.collect()).outcome is CollectorOutcome.NO_DATA
    assert reports.daemon().running is False
    await collector.stop()


async def test_unchanged_bfd_sessions_are_reported_each_10_s_and_everything_else_each_minute(
    daemon: Daemon,
) -> None:
    """A session that is up is evidence about a gateway only if it was read after the fault began."""
    reports, clock = Reports(), ManualClock()
    control = BirdSocket(str(daemon.socket))
    collector = BirdCollector(device="sp01", interval_s=1, control=control, clock=clock, emit=reports)
    daemon.start()
    daemon.command("enable", "spare")
    await collector.collect()
    await settled(collector, reports)

    async def reported_in(seconds: int) -> list[str]:
        """Kinds of reports in so many seconds of a collector that runs each second."""
        before = len(reports)
        for _ in range(seconds):
            clock.advance(1)
            await collector.collect()
        return [report.kind for report in reports[before:]]

    sent = reports.daemon().at
    assert await reported_in(9) == []
    assert await reported_in(1) == ["daemon"]
    assert reports.daemon().at == sent + 10_000_000_000
    assert await reported_in(50) == ["daemon"] * 5 + ["metrics"]

    daemon.command("disable", "fast")
    await reported_in(1)
    assert reports.daemon().bfd == []
    assert await reported_in(59) == []
    assert await reported_in(1) == ["daemon", "metrics"]
    await collector.stop()


async def test_bird_is_queried_read_only(daemon: Daemon) -> None:
    daemon.start()
    control = BirdSocket(str(daemon.socket))
    assert (await control.ask("disable prim"))[-1].startswith("8007")
    await control.close()
