"""The cells of a run that have something to tell, and which of them differ in a few settings only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import fields
from statistics import median

from backstay.core.model.throughput import MEASURED, Cell, Measured, Medium, Parameters

Points = list[tuple[float, float]]
"""(setting, bit/s), ascending by setting; repeated cells are one point, their median."""
_ENDS: tuple[tuple[str, ...], ...] = ((), ("senders",), ("receivers",), ("senders", "receivers"))
_NAMES = tuple(one.name for one in fields(Parameters))


def told(cell: Cell) -> Measured | None:
    """What was measured, when it explains anything: that nothing arrived does so only as counted loss."""
    measured = cell.measured
    if cell.state != MEASURED or measured is None:
        return None
    return measured if measured.rate > 0 or measured.loss is not None else None


class Matrix:
    """A run's cells by what they have in common."""

    def __init__(self, cells: Iterable[Cell], medium: Medium) -> None:
        self.cells = tuple(cell for cell in cells if told(cell))
        self.medium = medium
        self._index: dict[tuple[str, ...], dict[Hashable, list[Cell]]] = {}

    def alike(self, cell: Cell, *varying: str) -> list[Cell]:
        """The cells, this one among them, that differ from it in the named parameters only."""
        if varying not in self._index:
            groups: dict[Hashable, list[Cell]] = defaultdict(list)
            for one in self.cells:
                groups[_key(one, varying)].append(one)
            self._index[varying] = groups
        return self._index[varying].get(_key(cell, varying), [cell])

    def over(self, cell: Cell, setting: str, *also: str) -> Points:
        """Rate over one setting, all others but `also` as in this cell."""
        return points(self.alike(cell, setting, *also), setting)

    def over_streams(self, cell: Cell) -> Points:
        """Rate over the number of streams, of one way to add them: the first of these that was tried.

        More on the same nodes; more senders, receivers or pairs of them with as many streams each.
        """
        for ends in _ENDS:
            among = self.alike(cell, "streams", *ends)
            each = [_each(cell, end) for end in ends]
            series = points([one for one in among if [_each(one, end) for end in ends] == each], "streams")
            if len(series) > 1:
                return series
        return points([cell], "streams")


def points(cells: Iterable[Cell], setting: str) -> Points:
    """(setting, bit/s) of cells that have the setting, ascending."""
    rates: dict[float, list[float]] = defaultdict(list)
    for cell in cells:
        at, measured = getattr(cell.parameters, setting), told(cell)
        if at is not None and measured:
            rates[float(at)].append(measured.rate)
    return [(at, median(rates[at])) for at in sorted(rates)]


def _key(cell: Cell, varying: tuple[str, ...]) -> Hashable:
    return tuple(getattr(cell.parameters, name) for name in _NAMES if name not in varying)


def _each(cell: Cell, ends: str) -> float:
    count: int = getattr(cell.parameters, ends)
    return cell.parameters.streams / count
