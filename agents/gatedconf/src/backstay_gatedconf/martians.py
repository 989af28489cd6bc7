"""`martians { ... };`: destinations that are never accepted from a routing protocol."""

from __future__ import annotations

from dataclasses import dataclass

from backstay_gatedconf.destinations import Destination, parse_destination, render_destination
from backstay_gatedconf.tokens import Cursor


@dataclass(frozen=True, slots=True)
class Martian:
    """One destination; with `allow` it is accepted although an earlier martian covers it."""

    destination: Destination
    allow: bool = False


@dataclass(frozen=True, slots=True)
class Martians:
    """One `martians` statement."""

    items: tuple[Martian, ...]


def parse(cursor: Cursor) -> Martians:
    """After the keyword `martians`."""
    return Martians(cursor.body(lambda inner: Martian(parse_destination(inner), inner.has("allow"))))


def render(value: Martians) -> str:
    lines = "".join(
        f"    {render_destination(item.destination)}{' allow' * item.allow};\n" for item in value.items
    )
    return f"martians {{\n{lines}}}"
