"""What is wrong with a port's neighbour table: nearly full, or being filled, and by whom.

A table that is full cuts a node off from every address that it has not talked to lately. It fills slowly,
when a network outgrows it, which a warning in time cures; or fast, when somebody's broadcasts fill it with
addresses that nobody has, which is a fault with a source. One that many nodes fill by talking to each other
at once, as when a parallel program starts, is no fault: its entries point at many hardware addresses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

from backstay.core.thresholds import TABLE_CLEARS_BELOW, TABLE_NEARLY_FULL

Family = Literal["ipv4", "ipv6"]
FAMILIES: tuple[Family, ...] = ("ipv4", "ipv6")
"""Each has a table and a capacity of its own: ARP fills the one and neighbour discovery the other."""
CRITICAL = 0.90
"""Share of the capacity from which any burst may fill the rest."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a table is nearly full, and when it is being flooded."""

    raise_at: float = TABLE_NEARLY_FULL
    clear_at: float = TABLE_CLEARS_BELOW
    grown: int = 64
    """New entries within two intervals that are many."""
    per_s: float = 5.0
    """New entries, or broadcasts, a second that are fast."""
    one_source: float = 0.5
    """Share of the entries, or of the broadcasts, that makes one hardware address their source."""
    many_sources: float = 0.5
    """Share of the capacity that a burst from many addresses must have filled."""


@dataclass(frozen=True, slots=True)
class Point:
    """The entries of a port at a time."""

    at: float
    """Seconds since the Unix epoch."""
    entries: int
    """Of both families."""
    ipv6: int = 0
    """How many of them are IPv6's."""

    def of(self, family: Family) -> int:
        """Those of one family."""
        return self.ipv6 if family == "ipv6" else self.entries - self.ipv6


@dataclass(frozen=True, slots=True)
class PortTable:
    """One port's entries, and what came in that makes entries."""

    ipv4: int = 0
    ipv6: int = 0
    permanent: int = 0
    incomplete: int = 0
    top_mac: str = ""
    """At which most entries point, and how many do."""
    top_mac_entries: int = 0
    broadcasts_per_s: float | None = None
    """ARP broadcasts where they are counted, else all; None: nobody counts."""
    talker: str = ""
    """Who sent most of the broadcasts, and their share, 0..1."""
    talker_share: float = 0.0
    recent: tuple[Point, ...] = ()
    """The last reports, oldest first, this one included."""

    @property
    def entries(self) -> int:
        """Of both families."""
        return self.ipv4 + self.ipv6

    def of(self, family: Family) -> int:
        """Of one family."""
        return self.ipv6 if family == "ipv6" else self.ipv4


@dataclass(frozen=True, slots=True)
class Flood:
    """A table that is being filled."""

    per_s: float
    """New entries a second."""
    mac: str
    """Whose frames fill it; empty: they come from many addresses."""
    evidence: str
    """`89 % of the broadcasts`, `512 of 540 entries`."""
    family: Family = "ipv4"
    """Whose table is filled."""


def share(used: int, capacity: int | None) -> float | None:
    """How full, 0..; None when nobody knows the capacity."""
    return used / capacity if capacity else None


def growth(recent: Sequence[Point], window_s: float) -> tuple[int, float]:
    """New entries within the window that ends with the newest point, and how many a second.

    A change is told at once and a quiet table once a minute, so a start before the window means that
    all of the growth came within it.
    """
    if len(recent) < 2:
        return 0, 0.0
    newest = recent[-1]
    start = next((point for point in reversed(recent[:-1]) if newest.at - point.at >= window_s), recent[0])
    grown = newest.entries - start.entries
    return grown, max(grown, 0) / max(min(newest.at - start.at, window_s), 1.0)


def as_of(table: PortTable, now: float, interval_s: float) -> PortTable:
    """The table at `now`: what nobody told of for two intervals stands still, and its broadcasts are few."""
    if not table.recent or now - table.recent[-1].at <= 2 * interval_s:
        return table
    recent = (*table.recent, replace(table.recent[-1], at=now))
    return replace(table, recent=recent, broadcasts_per_s=None if table.broadcasts_per_s is None else 0.0)


def flooded(
    table: PortTable, capacity: Mapping[str, int], interval_s: float, limits: Limits, *, firing: bool
) -> Flood | None:
    """Whether one of the port's tables is being filled, of two the one that fills faster.

    `capacity` is by family. `firing`: it was, so half of each limit keeps it so.
    """
    ease = 0.5 if firing else 1.0
    found = [_flooded(table, (family, capacity.get(family)), interval_s, limits, ease) for family in FAMILIES]
    return max((item for item in found if item is not None), key=lambda item: item.per_s, default=None)


def _flooded(
    table: PortTable, of: tuple[Family, int | None], interval_s: float, limits: Limits, ease: float
) -> Flood | None:
    family, capacity = of
    mine = [Point(point.at, point.of(family)) for point in table.recent]
    grown, per_s = growth(mine, 2 * interval_s)
    # Solicitations for IPv6 go to groups and not to everybody: nobody counts those.
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


def _source(table: PortTable, family: Family, limits: Limits) -> tuple[str, str]:
    """Whose frames they are. Who sends is known better than what the entries claim.

    The hardware address at which most entries point is told over both families: where it has more than this
    one has at all, it is the source only if it has most of both.
    """
    if family == "ipv4" and table.talker and table.talker_share >= limits.one_source:
        return table.talker, f"{table.talker_share:.0%} of the broadcasts come from it"
    most, mine = table.top_mac_entries, table.of(family)
    of = mine if most <= mine else table.entries
    if of and most >= max(limits.one_source * of, limits.grown / 2):
        return table.top_mac, f"{most:,} of {of:,} entries point at it"
    return "", ""


def filling_up(used: int, capacity: int | None, limits: Limits, *, firing: bool) -> bool:
    """Whether a table is nearly full; once it was, until it is below the lower mark."""
    filled = share(used, capacity)
    return filled is not None and filled >= (limits.clear_at if firing else limits.raise_at)


def stirring(tables: Sequence[PortTable], capacity: tuple[int | None, int | None], interval_s: float) -> bool:
    """Whether a device is worth a look each round: any limit is half reached. Cheap, for every report."""
    limits = Limits()
    used = (sum(table.ipv4 for table in tables), sum(table.ipv6 for table in tables))
    if any((share(item, of) or 0.0) >= limits.clear_at / 2 for item, of in zip(used, capacity, strict=True)):
        return True
    return any(
        growth(table.recent, 2 * interval_s)[0] >= limits.grown / 4
        or (table.broadcasts_per_s or 0.0) >= limits.per_s
        for table in tables
    )


class Entry(Protocol):
    """An entry of another node that points at a gateway's port."""

    @property
    def address(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def routed(self) -> bool: ...


Row = TypeVar("Row", bound=Entry)
SET = frozenset({"permanent", "static"})


def misleading(entries: Iterable[Row], own: Collection[str]) -> list[tuple[Row, str]]:
    """Those that mislead, each with why. `own`: the dead gateway's own addresses.

    An entry for one of them that nothing goes by any more is only a memory, and times out by itself. It
    misleads when a route still goes by it, and when the address is another's by now: then every packet for
    the new owner goes to the dead one, for good if somebody set the entry by hand.
    """
    found = []
    for entry in entries:
        if entry.routed:
            found.append((entry, "a route goes by it"))
        elif entry.address not in own:
            why = "set by hand, so it never heals" if entry.state in SET else "the address is another's now"
            found.append((entry, why))
    return found
