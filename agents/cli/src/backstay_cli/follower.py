"""Follows something until it has ended: at a terminal, in a log, or not at all.

A terminal shows a board that is redrawn and accepts keys; other outputs get one line per event; `--json`
prints only the final state. The caller defines the board and the events.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from rich.console import RenderableType
from rich.live import Live

from backstay_cli.output import console, print_lines, print_note

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)
QUICK_S = 3.0
"""A slower read counts as no response: countdowns must continue, and keys must work."""
News = Callable[[T | None, T], Iterable[str]]
"""Events between two reads, one line each."""
Pressed = Callable[[float], str]
"""Waits at most so many seconds for a key; returns it, or an empty text."""


class Left(Exception):  # noqa: N818 - it is no error
    """The user left; what was followed continues."""


class Drawn(Protocol[S_contra]):
    """Renders a board."""

    def __call__(self, seen: S_contra, note: str = "", /, *, acts: bool, old_s: float) -> RenderableType:
        """State as of `old_s` seconds ago, with a sentence below; `acts`: keys are accepted."""


class Screen(Protocol[S_contra]):
    """Shows the state while it is followed."""

    def show(self, seen: S_contra) -> None:
        """Show the current state."""

    def note(self, text: str) -> None:
        """Show a message."""


class Silent:
    """For `--json`: only the final state is printed."""

    def show(self, seen: object) -> None:
        """Print nothing."""

    def note(self, text: str) -> None:
        """Print nothing."""


class Lines(Generic[T]):
    """For pipes and logs."""

    def __init__(self, news: News[T]) -> None:
        self._news = news
        self._last: T | None = None
        self._noted = ""

    def show(self, seen: T) -> None:
        """Print the events since the last call."""
        for line in self._news(self._last, seen):
            print_lines(line)
        self._last, self._noted = seen, ""

    def note(self, text: str) -> None:
        """Print to standard error, without repeats."""
        if text != self._noted:
            print_note(text)
        self._noted = text


class Board(Generic[T]):
    """For terminals: a board that is redrawn."""

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
        """Show the message below the board."""
        self._draw(text)

    def _draw(self, note: str) -> None:
        if self._seen is not None:
            old_s = time.monotonic() - self._received
            self._live.update(self._drawn(self._seen, note, acts=self._acts, old_s=old_s), refresh=True)


@contextmanager
def screen(as_json: bool, drawn: Drawn[T], news: News[T]) -> Iterator[tuple[Screen[T], Pressed]]:
    """The screen for this output, and a function that waits for a key."""
    out = console()
    if as_json or not out.is_terminal:
        yield (Silent() if as_json else Lines(news)), none_pressed
        return
    with keys() as pressed, Live(console=out, auto_refresh=False) as live:
        yield Board(live, drawn, acts=pressed is not none_pressed), pressed


def none_pressed(seconds: float) -> str:
    """Without a terminal: wait and return nothing."""
    time.sleep(seconds)
    return ""


@contextmanager
def keys() -> Iterator[Pressed]:
    """Yields a function that waits at most so many seconds for a key; empty without one. Restores the
    terminal."""
    if not sys.stdin.isatty():
        yield none_pressed
        return
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    tty.setcbreak(handle)
    try:
        yield lambda seconds: _key(handle, seconds)
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _key(handle: int, seconds: float) -> str:
    ready, _, _ = select.select([handle], [], [], seconds)
    return os.read(handle, 1).decode("ascii", "replace") if ready else ""
