"""Whether a gateway forwards a node's packets to a destination, as the gateway's own agent reports.

Its settings and routes can only disprove forwarding, or support it; end-to-end probes prove it.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.host_network import HostNetwork, KernelRoute, best_route, covers
from backstay.core.model.routing import Address, Hop, Prefix
from backstay.core.planning.proposal import Proposal

_STRICT = 1


@dataclass(frozen=True, slots=True)
class ForwardingState:
    """Neither proven nor known bad: unknown, for `reason`."""

    proven: bool = False
    known_bad: bool = False
    reason: str = ""


_PROVEN = ForwardingState(proven=True)


def forwarding_state(
    proposal: Proposal, node: int, hop: Hop, destination: Address | Prefix
) -> ForwardingState:
    """For packets of `node` to an address, or to a whole prefix if no target is known."""
    if (node, hop.gateway_id, destination) in proposal.observation.carried:
        return _PROVEN
    host = proposal.observation.hosts.get(hop.gateway_id)
    if host is None:
        return _unknown(f"{hop.gateway} has no agent of its own that reports its forwarding")
    if not host.fresh:
        return _unknown(f"the agent of {hop.gateway} does not report now")
    port = _port(proposal, hop)
    if bad := _port_refuses(host, hop, port):
        return ForwardingState(known_bad=True, reason=bad)
    return _by_routes(proposal, node, hop, host, destination)


def _unknown(reason: str) -> ForwardingState:
    return ForwardingState(reason=reason)


def _port(proposal: Proposal, hop: Hop) -> str:
    """The gateway's port that the node sends to; empty if the site file does not know the address."""
    topology = proposal.topology
    ports = topology.node_ports.get(hop.gateway_id, ())
    return next((p.name for p in ports if any(i.ip == hop.address for i in topology.interfaces[p.id])), "")


def _port_refuses(host: HostNetwork, hop: Hop, port: str) -> str:
    known = host.ports.get(port)
    if known is not None and known.forwards(hop.address.version) is False:
        return f"IPv{hop.address.version} forwarding is off on {hop.gateway}:{port}"
    return ""


def _by_routes(
    proposal: Proposal, node: int, hop: Hop, host: HostNetwork, destination: Address | Prefix
) -> ForwardingState:
    port, version = _port(proposal, hop), hop.address.version
    known = host.ports.get(port)
    if known is None or known.forwards(version) is None:
        return _unknown(f"the forwarding of {hop.gateway}:{port or '?'} is not known")
    if known.vrf:
        return _unknown(f"{hop.gateway}:{port} is in VRF {known.vrf}, whose table is not known")
    rules = [rule for rule in host.rules if rule.version == version]
    if rules:
        return _unknown(f"{hop.gateway} has policy routing (rule {rules[0].text})")
    if host.routes is None:
        return _unknown(f"the routes of {hop.gateway} are not known")
    if why := _filtered(proposal, node, hop, host.routes, strict=known.rp_filter == _STRICT):
        return ForwardingState(known_bad=True, reason=why)
    return _onward(proposal, node, hop, host.routes, destination)


def _filtered(
    proposal: Proposal, node: int, hop: Hop, routes: tuple[KernelRoute, ...], *, strict: bool
) -> str:
    """Why strict reverse path filtering drops the node's packets (RFC 3704, 2.2); empty: it does not."""
    port = _port(proposal, hop)
    for own in proposal.addresses(node) if strict else ():
        if own.version != hop.address.version or not _shared(proposal, node, own, hop):
            continue
        back = best_route(routes, own)
        if back is not None and port not in {name for _, name in back.hops}:
            return (
                f"{hop.gateway}:{port} has a strict rp_filter and reaches {own} through {back.hops[0][1]}, "
                "so it drops its packets"
            )
    return ""


def _shared(proposal: Proposal, node: int, own: Address, hop: Hop) -> bool:
    """Whether the node's address is in the network of the next hop."""
    return any(
        interface.ip == own and covers(interface.network, hop.address)
        for port in proposal.topology.data_ports.get(node, ())
        for interface in proposal.topology.interfaces[port.id]
    )


def _onward(
    proposal: Proposal,
    node: int,
    hop: Hop,
    routes: tuple[KernelRoute, ...],
    destination: Address | Prefix,
) -> ForwardingState:
    mine = proposal.addresses(hop.gateway_id)
    if destination in mine or _managed(proposal, hop.gateway_id, destination):
        return _PROVEN
    route = best_route(routes, destination)
    if route is None:
        if isinstance(destination, Address):
            return ForwardingState(known_bad=True, reason=f"{hop.gateway} has no route to {destination}")
        return _unknown(f"{hop.gateway} has no route to the whole of {destination}")
    back = {via for via, _ in route.hops} & set(proposal.addresses(node))
    if back and len(back) == len(route.hops):
        text = f"{hop.gateway} sends packets to {destination} back to {proposal.name(node)}"
        return ForwardingState(known_bad=True, reason=text)
    return _PROVEN


def _managed(proposal: Proposal, gateway: int, destination: Address | Prefix) -> bool:
    """Whether the gateway has a managed route of its own, which the analysis of failures follows."""
    routing = proposal.routings.get(gateway)
    return routing is not None and any(covers(route.prefix, destination) for route in routing.routes)
