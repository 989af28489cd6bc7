"""Echoes: over real sockets of both families, and the prober's timing over simulated ones."""

import time
from collections.abc import Callable
from ipaddress import ip_address
from uuid import uuid4

import pytest

from backstay_agent.failover.routes import Put, RouteTable
from backstay_agent.host.icmp import EchoSocket, Reply, checksum
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.paths import PathWatcher
from backstay_agent.probes.standby import ForwardingProbe, StandbyProbes
from backstay_agent.probes.via_gateway import ProbeStream
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_testing.namespaces import Namespace, run_in
from backstay_wire import GatewayAddress, NextHop, PathReport, PathWatch, Report, Route


@pytest.mark.netns
@pytest.mark.parametrize(("version", "address"), [(4, "127.0.0.1"), (6, "::1")])
def test_echo_reply_has_its_sequence_number_and_the_kernels_timestamp(
    make_namespace: Callable[[], Namespace], version: int, address: str
) -> None:
    found: list[Reply] = []

    def work() -> None:
        ours, others = EchoSocket(version), EchoSocket(version)
        time.sleep(0.2)  # the first socket with timestamps gets them late, from a work queue
        for number in (70_000, 70_001):
            assert ours.send(address, 5, number, time.time_ns())
        assert others.send(address, 9, 1, time.time_ns())
        time.sleep(0.5)  # the kernel's receive time counts, not ours
        found.extend(ours.replies())
        ours.close()
        others.close()

    run_in(make_namespace(), work)
    assert [(reply.slot, reply.number) for reply in found] == [(5, 70_000), (5, 70_001)]
    assert all(0 <= reply.rtt_us < 400_000 for reply in found), found


@pytest.mark.netns
def test_probe_to_an_unreachable_address_is_not_sent(
    make_namespace: Callable[[], Namespace],
) -> None:
    sent: list[bool] = []
    run_in(make_namespace(), lambda: sent.append(EchoSocket(4).send("192.0.2.1", 1, 1, time.time_ns())))
    assert sent == [False]


def test_checksum_matches_rfc_1071() -> None:
    # RFC 1071, section 3: the sum of these words is ddf2.
    assert checksum(bytes([0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7])) == ~0xDDF2 & 0xFFFF


class Wire:
    """A socket whose far end answers all but the addresses that are `silent`."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, int]] = []
        self.silent: set[str] = set()
        self._coming: list[Reply] = []

    def send(self, address: str, slot: int, number: int, wall_ns: int) -> bool:
        self.sent.append((address, number))
        if address not in self.silent:
            self._coming.append(Reply(slot, number, 250))
        return True

    def replies(self) -> list[Reply]:
        coming, self._coming = self._coming, []
        return coming

    def close(self) -> None:
        pass


class Quiet:
    """A listener that counts."""

    def __init__(self) -> None:
        self.count = 0

    def sent(self, number: int, now_ns: int) -> None:
        self.count += 1

    def answered(self, number: int, rtt_us: int) -> None:
        pass


@pytest.mark.anyio
async def test_late_tick_sends_no_burst_of_probes(clock: ManualClock) -> None:
    wire = Wire()
    prober = EchoProber(clock, lambda version: wire)
    fast, slow = Quiet(), Quiet()
    prober.add(ip_address("10.0.0.1"), 50, fast)
    prober.add(ip_address("10.0.0.2"), 1000, slow)
    for _ in range(100):
        clock.advance(0.05)
        prober.tick()
    assert (fast.count, slow.count) == (100, 5)
    clock.advance(10)
    prober.tick()
    assert (fast.count, slow.count) == (101, 6)
    prober.close()


class Kernel:
    """A kernel view with routes set by the test."""

    def __init__(self) -> None:
        self.routes = RouteTable()

    def neighbour_state(self, address: object) -> str:
        return "reachable"

    def move(self, via: str) -> None:
        route = Route(prefix="10.9.0.0/16", protocol="bird", next_hops=[NextHop(via=via, port="css0")])
        self.routes.apply([Put(route, replaces=True)])


class Reports(list[PathReport]):
    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        report: Report = build(uuid4(), len(self) + 1)
        assert isinstance(report, PathReport)
        self.append(report)


WATCH = PathWatch(
    policy="out",
    prefix="10.9.0.0/16",
    gateways=[
        GatewayAddress(name="grf1", address="10.1.0.1"),
        GatewayAddress(name="atmgw", address="10.1.0.2"),
    ],
    target="10.9.0.1",
)


@pytest.mark.anyio
async def test_watched_path_is_reported_on_change_and_every_ten_seconds(clock: ManualClock) -> None:
    wire, kernel, reports = Wire(), Kernel(), Reports()
    prober = EchoProber(clock, lambda version: wire)
    kernel.move("10.1.0.1")
    watcher = PathWatcher(WATCH, "sp01", kernel=kernel, prober=prober, clock=clock, emit=reports)
    watcher.start()

    def run(seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            clock.advance(0.05)
            prober.tick()

    run(25)
    assert reports[-1].active == "grf1"
    assert reports[-1].target_alive is True
    assert reports[-1].target_rtt_us == 250
    assert [gateway.alive for gateway in reports[-1].gateways] == [True, True]
    steady = len(reports)
    assert steady <= 5

    wire.silent = {"10.1.0.1", "10.9.0.1"}
    run(0.15)
    kernel.move("10.1.0.2")
    watcher.routes_changed(clock.wall_ns(), clock.monotonic_ns())
    wire.silent = {"10.1.0.1"}
    run(6)
    reported = [report.switch for report in reports if report.switch is not None]
    assert [(one.from_gateway, one.to_gateway) for one in reported] == [("grf1", "atmgw")] * 2
    assert (reported[0].outage_ms, reported[1].outage_ms, reported[1].lost_probes) == (None, 150.0, 3)
    assert [gateway.alive for gateway in reports[-1].gateways] == [False, True]
    watcher.stop()
    count = len(wire.sent)
    run(5)
    assert len(wire.sent) == count
    prober.close()


@pytest.mark.anyio
async def test_switch_is_reported_after_a_report_of_the_moment_between_it_and_its_discovery(
    clock: ManualClock,
) -> None:
    wire, kernel, reports = Wire(), Kernel(), Reports()
    prober = EchoProber(clock, lambda version: wire)
    kernel.move("10.1.0.1")
    watcher = PathWatcher(WATCH, "sp01", kernel=kernel, prober=prober, clock=clock, emit=reports)
    watcher.start()
    while len(reports) < 3:
        clock.advance(0.05)
        prober.tick()
    switched_ns = clock.wall_ns() - 75_000_000
    kernel.move("10.1.0.2")
    watcher.routes_changed(switched_ns, clock.monotonic_ns())
    before, after = reports[-2:]
    assert (before.active, after.active) == ("grf1", "atmgw")
    assert after.switch is not None
    assert after.switch.at == switched_ns
    assert after.at > before.at
    watcher.stop()
    prober.close()


@pytest.mark.anyio
async def test_dead_target_is_reported_as_ongoing_and_then_with_its_length(clock: ManualClock) -> None:
    wire, kernel, reports = Wire(), Kernel(), Reports()
    prober = EchoProber(clock, lambda version: wire)
    kernel.move("10.1.0.1")
    watcher = PathWatcher(WATCH, "sp01", kernel=kernel, prober=prober, clock=clock, emit=reports)
    watcher.start()

    def run(seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            clock.advance(0.05)
            prober.tick()

    run(5)
    died = clock.wall_ns()
    wire.silent = {"10.9.0.1"}
    run(25)
    ongoing = [report.outage for report in reports if report.outage is not None]
    assert len(ongoing) >= 3
    assert {(one.id, one.duration_ms, one.cause) for one in ongoing} == {(ongoing[0].id, None, "target_dead")}
    assert all(0 <= one.since - died <= 100_000_000 for one in ongoing)
    wire.silent = set()
    run(1)
    assert reports[-1].target_alive is True
    ended = reports[-1].outage
    assert ended is not None
    assert (ended.id, ended.duration_ms, ended.lost_probes) == (ongoing[0].id, 25_000.0, 500)
    run(15)
    assert reports[-1].outage is None
    watcher.stop()
    prober.close()


class UnsentStandby(StandbyProbes):
    """Sends no probes of its own: only what the path's probes show is known."""

    def __init__(self) -> None:
        self._running = {
            gateway.name: (ProbeStream(gateway.address, "css0", gateway.address, 10_000), ForwardingProbe())
            for gateway in WATCH.gateways
        }

    def start(self) -> None: ...

    def stop(self) -> None: ...


@pytest.mark.anyio
async def test_path_that_leaves_a_gateway_reports_at_once_that_it_does_not_forward(
    clock: ManualClock,
) -> None:
    wire, kernel, reports = Wire(), Kernel(), Reports()
    prober = EchoProber(clock, lambda version: wire)
    kernel.move("10.1.0.1")
    watcher = PathWatcher(
        WATCH, "sp01", kernel=kernel, prober=prober, clock=clock, emit=reports, standby=UnsentStandby()
    )
    watcher.start()

    def run(seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            clock.advance(0.05)
            prober.tick()

    run(5)
    wire.silent = {"10.9.0.1"}
    run(3)
    assert {gateway.name: gateway.forwards for gateway in reports[-1].gateways} == {
        "grf1": False,
        "atmgw": None,
    }
    kernel.move("10.1.0.2")
    watcher.routes_changed(clock.wall_ns(), clock.monotonic_ns())
    wire.silent = set()
    run(3)
    assert {gateway.name: gateway.forwards for gateway in reports[-1].gateways} == {
        "grf1": False,
        "atmgw": True,
    }
    assert [gateway.alive for gateway in reports[-1].gateways] == [True, True]
    watcher.stop()
    prober.close()


@pytest.mark.anyio
async def test_routes_are_watched_without_permission_to_send_echoes(
    clock: ManualClock,
) -> None:
    def refuse(version: int) -> Wire:
        raise PermissionError("raw sockets")

    kernel, reports = Kernel(), Reports()
    prober = EchoProber(clock, refuse)
    kernel.move("10.1.0.1")
    watcher = PathWatcher(WATCH, "sp01", kernel=kernel, prober=prober, clock=clock, emit=reports)
    watcher.start()
    kernel.move("10.1.0.2")
    watcher.routes_changed(clock.wall_ns(), clock.monotonic_ns())
    assert reports[-1].active == "atmgw"
    assert reports[-1].switch is not None
    assert reports[-1].switch.outage_ms is None
    assert reports[-1].target_alive is None
    watcher.stop()
    prober.close()
