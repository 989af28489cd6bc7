"""A device's own clock over SNMP: its bound, and when it counts as set."""

from datetime import UTC, datetime, timedelta

import pytest

from backstay_agent.collectors.snmp.device_clock import DeviceClock, read
from backstay_agent.parsers import ifmib, ps32

SECOND = 1_000_000_000
NOON = datetime(1998, 9, 13, 12, tzinfo=UTC)


def date_and_time(tenths: int = 0) -> bytes:
    return (1998).to_bytes(2, "big") + bytes([9, 13, 12, 0, 0, tenths, ord("+"), 0, 0])


def test_a_clock_of_whole_seconds_is_in_the_middle_of_its_second_to_within_half_and_the_way() -> None:
    found = read({ifmib.HR_SYSTEM_DATE: date_and_time()}, timedelta(), way_ns=SECOND // 5, monotonic_ns=0)
    assert found is not None
    assert found.ns == int(NOON.timestamp()) * SECOND + SECOND // 2
    assert (found.error_ns, found.source) == (600_000_000, "hrSystemDate")


def test_a_clock_that_tells_tenths_is_known_better() -> None:
    found = read({ifmib.HR_SYSTEM_DATE: date_and_time(3)}, timedelta(), way_ns=0, monotonic_ns=0)
    assert found is not None
    assert found.ns == int(NOON.timestamp()) * SECOND + 350_000_000
    assert found.error_ns == 50_000_000


def test_a_hippi_switch_has_two_strings_instead() -> None:
    told = {ps32.DATE: b"09/13/98", ps32.TIME: b"12:00:00"}
    found = read(told, timedelta(), way_ns=0, monotonic_ns=0)
    assert found is not None
    assert (found.source, found.error_ns) == ("ps32", SECOND // 2)
    assert read({}, timedelta(), way_ns=0, monotonic_ns=0) is None


@pytest.mark.parametrize(
    ("gone_s", "moved"), [(2.0, False), (5.0, False), (6.5, True), (-2_592_000.0, True), (0.0, False)]
)
def test_a_clock_was_set_when_it_went_otherwise_than_ours_and_not_when_it_stands_still(
    gone_s: float, moved: bool
) -> None:
    before = DeviceClock(100 * SECOND, SECOND // 2, "hrSystemDate", 0)
    later = DeviceClock(100 * SECOND + round(gone_s * SECOND), SECOND // 2, "hrSystemDate", 2 * SECOND)
    assert before.has_moved(later) is moved
