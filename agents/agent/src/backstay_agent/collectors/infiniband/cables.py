"""Compares the cables found by a sweep with the expected ones: missing, unexpected, moved, swapped.

Pure. An end is a node's name and a port's name; an unnamed node is identified by its GUID.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

End = tuple[str, str]
"""(node, port)."""
CableState = Literal["expected", "missing", "unexpected", "moved", "swapped"]


@dataclass(frozen=True, slots=True)
class CableCheck:
    """The state of each end that is, or should be, connected; and a sentence for each fault."""

    ends: Mapping[End, CableState]
    sentences: tuple[str, ...]

    @property
    def faults(self) -> int:
        """Number of faulty cables."""
        return len(self.sentences)


def check(expected: Iterable[tuple[End, End]], seen: Mapping[End, End]) -> CableCheck:
    """Compare. `seen` lists each cable from both of its ends, like `ibnetdiscover`."""
    should = _both_directions(expected)
    states = {end: _state(end, should, seen) for end in sorted({*should, *seen})}
    return CableCheck(states, tuple(_sentences(states, should, seen)))


def _both_directions(cables: Iterable[tuple[End, End]]) -> dict[End, End]:
    both: dict[End, End] = {}
    for one, other in cables:
        both[one], both[other] = other, one
    return both


def _state(end: End, should: Mapping[End, End], seen: Mapping[End, End]) -> CableState:
    wanted, found = should.get(end), seen.get(end)
    if wanted == found:
        return "expected"
    if found is None:
        return "missing"
    if wanted is None:
        return "unexpected"
    return "swapped" if _exchanged(end, should, seen) is not None else "moved"


def _exchanged(end: End, should: Mapping[End, End], seen: Mapping[End, End]) -> End | None:
    """The end with which this one is swapped; None if it is not swapped."""
    taker = seen.get(should[end])
    return taker if taker is not None and should.get(taker) == seen[end] and taker != end else None


def _sentences(
    states: Mapping[End, CableState], should: Mapping[End, End], seen: Mapping[End, End]
) -> Iterable[str]:
    """One per faulty cable. A cable reported from one end is not reported again from the other."""
    reported: set[End] = set()
    for wanted_first in (True, False):
        for end, state in states.items():
            if state == "expected" or end in reported or (state in ("moved", "swapped")) != wanted_first:
                continue
            yield _sentence(end, state, should, seen, reported)


def _sentence(
    end: End, state: CableState, should: Mapping[End, End], seen: Mapping[End, End], reported: set[End]
) -> str:
    reported.add(end)
    if state == "swapped":
        taker = _exchanged(end, should, seen)
        assert taker is not None
        reported.update((taker, should[end], seen[end]))
        return (
            f"{_at(end)} and {_at(taker)} are swapped: {_at(end)} belongs on {_at(should[end])} "
            f"and is on {_at(seen[end])}"
        )
    if state == "moved":
        reported.update((should[end], seen[end]))
        return f"{_at(end)} belongs on {_at(should[end])} and is on {_at(seen[end])}"
    if state == "missing":
        reported.add(should[end])
        return f"{_at(end)} to {_at(should[end])} is missing"
    reported.add(seen[end])
    return f"{_at(end)} to {_at(seen[end])} is not on the list"


def _at(end: End) -> str:
    return f"{end[0]}:{end[1]}"
