"""How fabrics stand to ARP now: what their nodes run, how far each policy is brought about, what keeps it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backstay.core.errors import Conflict, Refused
from backstay.core.model.arp import ArpIntent, FabricArp, Member
from backstay.core.planning.arp.checks.nodes import split
from backstay.core.planning.arp.resolve import desired
from backstay.core.planning.arp.rule import Rule, rule
from backstay.core.planning.arp.site import ArpSite
from backstay.core.words import count, listing
from backstay.policy.models import ArpPolicy
from backstay.rollout.models import Change, Intended
from backstay.rollout.plans.services.arp_plan_inputs import ArpPlanInputs


@dataclass(frozen=True, slots=True)
class ArpProgress:
    """How far a policy is brought about."""

    managed: int
    not_managed: tuple[str, ...]
    confirmed: int
    outdated: int

    @property
    def in_force(self) -> bool:
        """Whether any node has it, in whatever state."""
        return bool(self.confirmed or self.outdated)


@dataclass(frozen=True)
class FabricArpStatus:
    """One fabric, and its policy if it has one."""

    fabric: int
    members: tuple[Member, ...]
    on: tuple[str, ...]
    off: tuple[str, ...]
    unknown: tuple[str, ...]
    policy: ArpIntent | None
    progress: ArpProgress | None

    @property
    def astray(self) -> tuple[Member, ...]:
        """Those that are known to run another address than the site file gives them."""
        return tuple(member for member in self.members if member.astray is not None)

    @property
    def mixed(self) -> bool:
        """Some run ARP and some do not: these do not find those."""
        return bool(self.on and self.off)

    def rule(self) -> Rule:
        """The address rule over the fabric."""
        return rule(self.members)


def fabric_arp_status(now: ArpPlanInputs, fabric: int) -> FabricArpStatus:
    """Of one fabric."""
    intent = next((policy for policy in now.policies.values() if policy.fabric == fabric), None)
    members = now.members(fabric)
    wanted = () if intent is None else (intent,)
    site = now.read(wanted)
    observed = ArpSite(now.topology, {}, {}, now.observed, {})
    flags = split(observed, members)
    return FabricArpStatus(
        fabric=fabric,
        members=members,
        on=tuple(flags[True]),
        off=tuple(flags[False]),
        unknown=tuple(flags[None]),
        policy=intent,
        progress=None if intent is None else _progress(site, intent),
    )


def _progress(site: ArpSite, intent: ArpIntent) -> ArpProgress:
    name = site.topology.fabrics[intent.fabric].name
    members = site.members[intent.fabric]
    # What a node runs at the moment makes no wish an older one: a plan would be refused, not brought about.
    as_given = tuple(replace(member, astray=None) for member in members)
    aim = desired(replace(site, members={intent.fabric: as_given}), (intent,))
    has = {node: _part(item.fabrics, name) for node, item in site.confirmed.items()}
    current = [
        node for node, part in has.items() if part is not None and part == _part(aim[node].fabrics, name)
    ]
    outdated = [node for node, part in has.items() if part is not None and node not in current]
    return ArpProgress(
        managed=len({member.node for member in members if member.managed}),
        not_managed=tuple(dict.fromkeys(member.name for member in members if not member.managed)),
        confirmed=len(current),
        outdated=len(outdated),
    )


def _part(fabrics: tuple[FabricArp, ...], name: str) -> FabricArp | None:
    return next((fabric for fabric in fabrics if fabric.fabric == name), None)


def ensure_arp_removable(policy: ArpPolicy) -> None:
    """Return when the policy may be deleted. Refused with the next step; Conflict."""
    change = Change.objects.filter(arp_policies=policy, state__in=["rolling", "confirming"]).first()
    name = policy.fabric.name
    if change is not None:
        raise Conflict(f"Change #{change.pk} is bringing {name}'s ARP policy about: wait until it is over.")
    rows = Intended.objects.filter(node__site=policy.site, arp__fabrics__contains=[{"fabric": name}])
    nodes = sorted(rows.values_list("node__name", flat=True))
    if nodes:
        raise Refused(
            f"{count(len(nodes), 'node has', 'nodes have')} it in force ({listing(nodes)}): make it unmanaged"
            " without settings and bring that about first, which takes it out of their boot files."
        )
