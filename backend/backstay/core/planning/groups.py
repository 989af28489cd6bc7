"""Select the nodes of a policy's group."""

from __future__ import annotations

from fnmatch import fnmatchcase

from backstay.core.model.policy import Group
from backstay.core.model.topology import Node, Topology


def select(topology: Topology, group: Group) -> tuple[int, ...]:
    """Ids of the nodes that match every field of the group, by node number, then name; an empty group matches
    none.
    """
    if group == Group():
        return ()
    return in_order(topology, [node.id for node in topology.nodes.values() if _fits(node, group)])


def in_order(topology: Topology, nodes: list[int]) -> tuple[int, ...]:
    """Numbered nodes first, by number; then by name."""
    return tuple(sorted(nodes, key=lambda node: order(topology.nodes[node])))


def order(node: Node) -> tuple[bool, int, str, int]:
    return (node.number is None, node.number or 0, node.name, node.id)


def _fits(node: Node, group: Group) -> bool:
    if group.names and not any(fnmatchcase(node.name, name) for name in group.names):
        return False
    if group.role and node.role != group.role:
        return False
    if group.numbers is not None and not _within(node.number, group.numbers):
        return False
    return set(group.labels) <= set(node.labels)


def _within(number: int | None, bounds: tuple[int, int]) -> bool:
    return number is not None and bounds[0] <= number <= bounds[1]
