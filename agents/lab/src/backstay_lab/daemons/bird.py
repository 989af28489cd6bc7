"""BIRD 2 (bird(8)) on most routing nodes: static routes by preference, monitored by BFD.

A static route leaves the table when its next hop's BFD session (RFC 5880, 5881) goes down, and at once when
the link loses carrier (`check link`); the next route then takes over. Both ends must configure a session: a
next hop lists its dependent neighbours. A route without an alternative has no BFD: nothing could take over,
and a gateway that comes back must forward before its neighbours' sessions are up. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from backstay_lab.blueprint import Blueprint, HopSpec, NodeSpec, RouteSpec

FIRST_PREFERENCE = 200
"""BIRD's preference of the first route (higher wins); each following one has 10 less."""
GUARD_PREFERENCE = 10
RIP_UPDATE_S = 5
"""Seconds between announcements. RFC 2453's 30 s is too slow for a lab: routes expire after six."""


@dataclass(frozen=True)
class BfdPeer:
    """The far end of a BFD session, and the local port towards it."""

    address: IPv4Address
    port: str


def routes(node: NodeSpec) -> bool:
    """Whether the node runs BIRD."""
    return bool(node.routes) and node.engine == "bird"


def has_choice(route: RouteSpec) -> bool:
    """Whether the route has an alternative next hop."""
    return len(route.hops) > 1


def dependants(plan: Blueprint, node: NodeSpec) -> list[BfdPeer]:
    """The neighbours that use this node as one of several next hops and monitor it."""
    own = {port.address.ip: port.name for port in node.ports if port.address is not None}
    found = {
        BfdPeer(other.port(hop.port).interface.ip, own[hop.address])
        for other in filter(routes, plan.nodes)
        for route in other.routes
        for hop in route.hops
        if hop.gateway == node.name and has_choice(route)
    }
    return sorted(found, key=lambda neighbour: (neighbour.port, neighbour.address))


def config(plan: Blueprint, node: NodeSpec) -> str:
    """The whole bird.conf of a node."""
    parts = [
        f"# {node.name} of {plan.site}: {node.title}",
        "log stderr all;",
        f"router id {node.service};",
        "protocol device { scan time 10; }",
        _bfd(plan, node),
        _kernel(node),
        *_statics(node),
        *_rip(node),
    ]
    return "\n".join(parts) + "\n"


def _bfd(plan: Blueprint, node: NodeSpec) -> str:
    ports = ", ".join(f'"{port.name}"' for port in plan.data_ports(node))
    lines = [
        "protocol bfd {",
        f"  interface {ports} {{ interval {plan.parameters.bfd_ms} ms; multiplier 3; }};",
        *(f'  neighbor {peer.address} dev "{peer.port}";' for peer in dependants(plan, node)),
        "}",
    ]
    return "\n".join(lines)


def _kernel(node: NodeSpec) -> str:
    export = "export all;"
    if node.loopback is not None:
        export = f"export filter {{ krt_prefsrc = {node.loopback}; accept; }};"
    return f"protocol kernel {{ ipv4 {{ import none; {export} }}; scan time 10; }}"


def _statics(node: NodeSpec) -> list[str]:
    """One static protocol per gateway and position in the order; unreachable routes have their own."""
    groups: dict[tuple[int, str], list[str]] = {}
    guards = []
    for route in node.routes:
        for place, hop in enumerate(route.hops):
            groups.setdefault((place, hop.gateway), []).append(_route(route, hop))
        if not route.hops:
            guards.append(f"  route {route.prefix} unreachable;")
    texts = [
        _static(f"via_{symbol(gateway)}_{place + 1}", FIRST_PREFERENCE - 10 * place, lines)
        for (place, gateway), lines in sorted(groups.items())
    ]
    return texts + ([_static("guard", GUARD_PREFERENCE, guards)] if guards else [])


def _static(name: str, preference: int, lines: list[str]) -> str:
    head = [f"protocol static {name} {{", f"  ipv4 {{ preference {preference}; }};", "  check link;"]
    return "\n".join([*head, *lines, "}"])


def _rip(node: NodeSpec) -> list[str]:
    """Announce the default route to all listeners while its port has carrier; learn nothing."""
    if not node.announces:
        return []
    only = f'source = RTS_STATIC && net = 0.0.0.0/0 && ifname != "{node.announces}"'
    lines = [
        "protocol rip {",
        f"  ipv4 {{ import none; export where {only}; }};",
        f'  interface "{node.announces}" {{ version 2; update time {RIP_UPDATE_S}; }};',
        "}",
    ]
    return ["\n".join(lines)]


def _route(route: RouteSpec, hop: HopSpec) -> str:
    return f"  route {route.prefix} via {hop.address}{' bfd' if has_choice(route) else ''};"


def symbol(name: str) -> str:
    """A node's name as a BIRD symbol."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def count_argv(socket: Path) -> list[str]:
    """Command line that counts BIRD's routes; `routes_in_table` parses the output."""
    return ["birdc", "-r", "-s", str(socket), "show", "route", "count"]


def routes_in_table(answer: str) -> int:
    """Routes, active or standby, from `show route count`; 0 when the output has no count."""
    found = re.search(r"^(\d+) of \d+ routes", answer, re.MULTILINE)
    return int(found[1]) if found else 0


def routes_expected(node: NodeSpec) -> int:
    """The number of BIRD's routes when every next hop is alive."""
    return sum(max(1, len(route.hops)) for route in node.routes)


def argv(config_path: Path, socket: Path) -> list[str]:
    """Command line; runs in the foreground, so the started process ID is the daemon's."""
    return ["bird", "-f", "-c", str(config_path), "-s", str(socket)]
