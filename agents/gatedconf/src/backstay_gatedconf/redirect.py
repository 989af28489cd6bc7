"""`redirect yes|no { ... };`: whether ICMP redirects are accepted.

Their preference, 30, beats static routes for 3 minutes: nodes with fallbacks should set `redirect no`.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address

from backstay_gatedconf import trace
from backstay_gatedconf.rip import yes
from backstay_gatedconf.tokens import Cursor

_LISTENS = ("redirects", "noredirects")


@dataclass(frozen=True, slots=True)
class RedirectPorts:
    """`interface LIST redirects|noredirects`."""

    names: tuple[str, ...]
    listens: bool


@dataclass(frozen=True, slots=True)
class Redirect:
    """The one `redirect` statement."""

    on: bool
    preference: int | None = None
    ports: tuple[RedirectPorts, ...] = ()
    trusted: tuple[IPv4Address, ...] = ()
    trace: tuple[trace.Trace, ...] = ()


def parse(cursor: Cursor) -> Redirect:
    """After the keyword `redirect`."""
    on = yes(cursor)
    found = cursor.body(_item) if cursor.sees("{") else ()
    preferences = [item for item in found if isinstance(item, int)]
    return Redirect(
        on,
        preferences[-1] if preferences else None,
        tuple(item for item in found if isinstance(item, RedirectPorts)),
        tuple(address for item in found if isinstance(item, tuple) for address in item),
        tuple(item for item in found if isinstance(item, trace.Trace)),
    )


def _item(cursor: Cursor) -> int | RedirectPorts | tuple[IPv4Address, ...] | trace.Trace:
    kind = cursor.choice("preference", "interface", "trustedgateways", "traceoptions")
    if kind == "preference":
        return cursor.number(0, 255)
    if kind == "interface":
        return RedirectPorts(cursor.names(_LISTENS), cursor.choice(*_LISTENS) == "redirects")
    return trace.parse(cursor) if kind == "traceoptions" else cursor.addresses()


def render(value: Redirect) -> str:
    head = f"redirect {'yes' if value.on else 'no'}"
    items = [
        "" if value.preference is None else f"preference {value.preference}",
        *(f"interface {' '.join(ports.names)} {_LISTENS[not ports.listens]}" for ports in value.ports),
        " ".join(["trustedgateways", *map(str, value.trusted)]) if value.trusted else "",
        *(trace.render(item) for item in value.trace),
    ]
    lines = "".join(f"    {item};\n" for item in items if item)
    return f"{head} {{\n{lines}}}" if lines else head
