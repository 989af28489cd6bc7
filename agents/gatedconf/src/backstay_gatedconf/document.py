"""A whole gated.conf: its statements in order, each with its class, its value and its position.

A second statement of a kind that may occur once is refused, as is a statement below one of a later class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from backstay_gatedconf import (
    control,
    discovery,
    interfaces,
    kernel,
    martians,
    redirect,
    rip,
    static,
    trace,
)
from backstay_gatedconf.tokens import ConfError, Cursor, Tokens, tokenize

ANYWHERE, OPTIONS, INTERFACES, DEFINITIONS, PROTOCOLS, STATIC, CONTROL = range(7)
_CLASSES = ("directives", "options", "interfaces", "definitions", "protocols", "static", "control")


@dataclass(frozen=True, slots=True)
class Other:
    """A statement that is kept as tokens: OSPF, BGP and others; its braces are balanced."""

    tokens: tuple[str, ...]


Value = (
    interfaces.Interfaces | rip.Rip | discovery.Discovery | redirect.Redirect | kernel.Kernel
    | static.StaticStatement | control.Import | control.Export | martians.Martians | trace.Trace | Other
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """One top-level statement; `parts` are the spans of the items of its body, in the value's order."""

    order: int
    value: Value
    start: int
    end: int
    """After its `;`, or after the path of a directive."""
    line: int
    file: str = ""
    """Name of the included file; empty for the main one."""
    parts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The statements in the file's order, and the spans of its comments."""

    statements: tuple[Statement, ...]
    comments: tuple[tuple[int, int], ...]

    @property
    def values(self) -> tuple[Value, ...]:
        """The statements without their positions."""
        return tuple(statement.value for statement in self.statements)


_TYPED: Final[dict[str, tuple[int, Callable[[Cursor], Value]]]] = {
    "interfaces": (INTERFACES, interfaces.parse),
    "rip": (PROTOCOLS, rip.parse),
    "redirect": (PROTOCOLS, redirect.parse),
    "kernel": (PROTOCOLS, kernel.parse),
    "routerdiscovery": (PROTOCOLS, discovery.parse),
    "martians": (DEFINITIONS, martians.parse),
    "import": (CONTROL, control.parse_import),
    "export": (CONTROL, control.parse_export),
    "static": (STATIC, static.parse),
    "traceoptions": (ANYWHERE, trace.parse),
}
_OTHERS: Final[dict[str, int]] = {
    "options": OPTIONS,
    "autonomoussystem": DEFINITIONS,
    "routerid": DEFINITIONS,
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
def parse(text: str) -> Document:
    """Raises ConfError. Cached because the same text is parsed several times while a file is rendered."""
    return parse_tokens(tokenize(text))


def parse_tokens(found: Tokens) -> Document:
    """The document of a file's tokens, those of included files among them. Raises ConfError."""
    cursor = Cursor(found.tokens)
    statements: list[Statement] = []
    highest, seen = ANYWHERE, set()
    while cursor.here.kind != "end":
        name, line, file = cursor.here.text, cursor.here.line, cursor.here.file
        statement = _statement(cursor)
        if statement.order != ANYWHERE and statement.order < highest:
            raise ConfError(
                f"{name!r} is one of the {_CLASSES[statement.order]}, which come before the "
                f"{_CLASSES[highest]} above it",
                line,
                file,
            )
        if name in _ONCE and name in seen:
            raise ConfError(f"a second {name!r} statement", line, file)
        highest = max(highest, statement.order)
        seen.add(name)
        statements.append(statement)
    return Document(tuple(statements), found.comments)


def _statement(cursor: Cursor) -> Statement:
    start, line, file, name = cursor.here.start, cursor.here.line, cursor.here.file, cursor.here.text
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
        return Statement(order, typed, start, cursor.previous.end, line, file, cursor.spans)
    if name not in _OTHERS:
        raise cursor.fail("a statement that gated knows")
    other = _other(cursor)
    cursor.expect(";")
    return Statement(_OTHERS[name], other, start, cursor.previous.end, line, file)


def _directive(cursor: Cursor) -> Statement:
    """`%directory "PATH"` and `%include "PATH"`, without a `;`."""
    start, line = cursor.here.start, cursor.here.line
    name = cursor.choice("%directory", "%include")
    path = cursor.string()
    return Statement(ANYWHERE, Other((name, f'"{path}"')), start, cursor.previous.end, line)


def _other(cursor: Cursor) -> Other:
    """Tokens up to the `;` outside all braces."""
    tokens: list[str] = []
    depth = 0
    while depth or not cursor.sees(";"):
        if cursor.sees("}") and not depth:
            raise cursor.fail("`;`")
        depth += cursor.sees("{") - cursor.sees("}")
        tokens.append(cursor.take().text)
    return Other(tuple(tokens))


_RENDERERS: Final[dict[type, Callable[[Any], str]]] = {
    interfaces.Interfaces: interfaces.render,
    rip.Rip: rip.render,
    discovery.Discovery: discovery.render,
    redirect.Redirect: redirect.render,
    kernel.Kernel: kernel.render,
    static.StaticStatement: static.render,
    martians.Martians: martians.render,
    control.Import: control.render_import,
    control.Export: control.render_export,
    trace.Trace: trace.render,
    Other: lambda value: " ".join(value.tokens),
}


def render(values: Sequence[Value]) -> str:
    """The statements in the given order; parsing the result returns the same values."""
    return "".join(f"{render_statement(value)}\n" for value in values)


def render_statement(value: Value) -> str:
    """One statement with its `;`."""
    text = _RENDERERS[type(value)](value)
    return text if text.startswith("%") else f"{text};"
