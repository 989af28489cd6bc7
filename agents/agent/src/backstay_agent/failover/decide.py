"""Which gateway shall carry a policy's prefix: one pure function of what is known, and nothing else.

The rules, in the order in which they are asked:

1. The leading gateway's port has lost carrier: lead by the best gateway that lives, at once.
2. A person wants a certain gateway for a time (a move), and it answers: lead by it. When the move is over,
   lead by the one from before, or by a better one that lives.
3. The leading gateway is dead: lead by the best that has answered a probe *since the leader fell silent*.
   Hold-down does not count here. Who flaps is taken only when nobody else lives. With nobody alive the
   leader stays, for any switch would be a guess.
4. A better gateway is alive: lead by it as the policy reverts (now, after a while, by hand), once
   hold-down and damping are over.

What counts as alive is the end-to-end target as reached through each gateway. A target that answers through
none of them is its own fault: then the gateways' own answers decide, and a leader that itself lives stays.
Times are monotonic nanoseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from backstay_agent.failover.damping import Damper
from backstay_agent.failover.pulse import Mark
from backstay_wire import Timers

_SECOND = 1_000_000_000
Reason = Literal["failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "start", "refused"]


@dataclass(frozen=True, slots=True)
class Sign:
    """What is known of one gateway."""

    own: Mark
    """Of the gateway itself."""
    through: Mark | None = None
    """Of the end-to-end target through it; None: the policy has no target, or it cannot be reached so."""
    carrier: bool = True
    """Of this node's port towards it."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads, since when, and what is remembered."""

    gateway: str
    """Empty: none, or one that is not of the policy."""
    since_ns: int
    switched_ns: int | None = None
    """The last switch: hold-down counts from here."""
    moved_to: str = ""
    """The gateway of the move under way."""
    home: str = ""
    """Who led before it."""
    dampers: Mapping[str, Damper] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    silent: bool = False
    """That no gateway is alive was told."""
    held: str = ""
    """The better gateway that hold-down or damping keeps from leading now."""
    held_back: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """Who leads from now on, and why. The same one before and after: nothing is switched."""

    reason: Reason
    from_gateway: str
    to_gateway: str
    held_back: int

    @property
    def switches(self) -> bool:
        """Whether the route must change."""
        return self.from_gateway != self.to_gateway


Step = tuple[Lead, Decision | None]


@dataclass(frozen=True, slots=True)
class _Case:
    """One question: everything that the answer may depend on."""

    order: tuple[str, ...]
    timers: Timers
    lead: Lead
    signs: Mapping[str, Sign]
    now: int
    by_target: bool

    @property
    def target_silent(self) -> bool:
        return not self.by_target and any(sign.through is not None for sign in self.signs.values())

    def mark(self, gateway: str) -> Mark:
        sign = self.signs[gateway]
        return sign.through if self.by_target and sign.through is not None else sign.own

    def lives(self, gateway: str) -> bool:
        return self.signs[gateway].carrier and self.mark(gateway).alive is True

    def damped(self, gateway: str) -> bool:
        return self.lead.dampers.get(gateway, Damper()).holds(self.now)

    def best(self, among: list[str]) -> str:
        """The first in order, those that flap last."""
        return next((gateway for gateway in among if not self.damped(gateway)), among[0])


def decide(
    order: tuple[str, ...],
    timers: Timers,
    lead: Lead,
    signs: Mapping[str, Sign],
    *,
    forced: str = "",
    now: int,
) -> Step:
    """Who leads at `now`. `order` names the gateways, the best first; `forced` the one that a move wants."""
    case = _Case(order, timers, lead, signs, now, counts_by_target(signs))
    case = replace(case, lead=_note_deaths(case))
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
        # The target's own fault: nothing that could be done about it is known to be better.
        return _stay(case)
    return _improve(replace(case, lead=replace(case.lead, silent=False)))


def counts_by_target(signs: Mapping[str, Sign]) -> bool:
    """Whether the target decides: it does unless it is silent through every gateway."""
    marks = [sign.through for sign in signs.values() if sign.through is not None]
    return bool(marks) and any(mark.alive is not False for mark in marks)


def _note_deaths(case: _Case) -> Lead:
    """Each death counts once; not that of a target which has fallen silent through every gateway."""
    lead = case.lead
    dead = frozenset(name for name in case.order if _is_dead(case.signs[name]))
    if dead == lead.dead:
        return lead
    guilty = [name for name in dead - lead.dead if case.by_target or _is_dead_itself(case.signs[name])]
    hold = case.timers.hold_down_s
    died = {name: lead.dampers.get(name, Damper()).died(case.now, hold) for name in guilty}
    return replace(lead, dead=dead, dampers={**lead.dampers, **died})


def _is_dead(sign: Sign) -> bool:
    return not sign.carrier or (sign.through or sign.own).alive is False


def _is_dead_itself(sign: Sign) -> bool:
    return not sign.carrier or sign.own.alive is False


def _first(case: _Case) -> Step:
    """Nobody leads yet: wait until somebody is known to live, or all are known to be dead."""
    living = [gateway for gateway in case.order if case.lives(gateway)]
    if living:
        return _switch(case, "start", case.best(living))
    if all(_is_dead(case.signs[gateway]) for gateway in case.order):
        return _stay(case)
    return case.lead, None


def _leave(case: _Case, reason: Literal["failed", "carrier"]) -> Step:
    others = [gateway for gateway in case.order if gateway != case.lead.gateway]
    living = [gateway for gateway in others if case.lives(gateway)]
    if reason == "failed":
        since = case.mark(case.lead.gateway).silent_ns or case.now
        proven = [gateway for gateway in living if (case.mark(gateway).heard_ns or 0) >= since]
        if living and not proven:
            return case.lead, None
        living = proven
    unknown = [g for g in others if case.signs[g].carrier and case.mark(g).alive is None]
    if not living and unknown:
        # What is sure to be dead is left even for what nobody has heard of yet; what only may be is not.
        return _switch(case, reason, unknown[0]) if reason == "carrier" else (case.lead, None)
    return _switch(case, reason, case.best(living)) if living else _stay(case)


def _stay(case: _Case) -> Step:
    lead = case.lead
    if lead.silent:
        return lead, None
    return replace(lead, silent=True, held_back=0), Decision(
        "no_gateway", lead.gateway, lead.gateway, lead.held_back
    )


def _move(case: _Case, forced: str) -> Step | None:
    """A move begins, changes or ends; None: it goes on, or cannot be, and the policy decides."""
    lead = case.lead
    if forced and forced == lead.moved_to == lead.gateway:
        return None if _is_dead(case.signs[forced]) else (lead, None)
    if forced and not case.lives(forced):
        return None
    if forced:
        moved = replace(lead, moved_to=forced, home=lead.home or lead.gateway)
        return _switch(replace(case, lead=moved), "moved", forced)
    over = replace(case, lead=replace(lead, moved_to="", home=""))
    return _switch(over, "move_over", _after_move(case))


def _after_move(case: _Case) -> str:
    order, lead = case.order, case.lead
    home = lead.home if lead.home in order else lead.gateway
    if case.timers.revert == "manual":
        # Moved by hand to a better one and left there: that is what reverting by hand is.
        kept = sorted((home, lead.gateway), key=order.index)
        return next((gateway for gateway in kept if case.lives(gateway)), lead.gateway)
    living = [gateway for gateway in order if case.lives(gateway) and not case.damped(gateway)]
    better = [gateway for gateway in living if order.index(gateway) <= order.index(home)]
    return (better or living or [lead.gateway])[0]


def _improve(case: _Case) -> Step:
    lead, order = case.lead, case.order
    rank = order.index(lead.gateway)
    wished = next((g for g in order[:rank] if case.lives(g) and case.mark(g).lost <= 1), "")
    if not wished or case.timers.revert == "manual":
        return replace(lead, held=""), None
    ready = [g for g in order[:rank] if case.lives(g) and case.mark(g).lost <= 1 and not case.damped(g)]
    held_down = lead.switched_ns is not None and case.now < lead.switched_ns + _ns(case.timers.hold_down_s)
    if not ready or held_down:
        return _held(lead, wished), None
    wait = _ns(case.timers.revert_after_s) if case.timers.revert == "after" else 0
    waited = [g for g in ready if case.now >= case.mark(g).since_ns + wait]
    return _switch(case, "recovered", waited[0]) if waited else (replace(lead, held=""), None)


def _held(lead: Lead, wished: str) -> Lead:
    """Counted once for each time that a better gateway has to wait, not at each look."""
    if lead.held == wished:
        return lead
    return replace(lead, held=wished, held_back=lead.held_back + 1)


def _switch(case: _Case, reason: Reason, gateway: str) -> Step:
    lead = case.lead
    switched = gateway != lead.gateway
    after = replace(
        lead,
        gateway=gateway,
        since_ns=case.now if switched else lead.since_ns,
        switched_ns=case.now if switched else lead.switched_ns,
        silent=lead.silent and case.target_silent,
        held="",
        held_back=0,
    )
    if reason in ("failed", "carrier"):
        after = replace(after, moved_to="", home="")
    return after, Decision(reason, lead.gateway, gateway, lead.held_back)


def _ns(seconds: float) -> int:
    return round(seconds * _SECOND)
