"""Trials of a fallback, when the target does not answer through any gateway but all gateways answer.

Then either the target is dead, or the far end's return path leads through a gateway that has died unseen by
us; replies to probes sent through the fallback take the dead path as well. A far end that follows us (by a
protocol, or by its own checker that tries at the same time) answers once we have moved. So the fallback leads
for a moment: it is kept only if the target answers then. An unsuccessful trial delays the next one by half a
minute, the one after it by twice as long, up to an hour.

No trial runs while anything answers, so no working path is abandoned. A gateway known to forward gets more
time before another is tried, because the target is then most likely at fault. Times are monotonic
nanoseconds.
"""

from dataclasses import replace

from backstay_agent.failover.types import Decision, DecisionInput, Step, Trial, TrialState

_SECOND = 1_000_000_000
_MS = 1_000_000
_SILENT_NS = 1 * _SECOND
_FORWARDS_NS = 5 * _SECOND
_LEAST_TRIAL_NS = 4 * _SECOND
"""An engine may take a while to switch."""
_DETECTIONS = 4
"""Time for the far end to detect and follow, in multiples of our detection time."""
_PAUSE_NS = 30 * _SECOND
_MOST_PAUSE_NS = 3600 * _SECOND
_MOST_TRIES = 16
_FORGET_NS = 3600 * _SECOND


def begin(case: DecisionInput) -> Step | None:
    """The first step of a round of trials; None: no reason to try, or not now."""
    lead = case.lead
    sign = case.signs[lead.gateway]
    if sign.through is None or not sign.through.losing or lead.moved_to or case.now < lead.tries.next_ns:
        return None
    forwards = sign.loop is not None and sign.loop.alive is True
    if silent_ns(case) < max(_FORWARDS_NS if forwards else _SILENT_NS, detection_ns(case) * _DETECTIONS // 2):
        return None
    others = tuple(name for name in case.order if name != lead.gateway and case.lives(name))
    if not others:
        return None
    tries = counted(lead.tries, case.now, len(others) * _length_ns(case))
    return _try(replace(case, lead=replace(lead, tries=tries)), lead.gateway, others)


def go_on(case: DecisionInput, trial: Trial) -> Step:
    """A trial is in progress: wait, keep the gateway, try the next one, or return to the first."""
    lead = case.lead
    if case.now < trial.until_ns:
        return lead, None
    home = trial.home if case.lives(trial.home) else lead.gateway
    if _answers(case, home, trial):
        return _lead(case, home, None)
    if _answers(case, lead.gateway, trial):
        return _lead(case, lead.gateway, None)
    left = tuple(name for name in trial.left if case.lives(name))
    return _try(case, trial.home, left) if left else _lead(case, home, None)


def counted(tries: TrialState, now: int, length_ns: int) -> TrialState:
    """Add one round that may take `length_ns`, even a successful one: two ends must not move each other in
    circles."""
    forgotten = max(0, now - tries.last_ns) // _FORGET_NS if tries.count else 0
    count = min(max(0, tries.count - forgotten) + 1, _MOST_TRIES)
    return TrialState(count, now, now + length_ns + min(_PAUSE_NS << (count - 1), _MOST_PAUSE_NS))


def silent_ns(case: DecisionInput) -> int:
    """How long the target has not answered through the leader."""
    mark = case.signs[case.lead.gateway].through
    return 0 if mark is None or mark.silent_ns is None else case.now - mark.silent_ns


def detection_ns(case: DecisionInput) -> int:
    """Detection time of the policy's timers."""
    return case.timers.interval_ms * case.timers.fail_after * _MS


def _length_ns(case: DecisionInput) -> int:
    return max(_LEAST_TRIAL_NS, detection_ns(case) * _DETECTIONS)


def _try(case: DecisionInput, home: str, gateways: tuple[str, ...]) -> Step:
    trial = Trial(home, case.now, case.now + _length_ns(case), gateways[1:])
    return _lead(case, gateways[0], trial)


def _lead(case: DecisionInput, gateway: str, trial: Trial | None) -> Step:
    lead = case.lead
    after = replace(lead, gateway=gateway, trial=trial, held="", held_back=0)
    if gateway != lead.gateway:
        after = replace(after, since_ns=case.now, switched_ns=case.now)
    return after, Decision("tried", lead.gateway, gateway, lead.held_back)


def _answers(case: DecisionInput, gateway: str, trial: Trial) -> bool:
    """Whether the target has answered through it since the trial began, and still does."""
    mark = case.signs[gateway].through
    if mark is None or mark.last_answered_ns is None:
        return False
    return mark.last_answered_ns > trial.since_ns and not mark.losing
