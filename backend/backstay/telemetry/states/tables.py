"""A device's current routes, daemons and collectors, replaced by newer reports.

Reports of a backlog arrive newest first. A whole table older than the stored one is ignored, as is a route
change older than the newest whole table. A newer change leaves rows alone that are newer still; the next
whole table corrects what changes out of order may leave behind.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import DaemonState, NodeState, Route
from backstay_wire import CollectorOutcome, CollectorReport, DaemonReport, RouteReport
from backstay_wire import Route as WireRoute

BATCH = 1000
HopKey = tuple[str, str, int, str | None, str]
"""Prefix, protocol, metric, via, port: identifies a next hop of a node."""
_SEVERITY = [
    CollectorOutcome.OK,
    CollectorOutcome.NO_DATA,
    CollectorOutcome.TIMEOUT,
    CollectorOutcome.FAILED,
]
"""In rising severity."""
_OUTCOMES = """
UPDATE telemetry_nodestate AS state SET collectors = reported.collectors::jsonb,
    collector_outcome = reported.outcome, collector_detail = reported.detail
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[]) AS reported (id, collectors, outcome, detail)
WHERE state.id = reported.id RETURNING state.id
"""


def apply_routes(node: int, report: RouteReport, at: datetime) -> None:
    """Store a whole routing table, or one change."""
    state = NodeState.objects.select_for_update().get(node_id=node)
    if state.routes_at is not None and at < state.routes_at:
        return
    if report.complete:
        NodeState.objects.filter(pk=state.pk).update(routes_at=at)
        _replace_routes(node, Q(), report.routes, at)
        return
    if report.removed:
        _replace_routes(node, _of(report.removed) & Q(since__lte=at), [], at)
    if report.routes:
        newer = set(Route.objects.filter(_of(report.routes), node=node, since__gt=at).values_list("prefix"))
        fresh = [route for route in report.routes if (str(route.prefix),) not in newer]
        _replace_routes(node, _of(fresh), fresh, at)


def _of(routes: list[WireRoute]) -> Q:
    """Rows of the same prefix and metric, which the kernel replaces (rtnetlink(7), RTM_NEWROUTE)."""
    query = Q(pk__in=[])
    for route in routes:
        query |= Q(prefix=str(route.prefix), metric=route.metric)
    return query


def _replace_routes(node: int, which: Q, routes: list[WireRoute], at: datetime) -> None:
    """Replace the selected rows of a node; unchanged rows keep their `since`."""
    wanted: set[HopKey] = {key for route in routes for key in _hops(route)}
    gone: list[int] = []
    for row in Route.objects.filter(which, node=node):
        key = (row.prefix, row.protocol, row.metric, row.via, row.port)
        if key in wanted:
            wanted.discard(key)
        else:
            gone.append(row.pk)
    Route.objects.filter(pk__in=gone).delete()
    new = [
        Route(node_id=node, prefix=prefix, protocol=protocol, metric=metric, via=via, port=port, since=at)
        for prefix, protocol, metric, via, port in sorted(wanted, key=str)
    ]
    Route.objects.bulk_create(new, batch_size=BATCH)


def _hops(route: WireRoute) -> list[HopKey]:
    head = (str(route.prefix), route.protocol, route.metric)
    return [(*head, plain(hop.via) if hop.via else None, hop.port) for hop in route.next_hops] or [
        (*head, None, "")
    ]


def apply_daemon(node: int, report: DaemonReport, at: datetime) -> None:
    """Store a routing daemon's own view."""
    values = {
        "version": report.version,
        "running": report.running,
        "protocols": [protocol.model_dump(mode="json") for protocol in report.protocols],
        "bfd": [session.model_dump(mode="json") for session in report.bfd],
        "at": at,
    }
    row, created = DaemonState.objects.get_or_create(node_id=node, daemon=report.daemon, defaults=values)
    if not created:
        DaemonState.objects.filter(pk=row.pk, at__lt=at).update(**values)


def apply_collectors(
    reports: Sequence[tuple[int, CollectorReport]], correction: Correction, _: Facts
) -> None:
    """Store the outcomes of collectors' runs, oldest first, unless newer ones are stored.

    `reports`: (node id, report). An agent that polls many devices reports them together once a minute, so
    their rows are read and written together. Nodes removed meanwhile are skipped.
    """
    nodes = {node for node, _ in reports}
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes)
    states = {
        row.node_id: row for row in rows.order_by("node_id")
    }  # One order for all writers: no deadlocks.
    changed: dict[int, NodeState] = {}
    for node, report in reports:
        state = states.get(node)
        if state is not None and _take_outcome(state, report, moment(correction.ours(report.at)).isoformat()):
            changed[node] = state
    _write_outcomes(list(changed.values()))


def _take_outcome(state: NodeState, report: CollectorReport, at: str) -> bool:
    """Update the outcome; whether it changed."""
    before = state.collectors.get(report.collector)
    if before is not None and before["at"] >= at:
        return False
    state.collectors[report.collector] = {
        "outcome": report.outcome.value,
        "detail": report.detail,
        "duration_ms": report.duration_ms,
        "at": at,
    }
    return True


def _write_outcomes(states: Sequence[NodeState]) -> None:
    if not states:
        return
    worst = [_worst(state) for state in states]
    store.query(
        _OUTCOMES,
        [
            [state.pk for state in states],
            [json.dumps(state.collectors) for state in states],
            [item["outcome"] for item in worst],
            [item["detail"] for item in worst],
        ],
    )


def _worst(state: NodeState) -> dict[str, Any]:
    collectors: list[dict[str, Any]] = list(state.collectors.values())
    return max(collectors, key=lambda collector: _SEVERITY.index(collector["outcome"]))


def plain(address: object) -> str:
    """An address for PostgreSQL's inet, without a zone (fe80::1%eth0); the port identifies the interface."""
    return str(address).partition("%")[0]
