"""Errors of a demo's start.

DemoError           base: a message for the user, with the next step
  StepError        a step failed; names the log to read
Interrupted         the user requested a stop; not an error
"""

from __future__ import annotations

from pathlib import Path


class DemoError(Exception):
    """A cause and a next step, ready to print."""


class StepError(DemoError):
    """A step failed: `why`, the log with the details, and the next step."""

    def __init__(self, why: str, log: Path | None = None, todo: str = "") -> None:
        lines = [why]
        if log is not None:
            lines.append(f"log: {log}")
        lines.append(todo or "Read the log, fix the cause, and run the same command again.")
        super().__init__("\n".join(lines))
        self.log = log


class Interrupted(BaseException):
    """A stop was requested while waiting; like KeyboardInterrupt not an Exception."""
