"""What an agent of a quiet host sends: its collectors, watched path, spool and sender over simulated time."""

import asyncio
import gzip
import selectors
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from backstay_agent.assignments import patience_s
from backstay_agent.collectors.base import Ran
from backstay_agent.collectors.chrony import ChronyCollector
from backstay_agent.collectors.daemon import DaemonReporter, DaemonView
from backstay_agent.collectors.linux.counters import LinuxCounters
from backstay_agent.collectors.linux.host_network import LinuxHostNetwork
from backstay_agent.collectors.linux.neighbours import LinuxNeighbours
from backstay_agent.collectors.linux.reports import LinuxState
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.failover.routes import Put
from backstay_agent.host.icmp import Reply
from backstay_agent.host.kernel.arp_tap import BroadcastCount
from backstay_agent.host.kernel.neighbour_tables import KernelTable, PortEntries
from backstay_agent.host.kernel.port_statistics import Counters
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.paths import PathWatcher
from backstay_agent.runner import Runner
from backstay_agent.uplink.errors import UnavailableError
from backstay_agent.uplink.sender import Sender
from backstay_agent.uplink.session import UplinkSession
from backstay_agent.uplink.spool import Outbox, Spool
from backstay_testing.clock import ManualClock
from backstay_testing.sink import Sink
from backstay_wire import (
    BatchReply,
    BfdSession,
    Desired,
    GatewayAddress,
    LinuxSource,
    NextHop,
    PathReport,
    PathWatch,
    Report,
    ReportBatch,
    Route,
)

INTERVAL_S = 30.0
PORTS = {index: f"eth{index}" for index in range(1, 9)}
WATCH = PathWatch(
    policy="out",
    prefix="10.9.0.0/16",
    gateways=[
        GatewayAddress(name="grf1", address="10.1.0.1"),
        GatewayAddress(name="atmgw", address="10.1.0.2"),
    ],
    target="10.9.0.1",
    probe_interval_ms=200,
)
FOLLOWING = (
    "0A010010,10.1.0.16,3,1795290701.123456789,0.000250000,-0.000010000,0.000020000,"
    "-12.345,0.001,0.250,0.001200000,0.004500000,64.2,Normal\n"
)


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Moves a clock to the next timer instead of waiting for it. Nothing in it may use a real socket."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        super().__init__(SimulatedSelector(clock))
        self.set_default_executor(InlineExecutor())

    def time(self) -> float:
        return self._clock.now_ns / 1e9


class SimulatedSelector(selectors.DefaultSelector):
    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self._clock.advance(max(timeout, 1e-6))
        return ready


class InlineExecutor(ThreadPoolExecutor):
    """Runs each job at once: a thread would take real time."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Kernel(KernelState):
    """A host with eight ports, of which nothing changes."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(cast("Any", self), cast("Any", None), lambda name: 10**10, clock)
        self.links = {
            index: KernelLink(index, name, 1, 1500, 0x10043, "", "", False) for index, name in PORTS.items()
        }
        self.move("10.1.0.1")

    async def start(self) -> None: ...

    async def read_ports(self) -> None: ...

    async def read_routes(self) -> None: ...

    async def dump(self, table: object) -> list[dict[str, object]]:
        return []

    def move(self, via: str) -> None:
        hop = NextHop(via=via, port="eth1")
        self.routes.apply([Put(Route(prefix="10.9.0.0/16", protocol="bird", next_hops=[hop]), replaces=True)])


class Octets:
    """Counters that grow with each reading."""

    def __init__(self) -> None:
        self.value = 0

    def counters(self) -> dict[int, Counters]:
        self.value += 1000
        return dict.fromkeys(PORTS, (self.value,) * 8)


class Tables:
    def tables(self) -> list[KernelTable]:
        return [KernelTable(4, 1024, 9, 0), KernelTable(6, 512, 9, 0)]

    def ports(self) -> dict[int, PortEntries]:
        return {1: PortEntries(ipv4=3)}


class Echoes:
    """A network in which all but the `silent` answer."""

    def __init__(self) -> None:
        self.silent: set[str] = set()
        self._coming: list[Reply] = []

    def send(self, address: str, slot: int, number: int, wall_ns: int) -> bool:
        if address not in self.silent:
            self._coming.append(Reply(slot, number, 250))
        return True

    def replies(self) -> list[Reply]:
        coming, self._coming = self._coming, []
        return coming

    def close(self) -> None: ...


class Bird:
    """A collector of a daemon with a BFD session, read each interval."""

    name, device, interval_s, limit_s = "bird", "sp01", INTERVAL_S, 5.0

    def __init__(self, reporter: DaemonReporter) -> None:
        self._reporter = reporter

    async def start(self) -> None: ...

    async def collect(self) -> Ran:
        session = BfdSession(neighbour="10.1.0.1", port="eth1", state="Up")
        self._reporter.report(DaemonView(running=True, version="2.0.12", bfd=[session]))
        return Ran()

    async def stop(self) -> None: ...


@dataclass(frozen=True)
class Request:
    """A request that was answered at `at` (ns)."""

    at: int
    reports: Sequence[Report]

    def of(self, kind: str) -> list[Report]:
        return [report for report in self.reports if report.kind == kind]


class Host:
    """An agent's parts on one host; `interval_s` of its counters as the path and the sender know it."""

    def __init__(self, clock: ManualClock, folder: Path, interval_s: float) -> None:
        self.clock, self.kernel, self.wire = clock, Kernel(clock), Echoes()
        self.sink = Sink(desired=Desired(generation=7, site="s", node="sp01", sources=[], paths=[]))
        self.requests: list[Request] = []
        self.is_away = False
        self.spool = Spool(folder, 8 * 1024 * 1024)
        self.outbox = Outbox(self.spool, uuid4())
        self.sender = Sender(self.spool, cast("UplinkSession", self), clock, lambda generation: None)
        self.outbox.on_report = self.sender.on_report
        sources = [LinuxSource(device="sp01", interval_s=interval_s)] if interval_s else []
        self.sender.patience_s = patience_s(sources)
        self.client = self
        self.runner = Runner(clock, self.outbox)
        self.prober = EchoProber(clock, lambda version: self.wire)
        self.watcher = PathWatcher(
            WATCH,
            "sp01",
            kernel=self.kernel,
            prober=self.prober,
            clock=clock,
            emit=self.outbox,
            counters_s=interval_s,
        )
        self.outbox.on_leaving = self.watcher.request_leaves

    async def call(self, what: Callable[[], Awaitable[BatchReply]]) -> BatchReply:
        """As UplinkSession."""
        return await what()

    async def report(self, body: bytes) -> BatchReply:
        """As BackendClient, without HTTP."""
        await asyncio.sleep(0.01)
        if self.is_away:
            raise UnavailableError("away")
        batch = ReportBatch.model_validate_json(gzip.decompress(body))
        self.requests.append(Request(self.clock.wall_ns(), batch.reports))
        return self.sink.ingest(batch)

    async def run(self, *seconds: float) -> list[list[Request]]:
        """Run the agent; the requests of each of these periods."""
        collectors: dict[str, Any] = {"device": "sp01", "clock": self.clock, "emit": self.outbox}
        linux = {**collectors, "interval_s": INTERVAL_S, "kernel": self.kernel}
        for collector in (
            LinuxState(**linux),
            LinuxHostNetwork(
                **linux, backend="http://10.255.0.1", dumps=self.kernel, resolv_conf=Path("/nonexistent")
            ),
            LinuxCounters(**linux, source=Octets()),
            LinuxNeighbours(**linux, tables=Tables(), open_tap=lambda port: Tap()),
            ChronyCollector(**collectors, interval_s=INTERVAL_S, read=chronyc),
            Bird(DaemonReporter(**collectors, daemon="bird")),
        ):
            self.runner.add(collector)
        self.watcher.start()
        sending = asyncio.create_task(self.sender.run())
        found = []
        for period in seconds:
            first = len(self.requests)
            await asyncio.sleep(period)
            found.append(self.requests[first:])
        sending.cancel()
        self.watcher.stop()
        self.prober.close()
        await self.runner.close()
        return found


class Tap(SimpleNamespace):
    """No broadcasts."""

    def read(self) -> BroadcastCount:
        return BroadcastCount(0)

    def close(self) -> None: ...


async def chronyc() -> str:
    return FOLLOWING


def causes(requests: Sequence[Request]) -> Counter[str]:
    """Requests by the first kind of their reports, counters before all others."""
    kinds = [{report.kind for report in request.reports} for request in requests]
    return Counter("ports" if "ports" in found else min(found) for found in kinds)


def kinds(requests: Sequence[Request]) -> Counter[str]:
    return Counter(report.kind for request in requests for report in request.reports)


Simulate = Callable[..., tuple[Host, list[list[Request]]]]


@pytest.fixture
def simulate(clock: ManualClock, tmp_path: Path) -> Simulate:
    """Runs a host for some periods, and `act` after the first: the host, and its requests of each period."""

    async def work(
        interval_s: float, seconds: Sequence[float], act: Callable[[Host], None] | None
    ) -> tuple[Host, list[list[Request]]]:
        host = Host(clock, tmp_path / "spool", interval_s)
        if act is not None:
            asyncio.get_running_loop().call_later(seconds[0], act, host)
        return host, await host.run(*seconds)

    def run(
        interval_s: float, *seconds: float, act: Callable[[Host], None] | None = None
    ) -> tuple[Host, list[list[Request]]]:
        loop = SimulatedLoop(clock)
        try:
            return loop.run_until_complete(work(interval_s, seconds, act))
        finally:
            loop.close()

    return run


START_S = 130.0
"""Longer than the minute of unrest after the first news of the path."""
REPEATS = {"collector": 6, "device": 1, "host_network": 1, "daemon": 2, "metrics": 3}
"""Reports of a quiet minute besides counters and path: of six collectors, of a daemon with a BFD session."""


def a_minute(counted: Counter[str]) -> dict[str, float]:
    return {kind: count / 10 for kind, count in counted.items()}


def test_quiet_host_sends_two_requests_a_minute(simulate: Simulate) -> None:
    _, (_, quiet) = simulate(INTERVAL_S, START_S, 600)
    assert a_minute(causes(quiet)) == {"ports": 2}
    assert a_minute(kinds(quiet)) == {"ports": 2, "path": 2, **REPEATS, "routes": 0.1}


def test_host_that_knows_of_no_counters_sends_each_report_as_it_is_made(simulate: Simulate) -> None:
    """As every agent did: the same reports and four more heartbeats in 16 instead of 2 requests a minute."""
    _, (_, quiet) = simulate(0, START_S, 600)
    path = pytest.approx(6, abs=0.25)
    assert a_minute(causes(quiet)) == {"ports": 2, "path": path, "collector": 6, "metrics": 1, "daemon": 1}
    assert a_minute(kinds(quiet)) == {"ports": 2, "path": path, **REPEATS, "routes": 0.1}


def test_heartbeat_of_a_path_is_of_the_moment_when_it_leaves(simulate: Simulate) -> None:
    _, (_, quiet) = simulate(INTERVAL_S, START_S, 600)
    ages = [request.at - path.at for request in quiet for path in request.of("path")]
    assert len(ages) == 20
    assert max(ages) < 0.1e9


def test_counters_are_not_delayed_and_leave_each_interval(simulate: Simulate) -> None:
    _, (_, quiet) = simulate(INTERVAL_S, START_S, 600)
    counted = [(request.at, report.at) for request in quiet for report in request.of("ports")]
    assert all(sent - made < 0.1e9 for sent, made in counted)
    assert {round((b[0] - a[0]) / 1e9) for a, b in pairwise(counted)} == {30}


def test_short_interval_repeats_the_path_each_ten_seconds_as_without_counters(simulate: Simulate) -> None:
    _, (_, quiet) = simulate(2, START_S, 600)
    assert 4.8 <= a_minute(kinds(quiet))["path"] <= 6


def fail_over(host: Host) -> None:
    host.wire.silent = {"10.1.0.1", "10.9.0.1"}
    host.kernel.move("10.1.0.2")
    host.watcher.routes_changed(host.clock.wall_ns(), host.clock.monotonic_ns())


def is_switch(report: Report) -> bool:
    return isinstance(report, PathReport) and report.switch is not None


def test_switch_leaves_at_once_and_takes_with_it_what_waits(simulate: Simulate) -> None:
    _, (_, after) = simulate(INTERVAL_S, START_S + 15, 60, act=fail_over)
    first = after[0]
    (switch,) = [report for report in first.reports if is_switch(report)]
    assert first.at - switch.at < 0.1e9
    assert {"collector", "metrics"} <= {report.kind for report in first.reports}
    assert [report.seq for report in first.reports] == sorted(report.seq for report in first.reports)


def test_nothing_waits_in_the_minute_after_an_event(simulate: Simulate) -> None:
    _, (_, minute, later) = simulate(INTERVAL_S, START_S + 25, 55, 600, act=fail_over)
    waited = [request.at - report.at for request in minute[1:] for report in request.reports]
    assert max(waited) < 0.1e9
    assert kinds(minute)["daemon"] >= 1, "its BFD session is evidence about the fault"
    assert kinds(minute)["path"] >= 5
    assert causes(later)["ports"] == 20
    assert len(later) <= 23, "and it is quiet again"


def test_without_counters_nothing_waits_longer_than_one_and_a_half_intervals(simulate: Simulate) -> None:
    def pull_ports(host: Host) -> None:
        host.kernel.links = {}

    _, (_, quiet) = simulate(INTERVAL_S, START_S, 600, act=pull_ports)
    rest = quiet[2:]
    assert kinds(rest)["ports"] == 0
    assert max(request.at - report.at for request in rest for report in request.reports) < 45.1e9
    assert max(b.at - a.at for a, b in pairwise(rest)) < 45.5e9, "the node is stale after 60 s"
    assert len(rest) <= 25


def test_outage_of_the_backend_loses_and_doubles_nothing(simulate: Simulate) -> None:
    def leave(host: Host) -> None:
        host.is_away = True
        asyncio.get_running_loop().call_later(300, setattr, host, "is_away", False)

    host, (_, away, back) = simulate(INTERVAL_S, START_S, 300, 40, act=leave)
    assert not away
    assert back[0].at - host.clock.wall_ns() < -5e9, "30 s of backoff at most"
    numbers = [report.seq for request in host.requests for report in request.reports]
    assert len(numbers) == len(set(numbers)), "doubled"
    unsent = host.outbox.made - len(numbers)
    assert unsent == host.spool.waiting <= 10
    assert set(range(1, max(numbers) + 1)) - set(numbers) == set(), "lost"
