"""A run's cells as a table: one parameter across, the others down, in blocks that fit the terminal. Pure.

A cell shows the rate in the table's unit with its share of usable, and the cause below.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import ConsoleRenderable
from rich.table import Table
from rich.text import Text

from backstay_cli.models import TestCellOut
from backstay_cli.output import heading, table
from backstay_cli.text import digits, rate_unit, shown
from backstay_cli.throughput.axes import Axis, essential
from backstay_cli.throughput.cell_lines import echoes, lines_table
from backstay_cli.throughput.labels import FINE, cell_label

GAP = 2
Place = tuple[str, ...]
"""A row, identified by its labels."""


@dataclass(frozen=True, slots=True)
class Column:
    """One value of the horizontal axis: its header, and the cell for each row."""

    head: str
    spots: dict[Place, Text]

    @property
    def width(self) -> int:
        """Characters on the terminal, including the gap before it."""
        lines = [self.head, *(line for spot in self.spots.values() for line in spot.plain.split("\n"))]
        return GAP + max(map(len, lines))


def cells_parts(cells: Sequence[TestCellOut], width: int) -> Iterator[ConsoleRenderable]:
    """The matrix, or one line per cell if there is no horizontal axis or nothing is measured."""
    varied = essential(cells)
    across = next((axis for axis in varied if axis.across), None)
    rates = [cell.rate for cell in cells if cell.rate is not None]
    if across is None or not rates or echoes(cells):
        yield lines_table(cells, varied)
        return
    scale, unit = rate_unit(max(rates))
    down = [axis for axis in varied if axis is not across]
    places = _places(cells, across, down)
    columns = _columns(cells, across, places, scale)
    share = " and share of usable" if any(cell.used is not None for cell in cells) else ""
    yield heading(f"{unit}{share}; across: {across.name}")
    yield from _blocks([axis.name for axis in down], list(dict.fromkeys(places.values())), columns, width)


def _places(cells: Sequence[TestCellOut], across: Axis, down: Sequence[Axis]) -> dict[int, Place]:
    """Each cell's row by its index; a paper's name or the time distinguishes cells of the same row and
    column."""
    seen: dict[tuple[Hashable, Place], int] = {}
    found: dict[int, Place] = {}
    for cell in sorted(cells, key=lambda cell: [_rank(axis.of(cell)) for axis in down]):
        place = tuple(axis.label(cell) for axis in down)
        number = seen[across.of(cell), place] = seen.get((across.of(cell), place), 0) + 1
        found[cell.index] = (*place, f"time {number}" if cell.key.isdecimal() else cell.key)
    if max(seen.values()) > 1:
        return dict(sorted(found.items(), key=lambda one: list(found.values()).index(one[1])))
    return {index: place[:-1] for index, place in found.items()}


def _rank(value: Hashable) -> tuple[bool, float]:
    """Numbers ascending, system defaults before them; texts in their original order."""
    return (value is not None, value if isinstance(value, int | float) else 0)


def _columns(
    cells: Sequence[TestCellOut], across: Axis, places: dict[int, Place], scale: float
) -> list[Column]:
    found: dict[Hashable, Column] = {}
    for cell in sorted(cells, key=lambda cell: _rank(across.of(cell))):
        column = found.setdefault(across.of(cell), Column(across.label(cell), {}))
        column.spots[places[cell.index]] = _spot(cell, scale)
    return list(found.values())


def _spot(cell: TestCellOut, scale: float) -> Text:
    label = Text(shown(cell_label(cell)), style="dim" if cell.state in FINE else "yellow")
    if cell.rate is None:
        return label
    used = "" if cell.used is None else f"{cell.used:.0%}"  # whole percent: columns are narrow
    return Text(f"{digits(cell.rate / scale)} {used}".rstrip() + "\n") + label


def _blocks(
    names: Sequence[str], places: Sequence[Place], columns: Sequence[Column], width: int
) -> Iterator[Table]:
    """As many columns at a time as fit next to the labels, in blocks of about equal width."""
    heads = [*names, *([""] if places and len(places[0]) > len(names) else [])]
    labels = sum(max(map(len, column)) + GAP for column in zip(heads, *places, strict=True))
    fits = max((width - labels + GAP) // max(column.width for column in columns), 1)
    blocks = -(-len(columns) // fits)
    per_block = -(-len(columns) // blocks)
    for start in range(0, len(columns), per_block):
        yield _block(heads, places, columns[start : start + per_block])


def _block(heads: Sequence[str], places: Sequence[Place], columns: Sequence[Column]) -> Table:
    made = table([*heads, *(column.head for column in columns)], [])
    for place in places:
        spots = [column.spots.get(place, Text("")) for column in columns]
        made.add_row(*(Text(shown(label)) for label in place), *spots)
    for column in made.columns:
        column.no_wrap = True
    return made
