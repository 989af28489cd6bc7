"""`static { ... };`: routes by gateways, or to a network on an interface.

A static route is installable while one of its gateways is on an attached interface that is up; a gateway that
is dead on a live interface changes nothing. Several gateways in one statement are several next hops, where
gated was built for that; they are no order. Lower preference wins; without one it is 60.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from backstay.core.rendering.gatedconf.destinations import network, network_words
from backstay.core.rendering.gatedconf.tokens import Cursor

PREFERENCE = 60
_FLAGS = ("retain", "reject", "blackhole", "noinstall")


@dataclass(frozen=True, slots=True)
class StaticRoute:
    """One route; without gateways its `interfaces` is the one that the network is on."""

    network: IPv4Network
    gateways: tuple[IPv4Address, ...]
    interfaces: tuple[str, ...] = ()
    preference: int | None = None
    flags: tuple[str, ...] = ()
    """Of retain, reject, blackhole, noinstall, in that order."""


@dataclass(frozen=True, slots=True)
class Static:
    """One `static` statement."""

    routes: tuple[StaticRoute, ...]


def read(cursor: Cursor) -> Static:
    """After the word `static`."""
    return Static(cursor.body(_route))


def _route(cursor: Cursor) -> StaticRoute:
    to = network(cursor)
    stop = {"preference", *_FLAGS}
    if cursor.has("interface"):
        gateways: tuple[IPv4Address, ...] = ()
        interfaces = cursor.names(stop)
        if len(interfaces) > 1:
            raise cursor.fail("one interface alone")
    else:
        cursor.expect("gateway")
        gateways = cursor.addresses()
        interfaces = cursor.names(stop) if cursor.has("interface") else ()
    preference: int | None = None
    flags = set()
    while not cursor.sees(";"):
        if cursor.sees("preference"):
            preference = cursor.number_after("preference", 0, 255)
        else:
            flags.add(cursor.choice(*_FLAGS))
    return StaticRoute(to, gateways, interfaces, preference, tuple(flag for flag in _FLAGS if flag in flags))


def words(value: Static) -> str:
    """As it is written, one route a line."""
    lines = "".join(f"    {route_words(route)};\n" for route in value.routes)
    return f"static {{\n{lines}}}"


def route_words(value: StaticRoute) -> str:
    """One route without its `;`."""
    parts = [network_words(value.network)]
    if value.gateways:
        parts += ["gateway", *map(str, value.gateways)]
    if value.interfaces:
        parts += ["interface", *value.interfaces]
    if value.preference is not None:
        parts += ["preference", str(value.preference)]
    return " ".join([*parts, *value.flags])
