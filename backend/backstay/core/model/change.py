"""The course of a change: what each node is asked to do next, from what all of them have reached. Pure.

First every node prepares; one refusal and nothing was touched. Then wave after wave: all of a wave apply, all
are confirmed, or all go back. A wave that went back ends the change; waves confirmed before it stay, waves
after it were never begun. What a node tells is believed at any time, also after the end: a guard that puts
its node back needs nobody's leave.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

State = Literal[
    "draft", "planned", "approved", "rolling", "confirming", "done", "rolled_back", "failed", "superseded"
]
NodeState = Literal[
    "pending", "preparing", "prepared", "applying", "applied", "confirming", "confirmed",
    "rolling_back", "rolled_back", "refused", "failed",
]  # fmt: skip
NodeReport = Literal["prepared", "refused", "applied", "confirmed", "rolled_back", "failed"]
NodeStep = Literal["prepare", "apply", "confirm", "roll_back"]

RUNNING: frozenset[State] = frozenset({"rolling", "confirming"})
ENDED: frozenset[State] = frozenset({"done", "rolled_back", "failed", "superseded"})
AT_REST: frozenset[NodeState] = frozenset({"confirmed", "rolled_back", "refused", "failed", "pending"})
"""Nothing more is asked of such a node."""
TOUCHED: frozenset[NodeState] = frozenset({"applying", "applied", "confirming"})
"""The node may run the new state, and its guard may be armed."""
_BAD: frozenset[NodeState] = frozenset({"refused", "rolled_back", "failed"})
"""One such node in a wave, and all of it goes back."""

PREPARE_S = 120.0
"""A node that has not prepared so long after it was asked, and after the last other that has, is taken for
absent. Nothing is touched yet, and all nodes at once start their guards and ask the backend for the plan."""
GRACE_S = 15.0
"""Beyond a node's own timeout before we call it failed: it must tell us of its guard's work first."""
MARGIN_S = 3.0
"""A confirmation must reach every node before the first guard acts: so much earlier it is refused."""

_WANTED: dict[NodeState, NodeStep] = {
    "preparing": "prepare",
    "prepared": "prepare",
    "applying": "apply",
    "applied": "apply",
    "confirming": "confirm",
    "confirmed": "confirm",
    "rolling_back": "roll_back",
    "rolled_back": "roll_back",
}


@dataclass(frozen=True, slots=True)
class NodeExecution:
    """One node in a change."""

    node: int
    wave: int
    state: NodeState = "pending"
    since: datetime | None = None
    guard_until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangeExecution:
    """A change as far as its application goes; `wave` None: preparing, or not begun."""

    state: State
    members: tuple[NodeExecution, ...]
    timeout_s: float
    auto_confirm: bool = False
    wave: int | None = None
    reason: str = ""
    """Why it ended otherwise than done."""

    @property
    def running(self) -> bool:
        """Whether nodes are asked to do anything."""
        return self.state in RUNNING

    def in_wave(self) -> tuple[NodeExecution, ...]:
        """The members that move now: all while preparing."""
        return tuple(member for member in self.members if self.wave is None or member.wave == self.wave)

    def confirm_by(self) -> datetime | None:
        """When it is too late to confirm; None when nothing waits for it."""
        ends = [item.guard_until for item in self.in_wave() if item.state == "applied" and item.guard_until]
        if self.state != "confirming" or not ends:
            return None
        return min(ends) - timedelta(seconds=MARGIN_S)


def next_step(execution: ChangeExecution, member: NodeExecution) -> NodeStep | None:
    """What a node shall be asked for now; None: nothing."""
    return _WANTED.get(member.state) if execution.running else None


def begin(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Ask every node to prepare."""
    members = tuple(replace(member, state="preparing", since=now) for member in execution.members)
    return replace(execution, state="rolling", members=members, wave=None)


def apply_report(
    execution: ChangeExecution,
    node: int,
    reported: NodeReport,
    now: datetime,
    *,
    reason: str = "",
    guard: datetime | None = None,
) -> ChangeExecution:
    """A node says what it has reached. What does not follow from what it was asked is not believed."""
    members = tuple(
        _moved(member, reported, now, reason, guard) if member.node == node else member
        for member in execution.members
    )
    return replace(execution, members=members)


_FOLLOWS: dict[NodeReport, frozenset[NodeState]] = {
    "prepared": frozenset({"preparing"}),
    "refused": frozenset({"preparing", "applying", "rolling_back"}),
    "applied": frozenset({"applying"}),
    "confirmed": frozenset({"confirming"}),
    "rolled_back": frozenset({"applying", "applied", "confirming", "confirmed", "rolling_back", "failed"}),
    "failed": frozenset({"applying", "applied", "confirming", "confirmed", "rolling_back"}),
}


def _moved(
    member: NodeExecution, reported: NodeReport, now: datetime, reason: str, guard: datetime | None
) -> NodeExecution:
    if reported == member.state == "applied":
        return replace(member, guard_until=guard)
    if member.state not in _FOLLOWS[reported]:
        return member
    # A node that was to go back and had nothing to undo is back.
    state: NodeState = "rolled_back" if reported == "refused" and member.state == "rolling_back" else reported
    return replace(member, state=state, since=now, reason=reason, guard_until=guard)


def confirm(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """The wave under way is good; the caller has checked `confirm_by`."""
    return replace(execution, state="rolling", members=_asked(execution, "applied", "confirming", now))


def roll_back(execution: ChangeExecution, reason: str, now: datetime) -> ChangeExecution:
    """The wave under way shall go back. Members that were never touched stay as they are."""
    members = tuple(
        _going_back(member, now) if member in execution.in_wave() else member for member in execution.members
    )
    return replace(execution, state="rolling", members=members, reason=execution.reason or reason)


def _going_back(member: NodeExecution, now: datetime) -> NodeExecution:
    if member.state in TOUCHED or (member.state == "confirmed"):
        return replace(member, state="rolling_back", since=now)
    if member.state in {"preparing", "prepared"}:
        return replace(member, state="pending", since=now)
    return member


def _asked(
    execution: ChangeExecution, those: NodeState, to: NodeState, now: datetime
) -> tuple[NodeExecution, ...]:
    current = set(execution.in_wave())
    return tuple(
        replace(member, state=to, since=now) if member in current and member.state == those else member
        for member in execution.members
    )


def step(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Move on as far as what is known allows; the same course when there is nothing to do."""
    if not execution.running:
        return _back_after_all(execution)
    execution = _overdue(execution, now)
    wave = execution.in_wave()
    states = {item.state for item in wave}
    if states & _BAD or execution.reason:
        return _end_badly(execution, now)
    if execution.wave is None and states == {"prepared"}:
        return _start_wave(execution, 0, now)
    if execution.state == "rolling" and execution.wave is not None and states == {"applied"}:
        confirming = replace(execution, state="confirming")
        return confirm(confirming, now) if execution.auto_confirm else confirming
    if execution.wave is not None and states == {"confirmed"}:
        return _next_wave(execution, now)
    return execution


def _back_after_all(execution: ChangeExecution) -> ChangeExecution:
    """A change that failed for want of news, and whose nodes have told since that they are as before."""
    back = [member for member in execution.members if member.state == "rolled_back"]
    if (
        execution.state != "failed"
        or not back
        or any(member.state == "failed" for member in execution.members)
    ):
        return execution
    reason = next((item.reason for item in back if item.reason), execution.reason)
    return replace(execution, state="rolled_back", reason=reason)


def _overdue(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Nodes that were asked and are not heard: absent while preparing, failed later."""
    prepared = [member.since for member in execution.members if member.state == "prepared" and member.since]
    quiet_s = min(((now - item).total_seconds() for item in prepared), default=math.inf)
    members = tuple(_given_up(member, execution.timeout_s, quiet_s, now) for member in execution.members)
    return replace(execution, members=members)


def _given_up(member: NodeExecution, timeout_s: float, quiet_s: float, now: datetime) -> NodeExecution:
    if member.since is None:
        return member
    waited = (now - member.since).total_seconds()
    if member.state == "preparing" and min(waited, quiet_s) > PREPARE_S:
        return replace(member, state="refused", since=now, reason=f"not heard for {PREPARE_S:.0f} s")
    if member.state in TOUCHED | {"rolling_back"} and waited > timeout_s + GRACE_S:
        reason = f"not heard for {waited:.0f} s; its own guard puts it back"
        return replace(member, state="failed", since=now, reason=reason)
    return member


def _end_badly(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """All of the wave go back; when all are at rest the change ends."""
    if not execution.reason:
        culprit = next(
            item for item in execution.in_wave() if item.state in {"refused", "rolled_back", "failed"}
        )
        execution = replace(execution, reason=culprit.reason or culprit.state.replace("_", " "))
    execution = roll_back(execution, execution.reason, now)
    states = {item.state for item in execution.in_wave()}
    if not states <= AT_REST:
        return execution
    touched = any(member.state in {"rolled_back", "confirmed"} for member in execution.members)
    failed = "failed" in states or ("refused" in states and not touched)
    ended: State = "failed" if failed else "rolled_back"
    members = tuple(
        replace(member, state="pending") if member.state in {"preparing", "prepared"} else member
        for member in execution.members
    )
    return replace(execution, state=ended, members=members)


def _start_wave(execution: ChangeExecution, wave: int, now: datetime) -> ChangeExecution:
    moved = replace(execution, state="rolling", wave=wave)
    return replace(moved, members=_asked(moved, "prepared", "applying", now))


def _next_wave(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    assert execution.wave is not None
    following = [member.wave for member in execution.members if member.wave > execution.wave]
    return _start_wave(execution, min(following), now) if following else replace(execution, state="done")
