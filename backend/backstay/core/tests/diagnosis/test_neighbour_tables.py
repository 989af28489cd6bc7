"""When a neighbour table is full, when it is being filled and by whom, and what disagrees."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from backstay.core.diagnosis.duplicates import duplicates
from backstay.core.diagnosis.neighbours import (
    Limits,
    Point,
    PortTable,
    as_of,
    filling_up,
    flooded,
    growth,
    misleading,
    stirring,
)
from backstay.core.model.hardware import spelled

MAC = "02:00:00:00:00:09"
LIMITS = Limits()
INTERVAL_S = 5.0


def grew(*counts: int, step_s: float = INTERVAL_S, **more: object) -> PortTable:
    """A port that had so many entries at each of the last reports."""
    points = tuple(Point(number * step_s, entries) for number, entries in enumerate(counts))
    return PortTable(ipv4=counts[-1], recent=points, **more)  # type: ignore[arg-type]


def flood_of(
    table: PortTable, capacity: int | None = 1024, *, firing: bool = False
) -> tuple[float, str] | None:
    sizes = {} if capacity is None else {"ipv4": capacity, "ipv6": capacity}
    found = flooded(table, sizes, INTERVAL_S, LIMITS, firing=firing)
    return None if found is None else (found.per_s, found.mac)


def test_a_table_is_nearly_full_at_70_percent_and_is_not_again_until_below_60() -> None:
    assert not filling_up(716, 1024, LIMITS, firing=False)
    assert filling_up(717, 1024, LIMITS, firing=False)
    assert filling_up(615, 1024, LIMITS, firing=True)
    assert not filling_up(614, 1024, LIMITS, firing=True)
    assert not filling_up(10**6, None, LIMITS, firing=True)


def test_growth_is_what_came_within_the_window() -> None:
    table = grew(5, 5, 55, 105)
    assert growth(table.recent, 10.0) == (100, 10.0)
    assert growth(table.recent[:1], 10.0) == (0, 0.0)


def test_what_was_told_a_minute_ago_stood_still_since_so_all_growth_is_recent() -> None:
    recent = (Point(0.0, 5), Point(60.0, 505))
    assert growth(recent, 10.0) == (500, 50.0)


def test_a_burst_that_points_at_one_hardware_address_is_its_flood() -> None:
    assert flood_of(grew(5, 100, top_mac=MAC, top_mac_entries=96)) == (19.0, MAC)


def test_who_sends_the_broadcasts_is_believed_before_what_the_entries_say() -> None:
    table = grew(5, 100, top_mac="02:aa", top_mac_entries=96, talker=MAC, talker_share=0.9)
    assert flood_of(table) == (19.0, MAC)


def test_a_parallel_program_that_starts_is_no_flood() -> None:
    assert flood_of(grew(5, 400, top_mac="02:aa", top_mac_entries=1)) is None


def test_many_invented_hardware_addresses_are_a_flood_once_half_the_table_is_gone() -> None:
    assert flood_of(grew(5, 520, top_mac="02:aa", top_mac_entries=1)) == (103.0, "")


def test_a_full_table_does_not_grow_and_is_flooded_all_the_same() -> None:
    def reports(*entries: int) -> PortTable:
        return grew(*entries, broadcasts_per_s=200.0, talker=MAC, talker_share=1.0)

    assert flood_of(reports(1020, 1020)) == (0.0, MAC)
    assert flood_of(reports(100, 100)) is None


def test_a_slow_flood_that_fires_goes_on_at_half_the_limits_and_no_new_one_begins_there() -> None:
    table = grew(500, 520, 540, top_mac=MAC, top_mac_entries=500)
    assert flood_of(table) is None
    assert flood_of(table, firing=True) == (4.0, MAC)


def nd(*counts: int, ipv4: int = 0, **more: object) -> PortTable:
    """A port that had so many IPv6 entries at each of the last reports, and always the same of IPv4."""
    points = tuple(Point(number * INTERVAL_S, ipv4 + count, count) for number, count in enumerate(counts))
    return PortTable(ipv4=ipv4, ipv6=counts[-1], recent=points, **more)  # type: ignore[arg-type]


def test_a_flood_of_ipv6_neighbours_is_found_beside_a_quiet_arp_table() -> None:
    table = nd(5, 300, ipv4=400, top_mac=MAC, top_mac_entries=290)
    found = flooded(table, {"ipv4": 1024, "ipv6": 1024}, INTERVAL_S, LIMITS, firing=False)
    assert found is not None
    assert (found.family, found.mac, found.per_s) == ("ipv6", MAC, 59.0)
    assert found.evidence == "290 of 300 entries point at it"


def test_who_sends_arp_broadcasts_is_not_blamed_for_ipv6() -> None:
    table = nd(
        5, 300, top_mac=MAC, top_mac_entries=290, talker="02:aa", talker_share=1.0, broadcasts_per_s=90.0
    )
    assert flood_of(table) == (59.0, MAC)


def test_each_family_is_measured_against_its_own_capacity() -> None:
    table = nd(5, 520, ipv4=0, top_mac="02:aa", top_mac_entries=1)
    for sizes, family in (({"ipv4": 600, "ipv6": 4096}, None), ({"ipv4": 8192, "ipv6": 1024}, "ipv6")):
        found = flooded(table, sizes, INTERVAL_S, LIMITS, firing=False)
        assert (None if found is None else found.family) == family


def test_of_two_tables_that_fill_the_faster_is_told() -> None:
    points = (Point(0.0, 10, 5), Point(5.0, 510, 105))
    table = PortTable(ipv4=405, ipv6=105, recent=points, top_mac=MAC, top_mac_entries=500)
    found = flooded(table, {}, INTERVAL_S, LIMITS, firing=False)
    assert found is not None
    assert (found.family, found.evidence) == ("ipv4", "500 of 510 entries point at it")


def test_counts_that_were_kept_before_families_were_told_apart_are_ipv4s() -> None:
    assert [Point(0.0, 7).of(family) for family in ("ipv4", "ipv6")] == [7, 0]


def test_silence_for_two_intervals_means_that_the_table_stands_still() -> None:
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
def test_only_tables_that_may_be_in_trouble_are_looked_at_each_round(table: PortTable, stirs: bool) -> None:
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


def test_one_address_at_two_places_of_one_fabric_is_a_duplicate_since_the_second_was_said() -> None:
    later = NOON + timedelta(minutes=5)
    (found,) = duplicates(
        [
            Entry("10.1.0.7", "02:02", later),
            Entry("10.1.0.7", "02:01", NOON),
            Entry("10.1.0.8", "02:02", NOON),
        ]
    )
    assert (found.address, found.macs, found.since) == ("10.1.0.7", ("02:01", "02:02"), later)


def test_the_same_address_on_two_fabrics_is_no_duplicate() -> None:
    text = [Entry("10.1.0.7", "02:01", NOON, 1), Entry("10.1.0.7", "02:02", NOON, 2)]
    assert duplicates(text) == []


def test_an_entry_misleads_when_a_route_goes_by_it_or_the_address_is_another_s() -> None:
    memory = Entry("10.1.0.16", MAC, NOON)
    routed = Entry("10.1.0.16", MAC, NOON, routed=True)
    moved = Entry("10.1.0.254", MAC, NOON)
    hand = Entry("10.1.0.254", MAC, NOON, state="permanent")
    found = misleading([memory, routed, moved, hand], {"10.1.0.16"})
    assert found == [
        (routed, "a route goes by it"),
        (moved, "the address is another's now"),
        (hand, "set by hand, so it never heals"),
    ]


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
def test_a_hardware_address_has_one_spelling(reported: str, one: str) -> None:
    assert spelled(reported) == one
