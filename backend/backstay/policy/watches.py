"""Paths that a node's agent monitors: per policy, the gateways' addresses on the node's networks."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network

from backstay.core.model.onlink import on_link
from backstay.core.model.topology import Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Node
from backstay.policy.selectors import PathState, Policy, paths_of, policies

LONGEST_INTERVAL_MS = 10_000
"""Max interval of an observer; a checker may use a longer one."""


@dataclass(frozen=True, slots=True)
class Watch:
    """One policy as monitored by one node."""

    policy: str
    prefix: str
    gateways: tuple[tuple[str, str], ...]
    """(name, next-hop address) in order of preference."""
    target: str | None
    probe_interval_ms: int


def watches(node: Node) -> list[Watch]:
    """The node's policies by name, without gateways that share no fabric with it."""
    topology = snapshot.load(node.site)
    known = policies(node.site)
    mine = [(known[path.policy_id], path) for path in paths_of(node) if path.policy_id in known]
    found = [_watch(topology, policy, path) for policy, path in sorted(mine, key=lambda item: item[0].name)]
    return [watch for watch in found if watch.gateways]


def _watch(topology: Topology, policy: Policy, path: PathState) -> Watch:
    version = ip_network(policy.prefix).version
    hops = [
        (name, on_link(topology, path.node_id, gateway, version))
        for gateway, name in path.gateways(policy).items()
    ]
    return Watch(
        policy=policy.name,
        prefix=policy.prefix,
        gateways=tuple((name, str(adjacency.address)) for name, adjacency in hops if adjacency is not None),
        target=policy.target,
        probe_interval_ms=min(policy.probe_interval_ms, LONGEST_INTERVAL_MS),
    )
