"""Destinations that a change must not take from a node: controller, resolvers, management network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from backstay.core.model.host_network import HostNetwork, KernelRoute, best_route, covers
from backstay.core.model.routing import Address, PolicyRoute, Prefix
from backstay.core.planning.proposal import Proposal


@dataclass(frozen=True, slots=True)
class Protected:
    """One address, with the label of a finding: `the controller 10.255.0.1`."""

    label: str
    address: Address


def controllers(hosts: Iterable[HostNetwork]) -> list[Protected]:
    """The addresses at which the agents of these hosts reach the controller."""
    known = dict.fromkeys(session.address for host in hosts for session in host.controllers)
    return [Protected(f"the controller {address}", address) for address in known]


def addresses(proposal: Proposal, node: int, site_controllers: Sequence[Protected]) -> list[Protected]:
    """The controller's addresses, the node's resolvers, and the source addresses of its sessions.

    A node that never reported them is expected to use those that other nodes report, `site_controllers`.
    """
    own = proposal.observation.hosts.get(node)
    found = list(site_controllers) if own is None or not own.controllers else controllers([own])
    if own is not None:
        found += [Protected(f"the DNS server {item}", item) for item in own.resolvers]
        found += [
            Protected(f"its agent's own address {session.source}", session.source)
            for session in own.controllers
            if session.source is not None
        ]
    unique = {item.address: item for item in reversed(found) if not item.address.is_loopback}
    return list(reversed(unique.values()))


def on_link_networks(proposal: Proposal, node: int) -> Iterator[Prefix]:
    """Networks of the node's own ports: declared ones, and those in its kernel's table."""
    for port in proposal.topology.node_ports.get(node, ()):
        yield from (interface.network for interface in proposal.topology.interfaces[port.id])
    yield from (route.prefix for route in kernel_routes(proposal, node) if route.on_link)


def management_networks(proposal: Proposal, node: int) -> set[Prefix]:
    """Networks of the node's management ports."""
    return {
        interface.network
        for port in proposal.topology.node_ports.get(node, ())
        if port.management
        for interface in proposal.topology.interfaces[port.id]
    }


def kernel_routes(proposal: Proposal, node: int) -> tuple[KernelRoute, ...]:
    """Reported routes of the node's main table that cover an address of interest; empty if unknown."""
    host = proposal.observation.hosts.get(node)
    return (host.routes or ()) if host is not None else ()


def planned_route(proposal: Proposal, node: int, address: Address) -> PolicyRoute | None:
    """The managed route that carries packets to the address after the change; None: another route does.

    A network of the node's own ports wins if it is more specific. A managed route wins against other routes
    of the same length, which it replaces.
    """
    routes = proposal.routings[node].routes if node in proposal.routings else ()
    best = max(
        (route for route in routes if covers(route.prefix, address)),
        key=lambda route: route.prefix.prefixlen,
        default=None,
    )
    if best is None:
        return None
    managed = {route.prefix for route in routes} | removed_prefixes(proposal, node)
    others = [route for route in kernel_routes(proposal, node) if route.prefix not in managed]
    other = best_route(others, address)
    return None if other is not None and other.prefix.prefixlen > best.prefix.prefixlen else best


def removed_prefixes(proposal: Proposal, node: int) -> set[Prefix]:
    """Managed prefixes that the change takes from the node."""
    before, after = proposal.confirmed.get(node), proposal.routings.get(node)
    kept = {route.prefix for route in after.routes} if after is not None else set()
    return {route.prefix for route in before.routes} - kept if before is not None else set()
