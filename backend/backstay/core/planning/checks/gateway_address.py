"""Check that every next hop is an address of its gateway, in the site file and on the gateway.

New routes take their next hops from the site file, so those are consistent with it. Routes confirmed earlier
are kept unchanged, and this check finds addresses that the gateway no longer has. If a gateway's own agent
reports another address, the gateway is unreachable whatever the site file says, and useless as a standby.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.onlink import on_link
from backstay.core.model.plan import Finding
from backstay.core.model.routing import Address, Hop, PolicyRoute
from backstay.core.planning.checks.finding import failed, passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "known_address"


@dataclass(frozen=True, slots=True)
class Stranger:
    """A next hop address in a policy's routes that does not belong to the gateway."""

    policy: str
    gateway: str
    gateway_id: int
    address: Address


def check(proposal: Proposal) -> list[Finding]:
    """Fails if the site file describes the address's network, warns otherwise."""
    found = [_finding(proposal, stranger, nodes) for stranger, nodes in strangers(proposal).items()]
    found += _not_run(proposal)
    return found or passed(NAME, "Every next hop is an address of its gateway, as far as is known.")


def _not_run(proposal: Proposal) -> list[Finding]:
    """Fails for the plan's own nodes; warns for routes that the plan does not change."""
    lost = {
        (item.node, address): item
        for item in proposal.observation.address_mismatches.values()
        for address in item.missing
    }
    if not lost:
        return []
    found: dict[tuple[AddressMismatch, Address, str, bool], list[int]] = {}
    for node, route, hop in _hops(proposal):
        item = lost.get((hop.gateway_id, hop.address))
        if item is not None:
            key = (item, hop.address, route.policy, node in proposal.desired.routings)
            found.setdefault(key, []).append(node)
    return [_lost(proposal, key, nodes) for key, nodes in found.items()]


def _lost(proposal: Proposal, key: tuple[AddressMismatch, Address, str, bool], nodes: list[int]) -> Finding:
    hop, address, policy, planned = key
    names = proposal.names(nodes)
    runs = f"it runs {hop.runs}" if hop.instead else "it runs no other address"
    text = f"{hop.name} does not have {address}: {runs} on {hop.port}. {some(names)}"
    if not planned:
        return warning(NAME, f"{text} {_reach(names)} it there for {policy}, which fails.", names)
    text += f" would use it for {policy} and fail. Give {hop.name}:{hop.port} {address},"
    return failed(NAME, f"{text} or correct the site file, then plan again.", names)


def _reach(names: tuple[str, ...]) -> str:
    return "reaches" if len(names) == 1 else "reach"


def strangers(proposal: Proposal) -> dict[Stranger, list[int]]:
    """With the nodes that have such routes, including nodes that the plan does not change."""
    found: dict[Stranger, list[int]] = {}
    owners = _owners(proposal)
    for node, route, hop in _hops(proposal):
        if hop.gateway_id not in owners.get(hop.address, ()):
            key = Stranger(route.policy, hop.gateway, hop.gateway_id, hop.address)
            found.setdefault(key, []).append(node)
    return found


def refused(proposal: Proposal) -> set[str]:
    """Names of nodes whose next hops block the plan; their lost packets are a consequence and not reported
    again.
    """
    known = (nodes for stranger, nodes in strangers(proposal).items() if _covered(proposal, stranger.address))
    return {proposal.name(node) for nodes in known for node in nodes}


def _hops(proposal: Proposal) -> Iterator[tuple[int, PolicyRoute, Hop]]:
    for node, routing in proposal.routings.items():
        for route in routing.routes:
            for hop in route.hops:
                yield node, route, hop


def _owners(proposal: Proposal) -> dict[Address, set[int]]:
    found: dict[Address, set[int]] = {}
    for address, port in proposal.topology.addresses:
        if not port.management:
            found.setdefault(address, set()).add(port.node_id)
    return found


def _covered(proposal: Proposal, address: Address) -> bool:
    """Whether any port of the site is in a network that contains the address."""
    return any(
        address in interface.network
        for ports in proposal.topology.data_ports.values()
        for port in ports
        for interface in proposal.topology.interfaces[port.id]
        if interface.version == address.version
    )


def _finding(proposal: Proposal, stranger: Stranger, nodes: list[int]) -> Finding:
    names = proposal.names(nodes)
    start = f"{some(names)} {_reach(names)} {stranger.gateway} for {stranger.policy}"
    owners = proposal.names(sorted(_owners(proposal).get(stranger.address, ())))
    if owners:
        start += f" at {stranger.address}, which is an address of {some(owners)}: "
    elif _covered(proposal, stranger.address):
        start += f" at {stranger.address}, which no known port has: "
    else:
        text = (
            f" at {stranger.address}, in a network that the site file does not describe: add its ports there."
        )
        return warning(NAME, start + text, names)
    return failed(NAME, start + _next(proposal, stranger, nodes[0]), names)


def _next(proposal: Proposal, stranger: Stranger, node: int) -> str:
    now = None
    if stranger.gateway_id in proposal.topology.nodes:
        now = on_link(proposal.topology, node, stranger.gateway_id, stranger.address.version)
    if now is None:
        need = f"{stranger.policy} needs another gateway"
        return f"{need}, or the site file an address of {stranger.gateway} there."
    return (
        f"{stranger.gateway} has {now.address} there now, so these routes are out of date. "
        f"Plan {stranger.policy} again for these nodes."
    )
