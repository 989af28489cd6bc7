"""Execution of changes: rows -> pure state machine -> rows.

A change advances under its row lock. Reports never wait for that lock: they go to `change_inbox`, and the
next lock holder processes them. All effects of a step are written in one transaction: node states, confirmed
state, history, events, and the generation that makes agents poll again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from backstay.core.formatting import count, listing
from backstay.core.model.change import (
    AT_REST,
    ENDED,
    ChangeExecution,
    NodeExecution,
    State,
    apply_report,
    ask_interval,
    next_step,
    outcome,
    step,
)
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.policy.models import Path
from backstay.rollout import retirement
from backstay.rollout.changes import change_inbox as inbox
from backstay.rollout.models import Application, Change, Intended, Step
from backstay.telemetry import events
from backstay.telemetry.facts import ChangeSeen

NOUNS = frozenset({"changes", "overview"})
"""Collections that show a change's progress."""
BULKY = ("evidence", "before", "after", "assignment", "known_before")
"""Large columns of an application that its progress does not need."""
_PROGRESS = ("change_id", "node__name", "wave", "state", "since", "reason", "by", "guard_until")
_UNLISTED = frozenset({"pending", "preparing", "applying", "verifying", "verified", "confirming"})
"""States without a history line: requested of all nodes of a wave, or skipped."""
PARTS = ("routing", "arp")
"""Parts of a node's state; a change keeps the confirmed state of parts that it does not cover."""
_MAX_ROUNDS = 5
"""A request processes reports of other nodes at most this often; the next request continues."""


def read(change: Change, rows: Iterable[Application]) -> ChangeExecution:
    """The change as state machine input."""
    state: State = change.state  # type: ignore[assignment]
    return ChangeExecution(
        state=state,
        members=tuple(
            NodeExecution(
                node=row.node_id,
                wave=row.wave,
                state=row.state,  # type: ignore[arg-type]
                since=row.since,
                guard_until=row.guard_until,
                reason=row.reason,
            )
            for row in rows
        ),
        timeout_s=change.timeout_s,
        auto_confirm=change.auto_confirm,
        wave=change.wave,
        reason=change.outcome,
    )


def locked(change_id: int) -> tuple[Change, list[Application]]:
    """The change and its nodes, locked for the transaction."""
    return _with_rows(_lockable().get(pk=change_id))


def _lockable(*, skip: bool = False) -> QuerySet[Change]:
    """Does not block inserts that reference the change, such as `PendingNodeReport`."""
    changes = Change.objects.select_related("site")
    return changes.select_for_update(of=("self",), no_key=True, skip_locked=skip)


def _with_rows(change: Change) -> tuple[Change, list[Application]]:
    rows = change.applications.select_related("node").only(*_PROGRESS)
    return change, list(rows.order_by("wave", "node__name"))


def apply_reports(change_id: int) -> set[int]:
    """Advance a change by its pending reports; the reporting nodes that are at rest now.

    After releasing the lock it checks again, to process reports that arrived meanwhile. Operator actions and
    the tick do not repeat: the next tick does.
    """
    nodes: set[int] = set()
    for _ in range(_MAX_ROUNDS):
        with transaction.atomic():
            change = _lockable(skip=True).filter(pk=change_id).first() if inbox.waiting([change_id]) else None
            if change is None:
                break
            nodes |= _move(*_with_rows(change), None)
    return nodes


def advance(change_id: int, now: datetime) -> set[int]:
    """Process timeouts and the start of waves; result as `apply_reports`."""
    with transaction.atomic():
        return _move(*locked(change_id), now)


def _move(change: Change, rows: list[Application], now: datetime | None) -> set[int]:
    """Apply reports and advance. Without `now`: the arrival of the newest report."""
    seen, received = inbox.take(change.pk)
    now = now or received
    if now is not None:
        write(change, rows, step(_apply_reported(change, rows, seen), now), now)
    ended = {row.node_id for row in rows if row.state in AT_REST}
    return ended & {item.node_id for item in seen}


def _apply_reported(change: Change, rows: list[Application], reports: list[ChangeSeen]) -> ChangeExecution:
    mine = {row.node_id: row for row in rows}
    execution = read(change, rows)
    for seen in reports:
        row = mine.get(seen.node_id)
        if row is None or seen.revision != change.revision:
            continue
        execution = apply_report(
            execution, seen.node_id, seen.phase, seen.at, reason=seen.reason, guard=seen.guard_until
        )
        _keep_evidence(row, seen)
    return execution


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A history line of an operator action."""

    person: str
    text: str


def write(
    change: Change,
    rows: list[Application],
    execution: ChangeExecution,
    now: datetime,
    line: HistoryLine | None = None,
) -> None:
    """Store the differences of `execution`, with all effects."""
    before = read(change, rows)
    moved = [
        (row, old, new)
        for row, old, new in zip(rows, before.members, execution.members, strict=True)
        if old != new
    ]
    for row, _, new in moved:
        row.state, row.since, row.guard_until, row.reason = new.state, new.since, new.guard_until, new.reason
    Application.objects.bulk_update([row for row, _, _ in moved], ["state", "since", "guard_until", "reason"])
    confirmed = [row for row, old, new in moved if new.state == "confirmed" != old.state]
    undone = [row for row, old, new in moved if old.state == "confirmed" != new.state]
    _intend(change, confirmed)
    _unintend(change, undone)
    lines = [HistoryLine("", text) for text in _history(before, execution, rows)]
    if line is not None:
        lines.insert(0, line)
    if execution.state != before.state or execution.wave != before.wave or execution.reason != before.reason:
        change.state, change.wave, change.outcome = execution.state, execution.wave, execution.reason
        change.since = now
        change.save(update_fields=["state", "wave", "outcome", "since"])
        if change.kind == "retire" and change.state == "done":
            lines += [HistoryLine("", text) for text in retirement.remove_policies(change, now)]
        _record_event(change, before, execution)
    if not lines and not moved:
        return
    Step.objects.bulk_create(
        Step(change=change, at=now, person=item.person, text=item.text) for item in lines
    )
    sizes = Counter(row.wave for row in rows)
    asked = [
        row.node_id
        for row, old, new in zip(rows, before.members, execution.members, strict=True)
        if next_step(before, old) != next_step(execution, new)
        or ask_interval(before, row.wave, sizes[row.wave])
        != ask_interval(execution, row.wave, sizes[row.wave])
    ]
    intended = [row.node_id for row in (*confirmed, *undone)]
    raise_generations({*asked, *intended})
    publish.changed(change.site.name, NOUNS | ({"paths", "drift"} if intended else set()))


def _keep_evidence(row: Application, seen: ChangeSeen) -> None:
    """Store the newest evidence; the state before and after only when reported."""
    values: dict[str, Any] = {"by": seen.by, "evidence": seen.evidence}
    values |= {"before": seen.before} if seen.before else {}
    values |= {"after": seen.after} if seen.after else {}
    Application.objects.filter(pk=row.pk).update(**values)


def _intend(change: Change, rows: list[Application]) -> None:
    """The confirmed state becomes the intended state of these nodes."""
    planned = assignments(rows)
    by_parts: dict[tuple[str, ...], list[Intended]] = {}
    for row in rows:
        parts = {
            name: {**planned[row.pk][name], "revision": change.revision}
            for name in PARTS
            if planned[row.pk].get(name) is not None
        }
        by_parts.setdefault(tuple(parts), []).append(
            Intended(
                node_id=row.node_id,
                revision=change.revision or 0,
                change=change,
                at=row.since or change.since,
                **parts,
            )
        )
    for names, wanted_rows in by_parts.items():
        Intended.objects.bulk_create(
            wanted_rows,
            update_conflicts=True,
            unique_fields=["node"],
            update_fields=["revision", *names, "change", "at"],
        )
    for assignment in planned.values():
        _order(assignment["orders"])


def _unintend(change: Change, rows: list[Application]) -> None:
    """A confirmed node that rolled back gets its previous intended state."""
    planned = assignments(rows)
    for row in rows:
        assignment = planned[row.pk]
        mine = Intended.objects.filter(node_id=row.node_id, change=change)
        if assignment["earlier"] is None:
            mine.delete()
        else:
            mine.update(**assignment["earlier"])
        _order(assignment["orders_before"])


def _order(orders: dict[str, list[int] | None]) -> None:
    for path, order in orders.items():
        Path.objects.filter(pk=int(path)).update(order=order)


def assignments(rows: list[Application]) -> dict[int, dict[str, Any]]:
    """Row id -> assignment."""
    known = Application.objects.filter(pk__in=[row.pk for row in rows])
    return dict(known.values_list("pk", "assignment"))


def _history(before: ChangeExecution, after: ChangeExecution, rows: list[Application]) -> list[str]:
    """History lines; nodes that reach the same state together share one."""
    reached: dict[tuple[str, str], list[str]] = {}
    for row, old, new in zip(rows, before.members, after.members, strict=True):
        if old.state != new.state and new.state not in _UNLISTED:
            reached.setdefault((new.state, new.reason), []).append(row.node.name)
    lines = [
        f"{listing(names)} {state.replace('_', ' ')}" + (f": {reason}" if reason else "")
        for (state, reason), names in reached.items()
    ]
    if _confirmed_itself(before, after):
        lines.append(f"Wave {(after.wave or 0) + 1} was confirmed automatically: all probes passed.")
    if after.wave != before.wave and after.wave is not None:
        lines.append(f"Wave {after.wave + 1} started with {count(len(after.in_wave()), 'node')}.")
    if after.state != before.state and after.state in ENDED:
        lines.append(f"Result: {outcome(after)}")
    return lines


def _confirmed_itself(before: ChangeExecution, after: ChangeExecution) -> bool:
    """A wave started to verify without an operator's confirmation (`auto_confirm`)."""
    asked = [
        new.state == "verifying" != old.state for old, new in zip(before.members, after.members, strict=True)
    ]
    return after.auto_confirm and any(asked)


def _record_event(change: Change, before: ChangeExecution, after: ChangeExecution) -> None:
    """Timeline events: awaiting confirmation, ended."""
    if after.state in {before.state, "rolling"}:
        return
    text = {
        "confirming": "awaits confirmation",
        "done": f"is done: {outcome(after)}",
        "rolled_back": f"was {outcome(after)}",
        "stopped": outcome(after),
        "failed": outcome(after),
    }[after.state]
    events.record(
        change.site,
        EventKind(f"change.{after.state}"),
        f"Change #{change.pk} ({change.title}) {text}",
        at=change.since,
        subject=f"#{change.pk}",
        data={"change_id": change.pk},
    )
