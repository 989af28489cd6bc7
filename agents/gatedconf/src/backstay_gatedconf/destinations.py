"""Destinations: `default`, `all`, `host A`, `NET [mask M | masklen N] [exact | refines]`.

A network without a mask has the mask of its class, A, B or C. Masks may be dotted or, as on HP-UX, one
hexadecimal number. Trailing zero octets of an address may be omitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import Literal

from backstay_gatedconf.tokens import Cursor

Match = Literal["", "exact", "refines"]
DEFAULT = IPv4Network("0.0.0.0/0")
_OFF = "the bits of a mask, from the left"


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a route or a filter; `network` None matches everything (`all`)."""

    network: IPv4Network | None
    match: Match = ""

    def matches(self, prefix: IPv4Network) -> bool:
        """Whether a filter with this destination applies to a route to `prefix`."""
        if self.network is None:
            return True
        if self.match == "exact" or self.network == DEFAULT:
            return prefix == self.network
        return prefix.subnet_of(self.network) and (self.match != "refines" or prefix != self.network)


def parse_network(cursor: Cursor) -> IPv4Network:
    """`default`, `host A` or `NET [mask]`."""
    if cursor.has("default"):
        return DEFAULT
    if cursor.has("host"):
        return IPv4Network(_net(cursor))
    address = _net(cursor)
    if cursor.has("masklen"):
        length = cursor.number(0, 32)
    elif cursor.has("mask"):
        length = _mask(cursor)
    else:
        length = _of_class(address)
    try:
        return IPv4Network((address, length))
    except ValueError:
        raise cursor.fail(f"a mask that covers {address}") from None


def parse_destination(cursor: Cursor) -> Destination:
    """A network, `all`, or a network with `exact` or `refines`."""
    if cursor.has("all"):
        return Destination(None)
    if cursor.sees("default", "host"):
        return Destination(parse_network(cursor))
    found = parse_network(cursor)
    match: Match = "exact" if cursor.has("exact") else "refines" if cursor.has("refines") else ""
    return Destination(found, match)


def _net(cursor: Cursor) -> IPv4Address:
    """An address whose trailing zero octets may be missing."""
    octets = cursor.here.text.split(".")
    try:
        address = IPv4Address(".".join([*octets, *["0"] * (4 - len(octets))]))
    except ValueError:
        raise cursor.fail("a network, `default` or `host`") from None
    cursor.take()
    return address


def _mask(cursor: Cursor) -> int:
    text = cursor.here.text
    try:
        value = int(text, 16) if text.lower().startswith("0x") else int(IPv4Address(text))
    except ValueError:
        raise cursor.fail("a mask") from None
    length = value.bit_count()
    if value != ((1 << length) - 1) << (32 - length):
        raise cursor.fail(_OFF)
    cursor.take()
    return length


def _of_class(address: IPv4Address) -> int:
    """RFC 791; network 0 is the default route."""
    first = address.packed[0]
    if first == 0:
        return 0
    return 8 if first < 128 else 16 if first < 192 else 24


def render_network(value: IPv4Network) -> str:
    if value == DEFAULT:
        return "default"
    if value.prefixlen == 32:
        return f"host {value.network_address}"
    return f"{value.network_address} masklen {value.prefixlen}"


def render_destination(value: Destination) -> str:
    if value.network is None:
        return "all"
    return f"{render_network(value.network)} {value.match}".rstrip()
