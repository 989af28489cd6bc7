"""Check that no node loses its controller, DNS servers or management network, in either direction.

A managed prefix captures an address if it contains it and the kernel prefers it to the present route. If the
address is in a network of the node's own ports, that is always refused. If it is behind a gateway, the new
gateway must lead there and back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backstay.core.model.host_network import best_route, covers
from backstay.core.model.plan import Finding, Level
from backstay.core.model.routing import Address, Hop, PolicyRoute
from backstay.core.planning import protected
from backstay.core.planning.checks.finding import by_number, passed, some
from backstay.core.planning.gateway_state import forwarding_state
from backstay.core.planning.proposal import Proposal
from backstay.core.planning.protected import Protected

NAME = "controller"
_Problem = tuple[Level, str]


@dataclass(frozen=True, slots=True)
class _Session:
    """The address from which a node's agent reaches the controller."""

    node: int
    source: Address


@dataclass(frozen=True, slots=True)
class _Site:
    """Values shared by all nodes."""

    controllers: list[Protected]
    sessions: list[_Session]


def check(proposal: Proposal) -> list[Finding]:
    """Managed prefixes that take a protected address from its present route, or leave it without any."""
    found: dict[_Problem, list[str]] = {}
    site = _Site(protected.controllers(proposal.observation.hosts.values()), _agent_sessions(proposal))
    for node in proposal.desired.routings:
        for problem in dict.fromkeys(_problems(proposal, node, site)):
            found.setdefault(problem, []).append(proposal.name(node))
    findings = [
        Finding(NAME, level, text.format(nodes=some(nodes)), tuple(nodes))
        for (level, text), nodes in found.items()
    ]
    return findings or passed(NAME, "No agent loses its route to the controller.")


def _agent_sessions(proposal: Proposal) -> list[_Session]:
    return [
        _Session(node, session.source)
        for node, host in proposal.observation.hosts.items()
        for session in host.controllers
        if session.source is not None
    ]


def _problems(proposal: Proposal, node: int, site: _Site) -> Iterator[_Problem]:
    yield from _default_route(proposal, node)
    listed = protected.addresses(proposal, node, site.controllers)
    yield from _on_link(proposal, node, listed)
    yield from _returning(proposal, node, site.sessions)
    for item in listed:
        yield from _routed(proposal, node, item)


def _on_link(proposal: Proposal, node: int, listed: list[Protected]) -> Iterator[_Problem]:
    """Prefixes as specific as a network of the node's own ports that holds a protected address."""
    networks = set(protected.on_link_networks(proposal, node))
    management = protected.management_networks(proposal, node)
    for route in proposal.desired.routings[node].routes:
        inside = [net for net in networks if covers(net, route.prefix)]
        captured = [
            item.label
            for item in (listed if inside else ())
            if covers(route.prefix, item.address) and any(covers(net, item.address) for net in inside)
        ]
        captured += [f"the management network {net}" for net in management if covers(net, route.prefix)]
        if captured:
            yield "failed", _captured(route, captured)


def _captured(route: PolicyRoute, captured: list[str]) -> str:
    return (
        f"{{nodes}} would lose the controller: {route.policy} sends {route.prefix} via "
        f"{route.hops[0].gateway}, which captures {' and '.join(dict.fromkeys(captured))}, reached directly "
        "today. Choose a destination without it."
    )


def _returning(proposal: Proposal, node: int, sessions: list[_Session]) -> Iterator[_Problem]:
    """Prefixes that take the answers to other nodes' agents from the network that they use today."""
    networks = set(protected.on_link_networks(proposal, node))
    for route in proposal.desired.routings[node].routes:
        inside = [net for net in networks if covers(net, route.prefix)]
        names = [
            proposal.name(session.node)
            for session in (sessions if inside else ())
            if session.node != node
            and covers(route.prefix, session.source)
            and any(covers(net, session.source) for net in inside)
        ]
        if names:
            yield (
                "failed",
                f"{{nodes}} would send answers to the {by_number(names, 'agent', 'agents')} of {some(names)} "
                f"via {route.hops[0].gateway} ({route.prefix} of {route.policy}) instead of directly. "
                "Choose a destination without it.",
            )


def _routed(proposal: Proposal, node: int, item: Protected) -> Iterator[_Problem]:
    """An address behind a gateway: the route that carries it after the change must lead there and back."""
    routes = protected.kernel_routes(proposal, node)
    now = best_route(routes, item.address)
    if now is None or now.on_link:
        return
    after = protected.planned_route(proposal, node, item.address)
    if after is None:
        removed = protected.removed_prefixes(proposal, node)
        left = [route for route in routes if route.prefix not in removed]
        if best_route(left, item.address) is None:
            yield "failed", f"{{nodes}} would lose {item.label}: {_removed(now.prefix)}."
        return
    if why := _dead(proposal, node, after):
        yield "failed", f"{{nodes}} would lose {item.label}: {why}."
    elif after.hops[0].address not in {via for via, _ in now.hops}:
        yield from _new_gateway(proposal, node, item, after)


def _new_gateway(proposal: Proposal, node: int, item: Protected, route: PolicyRoute) -> Iterator[_Problem]:
    hop = route.hops[0]
    moved = f"{route.prefix} of {route.policy} would carry {item.label} via {hop.gateway}"
    state = forwarding_state(proposal, node, hop, item.address)
    if state.known_bad:
        yield "failed", f"{{nodes}} would lose {item.label}: {moved}, but {state.reason}."
    elif why := _no_return(proposal, node, hop):
        yield "failed", f"{{nodes}} would lose {item.label}: {moved}, but {why}."
    elif not state.proven:
        text = f"Nothing proves that {{nodes}} would still reach {item.label}: {moved}, and {state.reason}."
        yield "warning", text


def _no_return(proposal: Proposal, node: int, hop: Hop) -> str:
    """Why the gateway cannot send the answers back to the node's own address; empty if it can, or unknown."""
    host = proposal.observation.hosts.get(hop.gateway_id)
    if host is None or host.routes is None or not host.fresh:
        return ""
    own = _source(proposal, node, hop)
    if own is None or hop.gateway_id in proposal.routings:
        return ""
    back = best_route(host.routes, own)
    return "" if back is not None else f"{hop.gateway} has no route back to {own}"


def _source(proposal: Proposal, node: int, hop: Hop) -> Address | None:
    """The node's address in the network of the next hop."""
    for port in proposal.topology.data_ports.get(node, ()):
        for interface in proposal.topology.interfaces[port.id]:
            if covers(interface.network, hop.address):
                return interface.ip
    return None


def _default_route(proposal: Proposal, node: int) -> Iterator[_Problem]:
    """Nodes without a management port reach the controller over their default route."""
    for route in proposal.observation.controller.get(node, ()):
        after = [item for item in proposal.desired.routings[node].routes if item.prefix == route.prefix]
        why = _dead(proposal, node, after[0]) if after else _removed(route.prefix)
        if why:
            yield "failed", f"{{nodes}} would lose the controller: {why}."


def _removed(prefix: object) -> str:
    return f"it is reached over {prefix}, which the plan removes; keep a route to it"


def _dead(proposal: Proposal, node: int, route: PolicyRoute) -> str:
    """Why packets over the route would be lost; empty if nothing is known against it."""
    nothing = proposal.analysis.consequences[0].impact
    if proposal.name(node) in (*nothing.cut_off, *nothing.looping):
        return f"packets over {route.prefix} would be lost; fix that first"
    alive = proposal.observation.alive
    if all(alive.get((node, hop.gateway_id)) is False for hop in route.hops):
        return f"no gateway of {route.policy} answers; bring one up, or choose others"
    return ""
