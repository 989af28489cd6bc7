"""Terminal output of the demo: one line per step with the elapsed time, and the messages of a start. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TextIO

from backstay_lab.demo.layout import Layout
from backstay_lab.demo.record import Record


def ready_text(demo: Mapping[str, Any]) -> str:
    """The last line of a start, and the second user."""
    second = demo["second"]
    return (
        f"Backstay is ready: {demo['url']}  user {demo['user']}  password {demo['password']}\n"
        f"To approve changes: user {second['user']}  password {second['password']}"
    )


def already_running_text(layout: Layout, running: Record | None) -> str:
    """Message of a second start."""
    if running is None or running.phase == "starting":
        where = f" at {running.url}" if running and running.url else ""
        return f"A demo is already starting in {layout.data}{where}; log: {layout.log('supervisor')}"
    if running.phase == "stopping":
        return f"The demo in {layout.data} is being stopped; try again in a few seconds."
    return (
        f"Backstay is already running: {running.url}  (user and password: {layout.demo_file};"
        " stop it: make demo-stop)"
    )


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

    def report(self, step: str, text: str) -> None:
        """Print one line; further lines of `text` are indented."""
        first, *rest = text.splitlines() or [""]
        print(line(self.elapsed_s, step, first), file=self._out)
        for more in rest:
            print(f"{'':21}{more}", file=self._out)
        self._out.flush()
