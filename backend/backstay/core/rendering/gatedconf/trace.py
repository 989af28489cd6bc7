"""`traceoptions ...`: kept as its words; it changes nothing about routes."""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.rendering.gatedconf.tokens import Cursor


@dataclass(frozen=True, slots=True)
class Trace:
    """The words after `traceoptions`, strings with their quotation marks."""

    words: tuple[str, ...]


def read(cursor: Cursor) -> Trace:
    """After the word `traceoptions`, up to the `;`."""
    found: list[str] = []
    while not cursor.sees(";"):
        if cursor.sees("{", "}"):
            raise cursor.fail("an option or `;`")
        found.append(cursor.take().text)
    if not found:
        raise cursor.fail("a trace option")
    return Trace(tuple(found))


def words(value: Trace) -> str:
    """As it is written."""
    return " ".join(["traceoptions", *value.words])
