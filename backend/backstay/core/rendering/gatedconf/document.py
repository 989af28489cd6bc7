"""A whole gated.conf: its statements in order, each with its class, its value and its place.

Two statements of what there may be one of are refused, as is a class that comes after a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from backstay.core.rendering.gatedconf import (
    control,
    discovery,
    interfaces,
    kernel,
    redirect,
    rip,
    static,
    trace,
)
from backstay.core.rendering.gatedconf.tokens import ConfError, Cursor, tokens

ANYWHERE, OPTIONS, INTERFACES, DEFINITIONS, PROTOCOLS, STATIC, CONTROL = range(7)
_CLASSES = ("directives", "options", "interfaces", "definitions", "protocols", "static", "control")


@dataclass(frozen=True, slots=True)
class Other:
    """A statement that is kept as its words: OSPF, BGP, martians and the like; braces fit."""

    words: tuple[str, ...]


Value = (
    interfaces.Interfaces | rip.Rip | discovery.Discovery | redirect.Redirect | kernel.Kernel | static.Static
    | control.Import | control.Export | trace.Trace | Other
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """One top-level statement; `parts`: where the items of its body stand, in the value's order."""

    order: int
    value: Value
    start: int
    end: int
    """Behind its `;`, or its last word for a directive."""
    line: int
    parts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The statements in the file's order, and where its comments are."""

    statements: tuple[Statement, ...]
    comments: tuple[tuple[int, int], ...]

    @property
    def values(self) -> tuple[Value, ...]:
        """Without their places."""
        return tuple(statement.value for statement in self.statements)


_TYPED: Final[dict[str, tuple[int, Callable[[Cursor], Value]]]] = {
    "interfaces": (INTERFACES, interfaces.read),
    "rip": (PROTOCOLS, rip.read),
    "redirect": (PROTOCOLS, redirect.read),
    "kernel": (PROTOCOLS, kernel.read),
    "routerdiscovery": (PROTOCOLS, discovery.read),
    "import": (CONTROL, control.read_import),
    "export": (CONTROL, control.read_export),
    "static": (STATIC, static.read),
    "traceoptions": (ANYWHERE, trace.read),
}
_OTHERS: Final[dict[str, int]] = {
    "options": OPTIONS,
    "autonomoussystem": DEFINITIONS,
    "routerid": DEFINITIONS,
    "martians": DEFINITIONS,
    "icmp": PROTOCOLS,
    "ospf": PROTOCOLS,
    "snmp": PROTOCOLS,
    "bgp": PROTOCOLS,
    "egp": PROTOCOLS,
    "hello": PROTOCOLS,
    "isis": PROTOCOLS,
    "aggregate": CONTROL,
    "generate": CONTROL,
}
_ONCE = ("interfaces", "rip", "redirect", "kernel", "icmp", "snmp")


@lru_cache(maxsize=64)
def read(text: str) -> Document:
    """Raises ConfError naming the line. The same text is asked for several times while a file is rendered."""
    found = tokens(text)
    cursor = Cursor(found.words)
    statements: list[Statement] = []
    highest, seen = ANYWHERE, set()
    while cursor.here.kind != "end":
        name, line = cursor.here.text, cursor.here.line
        statement = _statement(cursor)
        if statement.order != ANYWHERE and statement.order < highest:
            raise ConfError(
                f"line {line}: {name!r} is one of the {_CLASSES[statement.order]}, which come before the "
                f"{_CLASSES[highest]} above it"
            )
        if name in _ONCE and name in seen:
            raise ConfError(f"line {line}: a second {name!r} statement")
        highest = max(highest, statement.order)
        seen.add(name)
        statements.append(statement)
    return Document(tuple(statements), found.comments)


def _statement(cursor: Cursor) -> Statement:
    start, line, name = cursor.here.start, cursor.here.line, cursor.here.text
    if cursor.here.kind != "word":
        raise cursor.fail("a statement")
    if name.startswith("%"):
        return _directive(cursor)
    if name in _TYPED:
        order, reader = _TYPED[name]
        cursor.take()
        cursor.spans = ()
        typed = reader(cursor)
        cursor.expect(";")
        return Statement(order, typed, start, cursor.behind.end, line, cursor.spans)
    if name not in _OTHERS:
        raise cursor.fail("a statement that gated knows")
    other = _other(cursor)
    cursor.expect(";")
    return Statement(_OTHERS[name], other, start, cursor.behind.end, line)


def _directive(cursor: Cursor) -> Statement:
    """`%directory "PATH"` and `%include "PATH"`, without a `;`."""
    start, line = cursor.here.start, cursor.here.line
    name = cursor.choice("%directory", "%include")
    path = cursor.string()
    return Statement(ANYWHERE, Other((name, f'"{path}"')), start, cursor.behind.end, line)


def _other(cursor: Cursor) -> Other:
    """Words up to the `;` outside all braces."""
    words: list[str] = []
    depth = 0
    while depth or not cursor.sees(";"):
        if cursor.sees("}") and not depth:
            raise cursor.fail("`;`")
        depth += cursor.sees("{") - cursor.sees("}")
        words.append(cursor.take().text)
    return Other(tuple(words))


_WRITERS: Final[dict[type, Callable[[Any], str]]] = {
    interfaces.Interfaces: interfaces.words,
    rip.Rip: rip.words,
    discovery.Discovery: discovery.words,
    redirect.Redirect: redirect.words,
    kernel.Kernel: kernel.words,
    static.Static: static.words,
    control.Import: control.import_words,
    control.Export: control.export_words,
    trace.Trace: trace.words,
    Other: lambda value: " ".join(value.words),
}


def write(values: Sequence[Value]) -> str:
    """Statements in the order given, which is for the caller to choose; what is read from it is the same."""
    return "".join(f"{written(value)}\n" for value in values)


def written(value: Value) -> str:
    """One statement with its end."""
    words = _WRITERS[type(value)](value)
    return words if words.startswith("%") else f"{words};"
