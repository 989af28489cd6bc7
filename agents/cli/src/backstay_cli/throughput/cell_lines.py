"""A run's cells, one line each, if no parameter can be the horizontal axis; and cells without a result.
Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from backstay_cli.models import TestCellOut
from backstay_cli.output import state_label, table
from backstay_cli.text import milliseconds, percent, rate
from backstay_cli.throughput.axes import Axis
from backstay_cli.throughput.kinds import KINDS
from backstay_cli.throughput.labels import FINE, cell_label, ends, point


def echoes(cells: Sequence[TestCellOut]) -> bool:
    """Whether their result is the round trip, which the lines contain."""
    return any(KINDS.get(cell.parameters.kind, {}).get("load") == "echoes" for cell in cells)


def lines_table(cells: Sequence[TestCellOut], varied: Sequence[Axis]) -> Table:
    """One line per cell: its varied parameters, its result, its cause or the reason for a missing result."""
    with_echo = echoes(cells)
    head = ["cell", *(axis.name for axis in varied), "rate", "of usable"]
    head += ["round trip", "lost"] if with_echo else []
    rows = []
    for cell in cells:
        row: list[str | Text] = [str(cell.index), *(axis.label(cell) for axis in varied)]
        row += [rate(cell.rate), percent(cell.used) or "-"]
        row += _echo(cell) if with_echo else []
        rows.append([*row, state_label("" if cell.rate is not None else "warning", cell_label(cell))])
    return table([*head, "cause"], rows)


def _echo(cell: TestCellOut) -> list[str]:
    if cell.measured is None:
        return ["-", "-"]
    trip, loss = cell.measured.rtt_s, cell.measured.loss
    return [
        milliseconds(None if trip is None else trip * 1000),
        "-" if loss is None else percent(loss),
    ]


def unmeasured(cells: Sequence[TestCellOut]) -> Table | None:
    """Ended cells without a result, each with its reason; None: there are none."""
    rows = [
        (str(cell.index), what(cell), state_label("warning", cell_label(cell)), cell.detail)
        for cell in cells
        if cell.state not in FINE
    ]
    return table(("cell", "with", "without a result", "reason"), rows) if rows else None


def what(cell: TestCellOut) -> str:
    """The cell's ends, if known, and its parameters."""
    return ", ".join(part for part in (ends(cell.flows), point(cell.parameters)) if part)
