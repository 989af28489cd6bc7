"""Policies that cannot be removed or renamed: they are deployed, or a change or drill uses them."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping

from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import count, listing
from backstay.core.model.change import RUNNING
from backstay.inventory.models import Site
from backstay.policy.models import ArpPolicy, FailoverPolicy, Origin
from backstay.policy.selectors import Policy
from backstay.policy.services import REMOVE_THERE, file_owns
from backstay.rollout.drills.services import IN_PROGRESS
from backstay.rollout.models import Application, Change, Drill, Intended
from backstay.rollout.retirement import deployed_on
from backstay.rollout.selectors import confirmed


def _in_use(site: Site, policies: Mapping[int, str]) -> dict[int, str]:
    """Policy id -> why it cannot be deleted or renamed now; `policies`: id -> name. Three queries.

    A drill uses it, or a change in progress alters its routes; the undo of a change names no policies.
    """
    if not policies:
        return {}
    drills = Drill.objects.filter(policy__in=policies, state__in=IN_PROGRESS)
    found = {
        policy: f"Drill #{drill} of {policies[policy]} is in progress: cancel it or wait."
        for policy, drill in drills.values_list("policy", "pk")
    }
    changes = Change.objects.filter(policies__in=policies, state__in=RUNNING)
    touched = {(policy, change) for policy, change in changes.values_list("policies", "pk")}
    undone = Application.objects.filter(change__site=site, change__kind="undo", change__state__in=RUNNING)
    ids = {name: policy for policy, name in policies.items()}
    for change, routes in undone.values_list("change_id", "assignment__routing__routes"):
        touched |= {(ids[name], change) for route in routes or () if (name := route["policy"]) in ids}
    return found | {
        policy: f"Change #{change} alters routes of {policies[policy]}: wait until it ends."
        for policy, change in sorted(touched)
        if policy in policies
    }


def deletion_refusals(site: Site, policies: Collection[Policy], deployed: Container[int]) -> dict[int, str]:
    """Policy id -> why it cannot be deleted or retired now, of these policies of the site; three queries.

    `deployed`: ids of those that nodes have. A policy of the site file can be retired, but not deleted.
    """
    owned = {
        policy.id: file_owns(policy.name, REMOVE_THERE)
        for policy in policies
        if policy.origin == Origin.FILE and policy.id not in deployed
    }
    return _in_use(site, {policy.id: policy.name for policy in policies}) | owned


def ensure_file_keeps(site: Site, names: Collection[str]) -> None:
    """Refused when the site file, which has these policies, drops one that nodes have."""
    dropped = site.failover_policies.filter(origin=Origin.FILE).exclude(name__in=names)
    known = confirmed(site, policies=list(dropped.values_list("name", flat=True)))
    if known:
        policy = min(name for _, name, _ in known)
        nodes = {node for node, name, _ in known if name == policy}
        raise Refused(
            f"The file drops {policy}, which {count(len(nodes), 'node')} still"
            f" {'has' if len(nodes) == 1 else 'have'}: retire {policy} first, then import the file."
        )


def ensure_idle(policy: FailoverPolicy) -> None:
    """Conflict while a change alters the policy's routes or a drill uses it."""
    why = _in_use(policy.site, {policy.pk: policy.name}).get(policy.pk)
    if why is not None:
        raise Conflict(why)


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
