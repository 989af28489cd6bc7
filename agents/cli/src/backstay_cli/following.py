"""Showing something that moves on until it has ended: at a terminal, in a log, or not at all.

On a terminal a board is redrawn and keys act; elsewhere one line is printed for each thing that happened;
for `--json` only the end counts. What is drawn and what is news, whoever follows says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from rich.console import RenderableType
from rich.live import Live

from backstay_cli.keys import Pressed, keys, none_pressed
from backstay_cli.output import console, print_lines, print_note

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)
QUICK_S = 3.0
"""A look that takes longer counts as silence: what counts down must go on, and keys must act."""
News = Callable[[T | None, T], Iterable[str]]
"""What happened between two looks, a line each."""


class Left(Exception):  # noqa: N818 - it is no error
    """The person stopped looking; what is followed goes on."""


class Drawn(Protocol[S_contra]):
    """A board's picture."""

    def __call__(self, seen: S_contra, note: str = "", /, *, acts: bool, old_s: float) -> RenderableType:
        """Of what was seen `old_s` seconds ago, with a sentence below; `acts`: keys do."""


class Screen(Protocol[S_contra]):
    """Where it is shown as it moves on."""

    def show(self, seen: S_contra) -> None:
        """What stands now."""

    def note(self, text: str) -> None:
        """A sentence beside it."""


class Silent:
    """For `--json`: only the end is printed."""

    def show(self, seen: object) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""


class Lines(Generic[T]):
    """For pipes and logs."""

    def __init__(self, news: News[T]) -> None:
        self._news = news
        self._last: T | None = None
        self._noted = ""

    def show(self, seen: T) -> None:
        """What is new."""
        for line in self._news(self._last, seen):
            print_lines(line)
        self._last, self._noted = seen, ""

    def note(self, text: str) -> None:
        """To standard error, once in a row."""
        if text != self._noted:
            print_note(text)
        self._noted = text


class Board(Generic[T]):
    """For terminals: a picture that is redrawn."""

    def __init__(self, live: Live, drawn: Drawn[T], *, acts: bool) -> None:
        self._live = live
        self._drawn = drawn
        self._acts = acts
        self._seen: T | None = None
        self._received = 0.0

    def show(self, seen: T) -> None:
        """Redraw."""
        self._seen, self._received = seen, time.monotonic()
        self._draw("")

    def note(self, text: str) -> None:
        """Below the picture."""
        self._draw(text)

    def _draw(self, note: str) -> None:
        if self._seen is not None:
            old_s = time.monotonic() - self._received
            self._live.update(self._drawn(self._seen, note, acts=self._acts, old_s=old_s), refresh=True)


@contextmanager
def screen(as_json: bool, drawn: Drawn[T], news: News[T]) -> Iterator[tuple[Screen[T], Pressed]]:
    """Where to show it, and how to wait for a key."""
    out = console()
    if as_json or not out.is_terminal:
        yield (Silent() if as_json else Lines(news)), none_pressed
        return
    with keys() as pressed, Live(console=out, auto_refresh=False) as live:
        yield Board(live, drawn, acts=pressed is not none_pressed), pressed
