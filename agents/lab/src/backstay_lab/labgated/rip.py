"""A RIP listener (RFC 2453, 1058): messages, and the latest entry of each neighbour. Pure.

Entries are kept per neighbour, so that `import proto rip gateway A preference P` can choose among neighbours
independently of the metric.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address, IPv4Network

PORT = 520
GROUP = "224.0.0.9"
INFINITY = 16
TIMEOUT_S, GARBAGE_S = 180.0, 120.0
_ENTRY = struct.Struct(">HHIIII")
_RESPONSE, _REQUEST = 2, 1
_INET, _AUTHENTICATION, _PASSWORD = 2, 0xFFFF, 2
_MAX_ENTRIES = 25

REQUEST = struct.pack(">BBH", _REQUEST, 2, 0) + _ENTRY.pack(0, 0, 0, 0, 0, INFINITY)
"""Requests a neighbour's whole table (RFC 2453, 3.9.1)."""


class BadMessageError(ValueError):
    """An invalid response."""


@dataclass(frozen=True)
class Entry:
    """One route of a response; unset `via` means the neighbour itself."""

    prefix: IPv4Network
    metric: int
    via: IPv4Address | None = None


@dataclass(frozen=True)
class Learned:
    """The latest entry of one neighbour for one prefix, with its port."""

    prefix: IPv4Network
    neighbour: IPv4Address
    via: IPv4Address
    port: str
    metric: int
    received_at: float
    deleted: float | None = None
    """When it timed out or was withdrawn."""


def response(message: bytes, password: str = "", version: int = 0, check_zero: bool = True) -> list[Entry]:
    """The routes of a response. Raises BadMessageError; invalid entries are skipped (RFC 2453, 3.9.2)."""
    if len(message) < 4 or (len(message) - 4) % _ENTRY.size or len(message) > 4 + _MAX_ENTRIES * _ENTRY.size:
        raise BadMessageError(f"{len(message)} octets: not a RIP message")
    command, spoken, zero = struct.unpack_from(">BBH", message)
    if command != _RESPONSE:
        raise BadMessageError(f"command {command} is not a response")
    if spoken not in {1, 2} or (version and spoken != version):
        raise BadMessageError(f"version {spoken} is not supported")
    if spoken == 1 and zero and check_zero:
        raise BadMessageError("must-be-zero fields are not zero")
    rows = list(_ENTRY.iter_unpack(message[4:]))
    authentic = rows[0][:2] == (_AUTHENTICATION, _PASSWORD) if rows else False
    if authentic:
        presented = struct.pack(">IIII", *rows[0][2:]).rstrip(b"\0").decode("latin-1")
    if (authentic or password) and not (authentic and presented == password):
        raise BadMessageError("wrong password")
    if rows and rows[0][0] == _AUTHENTICATION and not authentic:
        raise BadMessageError("unsupported authentication type")
    return [entry for row in rows[int(authentic) :] if (entry := _entry(row, spoken))]


def _entry(row: tuple[int, ...], version: int) -> Entry | None:
    family, _, address, mask, via, metric = row
    if family != _INET or not 1 <= metric <= INFINITY:
        return None
    if version == 1:
        mask, via = _class_mask(address), 0
    try:
        prefix = IPv4Network((address, str(IPv4Address(mask)))) if mask else IPv4Network((address, 0))
    except ValueError:
        return None
    return Entry(prefix, metric, IPv4Address(via) if via else None)


def _class_mask(address: int) -> int:
    """Version 1 has no masks: the class's mask, or a host's."""
    if address == 0:
        return 0
    first = address >> 24
    mask = 0xFF000000 if first < 128 else 0xFFFF0000 if first < 192 else 0xFFFFFF00
    return mask if address & mask == address else 0xFFFFFFFF


@dataclass
class RipTable:
    """All learned entries. `scale` shortens the timers for a fast lab."""

    scale: float = 1.0
    _routes: dict[tuple[IPv4Network, IPv4Address], Learned] = field(default_factory=dict)

    def receive(self, entry: Entry, neighbour: IPv4Address, port: str, cost: int, now: float) -> None:
        """Store an entry of a neighbour's response; its metric increases by the port's cost."""
        key = entry.prefix, neighbour
        metric = min(entry.metric + cost, INFINITY)
        if metric == INFINITY:
            if key in self._routes and self._routes[key].deleted is None:
                self._routes[key] = replace(self._routes[key], metric=INFINITY, deleted=now)
            return
        self._routes[key] = Learned(entry.prefix, neighbour, entry.via or neighbour, port, metric, now)

    def tick(self, now: float) -> None:
        """Delete entries that timed out, and remove those whose deletion timer ended."""
        for key, item in list(self._routes.items()):
            if item.deleted is None and now >= item.received_at + TIMEOUT_S * self.scale:
                self._routes[key] = replace(item, metric=INFINITY, deleted=now)
            elif item.deleted is not None and now >= item.deleted + GARBAGE_S * self.scale:
                del self._routes[key]

    def next_tick(self) -> float | None:
        """Time of the next timeout."""
        return min(self._deadlines(), default=None)

    def _deadlines(self) -> Iterator[float]:
        for item in self._routes.values():
            yield (
                item.received_at + TIMEOUT_S * self.scale
                if item.deleted is None
                else item.deleted + GARBAGE_S * self.scale
            )

    def learned(self) -> list[Learned]:
        """All entries, including deleted ones."""
        return list(self._routes.values())

    def clear(self) -> None:
        """Remove all entries: RIP was switched off."""
        self._routes.clear()
