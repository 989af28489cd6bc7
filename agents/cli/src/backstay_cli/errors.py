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

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

SYNONYMS: dict[str, tuple[str, ...]] = {
    "start": ("since",),
    "starts_at": ("start",),
    "end": ("until",),
    "q": ("search",),
    "seconds": ("for_time",),
    "for_s": ("for_time",),
    "duration_s": ("lasts", "duration"),
    "timeout_s": ("timeout",),
    "expires_at": ("expires",),
    "every_days": ("every",),
    "phase": ("every",),
    "owner": ("user",),
    "targets": ("objects",),
    "source": ("source",),
    "destination": ("destination",),
    "nodes": ("node",),
    "node": ("nodes", "name"),
    "subject": ("subject",),
}
"""Field of the API -> parameters of commands that set it, apart from the one of the same name."""
OK, WRONG, USAGE, DENIED, UNREACHABLE, UNDONE = range(6)


class OperatorError(Exception):
    """Base of the tree; `fields` are the fields of the API that the message names."""

    exit_code: ClassVar[int] = WRONG

    def __init__(self, message: str, *, fields: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.fields = fields


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


def in_terms_of_options(error: OperatorError, options: Mapping[str, str]) -> OperatorError:
    """The error with the command's own options in place of the API's fields, and no raw key. Pure."""
    message = str(error)
    for field in sorted(error.fields, key=len, reverse=True):
        candidates = (field, *SYNONYMS.get(field, ()))
        option = next((options[name] for name in candidates if name in options), field.replace("_", " "))
        message = re.sub(rf"(?<![\w-]){re.escape(field)}(?![\w-])", option.replace("\\", r"\\"), message)
    return type(error)(message, fields=error.fields)
