"""What a person sees while the demo starts: one line a step, with the time since the beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO


def line(elapsed_s: float, step: str, text: str) -> str:
    """`[  3.2 s] database   PostgreSQL 15 is up`."""
    return f"[{elapsed_s:5.1f} s] {step:<10} {text}"


class Progress:
    """Writes the lines; `clock` is monotonic seconds."""

    def __init__(self, out: TextIO, clock: Callable[[], float]) -> None:
        self._out = out
        self._clock = clock
        self._began = clock()

    @property
    def elapsed_s(self) -> float:
        return self._clock() - self._began

    def say(self, step: str, text: str) -> None:
        """One line; several lines of text are indented under the first."""
        first, *rest = text.splitlines() or [""]
        print(line(self.elapsed_s, step, first), file=self._out)
        for more in rest:
            print(f"{'':21}{more}", file=self._out)
        self._out.flush()
