"""Output: tables and sentences for people, the unchanged API response for programs.

Colour is used only on a terminal and if NO_COLOR is not set (no-color.org). Nothing is interpreted as markup,
and every text is escaped (`text.shown`). Without a terminal, tables have their full width, so that nothing is
cut for grep.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from backstay_cli.text import shown

WIDE = 10_000
STYLES = {"ok": "green", "warning": "yellow", "critical": "bold red", "unknown": "dim", "disabled": "dim"}
"""Colour of a state; its text is always printed as well."""
Cell = str | Text


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
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDE
    return made


def print_lines(*lines: Cell) -> None:
    """Sentences to standard output."""
    out = console()
    for line in lines:
        out.print(line if isinstance(line, Text) else Text(shown(line)), soft_wrap=True)


def print_note(*lines: str, style: str = "") -> None:
    """Messages to standard error."""
    out = console(errors=True)
    for line in lines:
        out.print(Text(shown(line), style=style), soft_wrap=True)


def show(*parts: ConsoleRenderable) -> None:
    """Tables and texts to standard output."""
    out = console()
    for part in parts:
        out.print(part)


def state_label(state: str, text: str = "") -> Text:
    """The state's label, or another text, in the state's colour."""
    return Text(shown(text or state.replace("_", " ")), style=STYLES.get(state, ""))


def heading(text: str) -> Text:
    """A heading."""
    return Text(shown(text), style="bold")


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, title: str = "") -> Table:
    """Rows under a header; text cells are escaped."""
    made = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    if title:
        made.title = heading(title)
    for name in head:
        made.add_column(Text(name), overflow="fold")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(shown(cell)) for cell in row))
    return made


def as_json(answer: Any, *, line: bool = False) -> None:
    """The API response, unchanged; ASCII only, so that device names cannot control the terminal."""
    text = json.dumps(answer, indent=None if line else 2).replace("\x7f", "\\u007f")
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
