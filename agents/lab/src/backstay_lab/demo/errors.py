"""What can end a demo before it is ready.

DemoError           base: a sentence for people, ending in what to do
  StepError        a step did not succeed; names the log to read
Interrupted         the user asked to stop; not an error
"""

from __future__ import annotations

from pathlib import Path


class DemoError(Exception):
    """A cause and a next step, ready to print."""


class StepError(DemoError):
    """A step failed: `why` as text, the log with the details, and what to do."""

    def __init__(self, why: str, log: Path | None = None, todo: str = "") -> None:
        lines = [why]
        if log is not None:
            lines.append(f"log: {log}")
        lines.append(todo or "Read the log, mend the cause, and run the same command again.")
        super().__init__("\n".join(lines))
        self.log = log


class Interrupted(BaseException):
    """Stop was asked for while something was being waited for; like KeyboardInterrupt not an Exception."""
