"""Policies that cannot be removed or renamed: they are deployed, or a change or drill uses them."""

from __future__ import annotations

from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import count, listing
from backstay.policy.models import ArpPolicy, FailoverPolicy
from backstay.rollout.drills.services import IN_PROGRESS
from backstay.rollout.models import Change, Drill, Intended
from backstay.rollout.retirement import deployed_on


def ensure_idle(policy: FailoverPolicy) -> None:
    """Conflict while a change deploys the policy or a drill uses it."""
    change = Change.objects.filter(policies=policy, state__in=["rolling", "confirming"]).first()
    if change is not None:
        raise Conflict(f"Change #{change.pk} is deploying {policy.name}: wait until it ends.")
    drill = Drill.objects.filter(policy=policy, state__in=IN_PROGRESS).first()
    if drill is not None:
        raise Conflict(f"Drill #{drill.pk} of {policy.name} is in progress: cancel it or wait.")


def ensure_removable(policy: FailoverPolicy) -> None:
    """Return when the policy can be renamed; else Refused with the next step, or Conflict."""
    ensure_idle(policy)
    names = deployed_on(policy)
    if names:
        raise Refused(
            f"{policy.name} is deployed on {count(len(names), 'node')} ({listing(names)}) under this name:"
            " delete it, which removes its routes, and create it under the new name."
        )


def ensure_arp_removable(policy: ArpPolicy) -> None:
    """Return when the policy can be deleted; else Refused with the next step, or Conflict."""
    change = Change.objects.filter(arp_policies=policy, state__in=["rolling", "confirming"]).first()
    name = policy.fabric.name
    if change is not None:
        raise Conflict(f"Change #{change.pk} is deploying {name}'s ARP policy: wait until it ends.")
    rows = Intended.objects.filter(node__site=policy.site, arp__fabrics__contains=[{"fabric": name}])
    nodes = sorted(rows.values_list("node__name", flat=True))
    if nodes:
        raise Refused(
            f"It is deployed on {count(len(nodes), 'node')} ({listing(nodes)}): set it to unmanaged"
            " without settings and deploy that first, which removes it from their boot files."
        )
