"""What a node's agent must watch: for each of its policies, the gateways' addresses as the node sees them."""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.onlink import next_hop
from backstay.core.model.topology import Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Node
from backstay.policy.selectors import Policy, policies


@dataclass(frozen=True, slots=True)
class Watch:
    """One policy as one node observes it."""

    policy: str
    prefix: str
    gateways: tuple[tuple[str, str], ...]
    """(name, next-hop address) in order of preference."""
    target: str | None
    probe_interval_ms: int


def watches(node: Node) -> list[Watch]:
    """The node's policies, by name. A gateway without an address on a shared fabric is left out."""
    topology = snapshot.load(node.site)
    mine = [policy for policy in policies(node.site).values() if node.pk in policy.nodes]
    found = [_watch(topology, node.pk, policy) for policy in sorted(mine, key=lambda each: each.name)]
    return [watch for watch in found if watch.gateways]


def _watch(topology: Topology, node_id: int, policy: Policy) -> Watch:
    hops = [(name, next_hop(topology, node_id, gateway)) for gateway, name in policy.gateways.items()]
    return Watch(
        policy=policy.name,
        prefix=policy.prefix,
        gateways=tuple((name, address) for name, address in hops if address is not None),
        target=policy.target,
        probe_interval_ms=policy.probe_interval_ms,
    )
