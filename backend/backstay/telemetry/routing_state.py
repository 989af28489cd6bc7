"""Routing as nodes tell of it: what each runs and has saved, what its checker decided, how far it has come.

What runs and is saved is kept here, the newest of each node. Decisions, moves and changes belong to the apps
above: they go up as facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from backstay.telemetry.clock import Correction, moment
from backstay.telemetry.facts import ChangeSeen, DecisionSeen, Facts, MoveSeen, RoutingSeen
from backstay.telemetry.models import RoutingState
from backstay_wire import ChangeReport, DecisionReport, MoveReport, RoutingReport

_TOLD = ("revision", "digest", "engine", "alive", "detail", "routes", "files")


def apply_routings(
    reports: Sequence[tuple[int, RoutingReport]], correction: Correction, facts: Facts
) -> None:
    """Take over what nodes run and have saved, the oldest first, unless something newer is known."""
    nodes = {node for node, _ in reports}
    rows = RoutingState.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    known = {row.node_id: row for row in rows}
    for node, report in reports:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        known[node] = _store(row or RoutingState(node_id=node, changed_at=at), report, at)
        facts.routings.append(RoutingSeen(node, at))


def _store(row: RoutingState, report: RoutingReport, at: datetime) -> RoutingState:
    told = _values(report)
    row.at = at
    if any(getattr(row, name) != told[name] for name in _TOLD):
        row.changed_at = at
        for name in _TOLD:
            setattr(row, name, told[name])
        row.save()
    else:
        row.save(update_fields=["at"])
    return row


def _values(report: RoutingReport) -> dict[str, Any]:
    return report.model_dump(mode="json", include=set(_TOLD))


def apply_decision(node: int, report: DecisionReport, correction: Correction, facts: Facts) -> None:
    """Hand up what a checker decided."""
    facts.decisions.append(
        DecisionSeen(
            node_id=node,
            policy=report.policy,
            at=moment(correction.ours(report.at)),
            reason=report.reason,
            from_gateway=report.from_gateway,
            to_gateway=report.to_gateway,
            evidence=report.evidence,
            took_ms=report.took_ms,
            held_back=report.held_back,
        )
    )


def apply_move(node: int, report: MoveReport, correction: Correction, facts: Facts) -> None:
    """Hand up how far a move has come."""
    facts.moves.append(
        MoveSeen(
            node_id=node,
            move=report.move,
            policy=report.policy,
            at=moment(correction.ours(report.at)),
            state=report.state,
            detail=report.detail,
            outage_ms=report.outage_ms,
            rtt_us=report.rtt_us,
        )
    )


def apply_change(node: int, report: ChangeReport, correction: Correction, facts: Facts) -> None:
    """Hand up what a node has reached in a change."""
    until = report.guard_until
    facts.changes.append(
        ChangeSeen(
            node_id=node,
            change=report.change,
            revision=report.revision,
            at=moment(correction.ours(report.at)),
            phase=report.phase.value,
            reason=report.reason,
            by=report.by,
            evidence=[item.model_dump(mode="json") for item in report.evidence],
            before=report.before,
            after=report.after,
            guard_until=None if until is None else moment(correction.ours(until)),
        )
    )
