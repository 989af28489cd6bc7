"""Reports of neighbour collectors; an unchanged table costs nothing."""

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from backstay_agent.collectors.base import NoAnswerError, UnusableError
from backstay_agent.collectors.linux.neighbours import LinuxNeighbours
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.collectors.neighbour_metrics import mac_text
from backstay_agent.collectors.snmp.neighbours import SnmpNeighbours, counted
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.kernel.arp_tap import BroadcastCount
from backstay_agent.host.kernel.neighbour_tables import KernelTable, NeighbourTables, PortEntries
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import Oid, Rows, SnmpTimeoutError, Value
from backstay_agent.parsers import ipmib
from backstay_testing.clock import ManualClock
from backstay_testing.report_list import ReportList
from backstay_wire import METRICS, CollectorOutcome, MetricReport, PortState

pytestmark = pytest.mark.anyio
MAC, OTHER = bytes.fromhex("020000000099"), bytes.fromhex("020000000001")
SECOND = 1_000_000_000


class Reports(ReportList):
    def reported(self, subject: str) -> dict[str, Any]:
        """Latest metrics of one part; each must be registered."""
        report = self[-1]
        assert isinstance(report, MetricReport)
        assert {item.metric for item in report.metrics} <= METRICS.keys()
        return {item.metric: item.value for item in report.metrics if item.subject == subject}


class Kernel:
    """Tables set by the test."""

    def __init__(self) -> None:
        self.entries = PortEntries(
            ipv4=3, ipv6=1, permanent=2, incomplete=1, macs=Counter({MAC: 2, OTHER: 1})
        )
        self.overflows = 7
        self.shared = 40
        self.broken = False
        self.links = {2: SimpleNamespace(name="hip0")}

    async def start(self) -> None:
        """Nothing to wait for."""

    def tables(self) -> list[KernelTable]:
        if self.broken:
            raise OSError("no netlink")
        self.shared += 1  # other nodes' entries are added and removed
        return [KernelTable(4, 1024, self.shared, self.overflows), KernelTable(6, 512, 9, 0)]

    def ports(self) -> dict[int, PortEntries]:
        return {2: self.entries}


class Tap:
    """Receives the broadcasts that the test sets."""

    def __init__(self) -> None:
        self.received = BroadcastCount(0)
        self.closed = False

    def read(self) -> BroadcastCount:
        return self.received

    def close(self) -> None:
        self.closed = True


class Host:
    """The collector over fakes."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock, self.kernel, self.reports = clock, Kernel(), Reports()
        self.taps: dict[str, Tap] = {}
        self.collector = LinuxNeighbours(
            device="onyx1",
            interval_s=5.0,
            tables=self.kernel,
            kernel=cast("KernelState", self.kernel),
            clock=clock,
            emit=self.reports,
            open_tap=self.open,
        )

    def open(self, port: str) -> Tap:
        return self.taps.setdefault(port, Tap())

    async def run(self, seconds: float = 5.0) -> None:
        self.clock.advance(seconds)
        await self.collector.collect()


@pytest.fixture
async def host(clock: ManualClock) -> Host:
    made = Host(clock)
    await made.collector.start()
    await made.collector.collect()
    return made


async def test_port_reports_its_entries_and_their_most_common_mac(host: Host) -> None:
    reported = host.reports.reported("hip0")
    assert (reported["neigh.ipv4_entries"], reported["neigh.ipv6_entries"]) == (3, 1)
    assert (reported["neigh.permanent"], reported["neigh.incomplete"]) == (2, 1)
    assert (reported["neigh.top_mac"], reported["neigh.top_mac_entries"]) == (mac_text(MAC), 2)
    assert host.reports.reported("")["neigh.ipv4_capacity"] == 1024


async def test_unchanged_table_is_reported_once_a_minute(host: Host) -> None:
    for _ in range(11):
        await host.run()
    assert len(host.reports) == 1
    await host.run()
    assert len(host.reports) == 2


async def test_new_entry_and_overflow_are_reported_at_once(host: Host) -> None:
    host.kernel.entries.ipv4 += 1
    await host.run()
    assert host.reports.reported("hip0")["neigh.ipv4_entries"] == 4
    host.kernel.overflows += 1
    await host.run()
    assert len(host.reports) == 3
    assert host.reports.reported("")["neigh.ipv4_overflows"] == 1


async def test_many_broadcasts_are_reported_at_once_with_their_source(host: Host) -> None:
    host.taps["hip0"].received = BroadcastCount(4, Counter({MAC: 4}))
    await host.run()
    assert len(host.reports) == 1
    host.taps["hip0"].received = BroadcastCount(1000, Counter({MAC: 60, OTHER: 20}))
    await host.run()
    reported = host.reports.reported("hip0")
    assert reported["neigh.arp_broadcasts"] == 1004
    assert (reported["neigh.talker"], reported["neigh.talker_share"]) == (mac_text(MAC), 75)


async def test_listener_follows_recreated_and_removed_ports(host: Host) -> None:
    first = host.taps.pop("hip0")
    host.kernel.links = {3: SimpleNamespace(name="hip0")}
    await host.run()
    assert first.closed
    assert not host.taps["hip0"].closed
    host.kernel.links = {}
    await host.run()
    assert host.taps["hip0"].closed


async def test_tables_are_reported_without_permission_to_capture(clock: ManualClock) -> None:
    host = Host(clock)

    def refuse(port: str) -> Tap:
        raise PermissionError(port)

    host.collector._open_tap = refuse
    ran = await host.collector.collect()
    assert (ran.outcome, "CAP_NET_RAW" in ran.detail) == (CollectorOutcome.OK, True)
    assert "neigh.talker" not in host.reports.reported("hip0")


async def test_unresponsive_kernel_is_a_failure(host: Host) -> None:
    host.kernel.broken = True
    with pytest.raises(UnusableError, match="no netlink"):
        await host.run()


PORTS = [PortState(name="gh010", index=4, admin_up=True, oper_up=True)]


def physical(*entries: tuple[int, tuple[int, ...], bytes, int]) -> dict[Oid, dict[Oid, Value]]:
    """ipNetToPhysicalTable: (ifIndex, InetAddressType and octets, MAC, type)."""
    return {
        ipmib.PHYSICAL_MAC: {(port, *address): mac for port, address, mac, _ in entries},
        ipmib.PHYSICAL_TYPE: {(port, *address): kind for port, address, _, kind in entries},
    }


V4, V6 = (1, 4, 10, 2, 0), (2, 16, *([0] * 15))


def test_families_and_static_entries_are_distinguished_and_own_addresses_excluded() -> None:
    rows = physical(
        (4, (*V4, 2), MAC, 3), (4, (*V4, 3), MAC, 3), (4, (*V4, 4), OTHER, 4),
        (4, (*V4, 5), b"", 3), (4, (*V6, 1), OTHER, 3), (4, (*V4, 1), OTHER, 5), (9, (*V4, 9), MAC, 3),
    )  # fmt: skip
    (table,) = counted(rows, PORTS)
    assert (table.ipv4, table.ipv6, table.permanent, table.incomplete) == (3, 1, 1, 1)
    assert (table.top_mac, table.top_mac_entries) == (mac_text(MAC), 2)


def test_entries_of_the_older_table_are_ipv4() -> None:
    rows: Rows = {ipmib.MEDIA_MAC: {(4, 10, 2, 0, 2): MAC}, ipmib.MEDIA_TYPE: {(4, 10, 2, 0, 2): 3}}
    assert counted(rows, PORTS)[0].ipv4 == 1


BOTH_TABLES = physical((4, (*V4, 2), MAC, 3)) | {
    ipmib.MEDIA_MAC: {(4, 10, 2, 0, 2): MAC},
    ipmib.MEDIA_TYPE: {(4, 10, 2, 0, 2): 3},
}


class TwoTables:
    """A session of a device with both tables; `old` is what only the older one has."""

    def __init__(self, clock: ManualClock, *old: Oid) -> None:
        self.clock, self.walked = clock, list[Oid]()
        self.rows = {column: dict(values) for column, values in BOTH_TABLES.items()}
        for index in old:
            self.rows[ipmib.MEDIA_MAC][index] = MAC
            self.rows[ipmib.MEDIA_TYPE][index] = 3

    async def walk(self, columns: Sequence[Oid]) -> Mapping[Oid, Mapping[Oid, Value]]:
        self.walked.append(columns[0])
        return {column: self.rows.get(column, {}) for column in columns}

    def close(self) -> None:
        """Nothing is open."""


async def test_table_that_adds_nothing_is_read_once_in_ten_minutes(clock: ManualClock) -> None:
    same, more = TwoTables(clock), TwoTables(clock, (4, 10, 2, 0, 9))
    for device, entries, reads in ((same, 1, 3), (more, 2, 130)):
        reports = Reports()
        collector = snmp(clock, device, reports)
        for _ in range(130):
            await collector.collect()
            clock.advance(10.0)
        assert device.walked.count(ipmib.MEDIA_MAC) == reads
        assert reports.reported("gh010")["neigh.ipv4_entries"] == entries


class Device:
    """A session whose walks take the time set by the test."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock, self.took_s, self.walks = clock, 0.01, 0
        self.silent = False

    async def walk(self, columns: Sequence[Oid]) -> Mapping[Oid, Mapping[Oid, Value]]:
        if self.silent:
            raise SnmpTimeoutError("no answer")
        if ipmib.PHYSICAL_MAC not in columns:
            return {columns[0]: {(4,): 100 * self.walks}}
        self.walks += 1
        self.clock.advance(self.took_s)
        return physical((4, (*V4, self.walks), MAC, 3))

    def close(self) -> None:
        """Nothing is open."""


def snmp(clock: ManualClock, device: "Device | TwoTables", reports: Reports) -> SnmpNeighbours:
    view = DeviceView()
    view.discovered((), PORTS)
    session = cast("SnmpSession", device)
    return SnmpNeighbours(
        device="grf1", interval_s=5.0, session=session, view=view, clock=clock, emit=reports
    )


async def test_device_tables_and_broadcasts_are_counted_every_interval(clock: ManualClock) -> None:
    device, reports = Device(clock), Reports()
    collector = snmp(clock, device, reports)
    for _ in range(2):
        await collector.collect()
        clock.advance(5.0)
    assert reports.reported("gh010")["neigh.ipv4_entries"] == 1
    assert reports.reported("gh010")["neigh.broadcasts"] == 100


async def test_long_table_uses_at_most_a_tenth_of_the_time(clock: ManualClock) -> None:
    device = Device(clock)
    device.took_s = 4.0
    collector = snmp(clock, device, Reports())
    began = clock.monotonic_ns()
    for _ in range(60):
        await collector.collect()
        clock.advance(5.0)
    elapsed_s = (clock.monotonic_ns() - began) / 1e9
    reading_s = 2 * device.took_s  # a slow walk is repeated
    assert device.walks * device.took_s <= elapsed_s / 10 + reading_s


async def test_unresponsive_device_is_reported(clock: ManualClock) -> None:
    device = Device(clock)
    device.silent = True
    with pytest.raises(NoAnswerError):
        await snmp(clock, device, Reports()).collect()


class FloodedDevice(Device):
    """Its table holds the newest `HELD` of ever new addresses; a walk chases them for a while."""

    HELD, CHASED = 900, 1600

    async def walk(self, columns: Sequence[Oid]) -> Mapping[Oid, Mapping[Oid, Value]]:
        if ipmib.PHYSICAL_MAC not in columns:
            return {columns[0]: {}}
        oldest = self.walks * self.CHASED
        self.walks += 1
        self.clock.advance(self.took_s)
        numbers = range(oldest, oldest + self.HELD + self.CHASED)
        return physical(*[(4, (1, 4, 198, 18, number >> 8, number & 255), MAC, 3) for number in numbers])


async def test_entries_that_leave_a_table_during_its_walk_are_not_counted(clock: ManualClock) -> None:
    device, reports = FloodedDevice(clock), Reports()
    device.took_s = 5.0
    await snmp(clock, device, reports).collect()
    reported = reports.reported("gh010")
    assert reported["neigh.ipv4_entries"] == FloodedDevice.HELD
    assert reported["neigh.top_mac_entries"] == FloodedDevice.HELD


async def test_quick_walk_of_a_small_table_is_not_repeated(clock: ManualClock) -> None:
    device = Device(clock)
    await snmp(clock, device, Reports()).collect()
    assert device.walks == 1


def neighbour_message(index: int, address: bytes, state: int) -> bytes:
    """RTM_NEWNEIGH as the kernel sends it (rtnetlink(7)): header, ndmsg, NDA_DST, NDA_LLADDR."""
    body = struct.pack("=BxHiHBB", 2, 0, index, state, 0, 1)
    body += struct.pack("=HH", 8, 1) + address + struct.pack("=HH", 10, 2) + MAC + bytes(2)
    return struct.pack("=IHHII", 16 + len(body), 28, 2, 1, 0) + body


def test_entry_that_a_dump_contains_twice_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (neighbour_message(2, bytes([10, 2, 0, host]), 2) for host in (2, 3))
    again = neighbour_message(2, bytes([10, 2, 0, 2]), 4)
    tables = NeighbourTables()
    monkeypatch.setattr(tables._requests, "rows", lambda table: [first, second, again])
    found = tables.ports()[2]
    assert (found.ipv4, found.macs) == (2, Counter({MAC: 2}))
