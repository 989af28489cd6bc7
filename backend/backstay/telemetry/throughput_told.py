"""What became of throughput tests' duties, as agents tell: handed up, for tests belong to an app above."""

from __future__ import annotations

from datetime import datetime

from backstay.telemetry.clock import Correction, moment
from backstay.telemetry.facts import Facts, TestSeen
from backstay_wire import TestReport, TestState

_UNDER_WAY = frozenset({TestState.ACCEPTED, TestState.RUNNING})
_TOLD = {
    *("detail", "late_us", "clock_error_us", "program", "command"),
    *("result", "host", "ports", "route", "idle_us"),
}


def apply_test(node: int, report: TestReport, correction: Correction, facts: Facts) -> None:
    """Hand up how far one duty is, or how it ended."""
    facts.tests.append(
        TestSeen(
            node_id=node,
            assignment=report.assignment,
            at=moment(correction.ours(report.at)),
            state=report.state.value,
            final=report.state not in _UNDER_WAY,
            detail=report.detail,
            started=_ours(report.started, correction),
            ended=_ours(report.ended, correction),
            told=report.model_dump(mode="json", include=_TOLD),
        )
    )


def _ours(at_ns: int | None, correction: Correction) -> datetime | None:
    return None if at_ns is None else moment(correction.ours(at_ns))
