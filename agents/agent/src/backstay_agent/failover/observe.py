"""Observes one watched path: which gateway carries it, when that changed, and its outages.

Outage of a switch, as measured here: from sending the first lost probe of the run that ends at the first
answered probe sent after the switch, to sending that answered probe. No probe lost is 0.0 ms. An outage
without a switch is measured in the same manner once the target counts as unreachable. The resolution is the
probe interval. Two probes may overtake each other, so a measurement is closed only `_SETTLE_NS` after the
answered probe was sent. Until then an outage is ongoing and has no duration, however long it lasts.

A state machine without clock or socket: the caller passes times (monotonic nanoseconds, except `at_ns`, which
is the wall time sent on the wire).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import UUID

from backstay_agent.failover.history import Probe, ProbeHistory, Run
from backstay_agent.failover.outages import Cause, Outage, OutageIds, RouteOutage, prevailing

_SETTLE_NS = 200_000_000
_LATE_NS = 45_000_000
"""Maximum delay with which a busy machine reports a switch."""
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
    outage: Outage | None = None
    """The measured one; None if no probe was lost."""


@dataclass(frozen=True, slots=True)
class TargetChange:
    """The end-to-end target stopped answering, or answers again."""

    alive: bool


Observation = Switch | TargetChange | Outage
"""An `Outage` of its own began or ended without a switch."""


@dataclass(slots=True)
class _Open:
    """A switch whose outage is not final yet."""

    switch: Switch
    since_ns: int
    cause: Cause
    answered: Probe | None = None


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
        self._had_route = True
        self._history = ProbeHistory()
        self._ids = OutageIds(new_id)
        self._route_outage = RouteOutage(new_id)
        self._unreachable: Outage | None = None
        """The outage of an unreachable target, until its end is measured."""
        self._answered: Probe | None = None
        """The probe that ended it."""
        self._open: list[_Open] = []
        self._unanswered = 0
        """Probes sent since the last answer; while they are few the history need not be searched."""
        self._silent_ns = max(_SILENT_NS, _SILENT_PROBES * probe_interval_ms * 1_000_000)

    def active(
        self, gateway: str, *, at_ns: int, now_ns: int, has_route: bool | None = None
    ) -> list[Observation]:
        """The kernel's route now uses `gateway`, since wall time `at_ns` and monotonic time `now_ns`.

        `has_route`: whether there is any route; None: only with a gateway.
        """
        before, self.gateway = self.gateway, gateway
        had_route, self._had_route = self._had_route, bool(gateway) if has_route is None else has_route
        found: list[Observation] = []
        if not self._has_target:
            found += self._route_outage.observe(self._had_route, now_ns)
        if before is None or before == gateway:
            return found
        switch = Switch(self._new_id(), at_ns, before, gateway)
        if self._has_target:
            cause: Cause = "switch" if had_route and self._had_route else "no_route"
            self._open = [*self._open, _Open(switch, now_ns, cause)][-_MOST_OPEN:]
        return [switch, *found]

    def ongoing(self) -> Outage | None:
        """The outage that has not ended."""
        if not self._has_target:
            return self._route_outage.ongoing
        run = self._history.trailing_run()
        if self.target_alive is not False or self._unreachable is None or run is None:
            return None
        self._unreachable = replace(self._unreachable, lost_probes=run.lost, cause=self._cause(run))
        return self._unreachable

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
        if self._unreachable is not None:
            self._answered = min(self._answered or probe, probe, key=lambda one: one.number)
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
        if self._answered is not None and now_ns - self._answered.sent_ns >= _SETTLE_NS:
            known = {one.outage.id for one in found if isinstance(one, Switch) and one.outage is not None}
            found += [one for one in self._measure_unreachable(self._answered) if one.id not in known]
        if self.target_alive is not False and (run := self._silent_run(now_ns)) is not None:
            self.target_alive = False
            self._unreachable, self._answered = self._ids.outage(run, self._cause(run)), None
            found.append(TargetChange(alive=False))
        return found

    def _measure_unreachable(self, answered: Probe) -> list[Outage]:
        """The outage of the target that answers again."""
        begun, self._unreachable, self._answered = self._unreachable, None, None
        if begun is None or answered.sent_ns <= begun.since_ns:
            return []
        run = self._history.run_before(answered.number)
        run = Run(begun.since_ns, 0 if run is None else run.lost)
        return [self._ids.outage(run, begun.cause, answered.sent_ns)]

    def _cause(self, run: Run) -> Cause:
        """What is known of a run that has not ended."""
        causes = [case.cause for case in self._open if case.since_ns > run.first_sent_ns - _LATE_NS]
        return prevailing([*causes, "target_dead" if self._had_route else "no_route"])

    def _measure(self, case: _Open, now_ns: int) -> Switch | None:
        if case.answered is None or now_ns - case.answered.sent_ns < _SETTLE_NS:
            return None
        self._open.remove(case)
        answered = self._first_answered(case.answered, case.since_ns)
        run = self._history.run_before(answered.number)
        if run is None:
            return replace(case.switch, outage_ms=0.0, lost_probes=0)
        outage = self._ids.outage(run, case.cause, answered.sent_ns)
        duration_ms = round((answered.sent_ns - run.first_sent_ns) / 1_000_000, 1)
        return replace(case.switch, outage_ms=duration_ms, lost_probes=run.lost, outage=outage)

    def _first_answered(self, answered: Probe, since_ns: int) -> Probe:
        """The probe that ended the outage; a late switch report may follow it."""
        probe: Probe | None = answered
        while probe is not None and probe.answered and probe.sent_ns > since_ns - _LATE_NS:
            if self._history.run_before(probe.number) is not None:
                return probe
            probe = self._history.get(probe.number - 1)
        return answered

    def _silent_run(self, now_ns: int) -> Run | None:
        """The run of lost probes that makes the target unreachable."""
        if self._unanswered < _SILENT_PROBES:
            return None
        run = self._history.trailing_run()
        if run is None or run.lost < _SILENT_PROBES or now_ns - run.first_sent_ns <= self._silent_ns:
            return None
        return run
