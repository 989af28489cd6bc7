"""Writes of failover and ARP policies. No node changes until a change deploys them.

Paths are deleted under the lock of the site's alerts: no round links an incident to a deleted one.

An import changes only policies of the site file, operators change only the others. `observation.observe`
(exported here) writes the observed paths.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F

from backstay.core.errors import Conflict, Invalid, Refused
from backstay.core.model.topology import Topology
from backstay.core.planning.groups import select
from backstay.inventory import snapshot
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.models import Fabric, Site
from backstay.inventory.services import raise_generations
from backstay.inventory.site_file.parser import PolicyIntent
from backstay.policy import path_routes
from backstay.policy.arp_policy_spec import ArpPolicySpec
from backstay.policy.arp_policy_spec import validate as validate_arp
from backstay.policy.intents import group
from backstay.policy.models import ArpPolicy, FailoverPolicy, Origin, Path, PolicyGateway
from backstay.policy.observation import observe
from backstay.policy.policy_spec import PolicySpec, validate

__all__ = ["apply_policies", "create", "delete", "observe", "update"]

MOST_POLICIES = 1000
"""Per site; also the limit of the site file."""
REMOVE_THERE = "remove it there and import the file"
"""Next step of a person who wants to delete a policy of the site file."""


@transaction.atomic
def apply_policies(site: Site, intents: Iterable[PolicyIntent]) -> int:
    """Replace the site file's policies; the number created, changed or removed. Idempotent.

    Remaining paths keep their observations. Operators' policies stay; their members are selected again.
    Raises `Refused` when an intent names an unknown node or has the name of an operator's policy.
    """
    wanted = {intent.name: intent for intent in intents}
    nodes = dict(site.nodes.values_list("name", "id"))
    kept = site.failover_policies.filter(origin=Origin.OPERATOR)
    taken = sorted(kept.filter(name__in=wanted).values_list("name", flat=True))
    if taken:
        raise Refused(f"Operators own {', '.join(taken)}: rename the file's policy or delete theirs.")
    removed = site.failover_policies.filter(origin=Origin.FILE).exclude(name__in=wanted)
    touched = removed.count()
    if touched:
        lock_until_commit(LockClass.ALERTS, site)
        removed.delete()
    touched += sum(_apply(site, intent, nodes) for intent in wanted.values())
    regrouped = _regroup(site, list(kept))
    if touched or regrouped:
        _raise_version(site)
    return touched


def _regroup(site: Site, policies: list[FailoverPolicy]) -> bool:
    """Select the members of operators' policies again; whether any changed."""
    if not policies:
        return False
    topology = snapshot.read(site)
    changed = [_set_nodes(policy, set(select(topology, group(policy.group)))) for policy in policies]
    return any(changed)


def _raise_version(site: Site) -> None:
    Site.objects.filter(pk=site.pk).update(version=F("version") + 1)
    site.refresh_from_db(fields=["version"])
    path_routes.refresh(site)


@transaction.atomic
def create(site: Site, spec: PolicySpec) -> FailoverPolicy:
    """Create an operator's policy. Invalid names errors by field."""
    topology = _locked(site)
    _check(site, topology, spec, None)
    if site.failover_policies.count() >= MOST_POLICIES:
        raise Refused(f"{site.name} already has {MOST_POLICIES} failover policies: delete one first.")
    policy = FailoverPolicy.objects.create(
        site=site, name=spec.name, origin=Origin.OPERATOR, **spec.columns()
    )
    _apply_spec(site, topology, policy, spec)
    return policy


@transaction.atomic
def update(policy: FailoverPolicy, spec: PolicySpec) -> None:
    """Update an operator's policy. Refused for one of the site file; Invalid as `create`."""
    topology = _locked(policy.site)
    refuse_file(policy, f"change it there and import it, or copy {policy.name} under another name")
    _check(policy.site, topology, spec, policy)
    for name, value in {"name": spec.name, **spec.columns()}.items():
        setattr(policy, name, value)
    policy.save()
    _apply_spec(policy.site, topology, policy, spec)


@transaction.atomic
def delete(policy: FailoverPolicy) -> None:
    """Delete an operator's policy and its observations. Refused for one of the site file."""
    site = policy.site
    _locked(site)
    refuse_file(policy, REMOVE_THERE)
    raise_generations(policy.paths.values_list("node_id", flat=True))
    lock_until_commit(LockClass.ALERTS, site)
    policy.delete()
    _raise_version(site)


def _locked(site: Site) -> Topology:
    """The current site, locked against other policy writers for the transaction."""
    fresh = Site.objects.select_for_update(no_key=True).get(pk=site.pk)
    return snapshot.load(fresh)


def refuse_file(policy: FailoverPolicy, instead: str) -> None:
    """Refused for a policy of the site file; `instead`: the next step."""
    if policy.origin == Origin.FILE:
        raise Refused(file_owns(policy.name, instead))


def file_owns(policy: str, instead: str) -> str:
    """Why operators cannot write this policy; `instead`: the next step."""
    return f"The site file owns {policy}: {instead}."


def _check(site: Site, topology: Topology, spec: PolicySpec, own: FailoverPolicy | None) -> None:
    others = site.failover_policies.values_list("pk", "name")
    names = frozenset(name for pk, name in others if own is None or pk != own.pk)
    wrong = validate(spec, topology, names, new=own is None)
    if wrong:
        raise Invalid("Invalid policy: " + " ".join(wrong.values()), fields=wrong)


def _apply_spec(site: Site, topology: Topology, policy: FailoverPolicy, spec: PolicySpec) -> None:
    ids = {node.name: node.id for node in topology.nodes.values()}
    before = set(policy.paths.values_list("node_id", flat=True))
    wanted = set(select(topology, spec.group()))
    gateways = [ids[name] for name in spec.all_gateways()]
    _set_gateways(policy, gateways)
    _set_nodes(policy, wanted)
    if spec.stripe is None:
        policy.paths.update(order=None)
    _raise_version(site)
    raise_generations(before | wanted)


def _apply(site: Site, intent: PolicyIntent, nodes: dict[str, int]) -> bool:
    routers = (intent.return_path or {}).get("routers", ())
    missing = sorted({*intent.nodes, *intent.gateways, *routers} - nodes.keys())
    if missing:
        raise Refused(f"Policy {intent.name} names {', '.join(missing)}, which {site.name} does not have.")
    fields = {
        "prefix": intent.prefix,
        "detection": intent.detection,
        "target": intent.target,
        "probe_interval_ms": intent.probe_interval_ms,
        "note": intent.note,
        "stripe": intent.stripe,
        "return_path": intent.return_path,
        "is_deployed": intent.is_deployed,
    }
    policy, changed = FailoverPolicy.objects.get_or_create(site=site, name=intent.name, defaults=fields)
    if any(getattr(policy, name) != value for name, value in fields.items()):
        FailoverPolicy.objects.filter(pk=policy.pk).update(**fields)
        changed = True
    changed |= _set_gateways(policy, [nodes[name] for name in intent.gateways])
    changed |= _set_nodes(policy, {nodes[name] for name in intent.nodes})
    return changed


def _set_gateways(policy: FailoverPolicy, wanted: list[int]) -> bool:
    if list(policy.gateways.values_list("node_id", flat=True)) == wanted:
        return False
    policy.gateways.all().delete()
    PolicyGateway.objects.bulk_create(
        PolicyGateway(policy=policy, node_id=node, order=order) for order, node in enumerate(wanted)
    )
    return True


def _set_nodes(policy: FailoverPolicy, wanted: set[int]) -> bool:
    present = set(policy.paths.values_list("node_id", flat=True))
    if present - wanted:
        lock_until_commit(LockClass.ALERTS, policy.site)
        policy.paths.exclude(node_id__in=wanted).delete()
    Path.objects.bulk_create(Path(policy=policy, node_id=node) for node in sorted(wanted - present))
    return present != wanted


@transaction.atomic
def create_arp_policy(site: Site, fabric: str, spec: ArpPolicySpec) -> ArpPolicy:
    """Create the fabric's policy. Invalid names errors by field; Conflict: the fabric has one."""
    row = Fabric.objects.select_for_update(no_key=True).filter(site=site, name=fabric).first()
    if row is None:
        raise Invalid(
            f"{site.name} has no fabric {fabric}.", fields={"fabric": "the name of a fabric of the site"}
        )
    if ArpPolicy.objects.filter(fabric=row).exists():
        raise Conflict(f"{fabric} already has an ARP policy: edit that one.")
    _validate_arp_policy(spec)
    return ArpPolicy.objects.create(site=site, fabric=row, **spec.columns())


@transaction.atomic
def update_arp_policy(policy: ArpPolicy, spec: ArpPolicySpec) -> None:
    """Invalid as `create_arp_policy`."""
    _validate_arp_policy(spec)
    for name, value in spec.columns().items():
        setattr(policy, name, value)
    policy.save()


def _validate_arp_policy(spec: ArpPolicySpec) -> None:
    wrong = validate_arp(spec)
    if wrong:
        raise Invalid("Invalid policy: " + " ".join(wrong.values()), fields=wrong)
