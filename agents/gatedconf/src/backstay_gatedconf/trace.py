"""`traceoptions ...`: kept as tokens, because it changes no route."""

from __future__ import annotations

from dataclasses import dataclass

from backstay_gatedconf.tokens import Cursor


@dataclass(frozen=True, slots=True)
class Trace:
    """The tokens after `traceoptions`, strings with their quotation marks."""

    tokens: tuple[str, ...]


def parse(cursor: Cursor) -> Trace:
    """After the keyword `traceoptions`, up to the `;`."""
    found: list[str] = []
    while not cursor.sees(";"):
        if cursor.sees("{", "}"):
            raise cursor.fail("an option or `;`")
        found.append(cursor.take().text)
    if not found:
        raise cursor.fail("a trace option")
    return Trace(tuple(found))


def render(value: Trace) -> str:
    return " ".join(["traceoptions", *value.tokens])
