"""Check that every next hop is in one of the node's networks."""

from __future__ import annotations

from backstay.core.model.plan import Finding
from backstay.core.model.routing import Address, Prefix
from backstay.core.planning.checks.finding import failed, passed, some
from backstay.core.planning.checks.gateway_address import strangers
from backstay.core.planning.proposal import Proposal

NAME = "gateway_on_link"


def check(proposal: Proposal) -> list[Finding]:
    """Gateways without a shared network or link; policies without gateways."""
    found = [_off_link(proposal, *key, nodes) for key, nodes in _missing(proposal).items()]
    found += [
        failed(NAME, f"{intent.name} names no gateway: add at least one.")
        for intent in proposal.intents
        if not (intent.gateways or (intent.stripe and intent.stripe.gateways))
    ]
    found += [_unlinked(gateway, names) for gateway, names in _without_link(proposal)]
    return found or passed(NAME, "Every gateway is in a network of the nodes that use it.")


def _missing(proposal: Proposal) -> dict[tuple[str, Prefix, int], list[str]]:
    found: dict[tuple[str, Prefix, int], list[str]] = {}
    for item in proposal.desired.off_link:
        key = (item.policy, item.prefix, item.gateway_id)
        found.setdefault(key, []).append(proposal.name(item.node_id))
    return found


def _off_link(proposal: Proposal, policy: str, prefix: Prefix, gateway: int, nodes: list[str]) -> Finding:
    name = proposal.name(gateway)
    text = (
        f"{name} has no IPv{prefix.version} address in a network of {some(nodes)}, so {policy} cannot use it "
        f"for {prefix}: correct the addresses, or name another gateway."
    )
    return failed(NAME, text, nodes)


def _without_link(proposal: Proposal) -> list[tuple[str, list[str]]]:
    """(gateway, nodes) without a link between them."""
    found: dict[tuple[int, Address], tuple[str, list[str]]] = {}
    world = proposal.analysis.world
    for routing, route in proposal.planned():
        for step, hop in zip(world.steps(routing.node_id, route), route.hops, strict=True):
            if not step.segment.links:
                found.setdefault((hop.gateway_id, hop.address), (hop.gateway, []))[1].append(routing.node)
    if not found:
        return []
    # A gateway at a wrong address has no link for that reason; `known_address` reports it.
    elsewhere = {(stranger.gateway_id, stranger.address) for stranger in strangers(proposal)}
    return [unlinked for key, unlinked in found.items() if key not in elsewhere]


def _unlinked(gateway: str, names: list[str]) -> Finding:
    nodes = list(dict.fromkeys(names))
    text = (
        f"No link connects {some(nodes)} to {gateway} although they share a network: add the link to"
        " the site file."
    )
    return failed(NAME, text, nodes)
