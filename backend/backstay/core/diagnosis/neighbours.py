"""Problems of a port's neighbour table: nearly full or being flooded, and the source of the flood.

A full table cuts a node off from every address that it has not talked to recently. It fills slowly when a
network outgrows it; a warning in time prevents that. It fills fast when broadcasts from one source fill it
with addresses that do not exist, which is a fault. A table that many nodes fill at once, as when a parallel
program starts, is not a fault: its entries have many hardware addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from backstay.core.thresholds import TABLE_CLEARS_BELOW, TABLE_NEARLY_FULL

Family = Literal["ipv4", "ipv6"]
FAMILIES: tuple[Family, ...] = ("ipv4", "ipv6")
"""Each family has its own table and capacity: ARP (IPv4) and neighbour discovery (IPv6)."""
CRITICAL = 0.90
"""Share of the capacity from which any burst can fill the rest."""
RESTART_SLACK_S = 5.0
"""Error of a device's start time: uptimes are rounded and answers are delayed."""


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits for nearly full and flooded tables."""

    raise_at: float = TABLE_NEARLY_FULL
    clear_at: float = TABLE_CLEARS_BELOW
    grown: int = 64
    """New entries within two intervals that indicate a flood."""
    per_s: float = 5.0
    """New entries, or broadcasts, a second that indicate a flood."""
    one_source: float = 0.5
    """Share of the entries or broadcasts from which one hardware address is their source."""
    many_sources: float = 0.5
    """Share of the capacity that a burst from many addresses must fill."""


@dataclass(frozen=True, slots=True)
class Point:
    """Number of a port's entries at one time."""

    at: float
    """Seconds since the Unix epoch."""
    entries: int
    """Of both families."""
    ipv6: int = 0
    """IPv6 entries among them."""

    def of(self, family: Family) -> int:
        return self.ipv6 if family == "ipv6" else self.entries - self.ipv6


@dataclass(frozen=True, slots=True)
class PortTable:
    """One port's entries, and the broadcasts that create entries."""

    ipv4: int = 0
    ipv6: int = 0
    permanent: int = 0
    incomplete: int = 0
    top_mac: str = ""
    """The hardware address with most entries, and their number."""
    top_mac_entries: int = 0
    broadcasts_per_s: float | None = None
    """ARP broadcasts if they are counted, otherwise all broadcasts; None if neither is counted."""
    talker: str = ""
    """Sender of most broadcasts, and its share, 0..1."""
    talker_share: float = 0.0
    recent: tuple[Point, ...] = ()
    """The last reports, oldest first, including this one."""
    missing: int = 0
    """Permanent entries that disappeared and have not come back."""
    missing_after: float = 0.0
    """Time of the last report with them, seconds since the Unix epoch."""
    missing_at: float = 0.0
    """Time of the first report without them."""

    @property
    def entries(self) -> int:
        """Of both families."""
        return self.ipv4 + self.ipv6

    def of(self, family: Family) -> int:
        return self.ipv6 if family == "ipv6" else self.ipv4


@dataclass(frozen=True, slots=True)
class Flood:
    """A table that is being flooded."""

    per_s: float
    """New entries a second."""
    mac: str
    """Source of the frames; empty if they come from many addresses."""
    evidence: str
    """`89 % of the broadcasts`, `512 of 540 entries`."""
    family: Family = "ipv4"


def share(used: int, capacity: int | None) -> float | None:
    """Used share of the table, 0..; None if the capacity is unknown."""
    return used / capacity if capacity else None


def growth(recent: Sequence[Point], window_s: float) -> tuple[int, float]:
    """New entries within the window that ends at the newest point, and their rate per second.

    Agents report a change at once and an unchanged table once a minute. If the start point is before the
    window, all growth happened within the window.
    """
    if len(recent) < 2:
        return 0, 0.0
    newest = recent[-1]
    start = next((point for point in reversed(recent[:-1]) if newest.at - point.at >= window_s), recent[0])
    grown = newest.entries - start.entries
    return grown, max(grown, 0) / max(min(newest.at - start.at, window_s), 1.0)


def with_missing(table: PortTable, before: PortTable | None, at: float) -> PortTable:
    """The table reported at `at`, with the permanent entries that it lacks since `before`."""
    if before is None:
        return table
    missing = before.missing + before.permanent - table.permanent
    if missing <= 0:
        return table
    if table.permanent < before.permanent:
        last = before.recent[-1].at if before.recent else at
        return replace(table, missing=missing, missing_after=last, missing_at=at)
    return replace(table, missing=missing, missing_after=before.missing_after, missing_at=before.missing_at)


def lost_at_restart(table: PortTable, booted_at: float | None) -> bool:
    """Whether permanent entries are missing since a restart of the device at `booted_at`."""
    if not table.missing or booted_at is None:
        return False
    return table.missing_after - RESTART_SLACK_S <= booted_at <= table.missing_at + RESTART_SLACK_S


def as_of(table: PortTable, now: float, interval_s: float) -> PortTable:
    """The table at `now`: two intervals without a report mean no change and no broadcasts."""
    if not table.recent or now - table.recent[-1].at <= 2 * interval_s:
        return table
    recent = (*table.recent, replace(table.recent[-1], at=now))
    return replace(table, recent=recent, broadcasts_per_s=None if table.broadcasts_per_s is None else 0.0)


def flooded(
    table: PortTable, capacity: Mapping[str, int], interval_s: float, limits: TableLimits, *, firing: bool
) -> Flood | None:
    """The faster of the port's floods; None if no table is being flooded.

    `capacity` is by family. While `firing`, half of each limit keeps the alert active.
    """
    ease = 0.5 if firing else 1.0
    found = [_flooded(table, (family, capacity.get(family)), interval_s, limits, ease) for family in FAMILIES]
    return max((item for item in found if item is not None), key=lambda item: item.per_s, default=None)


def _flooded(
    table: PortTable, of: tuple[Family, int | None], interval_s: float, limits: TableLimits, ease: float
) -> Flood | None:
    family, capacity = of
    mine = [Point(point.at, point.of(family)) for point in table.recent]
    grown, per_s = growth(mine, 2 * interval_s)
    # IPv6 solicitations go to multicast groups, so the broadcast counters do not include them.
    received = (table.broadcasts_per_s or 0.0) if family == "ipv4" else 0.0
    fast = grown >= limits.grown * ease and per_s >= limits.per_s * ease
    full = (share(table.of(family), capacity) or 0.0) >= limits.many_sources * ease
    pressed = received >= 10 * limits.per_s * ease and full
    if not fast and not pressed:
        return None
    mac, evidence = _source(table, family, limits)
    if not mac and not full:
        return None
    return Flood(per_s, mac, evidence, family)


def _source(table: PortTable, family: Family, limits: TableLimits) -> tuple[str, str]:
    """Source of the frames, and the evidence. Counted senders are more reliable than the contents of entries.

    `top_mac` covers both families. If it has more entries than this family has in total, it is the source
    only if it has most entries of both families.
    """
    if family == "ipv4" and table.talker and table.talker_share >= limits.one_source:
        return table.talker, f"{table.talker_share:.0%} of the broadcasts come from it"
    most, mine = table.top_mac_entries, table.of(family)
    of = mine if most <= mine else table.entries
    if of and most >= max(limits.one_source * of, limits.grown / 2):
        return table.top_mac, f"{most:,} of {of:,} entries point at it"
    return "", ""


def filling_up(used: int, capacity: int | None, limits: TableLimits, *, firing: bool) -> bool:
    """Whether a table is nearly full; while `firing`, until its share is below `clear_at`."""
    filled = share(used, capacity)
    return filled is not None and filled >= (limits.clear_at if firing else limits.raise_at)


def stirring(tables: Sequence[PortTable], capacity: tuple[int | None, int | None], interval_s: float) -> bool:
    """Whether a device needs an evaluation each round: any limit is half reached. Cheap; runs for every
    report.
    """
    limits = TableLimits()
    used = (sum(table.ipv4 for table in tables), sum(table.ipv6 for table in tables))
    if any((share(item, of) or 0.0) >= limits.clear_at / 2 for item, of in zip(used, capacity, strict=True)):
        return True
    return any(
        growth(table.recent, 2 * interval_s)[0] >= limits.grown / 4
        or (table.broadcasts_per_s or 0.0) >= limits.per_s
        for table in tables
    )
