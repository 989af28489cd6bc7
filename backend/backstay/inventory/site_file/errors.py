"""Errors of a site file, with position and expected value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from backstay.core.errors import Refused

Path = tuple[str | int, ...]
"""Keys and list positions from the top of the file to a value."""


@dataclass(frozen=True, slots=True, order=True)
class SiteFileError:
    """One error, `file:line: key: expected ...`."""

    file: str
    line: int
    """From 1; 0 for the whole file."""
    key: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key}: expected {self.expected}"


class InvalidSiteFile(Refused):
    """A rejected site file, with all its errors."""

    code: ClassVar[str] = "site_file"

    def __init__(self, errors: Sequence[SiteFileError]) -> None:
        self.errors = sorted(errors)
        count = len(self.errors)
        super().__init__(
            f"The site file has {count} error{'s' if count != 1 else ''}; nothing was imported."
            f" First: {self.errors[0]}"
        )
