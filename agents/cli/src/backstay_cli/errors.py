"""Errors that end a command, and their exit codes for scripts; `docs/operator.md` documents them.

    OperatorError      1  the result is a problem
    |-- Usage          2  wrong command or name
    |-- Denied         3  the API refuses the request
    |-- Unreachable    4  no usable answer
    `-- Undone         5  rolled back, stopped, or failed

Each message is one or two sentences: the error, and the next step.
"""

# ruff: noqa: N818  (operators read these names; the base class marks them as errors)

from __future__ import annotations

from typing import ClassVar

OK, WRONG, USAGE, DENIED, UNREACHABLE, UNDONE = range(6)


class OperatorError(Exception):
    """Base of the tree."""

    exit_code: ClassVar[int] = WRONG


class Usage(OperatorError):
    """The command line is invalid for every user."""

    exit_code = USAGE


class Denied(OperatorError):
    """401, 403, 409 or 422, or the request does not match the current state."""

    exit_code = DENIED


class Unreachable(OperatorError):
    """No answer, or an unusable one."""

    exit_code = UNREACHABLE


class Undone(OperatorError):
    """It was started and did not succeed."""

    exit_code = UNDONE
