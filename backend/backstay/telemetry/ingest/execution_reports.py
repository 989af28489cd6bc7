"""Progress of decisions, moves, holds, changes and tests: passed on as facts, because apps above own them."""

from __future__ import annotations

from datetime import datetime

from backstay.telemetry.facts import (
    ChangeSeen,
    DecisionSeen,
    Facts,
    HoldSeen,
    ManagementSeen,
    MoveSeen,
    TestSeen,
)
from backstay.telemetry.ingest.clock import Correction, moment
from backstay_wire import (
    ChangeReport,
    DecisionReport,
    HoldReport,
    ManagementReport,
    MoveReport,
    TestReport,
    TestState,
)

_ACTIVE = frozenset({TestState.ACCEPTED, TestState.RUNNING})
_FIELDS = {
    *("detail", "late_us", "clock_error_us", "program", "command"),
    *("result", "host", "ports", "route", "idle_us"),
}


def apply_decision(node: int, report: DecisionReport, correction: Correction, facts: Facts) -> None:
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
            times=report.times,
        )
    )


def apply_move(node: int, report: MoveReport, correction: Correction, facts: Facts) -> None:
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


def apply_hold(node: int, report: HoldReport, correction: Correction, facts: Facts) -> None:
    facts.holds.append(
        HoldSeen(
            node_id=node,
            uid=report.hold,
            origin=report.origin,
            by=report.by,
            reason=report.reason,
            at=moment(correction.ours(report.at)),
            state=report.state,
            seconds=report.seconds,
            began=moment(correction.ours(report.began)),
            until=moment(correction.ours(report.until)),
            detail=report.detail,
        )
    )


def apply_change(node: int, report: ChangeReport, correction: Correction, facts: Facts) -> None:
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


def apply_management(node: int, report: ManagementReport, correction: Correction, facts: Facts) -> None:
    facts.management.append(
        ManagementSeen(
            node_id=node,
            at=moment(correction.ours(report.at)),
            state=report.state,
            release=report.release,
            scope=report.scope,
            policies=list(report.policies),
            since=moment(correction.ours(report.since)),
            by=report.by,
            reason=report.reason,
            left=report.left,
            change=report.change,
        )
    )


def apply_test(node: int, report: TestReport, correction: Correction, facts: Facts) -> None:
    facts.tests.append(
        TestSeen(
            node_id=node,
            assignment=report.assignment,
            at=moment(correction.ours(report.at)),
            state=report.state.value,
            final=report.state not in _ACTIVE,
            detail=report.detail,
            started=_ours(report.started, correction),
            ended=_ours(report.ended, correction),
            report=report.model_dump(mode="json", include=_FIELDS),
        )
    )


def _ours(at_ns: int | None, correction: Correction) -> datetime | None:
    return None if at_ns is None else moment(correction.ours(at_ns))
