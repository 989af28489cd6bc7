"""`static { ... };`: routes by gateways, or to a network on an interface.

A static route is installable while one of its gateways is on an attached interface that is up; a dead gateway
on a live interface changes nothing. Several gateways in one statement are several next hops where gated was
built for that, not an order of preference. The lower preference wins; the default is 60.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from backstay_gatedconf.destinations import parse_network, render_network
from backstay_gatedconf.tokens import Cursor

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
class StaticStatement:
    """One `static` statement."""

    routes: tuple[StaticRoute, ...]


def parse(cursor: Cursor) -> StaticStatement:
    """After the keyword `static`."""
    return StaticStatement(cursor.body(_route))


def _route(cursor: Cursor) -> StaticRoute:
    to = parse_network(cursor)
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


def render(value: StaticStatement) -> str:
    lines = "".join(f"    {render_route(route)};\n" for route in value.routes)
    return f"static {{\n{lines}}}"


def render_route(value: StaticRoute) -> str:
    """One route without its `;`."""
    parts = [render_network(value.network)]
    if value.gateways:
        parts += ["gateway", *map(str, value.gateways)]
    if value.interfaces:
        parts += ["interface", *value.interfaces]
    if value.preference is not None:
        parts += ["preference", str(value.preference)]
    return " ".join([*parts, *value.flags])
