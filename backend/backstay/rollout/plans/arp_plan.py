"""The ARP part of a change's plan, with each node's assignment and probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from backstay.core.model.arp import ArpIntent, Member
from backstay.core.model.arp_plan import ArpPlan
from backstay.core.planning.arp.plan import make_arp_plan
from backstay.core.planning.arp.site import ArpSite
from backstay.core.planning.probes import MOST, Probe
from backstay.rollout.models import Change
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.plans.routing_plan import named
from backstay.rollout.plans.undo_plan import arp_targets
from backstay.rollout.wire_codec import WireDict, encode_arp


def arp_wanted(change: Change, reading: PlanInputs) -> tuple[ArpIntent, ...]:
    """The change's current ARP policies, without removed ones."""
    mine = change.arp_policies.order_by("pk").values_list("pk", flat=True)
    known = reading.arp.policies
    return tuple(known[policy] for policy in mine if policy in known)


def arp_site(change: Change, reading: PlanInputs) -> ArpSite:
    """Inputs of the plan."""
    return reading.arp.read(arp_wanted(change, reading), _restored(change, reading))


def arp_plan(change: Change, reading: PlanInputs, site: ArpSite) -> ArpPlan:
    """Effect of the change on ARP."""
    wanted = arp_wanted(change, reading)
    targets = arp_targets(change, reading)
    restored = _restored(change, reading) - targets.keys()
    held = replace(site, holds=reading.holds)
    return make_arp_plan(held, wanted, restored, targets=targets, wave_size=change.wave_size)


def _restored(change: Change, reading: PlanInputs) -> frozenset[int]:
    return frozenset(named(change, reading)) if change.kind in {"restore", "undo"} else frozenset()


_RING = 4
"""Number of following members that a node probes, in addition to all gateways."""


def arp_assignments(plan: ArpPlan, site: ArpSite) -> dict[int, dict[str, Any]]:
    """Node id -> ARP part of `PlanRecord.assignments`, for nodes in the plan's waves."""
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
    """A fabric's members that are up, in order; each probes those that follow it."""

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


def _probes(node: int, rings: Mapping[int, _Ring]) -> list[WireDict]:
    found = [
        Probe(f"{member.name} at {member.addresses[0]}", str(member.addresses[0]), port=port)
        for ring in rings.values()
        for member, port in ring.asked(node)
    ]
    return [asdict(probe) for probe in found[:MOST]]
