"""What ends a command early, and the exit code that scripts read; `docs/operator.md` promises them.

    OperatorError      1  something is wrong as asked
    |-- Usage          2  the command, or a name in it, is not right
    |-- Denied         3  the API refuses: who asks, or the state of things
    |-- Unreachable    4  no usable answer
    `-- Undone         5  rolled back, or failed

Each message is one sentence or two: what went wrong, and the next step.
"""

# ruff: noqa: N818  (the names are what an operator reads; the base says that they are errors)

from __future__ import annotations

from typing import ClassVar

OK, WRONG, USAGE, DENIED, UNREACHABLE, UNDONE = range(6)


class OperatorError(Exception):
    """Base of the tree."""

    exit_code: ClassVar[int] = WRONG


class Usage(OperatorError):
    """What was typed cannot be done by anyone."""

    exit_code = USAGE


class Denied(OperatorError):
    """401, 403, 409 or 422, or what is asked does not fit what is there."""

    exit_code = DENIED


class Unreachable(OperatorError):
    """No answer, or none that can be used."""

    exit_code = UNREACHABLE


class Undone(OperatorError):
    """It was begun and did not end well."""

    exit_code = UNDONE
