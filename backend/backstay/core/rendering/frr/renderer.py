"""frr.conf: static routes by distance in marked blocks; for protocols, statements that rank the gateways.

FRR keeps no comments: `write memory` on the node removes our marks, and the routes then look hand-written.
The next rendering moves them into a block again.

Detection `bfd` puts each route under a BFD profile with the policy's timers, which static routes support from
FRR 9 on. Detection `protocol` ranks the gateways in RIP (`distance N A.B.C.D/32`, FRR user guide "RIP
distance") while they announce equal metrics: ripd keeps one route per prefix. If the operator runs OSPF,
costs rank the gateways, and the block sets OSPF's distance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network

from backstay.core.model.routing import Detection, NodeRouting, PolicyRoute, RunningRoute
from backstay.core.planning.detection import unsupported
from backstay.core.rendering import blocks, marks, renderer, saved
from backstay.core.rendering.frr.static_routes import lines, place, statics

_DISTANCE = re.compile(r"distance (\d+) (\S+)/32$")
_OSPF = re.compile(r"router ospf6?\b")
_RIP = re.compile(r"router rip\b")
_RIP_LEAST_S, _RIP_GARBAGE_S = 5, 120


def contents(routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
    """Assumes RIP where it matters, because the operator's file is not known."""
    return [_content(routing, route, "") for route in routes]


def render(routing: NodeRouting, current: str) -> str:
    """Removes hand-written statics of a policy's prefix; the block replaces the first one."""
    marks.check(routing)
    _check(current)
    operator = blocks.masked(current)
    wanted = renderer.named(routing.routes, [_content(routing, route, operator) for route in routing.routes])
    text = renderer.drop_foreign(current, wanted)
    text = blocks.replace_all(text, wanted)
    kept = {item.name for item in blocks.find(text)}
    fresh = {name: content for name, content in wanted.items() if name not in kept}
    text, placed = _take_over(text, routing, fresh)
    rest = [(name, content) for name, content in fresh.items() if name not in placed]
    return blocks.insert_all(text, place(blocks.masked(text)), rest) if rest else text


def _take_over(
    text: str, routing: NodeRouting, fresh: Mapping[blocks.Name, str]
) -> tuple[str, set[blocks.Name]]:
    """Replace hand-written statics by new blocks; also return the names of the inserted blocks."""
    ours = {route.prefix: renderer.name_of(route) for route in reversed(routing.routes)}
    mine = [item for item in statics(blocks.masked(text)) if item.address is not None and item.prefix in ours]
    first = {item.prefix: item.line.start for item in reversed(mine)}
    placed: set[blocks.Name] = set()
    for static in reversed(mine):
        start, name = static.line.start, ours[static.prefix]
        text = blocks.cut(text, [(start, static.line.end)])
        if first[static.prefix] == start and name in fresh:
            text = blocks.insert(text, start, name, fresh[name])
            placed.add(name)
    return text, placed


def saved_routes(text: str) -> tuple[RunningRoute, ...]:
    """Statics via a gateway, and the gateways that our blocks rank for RIP."""
    _check(text)
    return saved.routes([*_statics(text), *_ranked(text)])


def validation_errors(text: str) -> list[str]:
    """Unmatched marks, unreadable statics, blocks inside a VRF."""
    return renderer.refused(lambda: _check(text))


def advice(routing: NodeRouting, current: str) -> list[str]:
    """Effects of RIP and OSPF distances beyond the policy's prefix; routes without a gateway that precede
    ours.
    """
    spoken = [route for route in routing.routes if route.detection is Detection.PROTOCOL]
    operator = blocks.masked(current)
    found = renderer.rivals(
        routing,
        (
            (static.prefix, static.distance, static.line.number)
            for static in statics(operator)
            if static.address is None
        ),
    )
    if spoken and _runs(operator, _OSPF):
        found.append(
            f"{routing.node} ranks gateways by OSPF's own costs; the distance in Backstay's block only"
            " puts OSPF before fallbacks of a higher one."
        )
    elif spoken:
        found.append(
            f"{routing.node} ranks whole gateways for RIP: every prefix that they announce follows the order "
            f"of {spoken[0].policy}, as long as they announce it at the same metric."
        )
    return found


def _content(routing: NodeRouting, route: PolicyRoute, operator: str) -> str:
    marks.check_route(route)
    why = unsupported(route.detection, routing.engine)
    if why:
        raise ValueError(f"{routing.node} {why}")
    if route.detection is Detection.PROTOCOL:
        return "".join(f"{line}\n" for line in _spoken(route, operator))
    return "".join(f"{line}\n" for line in [*_profile(route), *_static_lines(route)])


def _static_lines(route: PolicyRoute) -> Iterator[str]:
    verb = "ip" if route.prefix.version == 4 else "ipv6"
    watched = f" bfd profile {_profile_name(route)}" if route.detection is Detection.BFD else ""
    for hop in route.hops:
        yield f"{verb} route {route.prefix} {hop.address} {hop.port} {hop.preference}{watched}"


def _profile(route: PolicyRoute) -> list[str]:
    """The policy's BFD profile (FRR user guide, "BFD Profile Configuration")."""
    if route.detection is not Detection.BFD:
        return []
    return [
        "bfd",
        f" profile {_profile_name(route)}",
        f"  detect-multiplier {min(max(route.timers.fail_after, 2), 255)}",
        f"  receive-interval {route.timers.interval_ms}",
        f"  transmit-interval {route.timers.interval_ms}",
        " exit",
        "exit",
    ]


def _profile_name(route: PolicyRoute) -> str:
    return "backstay-" + re.sub(r"[^A-Za-z0-9_-]", "-", route.policy)


def _spoken(route: PolicyRoute, operator: str) -> list[str]:
    if route.prefix.version == 6:
        raise ValueError(f"FRR's RIPng cannot rank gateways: choose the checker for {route.prefix}")
    if _runs(operator, _OSPF) and not _runs(operator, _RIP):
        best = route.hops[0].preference
        return ["router ospf", f" distance ospf intra-area {best} inter-area {best} external {best}", "exit"]
    ports = [] if _runs(operator, _RIP) else list(dict.fromkeys(hop.port for hop in route.hops))
    return [
        "router rip",
        # A node only listens; if the operator already runs RIP, its ports and modes are configured there.
        *(f" network {port}" for port in ports),
        *(f" passive-interface {port}" for port in ports),
        *(_rip_timers(route) if ports else ()),
        *(f" distance {hop.preference} {hop.address}/32" for hop in route.hops),
        "exit",
    ]


def _rip_timers(route: PolicyRoute) -> list[str]:
    """Update, timeout, garbage; minimum 5 s each (FRR user guide, "RIP Timers")."""
    if not route.timers.announced:
        return []
    update, timeout = (
        max(_RIP_LEAST_S, -(-item // 1000)) for item in (route.timers.interval_ms, route.timers.detects_in_ms)
    )
    return [f" timers basic {update} {timeout} {_RIP_GARBAGE_S}"]


def _runs(text: str, protocol: re.Pattern[str]) -> bool:
    return any(protocol.match(line.content) for line in lines(text))


def _check(text: str) -> None:
    """Raises ValueError for unreadable text, or for a block whose position changes its meaning."""
    found = blocks.find(text)
    operator = blocks.masked(text)
    statics(text)
    for item in found:
        before = [line for line in lines(operator) if line.start < item.start]
        if before and before[-1].in_vrf:
            raise ValueError(
                f"{renderer.title(item)} is inside a VRF, where its routes belong to another table"
            )
        if any(line.content == "end" for line in before):
            raise ValueError(f"{renderer.title(item)} is after `end`, where nothing is read")


def _statics(text: str) -> Iterator[saved.Found]:
    for static in statics(text):
        if static.address is not None:
            yield static.prefix, static.address, static.port, static.distance


def _ranked(text: str) -> Iterator[saved.Found]:
    for item in blocks.find(text):
        for line in lines(item.content(text)):
            match = _DISTANCE.match(line.content)
            if match:
                gateway = ip_network(match[2]).network_address
                yield ip_network(item.prefix), gateway, "", int(match[1])
