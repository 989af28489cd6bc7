"""The document of an ARP plan: differences by shape, static entries, manual steps."""

from __future__ import annotations

from typing import Any

from backstay.core.model.arp_plan import ArpPlan, HandOver, NodeArpPlan
from backstay.core.planning.arp.site import ArpSite
from backstay.rollout.plans.plan_document import Limits, files_within

Document = dict[str, Any]


def arp_document(plan: ArpPlan, site: ArpSite, limits: Limits) -> Document:
    """`ArpPlanOut`."""
    kinds = shapes(plan)
    files = files_within([members[0].files for members in kinds], limits.text)
    return {
        "shapes": [
            _shape(members, kept) | omitted for members, (kept, omitted) in zip(kinds, files, strict=True)
        ],
        "hand_overs": [_hand_over(over) for over in plan.hand_overs],
        "entries": _entries(plan, site),
        "at_once": any(node.flips for node in plan.nodes),
    }


def shapes(plan: ArpPlan) -> list[list[NodeArpPlan]]:
    """Nodes that change, by shape, most common first."""
    found: dict[str, list[NodeArpPlan]] = {}
    for node in plan.nodes:
        if node.changes:
            found.setdefault(node.shape, []).append(node)
    return sorted(found.values(), key=lambda members: -len(members))


def _shape(members: list[NodeArpPlan], files: list[Document]) -> Document:
    first = members[0]
    return {
        "nodes": [member.arp.node for member in members],
        "differences": [
            {
                "port": difference.port,
                "what": difference.what,
                "before": difference.before,
                "after": difference.after,
            }
            for difference in first.differences
        ],
        "files": files,
    }


def _hand_over(hand_over: HandOver) -> Document:
    return {
        "node": hand_over.node,
        "port": hand_over.port,
        "fabric": hand_over.fabric,
        "system": hand_over.system,
        "done": not hand_over.open,
        "reminders": list(hand_over.reminders),
        "entries": [
            {
                "address": str(entry.address),
                "mac": entry.mac,
                "node": entry.whose,
                "standing": entry.status,
                "found": entry.found,
            }
            for entry in hand_over.entries
        ],
    }


def _entries(plan: ArpPlan, site: ArpSite) -> list[Document]:
    """Every address in a static entry of the plan, once, with its node."""
    wanted = {
        (entry.address, entry.mac)
        for node in plan.nodes
        for port in node.arp.ports.values()
        for entry in port.neighbours
    }
    return [
        {"node": member.name, "port": member.port, "address": str(address), "mac": member.mac}
        for members in site.members.values()
        for member in members
        for address in member.addresses
        if (address, member.mac) in wanted
    ]
