"""Reports a change's status on this node: at once at each step, and repeatedly until the assignment ends."""

from dataclasses import dataclass

from backstay_agent.guard.journal import OPEN, Journal
from backstay_agent.host.clock import Clock
from backstay_agent.report_sink import ReportSink
from backstay_wire import ChangeAssignment, ChangeReport, Evidence, NodePhase

_AGAIN_NS, _MOST_AGAIN_NS = 20_000_000_000, 60_000_000_000
"""The spool loses no report; repeats serve a backend that lost its data. The interval doubles, because a long
change has many reporting nodes."""
_TEXTS = ("before", "after")
"""Several KB: sent once, and again when they change."""


@dataclass(frozen=True, slots=True)
class _LastReport:
    """The last report, its time, and when it is repeated."""

    phase: NodePhase
    reason: object
    at_ns: int
    again_ns: int
    texts: dict[str, object]
    """The newest of `_TEXTS` that were sent."""


class ChangeReporter:
    """Creates ChangeReports about one node."""

    def __init__(self, device: str, clock: Clock, emit: ReportSink) -> None:
        self._device = device
        self._clock = clock
        self._emit = emit
        self._last: dict[int, _LastReport] = {}

    def forget(self, change: int) -> None:
        """Drop the state of an ended assignment."""
        self._last.pop(change, None)

    def prepared(self, assignment: ChangeAssignment, evidence: list[Evidence]) -> None:
        """All checks passed."""
        self._report(assignment, NodePhase.PREPARED, evidence=_checked(evidence))

    def refused(self, assignment: ChangeAssignment, reason: str, evidence: list[Evidence]) -> None:
        """Nothing was touched."""
        self._report(assignment, NodePhase.REFUSED, reason=reason, evidence=_checked(evidence))

    def report(self, assignment: ChangeAssignment, phase: NodePhase, journal: Journal | None) -> None:
        """Report a phase with the journal's details."""
        if journal is None:
            self._report(assignment, phase)
            return
        put_back = phase in (NodePhase.ROLLED_BACK, NodePhase.FAILED)
        self._report(
            assignment,
            phase,
            reason=journal.reason,
            by=journal.by if put_back else "",
            evidence=list(journal.evidence),
            before=journal.before,
            after=journal.after,
            guard_until=journal.until_wall_ns if journal.step in OPEN else None,
        )

    def _report(self, assignment: ChangeAssignment, phase: NodePhase, **values: object) -> None:
        now = self._clock.monotonic_ns()
        reason = values.get("reason")
        last = self._last.get(assignment.change)
        if last is not None and (last.phase, last.reason) == (phase, reason):
            if now - last.at_ns < last.again_ns:
                return
            again_ns, is_news = min(2 * last.again_ns, _MOST_AGAIN_NS), False
        else:
            again_ns, is_news = _AGAIN_NS, True
        texts = {name: values.pop(name) for name in _TEXTS if name in values}
        sent = {} if last is None else last.texts
        if texts != sent:
            values |= texts
        self._last[assignment.change] = _LastReport(phase, reason, now, again_ns, texts or sent)
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: ChangeReport.model_validate(
                {
                    "boot": boot,
                    "seq": seq,
                    "device": self._device,
                    "at": at,
                    "change": assignment.change,
                    "revision": assignment.revision,
                    "phase": phase,
                    **values,
                }
            ),
            urgent=is_news,
        )


def _checked(evidence: list[Evidence]) -> list[Evidence]:
    return [item.model_copy(update={"stage": "checked"}) for item in evidence]
