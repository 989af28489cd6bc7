"""Writes of what is wanted: failover policies as the site file intends them.

What nodes really do with them is written by `observation.observe`, offered here too.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F

from backstay.core.errors import Refused
from backstay.inventory.models import Site
from backstay.inventory.site_file import PolicyIntent
from backstay.policy.models import FailoverPolicy, Path, PolicyGateway
from backstay.policy.observation import observe

__all__ = ["apply_policies", "observe"]


@transaction.atomic
def apply_policies(site: Site, intents: Iterable[PolicyIntent]) -> int:
    """Make the site's policies exactly these; returns how many were created, changed or removed.

    Applying the same intents again changes nothing. A path that stays keeps what was observed of it.
    Raises `Refused` when an intent names a node that the site does not have.
    """
    wanted = {intent.name: intent for intent in intents}
    nodes = dict(site.nodes.values_list("name", "id"))
    removed = site.failover_policies.exclude(name__in=wanted)
    touched = removed.count()
    removed.delete()
    touched += sum(_apply(site, intent, nodes) for intent in wanted.values())
    if touched:
        Site.objects.filter(pk=site.pk).update(version=F("version") + 1)
        site.refresh_from_db(fields=["version"])
    return touched


def _apply(site: Site, intent: PolicyIntent, nodes: dict[str, int]) -> bool:
    missing = sorted({*intent.nodes, *intent.gateways} - nodes.keys())
    if missing:
        raise Refused(f"Policy {intent.name} names {', '.join(missing)}, which {site.name} does not have.")
    fields = {
        "prefix": intent.prefix,
        "detection": intent.detection,
        "target": intent.target,
        "probe_interval_ms": intent.probe_interval_ms,
        "note": intent.note,
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
    policy.paths.exclude(node_id__in=wanted).delete()
    Path.objects.bulk_create(Path(policy=policy, node_id=node) for node in sorted(wanted - present))
    return present != wanted
