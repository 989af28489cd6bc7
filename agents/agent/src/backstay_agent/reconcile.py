"""Operations from the current to the desired rows, in an order that keeps a route at any moment. Pure.

Add before delete; what others lean on first; nothing for what is already so.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar


class Keyed(Protocol):
    """A row that may take the place of another with the same key."""

    @property
    def key(self) -> tuple[object, ...]:
        """The system's key of a row."""

    @property
    def rank(self) -> int:
        """Rows of a lower rank are leant on by those of a higher one."""


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
    """One step. `replace` takes the place of the one row with its key; `add` keeps the others."""

    verb: Literal["replace", "add", "delete"]
    row: Any_


def rows(current: Sequence[Row], desired: Sequence[Row]) -> list[Operation[Row]]:
    """Steps for rows of which one may replace another: additions, dependencies first; then deletions."""
    additions: list[Operation[Row]] = []
    deletions: list[Operation[Row]] = []
    for key in dict.fromkeys([row.key for row in [*desired, *current]]):
        have = [row for row in current if row.key == key]
        want = [row for row in desired if row.key == key]
        fresh, stale = _only(want, have), _only(have, want)
        # The kernel replaces the first with that key: sure to be the right one only where there is but one.
        replaces = len(have) == 1 and bool(fresh and stale)
        for place, row in enumerate(fresh):
            additions.append(Operation("replace" if replaces and place == 0 else "add", row))
        deletions += [Operation("delete", row) for row in (stale[1:] if replaces else stale)]
    additions.sort(key=lambda step: step.row.rank)
    deletions.sort(key=lambda step: -step.row.rank)
    return [*additions, *deletions]


def items(current: Iterable[Item], desired: Iterable[Item]) -> list[Operation[Item]]:
    """Steps for things that are there or not: additions, then deletions."""
    have, want = list(current), list(desired)
    additions: list[Operation[Item]] = [Operation("add", item) for item in _only(want, have)]
    return [*additions, *(Operation("delete", item) for item in _only(have, want))]


def entries(current: Iterable[Entry], desired: Iterable[Entry]) -> list[Operation[Entry]]:
    """Steps for entries that stand alone under their key: one takes the other's place, and goes by it."""
    have, want = {item.key: item for item in current}, {item.key: item for item in desired}
    additions: list[Operation[Entry]] = [
        Operation("replace" if key in have else "add", item)
        for key, item in want.items()
        if have.get(key) != item
    ]
    return [*additions, *(Operation("delete", item) for key, item in have.items() if key not in want)]


def _only(these: Sequence[Any_], those: Sequence[Any_]) -> list[Any_]:
    """What is in `these` and not in `those`, each as often as it is too many."""
    left = list(those)
    found = []
    for item in these:
        if item in left:
            left.remove(item)
        else:
            found.append(item)
    return found
