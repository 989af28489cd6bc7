"""Drift: intended, running and saved routing compared, whenever one of the three differs from before.

While a change is under way on a node, or a person keeps it on a gateway of a policy that no checker leads,
its routing is nobody's drift: the node is judged when that is over. Nor is a node judged whose engine does
not answer: nobody knows what it runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from backstay.core import rendering
from backstay.core.model.routing import Address
from backstay.core.planning.drift import DriftItem, Host, drift
from backstay.core.words import listing
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.rollout import translate
from backstay.rollout.models import OPEN, Application, Drift, Intended, Move
from backstay.rollout.plans_words import observed_value
from backstay.telemetry import events
from backstay.telemetry.events import Occurrence
from backstay.telemetry.facts import Facts

MOST = 50
"""Nodes that one round judges: the others have their turn a second later."""
TELLS_WITHIN = timedelta(seconds=5)
"""So soon after a confirmation a node has told what it runs and has saved now."""
NOUNS = frozenset({"drift", "paths"})


def observe(facts: Facts) -> None:
    """Judge the nodes that told what they run, or that ended a change."""
    nodes = {seen.node_id for seen in facts.routings} | {seen.node_id for seen in facts.changes}
    if nodes:
        at = max([seen.at for seen in facts.routings] + [seen.at for seen in facts.changes])
        _judge(Intended.objects.filter(node__in=nodes), at)


def due(now: datetime) -> None:
    """Judge the nodes whose intended, running or saved routing is newer than their last judgement.

    What a node was once said to differ in is forgotten when nothing is intended there, or it is not managed.
    """
    with transaction.atomic():
        Drift.objects.filter(Q(node__intended=None) | Q(node__routing={})).delete()
        newer = Q(judged_at=None) | Q(judged_at__lt=F("at"))
        newer |= Q(judged_at__lt=F("node__routing_state__changed_at"))
        waiting = _judgeable(Intended.objects.filter(newer)).order_by("node_id")
        chosen = list(waiting.values_list("pk", flat=True)[:MOST])
        if chosen:
            _judge(Intended.objects.filter(pk__in=chosen), now)


def _judgeable(rows: QuerySet[Intended]) -> QuerySet[Intended]:
    moved = Move.objects.filter(state__in=OPEN).exclude(path__policy__detection="checker")
    return (
        rows.filter(node__routing_state__alive=True)
        .exclude(node__routing={})
        .exclude(node__in=_changing())
        .exclude(node__in=moved.values_list("path__node_id", flat=True))
    )


def _changing() -> QuerySet[Application, int]:
    """Ids of the nodes on which a change is under way."""
    running = Application.objects.filter(change__state__in=["rolling", "confirming"])
    return running.exclude(state__in=["pending", "confirmed", "rolled_back", "refused"]).values_list(
        "node_id", flat=True
    )


def _judge(wanted: QuerySet[Intended], at: datetime) -> None:
    """Locked in one order for all judges."""
    rows = list(
        _judgeable(wanted)
        .select_related("node__site", "node__routing_state")
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
    told: list[Occurrence] = []
    news = False
    for row in rows:
        before = present.get(row.node_id)
        after = _compared(row, names, ids, at)
        if differs(after) and row.node.routing_state.at < row.at > at - TELLS_WITHIN:
            continue  # Confirmed just now, and the node has not told since: a later turn judges it.
        news |= _store(before, after)
        told += _told(row, before, after, at)
        row.judged_at = max(row.at, row.node.routing_state.changed_at)
    Intended.objects.bulk_update(rows, ["judged_at"])
    if told:
        events.record_all(site, told)
    if news:
        publish.changed(site.name, NOUNS)


def _compared(row: Intended, names: dict[Address, str], ids: dict[str, int], at: datetime) -> Drift | None:
    """The node's drift as a row that is not stored yet; None: all three are one."""
    intended = translate.node_routing(row.node, row.routing, ids)
    host = Host(row.node.name, intended.engine.config, names)
    items = drift(host, intended, observed_value(row.node.routing_state), rendering)
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
    """Whether anything is there that nobody intended: a checker on its fallback is no such thing."""
    return row is not None and (row.running_differs or row.saved_differs)


_COLUMNS = ("running_differs", "saved_differs", "reboot", "items")


def _store(before: Drift | None, after: Drift | None) -> bool:
    """Whether what people see changed."""
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


def _told(row: Intended, before: Drift | None, after: Drift | None, at: datetime) -> Iterable[Occurrence]:
    if differs(before) == differs(after):
        return
    node = row.node
    if after is not None and differs(after):
        kind, severity, items = "drift.appeared", "warning", unintended(after.items)
        message = f"{node.name}: " + " ".join(item["text"] for item in items)
        data: dict[str, Any] = {"items": items, "reboot": after.reboot}
    else:
        kind, severity, data = "drift.gone", "ok", {}
        message = f"{node.name} runs and has saved what is intended again"
    yield Occurrence(kind, message, at=at, subject=node.name, severity=severity, node_id=node.pk, data=data)


def unintended(items: Collection[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those items that are more than a checker on its fallback."""
    values = [(item, DriftItem(**item)) for item in items]
    return [item for item, value in values if value.running_differs or value.saved_differs]


def headline(row: Drift) -> str:
    """`0.0.0.0/0 and /etc/bird/bird.conf`: in what a node differs."""
    return listing([item["what"] for item in unintended(row.items) or row.items])
