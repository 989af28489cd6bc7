"""Releases and reverts on nodes: stored as reported, blocking changes until an operator clears them.

An administrator releases policies on the node itself (`backstay-agent release`). The agent enforces it
without us; the rows here state it on pages, keep changes away, and carry the clearance to the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from backstay.core.errors import Conflict
from backstay.core.formatting import clock_time, listing
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Node, Site
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.rollout.models import NodeManagement
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import Facts, ManagementSeen

NOUNS = frozenset({"nodes", "paths"})
_FIELDS = ("state", "release", "scope", "policies", "since", "by", "reason", "left", "change", "at")


def observe(facts: Facts) -> None:
    """Store reports, the newest of each node; an event for each change."""
    rows = NodeManagement.objects.select_for_update().filter(
        node__in={seen.node_id for seen in facts.management}
    )
    known = {row.node_id: row for row in rows.order_by("node_id")}
    changed: list[NodeManagement] = []
    for seen in sorted(facts.management, key=lambda item: item.at):
        row = known.get(seen.node_id)
        if row is None:
            row = known[seen.node_id] = NodeManagement(node_id=seen.node_id)
        elif seen.at <= row.at:
            continue
        if _follow(row, seen):
            changed.append(row)
    if changed:
        _record(facts.site_id, changed)


def _follow(row: NodeManagement, seen: ManagementSeen) -> bool:
    """Apply one report; whether the state is another one."""
    before = (row.state, row.release)
    for name in _FIELDS:
        setattr(row, name, getattr(seen, name))
    row.save()
    return (row.state, row.release) != before


def _record(site_id: int, rows: list[NodeManagement]) -> None:
    site = Site.objects.get(pk=site_id)
    names = dict(Node.objects.filter(pk__in=[row.node_id for row in rows]).values_list("pk", "name"))
    events.record_all(site, [_occurrence(row, names[row.node_id]) for row in rows])
    publish.changed(site.name, NOUNS)


def _occurrence(row: NodeManagement, name: str) -> Occurrence:
    return Occurrence(
        EventKind(f"node.{row.state}"),
        sentence(name, row),
        at=row.since,
        subject=name,
        node_id=row.node_id,
        data={"scope": row.scope, "policies": row.policies, "by": row.by, "change_id": row.change},
    )


def sentence(name: str, row: NodeManagement) -> str:
    """The state of a node, and what is left to do there."""
    left = f" Left to do: {row.left}." if row.left else ""
    return f"{name} {describe(row)}.{left}"


def describe(row: NodeManagement) -> str:
    """One clause after the node's name."""
    if row.state == "managed":
        return f"accepts changes again, cleared by {row.cleared_by if row.by == 'the backend' else row.by}"
    if row.state == "reverted":
        return f"reverted change #{row.change} at {clock_time(row.since)}: {row.reason}"
    what = {"policies": listing(row.policies), "routing": "all policies", "everything": "routes and ARP"}
    return f"was released on the node at {clock_time(row.since)} by {row.by}: {what[row.scope]}"


def is_pending(row: NodeManagement) -> bool:
    """Whether it was cleared here and the agent has not reported it yet."""
    return row.state != "managed" and row.cleared_release == row.release


def reported(nodes: Iterable[int]) -> dict[int, NodeManagement]:
    """Node id -> a release or revert that its agent still reports."""
    rows = NodeManagement.objects.filter(node__in=list(nodes)).exclude(state="managed")
    return {row.node_id: row for row in rows}


def in_force(site: Site) -> dict[int, NodeManagement]:
    """Node id -> a release or revert that is not cleared."""
    rows = NodeManagement.objects.filter(node__site=site).exclude(state="managed").select_related("node")
    return {row.node_id: row for row in rows if not is_pending(row)}


def refusal(nodes: Iterable[int]) -> str:
    """Why nodes take no change: released there; empty: none is."""
    rows = NodeManagement.objects.filter(node__in=list(nodes), state="released").select_related("node")
    released = sorted((row for row in rows if not is_pending(row)), key=lambda row: row.node.name)
    return "" if not released else blocked_text([row.node.name for row in released], released[0])


def blocked_text(names: list[str], row: NodeManagement) -> str:
    """Why these nodes take no change, and what to do."""
    verb = "was" if len(names) == 1 else "were"
    return (
        f"{listing(names)} {verb} released on the node at {clock_time(row.since)} by {row.by}:"
        " manage it again first"
        f" (`backstay manage-again {names[0]}`)."
    )


def cleared(node: Node) -> str:
    """Id of the release that an operator has cleared; empty: none."""
    found = NodeManagement.objects.filter(node=node).values_list("cleared_release", flat=True).first()
    return found or ""


@transaction.atomic
def manage_again(node: Node, person: str, now: datetime) -> NodeManagement:
    """Clear a release or revert. Nothing is installed; the next change does. Conflict without one."""
    row = NodeManagement.objects.select_for_update().filter(node=node).first()
    if row is None or row.state == "managed":
        raise Conflict(f"Nothing of {node.name} is released or reverted.")
    if is_pending(row):
        raise Conflict(f"{row.cleared_by} has cleared it already: the node has not reported it yet.")
    row.cleared_release, row.cleared_by, row.cleared_at = row.release, person, now
    row.save(update_fields=["cleared_release", "cleared_by", "cleared_at"])
    events.record(
        node.site,
        EventKind.NODE_MANAGEMENT_CLEARED,
        f"{node.name}: {person} lets Backstay manage it again",
        at=now,
        subject=node.name,
        node_id=node.pk,
        data={"person": person},
    )
    raise_generations([node.pk])
    publish.changed(node.site.name, NOUNS)
    return row
