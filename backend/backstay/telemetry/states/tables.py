"""A device's routing daemons and collectors, replaced by newer reports: a backlog arrives newest first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.admission import AcceptedReport
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import DaemonState, NodeState
from backstay.telemetry.states.metrics import MAX_COLLECTORS
from backstay_wire import CollectorOutcome, CollectorReport, DaemonReport, TableReading

SNMP_POLL = "snmp"
"""The collector that each agent runs once for each SNMP device."""
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


def apply_daemons(reports: Sequence[tuple[int, DaemonReport]], correction: Correction, _: Facts) -> None:
    """Store routing daemons' own views, oldest first, unless newer ones are stored."""
    rows = DaemonState.objects.select_for_update().filter(node_id__in={node for node, _ in reports})
    known = {(row.node_id, row.daemon): row for row in rows.order_by("node_id", "daemon")}
    changed: dict[tuple[int, str], DaemonState] = {}
    for node, report in reports:
        at, key = moment(correction.ours(report.at)), (node, report.daemon)
        row = known.get(key)
        if row is not None and at <= row.at:
            continue
        row = known[key] = changed[key] = row or DaemonState(node_id=node, daemon=report.daemon)
        row.version, row.running, row.at = report.version, report.running, at
        row.protocols = [protocol.model_dump(mode="json") for protocol in report.protocols]
        row.bfd = [session.model_dump(mode="json") for session in report.bfd]
    DaemonState.objects.bulk_create(
        [changed[key] for key in sorted(changed)],
        update_conflicts=True,
        unique_fields=["node", "daemon"],
        update_fields=["version", "running", "protocols", "bfd", "at"],
    )


def apply_collectors(accepted: Sequence[AcceptedReport], correction: Correction, _: Facts) -> None:
    """Store the outcomes of collectors' runs, oldest first, unless newer ones are stored.

    `accepted`: collectors' reports. An agent that polls many devices reports them together once a minute, so
    their rows are read and written together. Nodes removed meanwhile are skipped.
    """
    nodes = {item.node for item in accepted}
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes)
    states = {
        row.node_id: row for row in rows.order_by("node_id")
    }  # One order for all writers: no deadlocks.
    changed: dict[int, NodeState] = {}
    for item in accepted:
        state = states.get(item.node)
        at = moment(correction.ours(item.report.at)).isoformat()
        if state is not None and _take_outcome(state, item, at):
            changed[item.node] = state
    _write_outcomes(list(changed.values()))


def _take_outcome(state: NodeState, item: AcceptedReport, at: str) -> bool:
    """Update the outcome; whether anything changed.

    `since`: start of the runs with this outcome; `answered_at`: last run with outcome ok; `agent`: its id;
    `tables`: the wire's TableReading of each SNMP table, kept until the agent sends others.
    """
    report = item.report
    assert isinstance(report, CollectorReport)
    before: dict[str, Any] = state.collectors.get(report.collector, {})
    answered = before.get("answered_at")
    if report.outcome is CollectorOutcome.OK and (answered is None or answered < at):
        answered = at
    if before and before["at"] >= at:  # From a backlog: it may still be the newest answer.
        is_news = answered != before.get("answered_at")
        before["answered_at"] = answered
        return is_news
    if not before:
        _make_room(state)
    lasts = before.get("outcome") == report.outcome.value
    state.collectors[report.collector] = {
        "outcome": report.outcome.value,
        "detail": report.detail,
        "duration_ms": report.duration_ms,
        "at": at,
        "since": before.get("since") if lasts else at,
        "answered_at": answered,
        "agent": str(item.agent),
        "tables": before.get("tables", []) if report.tables is None else _tables(report.tables),
    }
    return True


def _make_room(state: NodeState) -> None:
    """Drop the collectors reported longest ago: an agent that invents names must not grow the row."""
    runs: dict[str, dict[str, Any]] = state.collectors
    excess = max(len(runs) + 1 - MAX_COLLECTORS, 0)
    for name in sorted(runs, key=lambda name: str(runs[name]["at"]))[:excess]:
        del runs[name]


def _tables(tables: Sequence[TableReading]) -> list[dict[str, Any]]:
    return [table.model_dump(mode="json") for table in tables]


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
