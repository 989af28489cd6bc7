"""Asymmetric paths: traffic leaves via one gateway and returns via another.

The return path is a router's managed route to the node, or its observed route.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backstay.core.model.plan import Finding
from backstay.core.model.prefixes import PrefixTable
from backstay.core.model.routing import NodeRouting, PolicyRoute, Prefix
from backstay.core.planning.checks.finding import by_number, failed, passed, some, warning
from backstay.core.planning.proposal import Proposal

NAME = "asymmetric_return"


Order = tuple[int, ...]
Backs = PrefixTable[tuple[int, Prefix, Order]]


@dataclass(frozen=True, slots=True)
class _Clash:
    """An outbound and a return order of gateways that differ."""

    policy: str
    out: Order
    prefix: Prefix
    back: Order


def check(proposal: Proposal) -> list[Finding]:
    """Routers whose gateway order towards a node differs from the node's; unknown return paths."""
    backs = _backs(proposal)
    wrong: dict[_Clash, dict[str, list[int]]] = {}
    unknown: dict[str, list[int]] = {}
    for routing, route in _outward(proposal):
        facing = _facing(proposal, routing, route, backs)
        if not facing:
            unknown.setdefault(route.policy, []).append(routing.node_id)
        for router, clash in _clashes(route, facing):
            ends = wrong.setdefault(clash, {"nodes": [], "routers": []})
            ends["nodes"].append(routing.node_id)
            ends["routers"].append(router)
    found = [_wrong(proposal, clash, **ends) for clash, ends in wrong.items()]
    found += [_unknown(policy, proposal.names(nodes)) for policy, nodes in unknown.items()]
    return found or passed(NAME, "Return traffic uses the same gateways in the same order.")


def _outward(proposal: Proposal) -> Iterator[tuple[NodeRouting, PolicyRoute]]:
    """Routes of the nodes that the policies are for; return paths are checked from there."""
    returning = {
        (router, intent.name)
        for intent in proposal.intents
        if intent.back is not None
        for router in intent.back.routers
    }
    for routing, route in proposal.planned():
        if (routing.node_id, route.policy) in returning or not route.hops:
            continue
        if not proposal.topology.forwards(("node", routing.node_id)):
            yield routing, route


def _backs(proposal: Proposal) -> Backs:
    """By prefix (router, prefix, its gateways in order): managed routes, otherwise observed routes."""
    owners = {address: port.node_id for address, port in proposal.topology.addresses}
    orders: dict[tuple[int, Prefix], Order] = {
        (node, route.prefix): tuple(
            owners[hop.address]
            for hop in sorted(route.hops, key=lambda hop: hop.preference)
            if hop.address in owners
        )
        for node, observed in proposal.observed.items()
        for route in observed.routes
    }
    orders |= {
        (node, route.prefix): tuple(hop.gateway_id for hop in route.hops)
        for node, routing in proposal.routings.items()
        for route in routing.routes
    }
    return PrefixTable(
        (prefix, (node, prefix, order))
        for (node, prefix), order in orders.items()
        if order and prefix.prefixlen
    )


def _facing(
    proposal: Proposal, routing: NodeRouting, route: PolicyRoute, backs: Backs
) -> dict[int, tuple[Prefix, Order]]:
    """Each router's most specific route to the node, for routers behind the route and with a
    shared gateway.
    """
    gateways = {hop.gateway_id for hop in route.hops}
    found: dict[int, tuple[Prefix, Order]] = {}
    for address in proposal.addresses(routing.node_id):
        for router, prefix, order in (item for filed in backs.covering(address) for item in filed):
            if router in found or router == routing.node_id or not gateways & set(order):
                continue
            if _leads_to(proposal, route, router):
                found[router] = (prefix, order)
    return found


def _leads_to(proposal: Proposal, route: PolicyRoute, router: int) -> bool:
    if not route.prefix.prefixlen:
        return True
    return any(address in route.prefix for address in proposal.addresses(router))


def _clashes(route: PolicyRoute, facing: dict[int, tuple[Prefix, Order]]) -> Iterator[tuple[int, _Clash]]:
    out = tuple(hop.gateway_id for hop in route.hops)
    for router, (prefix, order) in facing.items():
        there = [gateway for gateway in out if gateway in order]
        here = [gateway for gateway in order if gateway in out]
        if there != here or order[0] != out[0]:
            yield router, _Clash(route.policy, out, prefix, order)


def _wrong(proposal: Proposal, clash: _Clash, nodes: list[int], routers: list[int]) -> Finding:
    names, backs = proposal.names(nodes), proposal.names(routers)
    sends, reach = by_number(names, "sends", "send"), by_number(backs, "reaches", "reach")
    text = (
        f"{some(names)} of {clash.policy} {sends} via {_order(proposal, clash.out)}, but {some(backs)} "
        f"{reach} {clash.prefix} via {_order(proposal, clash.back)}: give the policy a return path over them."
    )
    return failed(NAME, text, names)


def _order(proposal: Proposal, gateways: Order) -> str:
    return " then ".join(proposal.names(gateways))


def _unknown(policy: str, names: tuple[str, ...]) -> Finding:
    text = (
        f"The gateway of return traffic to {some(names)} is unknown: give {policy} a return path "
        "over the routers at the other end."
    )
    return warning(NAME, text, names)
