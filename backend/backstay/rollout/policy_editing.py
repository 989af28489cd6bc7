"""Creating, changing and deleting policies, with their event and the notice to clients in one transaction."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from backstay.core.errors import Invalid
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.policy import services
from backstay.policy.arp_policy_spec import ArpPolicySpec
from backstay.policy.models import ArpPolicy, FailoverPolicy
from backstay.policy.policy_spec import PolicySpec
from backstay.rollout.changes import services as changes
from backstay.rollout.changes.selectors import Actor
from backstay.rollout.changes.services import ChangeProposal
from backstay.rollout.models import Change, InputEdit
from backstay.rollout.policy_protection import ensure_arp_removable, ensure_idle, ensure_removable
from backstay.rollout.retirement import deployed_on, removals
from backstay.rollout.selectors import OPEN_CHANGES
from backstay.telemetry import events

NOUNS = frozenset({"failover-policies", "paths", "topology"})
ARP_NOUNS = frozenset({"arp-policies"})


@transaction.atomic
def create_policy(site: Site, spec: PolicySpec, actor: Actor, now: datetime) -> FailoverPolicy:
    policy = services.create(site, spec)
    _record(policy, EventKind.POLICY_CREATED, actor, now)
    return policy


@transaction.atomic
def update_policy(policy: FailoverPolicy, spec: PolicySpec, actor: Actor, now: datetime) -> None:
    """Refused if a deployed policy is renamed. One that matches no node any more plans its own removal."""
    if spec.name != policy.name:
        ensure_removable(policy)
    services.update(policy, spec)
    _record(policy, EventKind.POLICY_CHANGED, actor, now)
    emptied = not policy.paths.exists() and deployed_on(policy)
    if emptied and not removals([policy.pk]):
        title = f"Remove {policy.name} from its nodes"
        changes.propose(policy.site, actor, ChangeProposal("policies", [policy.pk], title=title), now)


@transaction.atomic
def delete_policy(policy: FailoverPolicy, actor: Actor, now: datetime) -> Change | None:
    """Delete a policy that no node has; otherwise return the change that removes it from its nodes.

    Refused for a policy of the site file that no node has, Conflict while a change or drill uses it.
    """
    ensure_idle(policy)
    if not deployed_on(policy):
        services.delete(policy)
        _record(policy, EventKind.POLICY_DELETED, actor, now)
        return None
    known = Change.objects.filter(policies=policy, kind="retire", state__in=OPEN_CHANGES).first()
    return known or changes.propose(policy.site, actor, ChangeProposal("retire", [policy.pk]), now)


@transaction.atomic
def create_arp_policy(site: Site, fabric: str, spec: ArpPolicySpec, actor: Actor, now: datetime) -> ArpPolicy:
    policy = services.create_arp_policy(site, fabric, spec)
    _record_arp(policy, EventKind.ARP_POLICY_CREATED, actor, now)
    return policy


@transaction.atomic
def update_arp_policy(policy: ArpPolicy, spec: ArpPolicySpec, actor: Actor, now: datetime) -> None:
    services.update_arp_policy(policy, spec)
    _record_arp(policy, EventKind.ARP_POLICY_CHANGED, actor, now)


@transaction.atomic
def delete_arp_policy(policy: ArpPolicy, actor: Actor, now: datetime) -> None:
    """Refused while the policy is deployed."""
    ensure_arp_removable(policy)
    _record_arp(policy, EventKind.ARP_POLICY_DELETED, actor, now)
    policy.delete()


def ensure_same_place(policy: ArpPolicy, site: str, fabric: str) -> None:
    """Invalid when an edit would move the policy to another site or fabric."""
    fields = {}
    if site != policy.site.name:
        fields["site"] = f"{policy.site.name}: a policy stays at its site"
    if fabric != policy.fabric.name:
        fields["fabric"] = f"{policy.fabric.name}: a policy stays with its fabric"
    if fields:
        raise Invalid(" ".join(f"{text}." for text in fields.values()), fields=fields)


def _record(policy: FailoverPolicy, kind: EventKind, actor: Actor, now: datetime) -> None:
    person = actor.user.get_username()
    if kind is not EventKind.POLICY_DELETED:
        InputEdit.objects.create(site=policy.site, policy=policy, person=actor.user, at=now)
    message = f"{person} {kind.action} the failover policy {policy.name}"
    data = {"policy": policy.name, "person": person}
    events.record(policy.site, kind, message, at=now, subject=policy.name, data=data)
    publish.changed(policy.site.name, NOUNS)


def _record_arp(policy: ArpPolicy, kind: EventKind, actor: Actor, now: datetime) -> None:
    person = actor.user.get_username()
    if kind is not EventKind.ARP_POLICY_DELETED:
        InputEdit.objects.create(site=policy.site, arp_policy=policy, person=actor.user, at=now)
    name = policy.fabric.name
    message = f"{person} {kind.action} the ARP policy of {name}"
    data = {"fabric": name, "person": person}
    events.record(policy.site, kind, message, at=now, subject=name, data=data)
    publish.changed(policy.site.name, ARP_NOUNS)
