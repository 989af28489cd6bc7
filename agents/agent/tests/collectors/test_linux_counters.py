"""Counters of this host over simulated seconds: intervals, peaks, gaps, added and removed ports."""

from uuid import uuid4

import pytest

from backstay_agent.collectors.linux.counters import LinuxCounters
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.host.kernel.netlink import NetlinkEvent
from backstay_agent.host.kernel.port_statistics import Counters
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_wire import NO_VALUE, CollectorOutcome, DeltaOutcome, PortSamples, PortState

pytestmark = pytest.mark.anyio


class Kernel(KernelState):
    """A kernel view with ports set by the test."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(NoDumps(), NoEvents, lambda name: 0, clock)

    async def start(self) -> None:
        pass

    def add(self, index: int, name: str, speed: int = 0, *, virtual: bool = False) -> None:
        self.links[index] = KernelLink(index, name, 1, 1500, 0x10043, "", "", virtual)
        self.speeds[index] = speed


class NoDumps:
    async def dump(self, table: object) -> list[dict[str, object]]:
        return []


class NoEvents:
    def fileno(self) -> int:
        return -1

    def read(self) -> list[NetlinkEvent]:
        return []

    def close(self) -> None:
        pass


class Ports:
    """Counters set by the test."""

    def __init__(self) -> None:
        self.values: dict[int, list[int]] = {}

    def add(self, index: int, in_octets: int = 0, out_octets: int = 0) -> None:
        values = self.values.setdefault(index, [0] * 8)
        values[0] += in_octets
        values[1] += out_octets
        values[2] += in_octets // 1000
        values[3] += out_octets // 1000

    def counters(self) -> dict[int, Counters]:
        return {index: tuple(values) for index, values in self.values.items()}  # type: ignore[misc]


class Host:
    """A collector with an interval of 5 s and a manual clock."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock, self.kernel, self.ports = clock, Kernel(clock), Ports()
        self.reports: list[PortSamples] = []
        self.collector = LinuxCounters(
            device="sp01", interval_s=5, source=self.ports, kernel=self.kernel, clock=clock, emit=self.emit
        )

    def emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        report = build(uuid4(), len(self.reports) + 1)
        assert isinstance(report, PortSamples)
        self.reports.append(report)

    async def seconds(self, *growth: int, index: int = 2) -> None:
        """One reading per second, with this growth in octets."""
        for octets in growth:
            self.clock.advance(1)
            self.ports.add(index, octets, octets // 2)
            await self.collector.collect()


@pytest.fixture
async def host(clock: ManualClock) -> Host:
    made = Host(clock)
    made.kernel.add(2, "css0", 1_000_000_000)
    made.ports.add(2, 10**12)
    await made.collector.collect()
    return made


async def test_interval_has_its_growth_and_peak_second(host: Host) -> None:
    await host.seconds(1000, 5000, 90_000, 2000, 2000)
    (report,) = host.reports
    assert report.ports == ["css0"]
    assert report.in_octets == [100_000]
    assert report.out_octets == [50_000]
    assert report.in_packets == [1 + 5 + 90 + 2 + 2]
    assert report.in_peak == [90_000]
    assert report.out_peak == [45_000]
    assert report.duration_ns == 5_000_000_000
    assert (report.outcome, report.in_errors, report.in_discards) == (None, None, None)


async def test_intervals_are_contiguous(host: Host) -> None:
    await host.seconds(*([1000] * 20))
    assert len(host.reports) == 4
    assert sum(report.in_octets[0] for report in host.reports) == 20_000
    assert {report.at - host.reports[0].at for report in host.reports} == {0, 5 * 10**9, 10**10, 15 * 10**9}


async def test_stopped_process_leaves_a_gap_with_the_full_growth(host: Host) -> None:
    await host.seconds(1000, 1000)
    host.clock.advance(60)
    await host.seconds(500_000)
    (report,) = host.reports
    assert report.outcome == [DeltaOutcome.GAP]
    assert report.in_octets == [502_000]
    assert report.duration_ns == 63 * 10**9
    assert report.in_peak == [500_000 // 61]  # the late reading counts as the mean of its seconds


async def test_new_port_is_included_from_its_first_full_interval(host: Host) -> None:
    await host.seconds(10, 10)
    host.kernel.add(3, "at0")
    host.ports.add(3, 777)
    await host.seconds(10, 10, 10)
    assert host.reports[-1].ports == ["css0"]
    await host.seconds(1, 2, 3, 4, 5, index=3)
    assert host.reports[-1].ports == ["css0", "at0"]
    assert host.reports[-1].in_octets == [0, 15]


async def test_recreated_port_with_the_same_name_is_a_new_port(host: Host) -> None:
    await host.seconds(10, 10)
    del host.kernel.links[2], host.ports.values[2]
    host.kernel.add(9, "css0")
    host.ports.add(9, 5)
    await host.seconds(1, 1, 1, index=9)
    assert host.reports == []
    await host.seconds(1, 1, 1, 1, 1, index=9)
    assert host.reports[-1].in_octets == [5]


async def test_growth_above_line_rate_is_absurd_except_on_virtual_ports(
    host: Host,
) -> None:
    host.kernel.add(3, "veth0", 1_000_000_000, virtual=True)
    host.ports.add(3)
    await host.seconds(0, 0, 0, 0, 0)
    for index in (2, 3):
        host.ports.add(index, 2 * 625_000_000)
    await host.seconds(0, 0, 0, 0, 0)
    report = host.reports[-1]
    assert report.outcome == [DeltaOutcome.ABSURD, DeltaOutcome.OK]
    assert report.in_octets == [NO_VALUE, 1_250_000_000]
    assert report.in_peak == [NO_VALUE, 1_250_000_000]


async def test_speed_that_traffic_contradicts_again_and_again_is_flagged_and_samples_are_kept(
    host: Host,
) -> None:
    await host.seconds(0, 0, 0, 0, 0)
    for _ in range(5):
        host.ports.add(2, 2 * 625_000_000)
        await host.seconds(0, 0, 0, 0, 0)
    outcomes = [report.outcome for report in host.reports[-5:]]
    assert outcomes == [[DeltaOutcome.ABSURD]] * 3 + [None] * 2
    assert host.reports[-1].in_octets == [1_250_000_000]
    stated = PortState(name="css0", index=2, speed=1_000_000_000, admin_up=True, oper_up=True)
    (port,) = host.kernel.stated_speeds.corrected([stated])
    assert (port.speed, port.contradicted_speed) == (0, 1_000_000_000)
    (other,) = host.kernel.stated_speeds.corrected([stated.model_copy(update={"speed": 25_000_000_000})])
    assert (other.speed, other.contradicted_speed) == (25_000_000_000, 0)


async def test_single_absurd_growths_contradict_no_speed(host: Host) -> None:
    await host.seconds(0, 0, 0, 0, 0)
    for _ in range(3):
        host.ports.add(2, 2 * 625_000_000)
        await host.seconds(0, 0, 0, 0, 0)
        await host.seconds(1, 1, 1, 1, 1)
    assert [report.outcome for report in host.reports[-2:]] == [[DeltaOutcome.ABSURD], None]


async def test_host_without_ports_has_no_data(clock: ManualClock) -> None:
    assert (await Host(clock).collector.collect()).outcome is CollectorOutcome.NO_DATA
