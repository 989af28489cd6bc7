"""Make an ARP plan: from policies and observations to a frozen, checked proposal with a digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType

from backstay.core.model.arp import ArpIntent, NodeArp
from backstay.core.model.arp_plan import ArpPlan, NodeArpPlan
from backstay.core.model.topology import Topology
from backstay.core.planning.arp import checks
from backstay.core.planning.arp.diff import node_plan
from backstay.core.planning.arp.handover import hand_overs
from backstay.core.planning.arp.resolve import clashes, desired
from backstay.core.planning.arp.site import ArpProposal, ArpSite
from backstay.core.planning.checks.finding import run_checks
from backstay.core.planning.digest import digest
from backstay.core.planning.waves import Waves, staged


def make_arp_plan(
    site: ArpSite,
    intents: Sequence[ArpIntent],
    restored: Set[int] = frozenset(),
    *,
    targets: Mapping[int, NodeArp] = MappingProxyType({}),
    wave_size: int | None = None,
) -> ArpPlan:
    """Plan the deployment of these policies; `restored`: nodes to restore to their confirmed state.

    `targets`: node id -> state to bring the node to instead of its confirmed one (undo).

    `wave_size`: maximum nodes per wave, unless nodes must change together. A policy that cannot be deployed
    raises no error: the plan contains a failed finding.
    """
    wanted = desired(site, intents)
    wanted |= {node: item for node, item in _confirmed(site, restored) if node not in wanted}
    wanted |= targets
    nodes, faults = _drafted(site, wanted.values())
    proposal = ArpProposal(
        site=site,
        intents=tuple(intents),
        wanted=wanted,
        nodes=nodes,
        faults=faults,
        clashes=clashes(wanted.values()),
        hand_overs=hand_overs(site, intents),
        waves=waves(site.topology, nodes, wave_size),
    )
    plan = ArpPlan(
        nodes=nodes,
        findings=run_checks(proposal, checks.CHECKS),
        hand_overs=proposal.hand_overs,
        waves=proposal.waves,
        inputs=site.inputs(intents),
        digest="",
    )
    return replace(plan, digest=digest(plan))


def _confirmed(site: ArpSite, restored: Set[int]) -> Iterable[tuple[int, NodeArp]]:
    """Confirmed states with the file paths of the current site file."""
    for node in sorted(restored):
        if node in site.confirmed and node in site.files:
            yield node, replace(site.confirmed[node], files=site.files[node])


def _drafted(site: ArpSite, wanted: Iterable[NodeArp]) -> tuple[tuple[NodeArpPlan, ...], Mapping[int, str]]:
    """Drafts of the nodes that have reported, and the reasons why files cannot be written."""
    nodes: list[NodeArpPlan] = []
    faults: dict[int, str] = {}
    for item in wanted:
        observed = site.observed.get(item.node_id)
        if observed is None:
            continue
        try:
            nodes.append(node_plan(item, observed))
        except ValueError as error:
            faults[item.node_id] = str(error).rstrip(".")
    return tuple(nodes), faults


def waves(topology: Topology, nodes: Sequence[NodeArpPlan], most: int | None = None) -> Waves:
    """Ids of the changing nodes, wave by wave; no wave is empty.

    Each wave has at most `most` nodes, unless ARP is switched on or off.
    """
    changing = [plan for plan in nodes if plan.changes]
    ids = tuple(plan.arp.node_id for plan in changing)
    if any(plan.flips for plan in changing):
        return (ids,)
    leaves = tuple(node for node in ids if not topology.forwards(("node", node)))
    others = tuple(node for node in ids if topology.forwards(("node", node)))
    return staged(leaves, others, most)
