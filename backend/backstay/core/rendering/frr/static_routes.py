"""frr.conf as lines: static routes of the default VRF, and positions for our blocks.

vtysh reads the file line by line (vtysh(1)): `!` and `#` begin comments; a context lasts until `exit`, the
next context or a line that only its parent accepts. So `ip route` means the default VRF everywhere except
inside `vrf NAME` (FRR user guide, "Static Route Commands").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network

from backstay.core.model.routing import Address, Prefix
from backstay.core.rendering.blocks import line_after

DEFAULT_DISTANCE = 1
_CONTEXT = re.compile(
    r"(router|interface|vrf|route-map|line|bfd|key|nexthop-group|pbr-map|segment-routing|mpls|l2vpn|"
    r"pseudowire|traffic-eng)\b"
)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f]")
_TAKES_ONE = {"tag", "label", "table", "nexthop-vrf", "color", "source", "profile", "vrf"}
_BARE = {"onlink", "bfd", "multi-hop"}
_NOWHERE = {"blackhole", "reject", "null0"}


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """One line that is neither blank nor a comment."""

    start: int
    end: int
    """Offset of its line end."""
    content: str
    number: int
    in_vrf: bool
    """Inside `vrf NAME`."""

    @property
    def opens(self) -> bool:
        """Whether it opens a context of the outermost level."""
        return _CONTEXT.match(self.content) is not None


@dataclass(frozen=True, slots=True)
class StaticRouteLine:
    """One `ip route` or `ipv6 route` of the main table; `address` None: by port only, or blackhole."""

    prefix: Prefix
    address: Address | None
    port: str
    distance: int
    line: ConfigLine


@lru_cache(maxsize=64)
def lines(text: str) -> tuple[ConfigLine, ...]:
    """Every line with content, in order. Raises ValueError for control characters.

    Cached for a few texts, because rendering a file parses the same text several times.
    """
    return tuple(_lines(text))


def _lines(text: str) -> Iterator[ConfigLine]:
    start, number, in_vrf = 0, 0, False
    while start < len(text):
        after, number = line_after(text, start), number + 1
        raw = text[start:after].rstrip("\r\n")
        content = " ".join(raw.split())
        if _CONTROL.search(raw):
            raise ValueError(f"line {number} holds a control character")
        if content and content[0] not in "!#":
            line = ConfigLine(start, start + len(raw), content, number, in_vrf)
            outermost = raw[0] not in " \t" and (line.opens or content in {"exit", "end"})
            if outermost or content == "exit-vrf":
                in_vrf = content.startswith("vrf ")
            yield ConfigLine(line.start, line.end, content, number, in_vrf)
        start = after


def statics(text: str) -> list[StaticRouteLine]:
    """The main table's static routes. Raises ValueError for a route that cannot be parsed."""
    found = []
    for line in lines(text):
        if re.match(r"no ip(v6)? route ", line.content):
            raise ValueError(
                f"line {line.number} removes a route: {line.content!r} does not belong in a boot file"
            )
        if re.match(r"ip(v6)? route ", line.content) and not line.in_vrf:
            static = _static(line)
            if static is not None:
                found.append(static)
    return found


def _static(line: ConfigLine) -> StaticRouteLine | None:
    """None for routes of another VRF, another table or a source. Raises ValueError."""
    fields = line.content.split()[2:]
    if {"vrf", "table", "from"} & set(fields):
        return None
    try:
        prefix, rest = _destination(fields)
        return StaticRouteLine(prefix, *_next_hop(rest), line)
    except (ValueError, IndexError):
        raise ValueError(f"line {line.number}: cannot read {line.content!r}") from None


def _destination(fields: list[str]) -> tuple[Prefix, list[str]]:
    """`A.B.C.D/M` or `A.B.C.D MASK`, and the remaining fields."""
    if "/" in fields[0]:
        return ip_network(fields[0], strict=False), fields[1:]
    return ip_network(f"{fields[0]}/{fields[1]}", strict=False), fields[2:]


def _next_hop(fields: list[str]) -> tuple[Address | None, str, int]:
    """(gateway, port, distance). Raises ValueError for an unknown keyword."""
    address: Address | None = None
    port, distance = "", DEFAULT_DISTANCE
    first, *rest = fields
    if ":" in first or re.fullmatch(r"[\d.]+", first):
        address = ip_address(first)
        if rest and not _is_option(rest[0]):
            port = rest.pop(0)
    elif first.lower() not in _NOWHERE:
        port = first
    while rest:
        keyword = rest.pop(0)
        if keyword in _TAKES_ONE:
            rest.pop(0)
        elif keyword.isdigit() and 1 <= int(keyword) <= 255:
            distance = int(keyword)
        elif keyword not in _BARE:
            raise ValueError(keyword)
    return address, port, distance


def _is_option(keyword: str) -> bool:
    return keyword.isdigit() or keyword in _TAKES_ONE or keyword in _BARE


def place(text: str) -> int:
    """Position of a new block: before the first context and the comments above it, or at the end."""
    for line in lines(text):
        if line.opens or line.content == "end":
            return _above_comments(text, line.start)
    return len(text)


def _above_comments(text: str, start: int) -> int:
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        content = text[before:start].strip()
        if content and content != "!":
            break
        start = before
    return start
