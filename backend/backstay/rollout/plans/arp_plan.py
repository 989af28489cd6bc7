"""The ARP part of a change's plan: made from one reading of the site."""

from __future__ import annotations

from backstay.core.model.arp import ArpIntent
from backstay.core.model.arp_plan import ArpPlan
from backstay.core.planning.arp.plan import make_arp_plan
from backstay.core.planning.arp.site import ArpSite
from backstay.rollout.models import Change
from backstay.rollout.plans.services.plan_inputs import PlanInputs
from backstay.rollout.plans.services.routing_plan import named


def arp_wanted(change: Change, reading: PlanInputs) -> tuple[ArpIntent, ...]:
    """The change's ARP policies as they are now; one that was removed meanwhile is missing."""
    mine = change.arp_policies.order_by("pk").values_list("pk", flat=True)
    known = reading.arp.policies
    return tuple(known[policy] for policy in mine if policy in known)


def arp_site(change: Change, reading: PlanInputs) -> ArpSite:
    """What the change's plan is made from."""
    return reading.arp.read(arp_wanted(change, reading), _restored(change, reading))


def arp_plan(change: Change, reading: PlanInputs, site: ArpSite) -> ArpPlan:
    """What the change would do to ARP."""
    wanted, restored = arp_wanted(change, reading), _restored(change, reading)
    return make_arp_plan(site, wanted, restored, wave_size=change.wave_size)


def _restored(change: Change, reading: PlanInputs) -> frozenset[int]:
    return frozenset(named(change, reading)) if change.kind == "restore" else frozenset()
