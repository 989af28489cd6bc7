"""In which order nodes change: all at once where ARP goes on or off, else one, a tenth, all others.

A node that asks is not answered by one that does not: between two waves half of a fabric would be lost to the
other half. Settings alone hurt nobody else, and go in ordinary waves, gateways last.
"""

from __future__ import annotations

from collections.abc import Sequence

from backstay.core.model.arp_plan import NodeArpPlan
from backstay.core.model.topology import Topology
from backstay.core.planning.waves import Waves, cut

_TENTH = 10


def waves(topology: Topology, nodes: Sequence[NodeArpPlan], most: int | None = None) -> Waves:
    """Ids of the nodes that change at all, wave by wave; no wave is empty.

    At most `most` nodes in each, except where ARP goes on or off.
    """
    changing = [plan for plan in nodes if plan.changes]
    ids = tuple(plan.arp.node_id for plan in changing)
    if any(plan.flips for plan in changing):
        return (ids,)
    leaves = tuple(node for node in ids if not topology.forwards(("node", node)))
    others = tuple(node for node in ids if topology.forwards(("node", node)))
    tenth = 1 + -(-len(leaves) // _TENTH)
    parts = (leaves[:1], leaves[1:tenth], leaves[tenth:], others[:1], others[1:])
    return cut(parts, most)
