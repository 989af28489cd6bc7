"""Output: tables and sentences for people, the unchanged API response for programs.

Every command prints through this module, so the format (`-o`) and the frames of `--watch` are decided here,
and no command knows of them. Colour is used only on a terminal and if NO_COLOR is not set (no-color.org).
Nothing is interpreted as markup, and every text is escaped (`text.shown`).

A table fits the terminal, or `COLUMNS`, or 120 columns elsewhere: columns that are `Extra` are left out,
first those without any value, then long cells are folded. `wide` has all columns; without a terminal it folds
nothing, so that nothing is cut for grep.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from backstay_cli.formatting import STRUCTURED, as_json_text
from backstay_cli.text import names, shown

TABLE_WIDTH = 120
"""Columns of a table where nothing states the width."""
WIDE = 10_000
READABLE = 40
"""A cell up to this width is not folded for the sake of an `Extra` column."""
Format = Literal["table", "wide", "json", "yaml", "csv"]
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
STYLES = {"ok": "green", "warning": "yellow", "critical": "bold red", "unknown": "dim", "disabled": "dim"}
"""Colour of a state; its text is always printed as well."""
Cell = str | Text


class Extra(str):
    """A heading whose column is left out of a table that is too wide."""

    __slots__ = ()


@dataclass
class _Mode:
    """How this run prints: its format, and what precedes the first output of a frame of `--watch`."""

    format: str = "table"
    frame: str | None = None


_MODE = _Mode()


@contextmanager
def printing(format_: str | None) -> Iterator[None]:
    """Print in this format; None: as before."""
    before = _MODE.format
    _MODE.format = format_ or before
    try:
        yield
    finally:
        _MODE.format = before


def begin_frame(title: str) -> None:
    """Begin another frame: the next output clears a terminal first, and prints the title for people.

    A frame is cleared only when there is something to show, so that a slow answer leaves the earlier one.
    """
    _MODE.frame = title


def _start_frame() -> None:
    title, _MODE.frame = _MODE.frame, None
    if title is None:
        return
    if sys.stdout.isatty():
        sys.stdout.write(_CLEAR)
    if _MODE.format not in STRUCTURED:
        sys.stdout.write(f"{shown(title)}\n\n")


class Lines:
    """Lines that are never wrapped or cut: a diff must stay valid."""

    def __init__(self, lines: Iterable[Text]) -> None:
        self.lines = list(lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Written unchanged: rich's Text would replace tabs by spaces."""
        for line in self.lines:
            yield Segment(line.plain, console.get_style(line.style))
            yield Segment.line()


def console(*, errors: bool = False) -> Console:
    """Standard output, or standard error."""
    made = Console(stderr=errors, markup=False, emoji=False, highlight=False)
    if not made.is_terminal:
        if _MODE.format == "wide":
            made.width = WIDE
        elif "COLUMNS" not in os.environ:
            made.width = TABLE_WIDTH
    return made


def print_lines(*lines: Cell) -> None:
    """Sentences to standard output."""
    _start_frame()
    out = console()
    for line in lines:
        out.print(line if isinstance(line, Text) else Text(shown(line)), soft_wrap=True)


def print_note(*lines: str, style: str = "") -> None:
    """Messages to standard error."""
    out = console(errors=True)
    for line in lines:
        out.print(Text(shown(line), style=style), soft_wrap=True)


def show(*parts: ConsoleRenderable) -> None:
    """Tables and texts to standard output; names the columns that were left out on standard error."""
    _start_frame()
    out = console()
    for part in parts:
        out.print(part)
    hidden = [name for part in parts if isinstance(part, FittedTable) for name in part.hidden]
    if hidden and out.is_terminal:
        print_note(f"Not shown: {names(hidden)}. -o wide shows all columns.", style="dim")


def state_label(state: str, text: str = "") -> Text:
    """The state's label, or another text, in the state's colour."""
    return Text(shown(text or state.replace("_", " ")), style=STYLES.get(state, ""))


def heading(text: str) -> Text:
    """A heading."""
    return Text(shown(text), style="bold")


class FittedTable(Table):
    """A table that knows the columns that were left out."""

    hidden: tuple[str, ...] = ()


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, title: str = "") -> FittedTable:
    """Rows under a header, as many columns as fit; text cells are escaped."""
    cells = [[cell if isinstance(cell, Text) else Text(shown(cell)) for cell in row] for row in rows]
    kept = list(range(len(head))) if _MODE.format == "wide" else _fitting(head, cells, console().width)
    made = FittedTable(box=None, pad_edge=False, header_style="bold", title_justify="left")
    made.hidden = tuple(name for number, name in enumerate(head) if number not in kept)
    if title:
        made.title = heading(title)
    columns = [[Text(head[number]), *(row[number] for row in cells)] for number in kept]
    longest = [max(len(part) for cell in column for part in cell.plain.split() or [""]) for column in columns]
    fits = sum(longest) + 2 * (len(kept) - 1) <= console().width
    for column, least in zip(columns, longest, strict=True):
        # Otherwise a name is broken although sentences in other columns have room.
        is_name = fits and all(cell.cell_len <= least for cell in column[1:])
        made.add_column(column[0], overflow="fold", no_wrap=is_name)
    for row in cells:
        made.add_row(*(row[number] for number in kept))
    return made


def _fitting(head: Sequence[str], rows: Sequence[Sequence[Text]], width: int) -> list[int]:
    """Numbers of the columns to show in so many characters."""
    kept = list(range(len(head)))
    widths = [
        min(max([Text(name).cell_len, *(row[number].cell_len for row in rows)]), READABLE)
        for number, name in enumerate(head)
    ]
    empty = {number for number in kept if all(row[number].plain in {"", "-"} for row in rows)}
    spare = [number for number in kept if isinstance(head[number], Extra)]
    for number in sorted(spare, key=lambda number: (number in empty, number), reverse=True):
        if sum(widths[index] + 2 for index in kept) - 2 <= width:
            break
        kept.remove(number)
    return kept


def as_json(answer: Any, *, line: bool = False) -> None:
    """The API response, unchanged, as JSON or in the structured format of `-o`; `line`: JSON in one line."""
    _start_frame()
    write = STRUCTURED.get(_MODE.format, as_json_text)
    sys.stdout.write(as_json_text(answer, indent=None) if line else write(answer))
    sys.stdout.flush()
