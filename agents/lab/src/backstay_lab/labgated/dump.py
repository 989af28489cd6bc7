"""The dump that gated writes on SIGINT, in the layout of its public release 3. Pure.

A header, which names this stand-in, and the interfaces precede the routing table; readers of
gated's dumps use only the last table. Trailing zero octets of addresses are omitted as by gated (`10.1`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address

from backstay_lab.labgated.program import LABEL
from backstay_lab.labgated.rib import Chosen
from backstay_lab.labgated.values import GatedPort, GatedRoute

_DAY = 86_400


def render(table: Sequence[Chosen], ports: Iterable[GatedPort], now: float, head: Sequence[str]) -> str:
    """The file's text; `head` are lines about the process, `now` is on the clock of the routes' `since`."""
    lines = [LABEL, *head, "", "Interfaces:", *(f"\t{_port(port)}" for port in ports), ""]
    lines += ["\t+ = Active Route, - = Last Active, * = Both", "", "", "\tRouting table for inet (2):"]
    routes = [route for item in table for route in item.routes]
    deleted = sum(route.deleted for route in routes)
    lines += [
        f"\t\tDestinations: {len(table)}\tRoutes: {len(routes)}",
        f"\t\tHolddown: 0\tDelete: {deleted}\tHidden: 0",
        "",
    ]
    for item in table:
        lines += _destination(item, now)
    return "\n".join(lines) + "\n"


def _port(port: GatedPort) -> str:
    addresses = " ".join(str(address) for address in port.addresses) or "-"
    return f"#{port.index} {port.name}\tState: <{'Up' if port.up else 'Down'}>\tAddresses: {addresses}"


def _destination(chosen: Chosen, now: float) -> list[str]:
    default = chosen.prefix.prefixlen == 0
    address = "default" if default else _short(chosen.prefix.network_address)
    mask = "default" if default else _short(chosen.prefix.netmask)
    lines = [f"\t{address:<15}\tmask {mask:<15}"]
    lines += [f"\t\t\tentries {len(chosen.routes)}\tannounce {int(chosen.active is not None)}", ""]
    for route in chosen.routes:
        lines += _route(route, chosen, now)
    return [*lines, ""]


def _route(route: GatedRoute, chosen: Chosen, now: float) -> list[str]:
    hop = f"\t\t\tNextHop: {route.hop.address!s:<15}"
    if route.hop.source is not None:
        hop += f"\tInterface: {route.hop.source}({route.hop.port})"
    lines = [
        f"\t\t{_mark(route, chosen)}{route.protocol}\tPreference: {route.preference:3}",
        hop,
        f"\t\t\tState: <{' '.join(_flags(route, active=route is chosen.active))}>",
        f"\t\t\tAge: {age(now - route.since)}\tMetric: {route.metric}\tMetric2: 0\tTag: 0",
    ]
    if route.protocol == "RIP":
        lines.append("\t\t\tTask: RIP.0.0.0.0+520")
    if route is chosen.active and route.install:
        lines.append("\t\t\tAnnouncement bits(1): 2-KRT")
    return [*lines, ""]


def _mark(route: GatedRoute, chosen: Chosen) -> str:
    if route is chosen.active:
        return "*" if chosen.before is None else "+"
    return "-" if route is chosen.before else ""


def _flags(route: GatedRoute, *, active: bool) -> list[str]:
    found = [
        ("NotInstall", not route.install),
        ("NoAdvise", route.protocol == "Kernel"),
        ("Int", True),
        ("Delete", route.deleted),
        ("Active", active),
        ("Retain", route.retain),
        ("Gateway", route.hop.gateway),
        ("Reject", route.kind == "unreachable"),
        ("Blackhole", route.kind == "blackhole"),
    ]
    return [name for name, holds in found if holds]


def age(seconds: float) -> str:
    """`12`, `3:02`, `2:14:07`, `1 days 2:14:07`."""
    days, rest = divmod(max(0, int(seconds)), _DAY)
    hours, rest = divmod(rest, 3600)
    minutes, left = divmod(rest, 60)
    if days or hours:
        clock = f"{hours}:{minutes:02}:{left:02}"
    else:
        clock = f"{minutes}:{left:02}" if minutes else f"{left}"
    return f"{days} days {clock}" if days else clock


def _short(address: IPv4Address) -> str:
    parts = str(address).split(".")
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return ".".join(parts)
