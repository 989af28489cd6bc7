"""Selects the gateway that carries a policy's prefix: one pure function of its input.

The rules, in this order:

1. The leading gateway's port has lost carrier: switch to the best live gateway at once.
2. A move requests a certain gateway for a time, and it answers: switch to it. When the move is over, switch
   to the previous gateway, or to a better live one.
3. The leading gateway is dead: switch to the best one that has answered a probe *since the leader stopped
   answering*. Hold-down does not count here. A flapping gateway is used only if no other is alive. If none is
   alive the leader stays, because any switch would be a guess.
4. A better gateway is alive: switch to it according to the policy's failback (now, after a while, by hand),
   once hold-down and damping are over.

A gateway is alive if the end-to-end target answers through it. If the target answers through none of them,
the target may be dead, or the far end's return path may lead through a dead gateway. Then the state of the
gateways themselves decides: whether they answer, and whether they still return probes that are addressed to
us. Without evidence against the leader it stays, except for a trial (failover/trial.py). Times are monotonic
nanoseconds.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from backstay_agent.failover import trial
from backstay_agent.failover.damping import Damper
from backstay_agent.failover.types import (
    ActiveGateway,
    Decision,
    DecisionInput,
    GatewayStatus,
    Reason,
    Step,
    counts_by_target,
)
from backstay_wire import Timers

_SECOND = 1_000_000_000
_DETECTIONS = 3
"""Detection times until a target that does not answer through any gateway is reported."""


def decide(
    order: tuple[str, ...],
    timers: Timers,
    lead: ActiveGateway,
    signs: Mapping[str, GatewayStatus],
    *,
    forced: str = "",
    now: int,
) -> Step:
    """The gateway to use at `now`. `order` names the gateways, best first; `forced` the one requested by a
    move."""
    case = DecisionInput(order, timers, lead, signs, now, counts_by_target(signs))
    case = replace(case, lead=_count_failures(case))
    if case.lead.gateway not in order:
        return _first(case)
    if not signs[case.lead.gateway].carrier:
        return _leave(case, "carrier")
    if forced or case.lead.moved_to:
        step = _move(case, forced)
        if step is not None:
            return step
    mark = case.mark(case.lead.gateway)
    if mark.alive is False and mark.losing:
        return _leave(case, "failed")
    if case.target_silent:
        return _target_unanswered(case)
    return _improve(replace(case, lead=replace(case.lead, silent=False)))


def _first(case: DecisionInput) -> Step:
    """No gateway is active yet: wait until one is known to be alive, or all are known to be dead."""
    living = [gateway for gateway in case.order if case.lives(gateway)]
    if living:
        return _switch(case, "start", case.best(living))
    if all(case.dead(gateway) for gateway in case.order):
        return _stay(case)
    return case.lead, None


def _leave(case: DecisionInput, reason: Literal["failed", "carrier"]) -> Step:
    others = [gateway for gateway in case.order if gateway != case.lead.gateway]
    living = [gateway for gateway in others if case.lives(gateway)]
    if reason == "failed":
        since = case.mark(case.lead.gateway).silent_ns or case.now
        proven = [gateway for gateway in living if case.last_answered_ns(gateway) >= since]
        if living and not proven:
            return case.lead, None
        living = proven
    unknown = [g for g in others if case.signs[g].carrier and case.mark(g).alive is None]
    if not living and unknown:
        # A gateway that is certainly dead is left even for one that was never probed; a doubtful one is not.
        return _switch(case, reason, unknown[0]) if reason == "carrier" else (case.lead, None)
    return _switch(case, reason, case.best(living)) if living else _stay(case)


def _target_unanswered(case: DecisionInput) -> Step:
    """The target does not answer through any gateway: report it once, then run trials from time to time."""
    if case.lead.trial is not None:
        return trial.go_on(case, case.lead.trial)
    if not case.lead.silent:
        # The gateways are being probed meanwhile: their replies may arrive shortly.
        known = trial.silent_ns(case) >= _DETECTIONS * trial.detection_ns(case)
        return _stay(case) if known else (case.lead, None)
    return trial.begin(case) or (case.lead, None)


def _stay(case: DecisionInput) -> Step:
    lead = case.lead
    if lead.silent:
        return lead, None
    return replace(lead, silent=True, held_back=0), Decision(
        "no_gateway", lead.gateway, lead.gateway, lead.held_back
    )


def _move(case: DecisionInput, forced: str) -> Step | None:
    """A move starts, changes or ends; None: it continues or is impossible, and the policy decides."""
    lead = case.lead
    if forced and forced == lead.moved_to == lead.gateway:
        return None if case.dead(forced) else (lead, None)
    if forced and not case.lives(forced):
        return None
    if forced:
        home = lead.trial.home if lead.trial is not None else lead.gateway
        moved = replace(lead, moved_to=forced, home=lead.home or home)
        return _switch(replace(case, lead=moved), "moved", forced)
    over = replace(case, lead=replace(lead, moved_to="", home=""))
    return _switch(over, "move_over", _after_move(case))


def _after_move(case: DecisionInput) -> str:
    order, lead = case.order, case.lead
    home = lead.home if lead.home in order else lead.gateway
    if case.timers.revert == "manual":
        # Moved by hand to a better gateway that stays active: this is the manual failback.
        kept = sorted((home, lead.gateway), key=order.index)
        return next((gateway for gateway in kept if case.lives(gateway)), lead.gateway)
    living = [gateway for gateway in order if case.lives(gateway) and not case.damped(gateway)]
    better = [gateway for gateway in living if order.index(gateway) <= order.index(home)]
    return (better or living or [lead.gateway])[0]


def _improve(case: DecisionInput) -> Step:
    if case.lead.trial is not None and not any(
        sign.through and sign.through.alive for sign in case.signs.values()
    ):
        return case.lead, None  # started before a restart: nothing is known yet
    # A trial is over when the target answers again: from here the probe states decide.
    lead, order = replace(case.lead, trial=None), case.order
    rank = order.index(lead.gateway)
    preferred = next((g for g in order[:rank] if case.lives(g) and case.mark(g).lost <= 1), "")
    if not preferred or case.timers.revert == "manual":
        return replace(lead, held=""), None
    ready = [g for g in order[:rank] if case.lives(g) and case.mark(g).lost <= 1 and not case.damped(g)]
    held_down = lead.switched_ns is not None and case.now < lead.switched_ns + _ns(case.timers.hold_down_s)
    if not ready or held_down:
        return _held(lead, preferred), None
    wait = _ns(case.timers.revert_after_s) if case.timers.revert == "after" else 0
    waited = [g for g in ready if case.now >= case.mark(g).since_ns + wait]
    return _switch(case, "recovered", waited[0]) if waited else (replace(lead, held=""), None)


def _held(lead: ActiveGateway, preferred: str) -> ActiveGateway:
    """Counted once each time a better gateway has to wait, not at each step."""
    if lead.held == preferred:
        return lead
    return replace(lead, held=preferred, held_back=lead.held_back + 1)


def _switch(case: DecisionInput, reason: Reason, gateway: str) -> Step:
    lead = case.lead
    switched = gateway != lead.gateway
    after = replace(
        lead,
        gateway=gateway,
        since_ns=case.now if switched else lead.since_ns,
        switched_ns=case.now if switched else lead.switched_ns,
        silent=lead.silent and case.target_silent,
        trial=None,
        held="",
        held_back=0,
    )
    if reason in ("failed", "carrier"):
        after = replace(after, moved_to="", home="")
    return after, Decision(reason, lead.gateway, gateway, lead.held_back)


def _ns(seconds: float) -> int:
    return round(seconds * _SECOND)


def _count_failures(case: DecisionInput) -> ActiveGateway:
    """The lead after recording the gateways that died since the last step.

    A failure counts once against a gateway at fault, never for a dead target.
    """
    lead = case.lead
    dead = frozenset(name for name in case.order if case.dead(name))
    if not dead and not lead.dead:
        return lead
    open_cases = (dead - lead.dead) | (lead.innocent & dead)
    guilty = {name for name in open_cases if _to_blame(case, name, fresh=name not in lead.dead)}
    hold = case.timers.hold_down_s
    died = {name: lead.dampers.get(name, Damper()).died(case.now, hold) for name in sorted(guilty)}
    return replace(lead, dead=dead, innocent=open_cases - guilty, dampers={**lead.dampers, **died})


def _to_blame(case: DecisionInput, gateway: str, *, fresh: bool) -> bool:
    """Whether the gateway is at fault: the target answers through others, and not again through this one."""
    if case.dead_itself(gateway):
        return True
    return case.by_target and (fresh or case.mark(gateway).losing)
