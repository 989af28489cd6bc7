"""Removal of deployed policies: their nodes, the change that removes the routes, and the row's deletion."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from backstay.core.formatting import listing
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Node
from backstay.live import publish
from backstay.policy import services
from backstay.policy.models import FailoverPolicy, Origin, Path
from backstay.rollout import selectors
from backstay.rollout.models import Change
from backstay.telemetry import events

NOUNS = frozenset({"failover-policies", "paths", "topology"})


def deployed_on(policy: FailoverPolicy) -> list[str]:
    """Names of the nodes with confirmed routes of the policy."""
    known = selectors.confirmed(policy.site, policies=[policy.name])
    return sorted(Node.objects.filter(pk__in={node for node, _, _ in known}).values_list("name", flat=True))


def removals(policies: Collection[int]) -> dict[int, int]:
    """Policy id -> the newest open change that removes it from its nodes; two queries."""
    with_nodes = set(Path.objects.filter(policy__in=policies).values_list("policy", flat=True))
    rows = Change.objects.filter(
        policies__in=policies, kind__in=["retire", "policies"], state__in=selectors.OPEN_CHANGES
    )
    return {
        policy: change
        for policy, change, kind in rows.order_by("pk").values_list("policies", "pk", "kind")
        if policy in set(policies) and (kind == "retire" or policy not in with_nodes)
    }


def remove_policies(change: Change, now: datetime) -> list[str]:
    """Delete the policies of a finished removal, unless nodes or the site file have them; history lines."""
    lines = []
    for policy in change.policies.select_related("site"):
        left = deployed_on(policy)
        if left:
            lines.append(f"{policy.name} is kept: {listing(left)} still has it.")
            continue
        if policy.origin == Origin.FILE:
            lines.append(f"No node has {policy.name} any more. The site file defines it: remove it there.")
            continue
        services.delete(policy)
        message = (
            f"The failover policy {policy.name} was deleted: change #{change.pk} removed it from all nodes"
        )
        data = {"policy": policy.name, "change_id": change.pk}
        events.record(change.site, EventKind.POLICY_DELETED, message, at=now, subject=policy.name, data=data)
        publish.changed(change.site.name, NOUNS)
        lines.append(f"{policy.name} was deleted.")
    return lines
