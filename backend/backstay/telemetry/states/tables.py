"""A device's routing daemons and collectors, replaced by newer reports: a backlog arrives newest first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.admission import AcceptedReport
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import DaemonState, NodeState
from backstay.telemetry.states import report_digests
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
_REPEATED = f"""
UPDATE telemetry_nodestate AS state SET collectors_at = {store.MOMENT.format("reported.newest_us")},
    collectors_runs = reported.runs::float8[]
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::uuid[], %s::text[])
    AS reported (node_id, oldest_us, newest_us, digest, runs)
WHERE state.node_id = reported.node_id AND state.collectors_digest = reported.digest
  AND state.collectors_at < {store.MOMENT.format("reported.oldest_us")}
RETURNING state.node_id
"""  # noqa: S608 - only constants are put in
_OUTCOMES = """
UPDATE telemetry_nodestate AS state SET collectors = reported.collectors::jsonb,
    collector_outcome = reported.outcome, collector_detail = reported.detail,
    collectors_digest = reported.digest::uuid, collectors_at = reported.at, collectors_runs = NULL
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::timestamptz[])
    AS reported (id, collectors, outcome, detail, digest, at)
WHERE state.id = reported.id RETURNING state.id
"""
Runs = dict[str, dict[str, Any]]
"""Collector -> its last run, as `_take_outcome` stores it."""


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
    repeated = _take_repeated(accepted, correction)
    reported = [item for item in accepted if item.node not in repeated]
    if not reported:
        return
    nodes = {item.node for item in reported}
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes)
    states = {
        row.node_id: row for row in rows.order_by("node_id")
    }  # One order for all writers: no deadlocks.
    for row in states.values():
        row.collectors = runs_of(row)
    changed: dict[int, NodeState] = {}
    for item in reported:
        state = states.get(item.node)
        at = moment(correction.ours(item.report.at)).isoformat()
        if state is not None and _take_outcome(state, item, at):
            changed[item.node] = state
    _write_outcomes(list(changed.values()))


def _take_repeated(accepted: Sequence[AcceptedReport], correction: Correction) -> set[int]:
    """Nodes whose collectors all ran again with the stored outcomes; times and durations are stored."""
    by_node: dict[int, Runs] = {}
    compared: set[int] = set()
    for item in accepted:
        report, runs = item.report, by_node.setdefault(item.node, {})
        assert isinstance(report, CollectorReport)
        if report.tables is not None or report.collector in runs:
            compared.add(item.node)
        runs[report.collector] = {
            "outcome": report.outcome.value,
            "detail": report.detail,
            "agent": str(item.agent),
            "duration_ms": report.duration_ms,
            "at_us": correction.ours(report.at) // 1000,
        }
    nodes = sorted(by_node.keys() - compared)  # One order for all writers: no deadlocks.
    if not nodes:
        return set()
    times = [[run["at_us"] for run in by_node[node].values()] for node in nodes]
    values = (
        store.array(nodes),
        store.array(map(min, times)),
        store.array(map(max, times)),
        store.array(_digest(by_node[node]) for node in nodes),
        store.array(f'"{store.array(_runs(by_node[node]))}"' for node in nodes),
    )
    return {node for (node,) in store.query(_REPEATED, values)}


def _runs(runs: Runs) -> list[float]:
    """As `NodeState.collectors_runs`."""
    ordered = [runs[name] for name in sorted(runs)]
    return [*(run["at_us"] / 1e6 for run in ordered), *(run["duration_ms"] for run in ordered)]


def _digest(runs: Runs) -> UUID:
    """Of what a repeated run does not change."""
    return report_digests.digest(
        json.dumps(
            [(name, run["outcome"], run["detail"], run.get("agent")) for name, run in sorted(runs.items())]
        )
    )


def runs_of(state: NodeState) -> Runs:
    """The last run of each collector, those included that repeated the one before."""
    runs: Runs = state.collectors
    repeated: Sequence[float] = state.collectors_runs or ()
    times, durations = repeated[: len(runs)], repeated[len(runs) :]
    if len(times) != len(durations):
        return runs
    return runs | {
        name: _repeated(runs[name], datetime.fromtimestamp(at, UTC).isoformat(), duration_ms)
        for name, at, duration_ms in zip(sorted(runs), times, durations, strict=False)
    }


def _repeated(run: Mapping[str, Any], at: str, duration_ms: float) -> dict[str, Any]:
    answered = at if run["outcome"] == CollectorOutcome.OK.value else run.get("answered_at")
    return {**run, "at": at, "answered_at": answered, "duration_ms": duration_ms}


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
            [str(_digest(state.collectors)) for state in states],
            [datetime.fromisoformat(_newest(state)) for state in states],
        ],
    )


def _newest(state: NodeState) -> str:
    return max(str(run["at"]) for run in state.collectors.values())


def _worst(state: NodeState) -> dict[str, Any]:
    collectors: list[dict[str, Any]] = list(state.collectors.values())
    return max(collectors, key=lambda collector: _SEVERITY.index(collector["outcome"]))


def plain(address: object) -> str:
    """An address for PostgreSQL's inet, without a zone (fe80::1%eth0); the port identifies the interface."""
    return str(address).partition("%")[0]
