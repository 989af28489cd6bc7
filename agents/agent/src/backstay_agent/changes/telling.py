"""Says where a change stands on this node: at each step at once, and again until the duty is gone."""

from backstay_agent.emit import Emit
from backstay_agent.guard.journal import OPEN, Journal
from backstay_agent.host.clock import Clock
from backstay_wire import ChangeDuty, ChangeReport, Evidence, NodePhase

_AGAIN_NS = 60_000_000_000
"""The spool loses no word of ours; this is for a backend that lost its memory."""


class Teller:
    """Makes ChangeReports about one node."""

    def __init__(self, device: str, clock: Clock, emit: Emit) -> None:
        self._device = device
        self._clock = clock
        self._emit = emit
        self._told: dict[int, tuple[NodePhase, int]] = {}

    def forget(self, change: int) -> None:
        """The duty is gone."""
        self._told.pop(change, None)

    def prepared(self, duty: ChangeDuty, evidence: list[Evidence]) -> None:
        """Nothing speaks against it."""
        self._say(duty, NodePhase.PREPARED, evidence=_checked(evidence))

    def refused(self, duty: ChangeDuty, reason: str, evidence: list[Evidence]) -> None:
        """Nothing was touched."""
        self._say(duty, NodePhase.REFUSED, reason=reason, evidence=_checked(evidence))

    def tell(self, duty: ChangeDuty, phase: NodePhase, journal: Journal | None) -> None:
        """Where the journal stands."""
        if journal is None:
            self._say(duty, phase)
            return
        put_back = phase in (NodePhase.ROLLED_BACK, NodePhase.FAILED)
        self._say(
            duty,
            phase,
            reason=journal.reason,
            by=journal.by if put_back else "",
            evidence=list(journal.evidence),
            before=journal.before,
            after=journal.after,
            guard_until=journal.until_wall_ns if journal.step in OPEN else None,
        )

    def _say(self, duty: ChangeDuty, phase: NodePhase, **values: object) -> None:
        now = self._clock.monotonic_ns()
        told = self._told.get(duty.change)
        is_news = told is None or told[0] is not phase
        if told is not None and not is_news and now - told[1] < _AGAIN_NS:
            return
        self._told[duty.change] = (phase, now)
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: ChangeReport.model_validate(
                {
                    "boot": boot,
                    "seq": seq,
                    "device": self._device,
                    "at": at,
                    "change": duty.change,
                    "revision": duty.revision,
                    "phase": phase,
                    **values,
                }
            ),
            urgent=is_news,
        )


def _checked(evidence: list[Evidence]) -> list[Evidence]:
    return [each.model_copy(update={"stage": "checked"}) for each in evidence]
