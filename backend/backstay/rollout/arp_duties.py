"""What each node gets in a change of ARP, and which neighbours must answer it afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backstay.core.model.arp import Member
from backstay.core.model.arp_plan import ArpPlan
from backstay.core.planning.arp.site import ArpSite
from backstay.rollout.arp_words import encode_arp
from backstay.rollout.plans.services.probes import MOST, Probe

_RING = 4
"""So many of the members that follow a node are asked, besides all that forward for others."""


def arp_duties(plan: ArpPlan, site: ArpSite) -> dict[int, dict[str, Any]]:
    """Node id -> its ARP part of `PlanRecord.duties`, for the nodes of the plan's waves."""
    waves = {node: number for number, wave in enumerate(plan.waves) for node in wave}
    rings = {fabric: _Ring(members) for fabric, members in site.members.items()}
    return {
        node.arp.node_id: {
            "wave": waves[node.arp.node_id],
            "arp_base": node.base,
            "arp": encode_arp(node.arp, node.files),
            "probes": _probes(node.arp.node_id, rings),
        }
        for node in plan.nodes
        if node.arp.node_id in waves
    }


class _Ring:
    """A fabric's members that are up, in order, each asking those that follow it."""

    def __init__(self, members: Sequence[Member]) -> None:
        alive = [member for member in members if member.alive and member.addresses]
        self._places = {member.node: place for place, member in enumerate(alive)}
        self._members = alive
        self._forwarding = [member for member in alive if member.forwards]

    def asked(self, node: int) -> list[tuple[Member, str]]:
        """(member, this node's port)."""
        place = self._places.get(node)
        if place is None:
            return []
        own = self._members[place]
        following = [*self._members[place + 1 :], *self._members[:place]][:_RING]
        found = {item.place: item for item in (*self._forwarding, *following) if item.node != node}
        return [(item, own.port) for item in found.values() if set(item.networks) & set(own.networks)]


def _probes(node: int, rings: Mapping[int, _Ring]) -> list[Probe]:
    found = [
        {"name": f"{member.name} at {member.addresses[0]}", "address": str(member.addresses[0]), "via": None,
         "port": port}
        for ring in rings.values()
        for member, port in ring.asked(node)
    ]  # fmt: skip
    return found[:MOST]
