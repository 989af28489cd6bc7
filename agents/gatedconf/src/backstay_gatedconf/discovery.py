"""`routerdiscovery server|client yes|no { ... };`: ICMP router discovery (RFC 1256).

The client takes a default route from every router that advertises one, all at one preference (default 55),
until the advertisement's lifetime ends (30 minutes unless the router sends less). The client's options are
those that the manuals name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay_gatedconf import trace
from backstay_gatedconf.rip import yes
from backstay_gatedconf.tokens import Cursor

PREFERENCE = 55
_TIMES = ("minadvinterval", "maxadvinterval", "lifetime")
_FLAGS = (
    "advertise",
    "ignore",
    "broadcast",
    "multicast",
    "ineligible",
    "enable",
    "disable",
    "quiet",
    "solicit",
)


@dataclass(frozen=True, slots=True)
class DiscoveryItem:
    """`interface LIST ...` or `address LIST ...`."""

    kind: Literal["interface", "address"]
    names: tuple[str, ...]
    times: tuple[tuple[str, int], ...] = ()
    """(keyword, seconds)."""
    flags: tuple[str, ...] = ()
    preference: int | None = None
    """Of an advertised address: higher is better (RFC 1256), unlike gated's own."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """One `routerdiscovery` statement; `preference` is the client's."""

    role: Literal["server", "client"]
    on: bool
    preference: int | None = None
    items: tuple[DiscoveryItem, ...] = ()
    trace: tuple[trace.Trace, ...] = ()


def parse(cursor: Cursor) -> Discovery:
    """After the keyword `routerdiscovery`."""
    role: Literal["server", "client"] = (
        "server" if cursor.choice("server", "client") == "server" else "client"
    )
    on = yes(cursor)
    found = cursor.body(_item) if cursor.sees("{") else ()
    preferences = [item for item in found if isinstance(item, int)]
    return Discovery(
        role,
        on,
        preferences[-1] if preferences else None,
        tuple(item for item in found if isinstance(item, DiscoveryItem)),
        tuple(item for item in found if isinstance(item, trace.Trace)),
    )


def _item(cursor: Cursor) -> DiscoveryItem | int | trace.Trace:
    kind = cursor.choice("preference", "interface", "address", "traceoptions")
    if kind == "preference":
        return cursor.number(0, 255)
    if kind == "traceoptions":
        return trace.parse(cursor)
    names = cursor.names({*_TIMES, *_FLAGS, "preference"})
    times: list[tuple[str, int]] = []
    flags: list[str] = []
    preference = None
    while not cursor.sees(";"):
        if cursor.sees("preference"):
            preference = cursor.number_after("preference", 0, 2**31 - 1)
        elif cursor.sees(*_TIMES):
            times.append((cursor.take().text, cursor.number(0, 9000)))
        else:
            flags.append(cursor.choice(*_FLAGS))
    return DiscoveryItem(
        "interface" if kind == "interface" else "address", names, tuple(times), tuple(flags), preference
    )


def render(value: Discovery) -> str:
    head = f"routerdiscovery {value.role} {'yes' if value.on else 'no'}"
    items = [
        "" if value.preference is None else f"preference {value.preference}",
        *map(_render_item, value.items),
        *(trace.render(item) for item in value.trace),
    ]
    lines = "".join(f"    {item};\n" for item in items if item)
    return f"{head} {{\n{lines}}}" if lines else head


def _render_item(value: DiscoveryItem) -> str:
    times = [f"{keyword} {seconds}" for keyword, seconds in value.times]
    preference = [] if value.preference is None else [f"preference {value.preference}"]
    return " ".join([value.kind, *value.names, *times, *value.flags, *preference])
