"""A device's clock over SNMP: its error, and when a step is detected."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.device_clock import DeviceClock, read
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.session import open_session
from backstay_agent.parsers import ifmib, ps32
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_testing.snmp_responder import Table, honest, number, serving, text
from backstay_wire import DeviceReport, Report, SnmpSource, SnmpV2c

SECOND = 1_000_000_000
TICK = 10_000_000
NOON = datetime(1998, 9, 13, 12, tzinfo=UTC)


def date_and_time(tenths: int = 0) -> bytes:
    return (1998).to_bytes(2, "big") + bytes([9, 13, 12, 0, 0, tenths, ord("+"), 0, 0])


def test_clock_in_whole_seconds_is_read_as_mid_second_with_its_error() -> None:
    found = read(
        {ifmib.HR_SYSTEM_DATE: date_and_time()}, timedelta(), round_trip_ns=SECOND // 5, monotonic_ns=0
    )
    assert found is not None
    assert found.ns == int(NOON.timestamp()) * SECOND + SECOND // 2
    assert (found.error_ns, found.source) == (610_000_000, "hrSystemDate")


def test_clock_with_tenths_has_a_smaller_error() -> None:
    found = read({ifmib.HR_SYSTEM_DATE: date_and_time(3)}, timedelta(), round_trip_ns=0, monotonic_ns=0)
    assert found is not None
    assert found.ns == int(NOON.timestamp()) * SECOND + 350_000_000
    assert found.error_ns == 60_000_000


def test_hippi_switch_clock_is_read_from_two_strings() -> None:
    reported = {ps32.DATE: b"09/13/98", ps32.TIME: b"12:00:00"}
    found = read(reported, timedelta(), round_trip_ns=0, monotonic_ns=0)
    assert found is not None
    assert (found.source, found.error_ns) == ("ps32", SECOND // 2 + TICK)
    assert read({}, timedelta(), round_trip_ns=0, monotonic_ns=0) is None


@pytest.mark.parametrize(
    ("gone_s", "moved"), [(2.0, False), (5.0, False), (6.5, True), (-2_592_000.0, True), (0.0, False)]
)
def test_clock_step_is_distinguished_from_a_stopped_clock(gone_s: float, moved: bool) -> None:
    before = DeviceClock(100 * SECOND, SECOND // 2, "hrSystemDate", 0)
    later = DeviceClock(100 * SECOND + round(gone_s * SECOND), SECOND // 2, "hrSystemDate", 2 * SECOND)
    assert before.has_moved(later) is moved


class Router:
    """An SNMP device with a clock and an uptime, and the collector that polls it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.off_s = 0.0
        self.booted_s = self.clock.monotonic_ns() / SECOND - 5000
        self.table = Table({})
        self.reports: list[Report] = []
        self.set_answer()

    def set_answer(self) -> None:
        """The objects as they are now."""
        now = datetime.fromtimestamp(self.clock.wall_ns() / SECOND + self.off_s, UTC)
        date = now.year.to_bytes(2, "big") + bytes(
            [now.month, now.day, now.hour, now.minute, now.second, 0, ord("+"), 0, 0]
        )
        up = round((self.clock.monotonic_ns() / SECOND - self.booted_s) * 100)
        self.table.objects.update(
            {
                ifmib.SYS_DESCR: text("GigaRouter"),
                ifmib.SYS_UPTIME: number(up, ber.TICKS),
                ifmib.HR_SYSTEM_DATE: (ber.OCTETS, date),
                (*ifmib.IF_DESCR, 1): text("ga000"),
                (*ifmib.IF_TYPE, 1): number(37),
                (*ifmib.IF_ADMIN, 1): number(1),
                (*ifmib.IF_OPER, 1): number(1),
            }
        )

    async def poll(self, collector: SnmpCollector) -> list[DeviceReport]:
        """Advance by an interval; returns the collector's report."""
        self.clock.advance(2)
        self.set_answer()
        self.reports.clear()
        await collector.collect()
        return [report for report in self.reports if isinstance(report, DeviceReport)]

    def emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        self.reports.append(build(uuid4(), len(self.reports) + 1))


@pytest.mark.anyio
async def test_clock_set_back_a_month_is_reported_by_the_next_poll_and_with_a_reboot_in_one_report() -> None:
    router = Router()
    async with serving(honest(router.table)) as where:
        source = SnmpSource(
            device="grf1",
            interval_s=2,
            address="127.0.0.1",
            port=where,
            access=SnmpV2c(community="public"),
        )
        collector = SnmpCollector(
            device="grf1",
            interval_s=2,
            session=open_session(source),
            view=DeviceView(),
            clock=router.clock,
            emit=router.emit,
            local_offset=timedelta,
        )
        (first,) = await router.poll(collector)
        assert first.clock is not None
        assert abs(first.clock - first.at) <= first.clock_error == SECOND // 2 + TICK
        assert await router.poll(collector) == []
        router.off_s = -31 * 86_400
        (set_back,) = await router.poll(collector)
        assert set_back.clock is not None
        assert abs(set_back.clock - set_back.at + 31 * 86_400 * SECOND) <= set_back.clock_error
        assert await router.poll(collector) == []
        router.off_s, router.booted_s = 0.0, router.clock.monotonic_ns() / SECOND + 1
        reported = await router.poll(collector)
        assert reported[0].uptime_s == 1.0
        assert reported[0].clock is not None
        assert abs(reported[0].clock - reported[0].at) <= reported[0].clock_error
        await collector.stop()
