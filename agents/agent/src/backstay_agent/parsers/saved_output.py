"""A kind of saved output: how it is recognised, and its parser."""

import re
from collections.abc import Callable
from dataclasses import dataclass

Found = tuple[dict[str, object], list[str]]
"""Values by type (ports, routes, ...), and what is unknown: lines, or paths in JSON."""


@dataclass(frozen=True, slots=True)
class OutputKind:
    """One entry of the registry."""

    about: str
    """The command that prints it."""
    mark: re.Pattern[str]
    """Occurs near the beginning of such a text, and of no other."""
    read: Callable[[str], Found]
    """Raises ValueError if the text is not of this kind or is cut off."""
    one_line: bool = False
    """The tool may print everything on one line (JSON)."""


def kind(
    about: str, mark: str, read: Callable[[str], Found], *, one_line: bool = False, flags: int = re.MULTILINE
) -> OutputKind:
    """An entry whose mark may begin at any line."""
    return OutputKind(about, re.compile(mark, flags), read, one_line)


def listed(name: str, parse: Callable[[str], tuple[object, list[str]]]) -> Callable[[str], Found]:
    """Wraps a parser that returns one value and the unknown lines."""

    def read(output: str) -> Found:
        value, unparsed = parse(output)
        return {name: value}, unparsed

    return read
