"""Operations from the current to the desired rows, ordered so that a route exists at any moment. Pure.

Additions come before deletions, and dependencies first. Unchanged rows need no operation.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar


class Keyed(Protocol):
    """A row that may replace another one with the same key."""

    @property
    def key(self) -> tuple[object, ...]:
        """The system's key of a row."""

    @property
    def rank(self) -> int:
        """Rows of a higher rank depend on those of a lower one."""


class Unranked(Protocol):
    """An entry whose key is unique."""

    @property
    def key(self) -> tuple[Hashable, ...]:
        """The system's key of an entry."""


Row = TypeVar("Row", bound=Keyed)
Entry = TypeVar("Entry", bound=Unranked)
Item = TypeVar("Item", bound=Hashable)
Any_ = TypeVar("Any_")


@dataclass(frozen=True, slots=True)
class Operation(Generic[Any_]):
    """One step. `replace` replaces the one row with its key; `add` keeps the others."""

    verb: Literal["replace", "add", "delete"]
    row: Any_


def rows(current: Sequence[Row], desired: Sequence[Row]) -> list[Operation[Row]]:
    """Steps for rows that can replace one another: additions, dependencies first; then deletions."""
    additions: list[Operation[Row]] = []
    deletions: list[Operation[Row]] = []
    wanted, present = _by_key(desired), _by_key(current)
    for key in dict.fromkeys([*wanted, *present]):
        have, want = present.get(key, []), wanted.get(key, [])
        fresh, stale = _only(want, have), _only(have, want)
        # The kernel replaces the first row with that key: certainly the right one only if there is exactly
        # one.
        replaces = len(have) == 1 and bool(fresh and stale)
        for place, row in enumerate(fresh):
            additions.append(Operation("replace" if replaces and place == 0 else "add", row))
        deletions += [Operation("delete", row) for row in (stale[1:] if replaces else stale)]
    additions.sort(key=lambda step: step.row.rank)
    deletions.sort(key=lambda step: -step.row.rank)
    return [*additions, *deletions]


def items(current: Iterable[Item], desired: Iterable[Item]) -> list[Operation[Item]]:
    """Steps for things that exist or do not: additions, then deletions."""
    have, want = Counter(current), Counter(desired)
    additions: list[Operation[Item]] = [Operation("add", item) for item in (want - have).elements()]
    return [*additions, *(Operation("delete", item) for item in (have - want).elements())]


def entries(current: Iterable[Entry], desired: Iterable[Entry]) -> list[Operation[Entry]]:
    """Steps for entries with unique keys: a new entry replaces the old one; an entry is deleted by its
    key."""
    have, want = {item.key: item for item in current}, {item.key: item for item in desired}
    additions: list[Operation[Entry]] = [
        Operation("replace" if key in have else "add", item)
        for key, item in want.items()
        if have.get(key) != item
    ]
    return [*additions, *(Operation("delete", item) for key, item in have.items() if key not in want)]


def _by_key(found: Iterable[Row]) -> dict[tuple[object, ...], list[Row]]:
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in found:
        groups.setdefault(row.key, []).append(row)
    return groups


def _only(these: Sequence[Any_], those: Sequence[Any_]) -> list[Any_]:
    """Items in excess in `these` compared with `those`, each as often as it is in excess."""
    left = list(those)
    found = []
    for item in these:
        if item in left:
            left.remove(item)
        else:
            found.append(item)
    return found
