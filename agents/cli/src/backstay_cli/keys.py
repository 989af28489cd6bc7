"""Single keys from a terminal, so that a countdown can be answered where it is shown."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Pressed = Callable[[float], str]


def none_pressed(seconds: float) -> str:
    """Where nobody sits at a keyboard: the time passes."""
    time.sleep(seconds)
    return ""


@contextmanager
def keys() -> Iterator[Pressed]:
    """Yields: wait so many seconds at most for a key; empty when none came. Restores the terminal."""
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
