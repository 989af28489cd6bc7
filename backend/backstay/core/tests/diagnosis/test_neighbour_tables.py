"""Full and flooded neighbour tables, duplicates and misleading entries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from backstay.core.diagnosis.duplicates import duplicates
from backstay.core.diagnosis.neighbours import (
    Point,
    PortTable,
    TableLimits,
    as_of,
    filling_up,
    flooded,
    growth,
    stirring,
)
from backstay.core.model.hardware import spelled

MAC = "02:00:00:00:00:09"
LIMITS = TableLimits()
INTERVAL_S = 5.0


def grew(*counts: int, step_s: float = INTERVAL_S, **more: object) -> PortTable:
    """A port with these numbers of entries in its last reports."""
    points = tuple(Point(number * step_s, entries) for number, entries in enumerate(counts))
    return PortTable(ipv4=counts[-1], recent=points, **more)  # type: ignore[arg-type]


def flood_of(
    table: PortTable, capacity: int | None = 1024, *, firing: bool = False
) -> tuple[float, str] | None:
    sizes = {} if capacity is None else {"ipv4": capacity, "ipv6": capacity}
    found = flooded(table, sizes, INTERVAL_S, LIMITS, firing=firing)
    return None if found is None else (found.per_s, found.mac)


def test_nearly_full_raises_at_70_percent_and_clears_below_60() -> None:
    assert not filling_up(716, 1024, LIMITS, firing=False)
    assert filling_up(717, 1024, LIMITS, firing=False)
    assert filling_up(615, 1024, LIMITS, firing=True)
    assert not filling_up(614, 1024, LIMITS, firing=True)
    assert not filling_up(10**6, None, LIMITS, firing=True)


def test_growth_counts_only_the_window() -> None:
    table = grew(5, 5, 55, 105)
    assert growth(table.recent, 10.0) == (100, 10.0)
    assert growth(table.recent[:1], 10.0) == (0, 0.0)


def test_growth_since_an_old_report_is_recent() -> None:
    recent = (Point(0.0, 5), Point(60.0, 505))
    assert growth(recent, 10.0) == (500, 50.0)


def test_burst_with_one_hardware_address_is_a_flood_from_it() -> None:
    assert flood_of(grew(5, 100, top_mac=MAC, top_mac_entries=96)) == (19.0, MAC)


def test_broadcast_sender_has_precedence_over_entries() -> None:
    table = grew(5, 100, top_mac="02:aa", top_mac_entries=96, talker=MAC, talker_share=0.9)
    assert flood_of(table) == (19.0, MAC)


def test_starting_parallel_program_is_not_a_flood() -> None:
    assert flood_of(grew(5, 400, top_mac="02:aa", top_mac_entries=1)) is None


def test_many_hardware_addresses_are_a_flood_once_half_the_table_is_full() -> None:
    assert flood_of(grew(5, 520, top_mac="02:aa", top_mac_entries=1)) == (103.0, "")


def test_full_table_without_growth_is_still_flooded() -> None:
    def reports(*entries: int) -> PortTable:
        return grew(*entries, broadcasts_per_s=200.0, talker=MAC, talker_share=1.0)

    assert flood_of(reports(1020, 1020)) == (0.0, MAC)
    assert flood_of(reports(100, 100)) is None


def test_firing_flood_continues_at_half_the_limits() -> None:
    table = grew(500, 520, 540, top_mac=MAC, top_mac_entries=500)
    assert flood_of(table) is None
    assert flood_of(table, firing=True) == (4.0, MAC)


def nd(*counts: int, ipv4: int = 0, **more: object) -> PortTable:
    """A port with these numbers of IPv6 entries in its last reports, and a constant number of IPv4
    entries.
    """
    points = tuple(Point(number * INTERVAL_S, ipv4 + count, count) for number, count in enumerate(counts))
    return PortTable(ipv4=ipv4, ipv6=counts[-1], recent=points, **more)  # type: ignore[arg-type]


def test_ipv6_flood_is_found_with_a_quiet_arp_table() -> None:
    table = nd(5, 300, ipv4=400, top_mac=MAC, top_mac_entries=290)
    found = flooded(table, {"ipv4": 1024, "ipv6": 1024}, INTERVAL_S, LIMITS, firing=False)
    assert found is not None
    assert (found.family, found.mac, found.per_s) == ("ipv6", MAC, 59.0)
    assert found.evidence == "290 of 300 entries point at it"


def test_arp_broadcast_sender_is_not_the_source_of_an_ipv6_flood() -> None:
    table = nd(
        5, 300, top_mac=MAC, top_mac_entries=290, talker="02:aa", talker_share=1.0, broadcasts_per_s=90.0
    )
    assert flood_of(table) == (59.0, MAC)


def test_share_uses_the_capacity_of_the_family() -> None:
    table = nd(5, 520, ipv4=0, top_mac="02:aa", top_mac_entries=1)
    for sizes, family in (({"ipv4": 600, "ipv6": 4096}, None), ({"ipv4": 8192, "ipv6": 1024}, "ipv6")):
        found = flooded(table, sizes, INTERVAL_S, LIMITS, firing=False)
        assert (None if found is None else found.family) == family


def test_faster_of_two_floods_is_returned() -> None:
    points = (Point(0.0, 10, 5), Point(5.0, 510, 105))
    table = PortTable(ipv4=405, ipv6=105, recent=points, top_mac=MAC, top_mac_entries=500)
    found = flooded(table, {}, INTERVAL_S, LIMITS, firing=False)
    assert found is not None
    assert (found.family, found.evidence) == ("ipv4", "500 of 510 entries point at it")


def test_counts_without_family_are_ipv4() -> None:
    assert [Point(0.0, 7).of(family) for family in ("ipv4", "ipv6")] == [7, 0]


def test_no_report_for_two_intervals_means_no_change() -> None:
    table = grew(5, 300, broadcasts_per_s=90.0, top_mac=MAC, top_mac_entries=290)
    assert flood_of(as_of(table, 10.0, INTERVAL_S)) is not None
    assert flood_of(as_of(table, 16.0, INTERVAL_S), firing=True) is None


@pytest.mark.parametrize(
    ("table", "stirs"),
    [
        (grew(20, 21), False),
        (grew(20, 60), True),
        (grew(20, 21, broadcasts_per_s=9.0), True),
        (grew(400, 400), True),
    ],
)
def test_only_tables_near_a_limit_are_evaluated_each_round(table: PortTable, stirs: bool) -> None:
    assert stirring([table], (1024, None), INTERVAL_S) is stirs


@dataclass(frozen=True)
class Entry:
    address: str
    mac: str
    held_since: datetime
    fabric_id: int | None = 1
    state: str = "reachable"
    routed: bool = False


NOON = datetime(1998, 12, 1, 12, tzinfo=UTC)


def test_duplicate_starts_with_the_second_hardware_address() -> None:
    later = NOON + timedelta(minutes=5)
    (found,) = duplicates(
        [
            Entry("10.1.0.7", "02:02", later),
            Entry("10.1.0.7", "02:01", NOON),
            Entry("10.1.0.8", "02:02", NOON),
        ]
    )
    assert (found.address, found.macs, found.since) == ("10.1.0.7", ("02:01", "02:02"), later)


def test_same_address_on_two_fabrics_is_not_a_duplicate() -> None:
    text = [Entry("10.1.0.7", "02:01", NOON, 1), Entry("10.1.0.7", "02:02", NOON, 2)]
    assert duplicates(text) == []


@pytest.mark.parametrize(
    ("reported", "one"),
    [
        ("02:00:5E:00:00:01", "02:00:5e:00:00:01"),
        ("2:0:5e:0:0:1", "02:00:5e:00:00:01"),
        ("02-00-5e-00-00-01", "02:00:5e:00:00:01"),
        ("0200.5e00.0001", "02:00:5e:00:00:01"),
        ("", ""),
        ("not known", "not known"),
    ],
)
def test_hardware_address_is_normalised(reported: str, one: str) -> None:
    assert spelled(reported) == one
