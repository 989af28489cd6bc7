"""SNMP values in net-snmp's pass_persist notation."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Literal

Oid = tuple[int, ...]
Kind = Literal[
    "integer", "gauge", "counter", "counter64", "timeticks", "string", "octet", "objectid", "ipaddress"
]
INTEGER_MASK = 0x7FFF_FFFF
COUNTER_MASK = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Value:
    """One variable's type and text."""

    kind: Kind
    text: str


def integer(number: int) -> Value:
    """An INTEGER; a counter of this type wraps to 0 after 2^31 - 1."""
    return Value("integer", str(number & INTEGER_MASK))


def counter(number: int) -> Value:
    """A Counter32 (RFC 2578)."""
    return Value("counter", str(number & COUNTER_MASK))


def counter64(number: int) -> Value:
    """A Counter64 (RFC 2578)."""
    return Value("counter64", str(number))


def gauge(number: int) -> Value:
    """A Gauge32, which stays at its largest value (RFC 2578)."""
    return Value("gauge", str(min(number, COUNTER_MASK)))


def string(text: str) -> Value:
    """A DisplayString."""
    return Value("string", text)


def octets(data: bytes) -> Value:
    """An OCTET STRING."""
    return Value("octet", data.hex(" "))


def address(known: IPv4Address) -> Value:
    """An IpAddress (RFC 2578)."""
    return Value("ipaddress", str(known))


def oid(text: str) -> Oid:
    """The numbers of a dotted OID, with or without the leading dot."""
    return tuple(int(part) for part in text.strip(".").split(".")) if text.strip(".") else ()


def dotted(numbers: Oid) -> str:
    """An OID with its leading dot."""
    return "".join(f".{number}" for number in numbers)
