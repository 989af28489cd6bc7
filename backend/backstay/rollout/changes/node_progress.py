"""Reads of the nodes of a change: how many are in which state, pages of them, and what was restored.

A change may have 10,000 nodes. Its progress is counted from an index, and texts and evidence are read only
for the nodes that are shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, Func, JSONField, Min, Q, QuerySet, Subquery, When
from django.db.models.fields.json import KT

from backstay.core.model.change import ChangeProgress
from backstay.rollout.changes import execution
from backstay.rollout.models import Application, Change, PlannedNode, PlanRecord


def progress_of(changes: Iterable[Change]) -> dict[int, ChangeProgress]:
    """Progress of each change by its id, counted in one query, from an index."""
    counts: dict[int, dict[tuple[int, Any], int]] = {change.pk: {} for change in changes}
    guards: dict[int, dict[int, datetime]] = {ident: {} for ident in counts}
    rows = Application.objects.filter(change__in=counts).order_by().values("change", "wave", "state")
    counted = rows.annotate(number=Count("pk"), until=Min("guard_until"))
    for ident, wave, state, number, until in counted.values_list(
        "change", "wave", "state", "number", "until"
    ):
        counts[ident][wave, state] = number
        if state == "applied" and until is not None:
            guards[ident][wave] = until
    return {ident: ChangeProgress(found, guards[ident]) for ident, found in counts.items()}


@dataclass(frozen=True, slots=True)
class NodeFilter:
    """Which nodes of a change a list has."""

    wave: int | None = None
    state: str | None = None
    text: str | None = None


def change_nodes(change: Change, wanted: NodeFilter) -> tuple[QuerySet[Application], QuerySet[Application]]:
    """Nodes of a change that has started, without texts, see `change_node`; also without the counts of their
    evidence, which are for the rows of a page only."""
    rows = change.applications.filter(**_matching(wanted)).order_by()
    rows = rows if wanted.state is None else rows.filter(state=wanted.state)
    return _summarised(rows.select_related("node").defer(*execution.BULKY)), rows


def planned_nodes(change: Change, wanted: NodeFilter) -> QuerySet[PlannedNode]:
    """Nodes of the newest plan of a change that has not started: all are pending."""
    newest = PlanRecord.objects.filter(change=change).order_by("-pk").values("pk")[:1]
    rows = PlannedNode.objects.filter(plan=Subquery(newest), **_matching(wanted)).select_related("node")
    return rows if wanted.state in {None, "pending"} else rows.none()


def _matching(wanted: NodeFilter) -> dict[str, object]:
    given = {"wave": wanted.wave, "node__name__icontains": wanted.text or None}
    return {name: value for name, value in given.items() if value is not None}


def as_application(change: Change, row: PlannedNode) -> Application:
    """A planned node as it would be applied; not saved. Has what `_summarised` annotates."""
    found = Application(change=change, node=row.node, wave=row.wave)
    vars(found).update(engine=row.engine, checks=[], failed=[], as_before=False)
    return found


def first_nodes(change: Change, progress: ChangeProgress, most: int) -> list[Application]:
    """The first nodes of a change by wave and name, before it starts those of its plan."""
    order = ("wave", "node__name")
    if progress.total:
        whole, light = change_nodes(change, NodeFilter())
        chosen = light.order_by(*order)[:most].values_list("pk", flat=True)
        return list(whole.filter(pk__in=list(chosen)).order_by(*order))
    rows = planned_nodes(change, NodeFilter()).order_by(*order)[:most]
    return [as_application(change, row) for row in rows]


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of the nodes of a change that ended without success."""

    touched: int
    """Nodes that ran the new state, or may have."""
    verified: int
    """Of those, rolled back with every item verified as restored."""
    cause: tuple[int, str] | None
    """Id and name of a node whose reason is that of the change."""


_UNTOUCHED = ("pending", "preparing", "prepared", "refused")


def restored(change: Change) -> Restored:
    """Two queries over all nodes of the change."""
    again = Q(evidence__contains=[{"stage": "restored"}])
    failed = Q(evidence__contains=[{"stage": "restored", "ok": False}])
    as_before = ~again & ~Q(before="") & Q(before=F("after"))
    counted = change.applications.order_by().aggregate(
        touched=Count("pk", filter=~Q(state__in=_UNTOUCHED) | again),
        verified=Count("pk", filter=Q(state="rolled_back") & ((again & ~failed) | as_before)),
    )
    same = change.applications.exclude(reason="").filter(reason=change.outcome)
    return Restored(
        **counted, cause=same.order_by("wave", "node__name").values_list("node", "node__name").first()
    )


def change_node(change: Change, node: int) -> Application | None:
    """One node of a change that has started, with its evidence and its state before and after."""
    rows = change.applications.select_related("node").defer("assignment")
    return _summarised(rows).filter(node=node).first()


def _summarised(rows: QuerySet[Application]) -> QuerySet[Application]:
    """With the engine, counts of evidence and failed evidence, computed by PostgreSQL: a change of 150 nodes
    has megabytes of texts, and its page is read again with each step."""
    return rows.annotate(
        engine=KT("assignment__routing__engine__kind"),
        checks=_Checks("evidence"),
        failed=_Failed("evidence"),
        as_before=Case(When(~Q(before="") & Q(before=F("after")), then=True), default=False),
    )


class _Checks(Func):
    """[{stage, good, total}] of evidence."""

    template = (
        "(SELECT coalesce(jsonb_agg(jsonb_build_object('stage', stage, 'good', good, 'total', total)"
        " ORDER BY stage), '[]') FROM (SELECT coalesce(item->>'stage', '') AS stage, count(*) AS total,"
        " count(*) FILTER (WHERE (item->>'ok')::boolean) AS good"
        " FROM jsonb_array_elements(%(expressions)s) item GROUP BY 1) counted)"
    )
    output_field = JSONField()


class _Failed(Func):
    """The evidence that was not good."""

    template = "jsonb_path_query_array(%(expressions)s, '$[*] ? (@.ok == false)')"
    output_field = JSONField()
