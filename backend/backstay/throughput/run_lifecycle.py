"""Life cycle of a run: reports on assignments, end of cells, end of the run.

Reports are stored with their batch; the tick processes them. A lost agent fails its cell, never the run.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta

from backstay.core.formatting import listing
from backstay.core.model.event_kinds import EventKind
from backstay.live import publish
from backstay.telemetry.facts import Facts, TestSeen
from backstay.throughput import verdicts
from backstay.throughput.cross_traffic import CrossTraffic
from backstay.throughput.models import TestAssignment, TestCell, TestRun
from backstay.throughput.services import NOUNS, record_run_event, run_duration, stop_assignments
from backstay.throughput.values import measured

EXPLAIN_S = 3.0
"""Time beyond one interval in which other nodes can report the cause of a failure."""
CAUSE_ORDER = (
    "missing_tool",
    "wrong_version",
    "aborted_by_load",
    "port_busy",
    "killed",
    "truncated",
    "cancelled",
    "failed",
    "peer_gone",
    "refused",
    "timed_out",
)
"""From cause to effect: the first reported state is the cell's. A server without the program refuses its
client."""


def observe(facts: Facts) -> None:
    """Store agents' reports on their assignments. A late report does not reopen a final assignment."""
    seen = {test.assignment: test for test in sorted(facts.tests, key=lambda test: test.at)}
    rows = (
        TestAssignment.objects.filter(pk__in=seen, final=False).order_by("pk").select_for_update(no_key=True)
    )
    updated = [row for row in rows if _follow(row, seen[row.pk])]
    if updated:
        TestAssignment.objects.bulk_update(updated, [*_COLUMNS])
        site = updated[0].cell.run.plan.site
        publish.changed(site.name, {"test-runs"})


_COLUMNS = ("state", "final", "detail", "reported_at", "started", "ended", "report")


def _follow(row: TestAssignment, seen: TestSeen) -> bool:
    if row.node_id != seen.node_id or (row.state == "running" and seen.state == "accepted"):
        return False
    row.state, row.final, row.detail, row.reported_at = seen.state, seen.final, seen.detail, seen.at
    row.started, row.ended, row.report = seen.started or row.started, seen.ended, seen.report
    return True


def end_due(run: TestRun, now: datetime, interval_s: float) -> None:
    """End the run's cell when all nodes reported, one failed, or the deadline passed. Needs the site lock."""
    for cell in run.cells.filter(state="running").prefetch_related("assignments__node"):
        assignments = list(cell.assignments.all())
        ended = ending(cell, assignments, now, interval_s)
        if ended is not None:
            _end(cell, assignments, ended, now)


def ending(
    cell: TestCell, assignments: list[TestAssignment], now: datetime, interval_s: float
) -> tuple[str, str] | None:
    """Final state and reason of a cell; None: not ended. Observers never fail a cell."""
    assert cell.until is not None
    parts = [row for row in assignments if row.role != "observer"]
    silent = [row for row in parts if not row.final]
    bad = [row for row in parts if row.final and row.state != "done"]
    over = now > cell.until
    if bad and (over or not silent or _explained(bad, now, interval_s)):
        worst = min(
            bad,
            key=lambda row: CAUSE_ORDER.index(row.state) if row.state in CAUSE_ORDER else len(CAUSE_ORDER),
        )
        text = f"{worst.node.name}: {worst.detail}" if worst.detail else worst.node.name
        return worst.state, text
    if silent and over:
        names = listing(sorted({row.node.name for row in silent}))
        return "lost_agent", f"{names}: its agent did not report the result"
    if silent or (not over and any(not row.final for row in assignments)):
        return None
    return "done", ""


def _explained(bad: list[TestAssignment], now: datetime, interval_s: float) -> bool:
    first = min(row.reported_at for row in bad if row.reported_at is not None)
    return now - first > timedelta(seconds=interval_s + EXPLAIN_S)


def _end(cell: TestCell, assignments: list[TestAssignment], ended: tuple[str, str], now: datetime) -> None:
    cell.state, cell.detail = ended
    found, cell.octets = measured(cell, assignments)
    cell.medium = CrossTraffic(cell, assignments).document()
    cell.measured = None if found is None else asdict(found)
    cell.ended_at = now
    cell.save()
    left = TestAssignment.objects.filter(cell=cell, final=False)
    stop_assignments(left, "lost_agent" if cell.state in {"lost_agent", "done"} else "cancelled", now)
    verdicts.judge_ended(cell)


def finish_due(run: TestRun, now: datetime) -> None:
    """End the run when no cell is left. Needs the site lock."""
    states = list(run.cells.values_list("state", flat=True))
    if {"queued", "running"} & set(states):
        return
    run.state = "done" if "done" in states else "failed"
    run.ended_at, run.waits_for = now, ""
    run.outcome = verdicts.outcome(run, states)
    run.save(update_fields=["state", "ended_at", "waits_for", "outcome"])
    verdicts.judge(run)
    if run.state == "done":
        verdicts.compare_with_past(run)
    sentence = (run.verdict or {}).get("sentence", "") if run.state == "done" else run.outcome
    text = f"run #{run.pk} of {run.plan.name} is {run.state} after {run_duration(run) or '0 s'}: {sentence}"
    record_run_event(run, EventKind(f"test_run.{run.state}"), text, now)
    publish.changed(run.plan.site.name, NOUNS)
