"""Neighbour entries that lead to a gateway that is dead, and which of them still cost packets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar


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
