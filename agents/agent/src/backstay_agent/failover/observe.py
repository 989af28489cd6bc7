"""Observes one watched path: which gateway carries it, when that changed, and the outage of the change.

Outage, as measured here: from sending the first lost probe of the run that ends at the first answered probe
sent after the switch, to sending that answered probe. No probe lost is 0.0 ms. Its resolution is the probe
interval. Two probes may overtake each other, so a measurement is closed only `_SETTLE_NS` after the answered
probe was sent.

A state machine without clock or socket: the caller passes times (monotonic nanoseconds, except `at_ns`, which
is the wall time sent on the wire).
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from backstay_agent.failover.history import Probe, ProbeHistory

_SETTLE_NS = 200_000_000
_LATE_NS = 45_000_000
"""Maximum delay with which a busy machine reports a switch."""
_PROVISIONAL_NS = 10_000_000_000
_SILENT_NS = 1_000_000_000
_SILENT_PROBES = 3
_MOST_OPEN = 16


@dataclass(frozen=True, slots=True)
class Switch:
    """The active gateway changed at `at_ns` (wall). Measured values are None until they are known."""

    id: UUID
    at_ns: int
    from_gateway: str
    to_gateway: str
    outage_ms: float | None = None
    lost_probes: int | None = None


@dataclass(frozen=True, slots=True)
class TargetChange:
    """The end-to-end target stopped answering, or answers again."""

    alive: bool


Observation = Switch | TargetChange


@dataclass(slots=True)
class _Open:
    """A switch whose outage is not final yet."""

    switch: Switch
    since_ns: int
    answered: Probe | None = None
    provisional: bool = False


class PathObserver:
    """One watched path on one node."""

    def __init__(
        self, *, probe_interval_ms: int, new_id: Callable[[], UUID], has_target: bool = True
    ) -> None:
        self.gateway: str | None = None
        """The active gateway; "" for no route or an unknown next hop; None before the first reading."""
        self.target_alive: bool | None = None
        self._has_target = has_target
        self._new_id = new_id
        self._history = ProbeHistory()
        self._open: list[_Open] = []
        self._unanswered = 0
        """Probes sent since the last answer; while they are few the history need not be searched."""
        self._silent_ns = max(_SILENT_NS, _SILENT_PROBES * probe_interval_ms * 1_000_000)

    def active(self, gateway: str, *, at_ns: int, now_ns: int) -> list[Observation]:
        """The kernel's route now uses `gateway`, since wall time `at_ns` and monotonic time `now_ns`."""
        before, self.gateway = self.gateway, gateway
        if before is None or before == gateway:
            return []
        switch = Switch(self._new_id(), at_ns, before, gateway)
        if self._has_target:
            self._open = [*self._open, _Open(switch, now_ns)][-_MOST_OPEN:]
        return [switch]

    def sent(self, number: int, now_ns: int) -> None:
        """Probe `number` was sent."""
        self._history.sent(number, now_ns)
        self._unanswered += 1

    def answered(self, number: int) -> list[Observation]:
        """Probe `number` was answered."""
        probe = self._history.answered(number)
        if probe is None:
            return []
        self._unanswered = 0
        for case in self._open:
            earlier = case.answered is None or probe.number < case.answered.number
            if probe.sent_ns > case.since_ns and earlier:
                case.answered = probe
        if self.target_alive is True:
            return []
        first_look, self.target_alive = self.target_alive is None, True
        return [] if first_look else [TargetChange(alive=True)]

    def step(self, now_ns: int) -> list[Observation]:
        """Advance the time: returns completed measurements and a target that stopped answering."""
        found: list[Observation] = []
        if self._open:
            measured = [self._measure(case, now_ns) for case in list(self._open)]
            found += [switch for switch in measured if switch is not None]
        if self.target_alive is not False and self._is_silent(now_ns):
            self.target_alive = False
            found.append(TargetChange(alive=False))
        return found

    def _measure(self, case: _Open, now_ns: int) -> Switch | None:
        if case.answered is not None:
            if now_ns - case.answered.sent_ns < _SETTLE_NS:
                return None
            self._open.remove(case)
            answered = self._first_answered(case.answered, case.since_ns)
            run = self._history.run_before(answered.number)
            if run is None:
                return _measured(case.switch, 0, 0)
            return _measured(case.switch, answered.sent_ns - run.first_sent_ns, run.lost)
        if case.provisional or now_ns - case.since_ns < _PROVISIONAL_NS:
            return None
        case.provisional = True
        run = self._history.trailing_run()
        return None if run is None else _measured(case.switch, now_ns - run.first_sent_ns, run.lost)

    def _first_answered(self, answered: Probe, since_ns: int) -> Probe:
        """The probe that ended the outage; a late switch report may follow it."""
        probe: Probe | None = answered
        while probe is not None and probe.answered and probe.sent_ns > since_ns - _LATE_NS:
            if self._history.run_before(probe.number) is not None:
                return probe
            probe = self._history.get(probe.number - 1)
        return answered

    def _is_silent(self, now_ns: int) -> bool:
        if self._unanswered < _SILENT_PROBES:
            return False
        run = self._history.trailing_run()
        return run is not None and run.lost >= _SILENT_PROBES and now_ns - run.first_sent_ns > self._silent_ns


def _measured(switch: Switch, outage_ns: int, lost: int) -> Switch:
    return Switch(
        id=switch.id,
        at_ns=switch.at_ns,
        from_gateway=switch.from_gateway,
        to_gateway=switch.to_gateway,
        outage_ms=round(outage_ns / 1_000_000, 1),
        lost_probes=lost,
    )
