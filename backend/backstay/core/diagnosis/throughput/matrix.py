"""Measured cells of a run, grouped by their parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields
from functools import cached_property
from statistics import median
from typing import Any, TypeVar

from backstay.core.diagnosis.throughput.available_rate import SURPLUS, Room, direction_count, room
from backstay.core.model.throughput import MEASURED, Cell, Measured, Medium, Parameters

T = TypeVar("T")
Points = list[tuple[float, float]]
"""(setting, bit/s), ascending by setting; repeated cells are one point, their median."""
_ENDS: tuple[tuple[str, ...], ...] = ((), ("senders",), ("receivers",), ("senders", "receivers"))
_LASTING_S = 2.0
_NAMES = tuple(one.name for one in fields(Parameters))


def stated(cell: Cell) -> Measured | None:
    """The results, if they are usable; a rate of 0 is usable only with counted loss."""
    measured = cell.measured
    if cell.state != MEASURED or measured is None:
        return None
    return measured if measured.rate > 0 or measured.loss is not None else None


class Matrix:
    """A run's measured cells by the parameters that they share."""

    def __init__(self, cells: Iterable[Cell], medium: Medium) -> None:
        self.cells = tuple(cell for cell in cells if stated(cell))
        self.medium = medium
        self._index: dict[tuple[str, ...], dict[Hashable, list[Cell]]] = {}
        self._found: dict[Hashable, Any] = {}
        self._rooms: dict[tuple[int, int], Room | None] = {}

    def room(self, cell: Cell) -> Room | None:
        """The narrowest place of the cell's path; None if no rate is known."""
        medium, directions = cell.medium or self.medium, direction_count(cell.parameters.direction)
        key = id(medium), directions
        if key not in self._rooms:
            self._rooms[key] = room(medium, directions)
        return self._rooms[key]

    @cached_property
    def refuted(self) -> bool:
        """Whether a cell carried more than the path's declared rate, which is then wrong."""
        return any(self._above(cell) for cell in self.cells)

    def _above(self, cell: Cell) -> bool:
        """Whether a cell exceeded the rate for longer than a token-bucket burst."""
        measured, place = stated(cell), self.room(cell)
        if measured is None or place is None or (measured.duration_s or _LASTING_S) < _LASTING_S:
            return False
        return measured.rate > SURPLUS * place.usable

    def alike(self, cell: Cell, *varying: str) -> list[Cell]:
        """Cells, including this one, that differ from it only in the named parameters."""
        if varying not in self._index:
            groups: dict[Hashable, list[Cell]] = defaultdict(list)
            for one in self.cells:
                groups[_key(one, varying)].append(one)
            self._index[varying] = groups
        return self._index[varying].get(_key(cell, varying), [cell])

    def once(self, what: str, cell: Cell, varying: tuple[str, ...], find: Callable[[list[Cell]], T]) -> T:
        """Compute `find` once for all cells that are `alike`; `what` is the cache key."""
        key = what, varying, _key(cell, varying)
        if key not in self._found:
            self._found[key] = find(self.alike(cell, *varying))
        found: T = self._found[key]
        return found

    def over(self, cell: Cell, setting: str, *also: str) -> Points:
        """Rate over one setting; all others except `also` as in this cell."""
        return self.once(f"over {setting}", cell, (setting, *also), lambda some: points(some, setting))

    def over_streams(self, cell: Cell) -> Points:
        """Rate over the number of streams, for the first measured of these ways to add streams.

        More streams on the same nodes; more senders, receivers or pairs with the same number of streams each.
        """
        return self.once("over streams", cell, (), lambda some: self._over_streams(some[0]))

    def _over_streams(self, cell: Cell) -> Points:
        for ends in _ENDS:
            among = self.alike(cell, "streams", *ends)
            item = [_value_of(cell, end) for end in ends]
            series = points(
                [one for one in among if [_value_of(one, end) for end in ends] == item], "streams"
            )
            if len(series) > 1:
                return series
        return points([cell], "streams")

    def per_buffer(self, cell: Cell, *also: str) -> list[Cell]:
        """One cell for each buffer among those that differ in buffer and in `also`."""
        return self.once("a buffer each", cell, ("buffer", *also), _per_buffer)


def _per_buffer(cells: Iterable[Cell]) -> list[Cell]:
    found: dict[int | None, Cell] = {}
    for cell in cells:
        found.setdefault(cell.parameters.buffer, cell)
    return list(found.values())


def points(cells: Iterable[Cell], setting: str) -> Points:
    """(setting, bit/s) of the cells that have the setting, ascending."""
    rates: dict[float, list[float]] = defaultdict(list)
    for cell in cells:
        at, measured = getattr(cell.parameters, setting), stated(cell)
        if at is not None and measured:
            rates[float(at)].append(measured.rate)
    return [(at, median(rates[at])) for at in sorted(rates)]


def _key(cell: Cell, varying: tuple[str, ...]) -> Hashable:
    return tuple(getattr(cell.parameters, name) for name in _NAMES if name not in varying)


def _value_of(cell: Cell, ends: str) -> float:
    count: int = getattr(cell.parameters, ends)
    return cell.parameters.streams / count
