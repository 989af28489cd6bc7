"""Destinations: `default`, `all`, `host A`, `NET [mask M | masklen N] [exact | refines]`.

A network without a mask has that of its class, A, B or C, as in all of that age. Masks may be dotted or, as
HP-UX wrote them, one hexadecimal number.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import Literal

from backstay.core.rendering.gatedconf.tokens import Cursor

Match = Literal["", "exact", "refines"]
DEFAULT = IPv4Network("0.0.0.0/0")
_OFF = "the bits of a mask, from the left"


@dataclass(frozen=True, slots=True)
class Destination:
    """What a route or a filter is about; `network` None: everything (`all`)."""

    network: IPv4Network | None
    match: Match = ""


def network(cursor: Cursor) -> IPv4Network:
    """`default`, `host A` or `NET [mask]`."""
    if cursor.has("default"):
        return DEFAULT
    if cursor.has("host"):
        return IPv4Network(cursor.address())
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


def destination(cursor: Cursor) -> Destination:
    """With what else a filter may say."""
    if cursor.has("all"):
        return Destination(None)
    if cursor.sees("default", "host"):
        return Destination(network(cursor))
    found = network(cursor)
    match: Match = "exact" if cursor.has("exact") else "refines" if cursor.has("refines") else ""
    return Destination(found, match)


def _net(cursor: Cursor) -> IPv4Address:
    """A network's address; the octets at its right that are zero may be missing."""
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
    first = address.packed[0]
    return 8 if first < 128 else 16 if first < 192 else 24


def network_words(value: IPv4Network) -> str:
    """As it is written."""
    if value == DEFAULT:
        return "default"
    if value.prefixlen == 32:
        return f"host {value.network_address}"
    return f"{value.network_address} masklen {value.prefixlen}"


def destination_words(value: Destination) -> str:
    """As it is written."""
    if value.network is None:
        return "all"
    return f"{network_words(value.network)} {value.match}".rstrip()
