"""Paths: end-to-end state, placement, standby, and the display state that follows.

A path works only if a recent probe of its target was answered. A route alone proves nothing: without a
target it is unverified.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from backstay.core.model.state.rules import Facts, State, StateRule, decide

EndToEnd = Literal["working", "unverified", "dead", "unknown"]
Placement = Literal["preferred", "fallback", "held", "none"]
Standby = Literal["verified", "not verified", "dead"]
PathStandby = Literal["verified", "not verified", "dead", "none"]

END_TO_END: Sequence[StateRule[EndToEnd]] = (
    StateRule("unknown", {"is_observed": False}, "not observed yet"),
    StateRule("unknown", {"is_fresh": False}, "its node is not reporting"),
    StateRule("unknown", {"is_recent": False}, "its node reports no path"),
    StateRule("dead", {"has_route": False}, "no route"),
    StateRule("dead", {"target_alive": False}, "the target does not answer"),
    StateRule("working", {"target_alive": True}, "the target answers"),
    StateRule("unverified", text="no probe of a target"),
)
PAST_END_TO_END: Sequence[StateRule[EndToEnd]] = (
    StateRule("unknown", {"is_known": False}, "not measured at that time"),
    StateRule("dead", {"has_route": False}, "no route"),
    StateRule("dead", {"target_then": False}, "the target did not answer"),
    StateRule("working", {"target_then": True}, "the target answered"),
    StateRule("unverified", {"has_target": False}, "no probe of a target"),
    StateRule("unknown", text="whether its target answered is not kept"),
)
"""As `END_TO_END`, of a past moment from what history keeps."""
PLACEMENTS: Sequence[StateRule[Placement]] = (
    StateRule("none", {"has_route": False}),
    StateRule("held", {"is_held": True}),
    StateRule("fallback", {"is_on_fallback": True}),
    StateRule("preferred"),
)
STANDBYS: Sequence[StateRule[Standby]] = (
    StateRule("dead", {"alive": False}),
    StateRule("dead", {"forwards": False, "target_alive": True}),
    StateRule("verified", {"forwards": True}),
    StateRule("not verified"),
)
"""It is not enough that a standby answers (`alive`): the target must answer through it (`forwards`). While
the target does not answer through the active gateway either, its silence says nothing about a standby."""
PATH_STANDBYS: Sequence[StateRule[PathStandby]] = (
    StateRule("verified", {"has_verified": True}),
    StateRule("not verified", {"has_not_verified": True}),
    StateRule("dead", {"has_dead": True}),
    StateRule("none"),
)
PATH_STATES: Sequence[StateRule[State]] = (
    StateRule("unknown", {"end_to_end": "unknown"}),
    StateRule("critical", {"end_to_end": "dead"}),
    StateRule("warning", {"placement": "held"}),
    StateRule("warning", {"placement": "fallback"}),
    StateRule("warning", {"has_dead_standby": True}),
    StateRule("warning", {"end_to_end": "unverified", "gateway_alive": False}),
    StateRule("unknown", {"end_to_end": "unverified"}),
    StateRule("ok"),
)


@dataclass(frozen=True, slots=True)
class PathStatus:
    """States of one path."""

    state: State
    end_to_end: EndToEnd
    reason: str
    """Why `end_to_end` is so: `the target does not answer`."""
    placement: Placement


def path_status(facts: Facts) -> PathStatus:
    """States of a path by the facts of `END_TO_END`, `PLACEMENTS` and `has_dead_standby`."""
    proof = decide(END_TO_END, facts)
    placement = decide(PLACEMENTS, facts).state
    derived: Facts = {**facts, "end_to_end": proof.state, "placement": placement}
    return PathStatus(decide(PATH_STATES, derived).state, proof.state, proof.text, placement)


def standby_state(*, alive: bool | None, forwards: bool | None, target_alive: bool | None) -> Standby:
    """Whether a gateway that is not in use could take over."""
    facts = {"alive": alive, "forwards": forwards, "target_alive": target_alive}
    return decide(STANDBYS, facts).state


def best_standby(standbys: Iterable[Standby]) -> PathStandby:
    """The best of a path's standby gateways: what happens if the active one fails."""
    known = set(standbys)
    facts = {
        "has_verified": "verified" in known,
        "has_not_verified": "not verified" in known,
        "has_dead": "dead" in known,
    }
    return decide(PATH_STANDBYS, facts).state
