"""What is wrong with a site file, as values: where it is and what was expected there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from backstay.core.errors import Refused

Path = tuple[str | int, ...]
"""Keys and list positions from the top of the file to a value."""


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """One mistake: `file:line: key: expected ...`."""

    file: str
    line: int
    """Counts from 1; 0 when the whole file is meant."""
    key: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key}: expected {self.expected}"


class SiteFileMistakes(Refused):
    """A site file that was not imported, with every mistake found in it."""

    code: ClassVar[str] = "site_file"

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = sorted(mistakes)
        count = len(self.mistakes)
        super().__init__(
            f"The site file has {count} mistake{'s' if count != 1 else ''}; nothing was imported."
            f" First: {self.mistakes[0]}"
        )
