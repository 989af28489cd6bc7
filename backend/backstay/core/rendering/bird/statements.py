"""Partial parser for bird.conf (BIRD 2.0): top-level statements, and complete static protocols.

The language is programmable, so only unambiguous parts are read: static protocols with their channels and
routes; constants that are plain addresses, prefixes or numbers; and the names of other protocols (BIRD user's
guide, chapters 3, 4 and 6.14).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from backstay.core.model.routing import Address, Prefix
from backstay.core.rendering.blocks import line_number

DEFAULT_PREFERENCE = 200
"""Of the static protocol."""
_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*|/\*.*?\*/)|(?P<string>\"[^\"\n]*\"|'[^'\n]*')|(?P<sign>[{};=,()])|"
    r"(?P<word>(?:(?!/\*)[^\s{};=,()\"'#])+)|(?P<open>\S)",
    re.DOTALL,
)
_DEEPEST = 50
"""Maximum nesting of braces."""
_CHANNELS = {"ipv4", "ipv6"}
_OTHER_CHANNELS = {"vpn4", "vpn6", "roa4", "roa6", "flow4", "flow6", "mpls", "ipv4-mc", "ipv6-mc"}


class Token(NamedTuple):
    """A word, a sign or a string with its position."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """Tokens up to a `;` or a closing brace of its own level; `inner` holds the statements within
    the braces.
    """

    head: tuple[Token, ...]
    """Without `;` and braces."""
    inner: tuple[Statement, ...]
    start: int
    end: int
    """Offset after its `;` or `}`."""
    fields: list[str]
    """Texts of the head's tokens."""


@dataclass(frozen=True, slots=True)
class RouteStatement:
    """A `route` statement; `hops` is empty without a gateway. `plain`: one gateway, no attributes."""

    prefix: Prefix
    hops: tuple[tuple[Address, str], ...]
    preference: int
    plain: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StaticProtocol:
    """A static protocol of the main tables."""

    name: str
    routes: tuple[RouteStatement, ...]


def tokens(text: str) -> list[Token]:
    """Raises ValueError with the line of an invalid token."""
    found = [match for match in _TOKEN.finditer(text) if match.lastgroup != "comment"]
    for match in found:
        if match.lastgroup == "open":
            at = line_number(text, match.start())
            raise ValueError(f"line {at}: a string or comment that never ends")
    return [Token(match[0], *match.span()) for match in found]


@lru_cache(maxsize=64)
def statements(text: str) -> tuple[Statement, ...]:
    """The top-level statements. Raises ValueError for unmatched braces and an unterminated last statement.

    Cached for a few texts, because rendering a file parses the same text several times.
    """
    stream = tokens(text)
    found, at = _statements(text, stream, 0, depth=0)
    if at < len(stream):
        raise ValueError(f"line {line_number(text, stream[at].start)}: a brace closes what was not opened")
    return tuple(found)


def _statements(text: str, stream: list[Token], at: int, *, depth: int) -> tuple[list[Statement], int]:
    found: list[Statement] = []
    head: list[Token] = []
    inner: list[Statement] = []
    start = -1
    while at < len(stream) and stream[at].text != "}":
        token = stream[at]
        start = token.start if start < 0 else start
        if token.text == "{":
            if depth == _DEEPEST:
                raise ValueError(
                    f"line {line_number(text, token.start)}: braces too deep to be a configuration"
                )
            within, close = _statements(text, stream, at + 1, depth=depth + 1)
            if close >= len(stream):
                raise ValueError(f"line {line_number(text, token.start)}: a brace is never closed")
            inner += within
            at, end = close, stream[close].end
            follows = stream[at + 1].text if at + 1 < len(stream) else ""
            done = follows != ";" and (not depth or not head or head[0].text not in {*_CHANNELS, "route"})
        else:
            end, done = token.end, token.text == ";"
            if not done:
                head.append(token)
        at += 1
        if done:
            found.append(_statement(head, inner, start, end))
            head, inner, start = [], [], -1
    if head or inner:
        # Inside braces the last `;` may be missing (a filter's expression); at the top level it may not.
        if not depth:
            raise ValueError(f"line {line_number(text, start)}: the statement {head[0].text!r} never ends")
        found.append(_statement(head, inner, start, stream[at - 1].end))
    return found, at


def _statement(head: list[Token], inner: list[Statement], start: int, end: int) -> Statement:
    return Statement(tuple(head), tuple(inner), start, end, [token.text for token in head])


def constants(found: Sequence[Statement]) -> dict[str, str]:
    """`define NAME = VALUE;` with a one-word value."""
    return {
        item.fields[1]: item.fields[3]
        for item in found
        if len(item.head) == 4 and item.fields[0] == "define" and item.fields[2] == "="
    }


def protocols(found: Sequence[Statement], kind: str) -> list[Statement]:
    """`protocol KIND ...` statements."""
    return [item for item in found if item.fields[:2] == ["protocol", kind]]


def statics(text: str) -> list[StaticProtocol]:
    """Static protocols of the main tables. Raises ValueError for a route that cannot be parsed."""
    found = statements(text)
    known = constants(found)
    templates = {item.fields[2]: item.inner for item in found if item.fields[:2] == ["template", "static"]}
    read = (_static(text, protocol, known, templates) for protocol in protocols(found, "static"))
    return [static for static in read if static is not None]


def _static(
    text: str, statement: Statement, known: dict[str, str], templates: dict[str, tuple[Statement, ...]]
) -> StaticProtocol | None:
    """None if the protocol is disabled or belongs to another table or route type."""
    preference = DEFAULT_PREFERENCE
    routes = []
    inner = (*_inherited(statement, templates), *statement.inner)
    if any(item.fields[0] in _OTHER_CHANNELS for item in inner if item.head):
        return None
    for item in inner:
        fields = item.fields
        if fields and fields[0] in _CHANNELS:
            inside = {option.fields[0]: option.fields[1:] for option in item.inner if option.head}
            if inside.get("table", ["master4"])[0] not in {"master4", "master6"}:
                return None
            preference = _number(inside.get("preference", [str(preference)])[0], known)
        elif fields and fields[0] == "preference":
            preference = _number(fields[-1], known)
        elif fields and fields[0] == "disabled" and fields[1:] in ([], ["yes"], ["on"]):
            return None
        elif fields and fields[0] == "route":
            route = _route(text, item, known)
            routes += [] if route is None else [route]
    names = [keyword for keyword in statement.fields[2:3] if keyword != "from"]
    own = [item if item.preference >= 0 else replace(item, preference=preference) for item in routes]
    return StaticProtocol(names[0] if names else "", tuple(own))


def _inherited(statement: Statement, templates: dict[str, tuple[Statement, ...]]) -> tuple[Statement, ...]:
    fields = statement.fields
    return templates.get(fields[fields.index("from") + 1], ()) if "from" in fields[:-1] else ()


def _number(keyword: str, known: dict[str, str]) -> int:
    return int(known.get(keyword, keyword))


def _route(text: str, statement: Statement, known: dict[str, str]) -> RouteStatement | None:
    """Preference -1: the protocol's. None for a VPN or flow route. Raises ValueError."""
    fields = [known.get(keyword, keyword) for keyword in statement.fields[1:]]
    try:
        prefix = ip_network(fields[0])
        hops = tuple(_hops(fields[1:], known))
        preference = _own_preference(statement, known)
    except (ValueError, IndexError):
        at = line_number(text, statement.start)
        raise ValueError(f"line {at}: cannot read `route {' '.join(statement.fields[1:])}`") from None
    plain = len(hops) == 1 and not statement.inner
    return RouteStatement(prefix, hops, preference, plain, statement.start, statement.end)


def _own_preference(statement: Statement, known: dict[str, str]) -> int:
    for item in statement.inner:
        if item.fields[:2] == ["preference", "="]:
            return _number(item.fields[2], known)
    return -1


def _hops(fields: list[str], known: dict[str, str]) -> Iterator[tuple[Address, str]]:
    """Gateways with their ports; hops with only a port are omitted. Raises ValueError, IndexError."""
    for at, keyword in enumerate(fields):
        if keyword == "via" and fields[at + 1][0] not in "\"'":
            address, _, port = fields[at + 1].partition("%")
            if not port and fields[at + 1].endswith("%"):
                port = fields[at + 2].strip("\"'")
            following = fields[at + 2 : at + 4]
            if following[:1] == ["dev"]:
                port = following[1].strip("\"'")
            yield ip_address(known.get(address, address)), port
