"""Text from devices: truncated to the wire's limits; forbidden characters are replaced."""

from collections.abc import Callable
from ipaddress import ip_interface
from typing import TypeVar

from backstay_wire.text import replaced

_NAME_LIMIT = 128
_TEXT_LIMIT = 1024

Item = TypeVar("Item")


def name(text: str) -> str:
    """`text` as a wire `Name`: 1 to 128 characters."""
    return replaced(text[:_NAME_LIMIT]) or "?"


def text(value: str) -> str:
    """`value` as a wire `Text`: at most 1024 characters."""
    return replaced(value[:_TEXT_LIMIT])


def from_octets(raw: bytes) -> str:
    """A DisplayString or SnmpAdminString (RFC 2579, RFC 3411): UTF-8 if valid, else Latin-1.

    A trailing NUL, which some agents send, is removed.
    """
    trimmed = raw.rstrip(b"\0")
    try:
        return text(trimmed.decode("utf-8"))
    except UnicodeDecodeError:
        return text(trimmed.decode("latin-1"))


def hardware_address(raw: bytes) -> str:
    """`aa:bb:cc:dd:ee:ff`; at most 20 octets (InfiniBand), to fit the wire's 64 characters."""
    return raw[:20].hex(":")


def parse_lines(output: str, parse: Callable[[str], Item | None]) -> tuple[list[Item], list[str]]:
    """The result of `parse` for each non-blank line, and the unknown lines.

    `parse` returns None for a known line without data, and raises ValueError for an unknown one.
    """
    found: list[Item] = []
    unparsed: list[str] = []
    for line in output.splitlines():
        try:
            item = parse(line) if line.strip() else None
        except ValueError:
            unparsed.append(line)
        else:
            found += [] if item is None else [item]
    return found, unparsed


def own_address(address: str, length: int | str | None = None) -> str:
    """A port's own address for the wire, `10.1.0.1/24`; without a length, a host address. Raises
    ValueError."""
    return str(ip_interface(address if length is None else f"{address}/{length}"))
