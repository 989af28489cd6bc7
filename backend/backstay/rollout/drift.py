"""Drift: comparison of intended, running and saved routing and ARP whenever one of them changes.

Routing is not compared while a change is in progress on the node, while a path is pinned to a gateway of a
policy without checker, or while the routing engine does not respond (its state is unknown). A part that is
not compared keeps its last result while the other part is compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from backstay.core import rendering
from backstay.core.formatting import listing
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.routing import Address
from backstay.core.planning.arp.drift import KINDS, arp_drift
from backstay.core.planning.drift import CheckedNode, DriftItem, drift
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.rollout import wire_codec
from backstay.rollout.models import OPEN, Application, Drift, Intended, Move
from backstay.rollout.wire_codec import (
    decode_arp,
    decode_arp_files,
    decode_observed_arp,
    decode_observed_routing,
)
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import Facts
from backstay.telemetry.models import ArpState, RoutingState

MAX_NODES = 50
"""Max nodes per tick; the rest follow one second later."""
REPORT_DELAY = timedelta(seconds=5)
"""A node reports its running and saved state within this time after a confirmation."""
NOUNS = frozenset({"drift", "paths"})


def observe(facts: Facts) -> None:
    """Compare the nodes that reported their running state."""
    occurrences = {seen.node_id: seen.at for seen in facts.routings} | {s.node_id: s.at for s in facts.arps}
    judge(occurrences, max(occurrences.values(), default=None))


def judge(nodes: Collection[int], at: datetime | None) -> None:
    """Compare those of these nodes that have no change in progress."""
    still = set(nodes) - set(_changing().filter(node__in=nodes)) if nodes else set()
    if still and at is not None:
        with transaction.atomic():
            _judge(Intended.objects.filter(node__in=still), at)


def due(now: datetime) -> None:
    """Compare nodes whose intended, running or saved state is newer than their last comparison.

    Drift of nodes without intended state, or not managed any more, is deleted.
    """
    with transaction.atomic():
        Drift.objects.filter(Q(node__intended=None) | Q(node__routing={}, node__arp={})).delete()
        routing = Q(judged_at=None) | Q(judged_at__lt=F("at"))
        routing |= Q(judged_at__lt=F("node__routing_state__changed_at"))
        arp = Q(arp_judged_at=None) | Q(arp_judged_at__lt=F("at"))
        arp |= Q(arp_judged_at__lt=F("node__arp_state__changed_at"))
        newer = Intended.objects.filter((_routing() & routing) | (_arp() & arp))
        waiting = newer.exclude(node__in=_changing()).order_by("node_id")
        chosen = list(waiting.values_list("pk", flat=True)[:MAX_NODES])
        if chosen:
            _judge(Intended.objects.filter(pk__in=chosen), now)


def _judgeable(rows: QuerySet[Intended]) -> QuerySet[Intended]:
    """Those with a part that can be compared now."""
    return rows.filter(_routing() | _arp()).exclude(node__in=_changing())


def _routing() -> Q:
    judgeable = Q(routing__isnull=False, node__routing_state__alive=True)
    return judgeable & ~Q(node__routing={}) & ~Q(node__in=_moved())


def _arp() -> Q:
    return Q(arp__isnull=False, node__arp_state__isnull=False) & ~Q(node__arp={})


def _moved() -> QuerySet[Move, int]:
    """Ids of nodes with a path pinned by a move, for policies without checker."""
    kept = Move.objects.filter(state__in=OPEN).exclude(path__policy__detection="checker")
    return kept.values_list("path__node_id", flat=True)


def _changing() -> QuerySet[Application, int]:
    """Ids of nodes with a change in progress."""
    running = Application.objects.filter(change__state__in=["rolling", "confirming"])
    return running.exclude(state__in=["pending", "confirmed", "rolled_back", "refused"]).values_list(
        "node_id", flat=True
    )


def _judge(wanted: QuerySet[Intended], at: datetime) -> None:
    """Locks rows in node order to avoid deadlocks."""
    rows = list(
        _judgeable(wanted)
        .select_related("node__site", "node__routing_state", "node__arp_state")
        .order_by("node_id")
        .select_for_update(of=("self",), no_key=True)
    )
    present = {row.node_id: row for row in Drift.objects.filter(node__in=[row.node_id for row in rows])}
    for site in {row.node.site for row in rows}:
        _judge_site(site, [row for row in rows if row.node.site_id == site.pk], present, at)


def _judge_site(site: Site, rows: list[Intended], present: dict[int, Drift], at: datetime) -> None:
    topology = snapshot.load(site)
    names = {address: topology.nodes[port.node_id].name for address, port in topology.addresses}
    ids = {node.name: node.id for node in topology.nodes.values()}
    moved = set(_moved().filter(path__node__in=[row.node_id for row in rows]))
    occurrences: list[Occurrence] = []
    news = False
    for row in rows:
        before = present.get(row.node_id)
        parts = _Parts(row, before, moved)
        after = _compared(row, parts, names, ids, at)
        if differs(after) and parts.is_older_than(row.at) and row.at > at - REPORT_DELAY:
            continue  # Just confirmed and not reported since: a later tick compares it.
        news |= _store(before, after)
        occurrences += _occurrences(row, before, after, at)
        if parts.routing is not None:
            row.judged_at = max(row.at, parts.routing.changed_at)
        if parts.arp is not None:
            row.arp_judged_at = max(row.at, parts.arp.changed_at)
    Intended.objects.bulk_update(rows, ["judged_at", "arp_judged_at"])
    if occurrences:
        events.record_all(site, occurrences)
    if news:
        publish.changed(site.name, NOUNS)


class _Parts:
    """The parts of a node that can be compared, and the previous items of the other parts."""

    def __init__(self, row: Intended, before: Drift | None, moved: Collection[int]) -> None:
        node = row.node
        state = getattr(node, "routing_state", None)
        self.routing: RoutingState | None = None
        if row.routing is not None and node.routing and state is not None:
            self.routing = state if state.alive and node.pk not in moved else None
        self.arp: ArpState | None = None
        if row.arp is not None and node.arp:
            self.arp = getattr(node, "arp_state", None)
        kept = [] if before is None else [DriftItem(**item) for item in before.items]
        routing = [item for item in kept if item.kind not in KINDS and row.routing and node.routing]
        arp = [item for item in kept if item.kind in KINDS and row.arp and node.arp]
        self.kept = (*(routing if self.routing is None else ()), *(arp if self.arp is None else ()))

    def is_older_than(self, at: datetime) -> bool:
        """Whether the report of a compared part is older than `at`."""
        return any(state.at < at for state in (self.routing, self.arp) if state is not None)


def _compared(
    row: Intended, parts: _Parts, names: dict[Address, str], ids: dict[str, int], at: datetime
) -> Drift | None:
    """The node's drift as an unsaved row; None: no difference."""
    items = list(parts.kept)
    if parts.routing is not None and row.routing is not None:
        intended = wire_codec.decode_routing(row.node, row.routing, ids)
        host = CheckedNode(row.node.name, intended.engine.config, names)
        items += drift(host, intended, decode_observed_routing(parts.routing), rendering)
    if parts.arp is not None and row.arp is not None:
        wanted = decode_arp(row.node.name, row.node_id, decode_arp_files(row.node.arp), row.arp)
        items += arp_drift(wanted, decode_observed_arp(parts.arp))
    if not items:
        return None
    return Drift(
        node=row.node,
        since=at,
        running_differs=any(item.running_differs for item in items),
        saved_differs=any(item.saved_differs for item in items),
        reboot=any(item.reboot for item in items),
        items=[asdict(item) for item in items],
    )


def differs(row: Drift | None) -> bool:
    """Whether the drift is unintended: a checker on its fallback is intended."""
    return row is not None and (row.running_differs or row.saved_differs)


_COLUMNS = ("running_differs", "saved_differs", "reboot", "items")


def _store(before: Drift | None, after: Drift | None) -> bool:
    """Whether the visible state changed."""
    if after is None:
        if before is not None:
            before.delete()
        return before is not None
    if before is None:
        after.save()
        return True
    after.pk = before.pk
    if differs(before) == differs(after):
        after.since = before.since
    if all(getattr(before, name) == getattr(after, name) for name in _COLUMNS):
        return False
    after.save(force_update=True)
    return True


def _occurrences(
    row: Intended, before: Drift | None, after: Drift | None, at: datetime
) -> Iterable[Occurrence]:
    if differs(before) == differs(after):
        return
    node = row.node
    if after is not None and differs(after):
        kind, items = EventKind.DRIFT_APPEARED, unintended(after.items)
        message = f"{node.name}: " + " ".join(item["text"] for item in items)
        data: dict[str, Any] = {"items": items, "reboot": after.reboot}
    else:
        kind, data = EventKind.DRIFT_GONE, {}
        message = f"{node.name}: running and saved state match the intended state again"
    yield Occurrence(kind, message, at=at, subject=node.name, node_id=node.pk, data=data)


def unintended(items: Collection[dict[str, Any]]) -> list[dict[str, Any]]:
    """Items other than a checker on its fallback."""
    values = [(item, DriftItem(**item)) for item in items]
    return [item for item, value in values if value.running_differs or value.saved_differs]


def headline(row: Drift) -> str:
    """What differs: `0.0.0.0/0 and /etc/bird/bird.conf`."""
    return listing([item["what"] for item in unintended(row.items) or row.items])
