"""Execution of a change: the next step of each node, from the states of all nodes. Pure.

First all nodes prepare; if one refuses, no node is changed. Then, wave by wave, all nodes of a wave apply and
are confirmed, or all roll back. A confirmation has two phases: all nodes verify that the applied state still
runs, and only when all have done so does any of them save. A rolled-back wave ends the change: earlier waves
keep it (`stopped`), later waves do not start. Node reports are accepted at any time, also after the change
has ended, because a node's guard rolls back on its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from backstay.core.formatting import count, part_of

State = Literal[
    "draft", "planned", "approved", "rolling", "confirming", "done", "rolled_back", "stopped", "failed",
    "superseded",
]  # fmt: skip
"""`rolled_back`: no node keeps the change; `stopped`: a wave was rolled back, earlier waves keep it."""
NodeState = Literal[
    "pending", "preparing", "prepared", "applying", "applied", "verifying", "verified", "confirming",
    "confirmed", "rolling_back", "rolled_back", "refused", "failed",
]  # fmt: skip
RequestedKind = Literal["policies", "arp", "restore", "adopt"]
Kind = Literal[RequestedKind, "retire", "undo", "drill"]
"""What a change is for; an operator requests the first four directly."""
NodeReport = Literal["prepared", "refused", "applied", "verified", "confirmed", "rolled_back", "failed"]
NodeStep = Literal["prepare", "apply", "verify", "confirm", "roll_back"]

RUNNING: frozenset[State] = frozenset({"rolling", "confirming"})
ENDED: frozenset[State] = frozenset({"done", "rolled_back", "stopped", "failed", "superseded"})
AT_REST: frozenset[NodeState] = frozenset({"confirmed", "rolled_back", "refused", "failed", "pending"})
"""The node has no further steps."""
TOUCHED: frozenset[NodeState] = frozenset({"applying", "applied", "verifying", "verified", "confirming"})
"""The node may run the new state, and its guard may be armed."""
_BAD: frozenset[NodeState] = frozenset({"refused", "rolled_back", "failed"})
"""One such node causes its whole wave to roll back."""

PREPARE_S = 120.0
"""Prepare timeout, counted from the request and from the last other node that prepared. No node is changed
yet; all nodes start their guards and fetch the plan from the backend at the same time.
"""
GRACE_S = 15.0
"""Time after a node's own timeout before it counts as failed, so that it can report its guard's rollback."""
MARGIN_S = 3.0
"""A confirmation must reach every node before the first guard fires; it is refused this long before."""

_SOONEST_S = 0.3
_REQUESTS_PER_S = 40.0
"""By the nodes of one wave that wait for their next step."""

_WANTED: dict[NodeState, NodeStep] = {
    "preparing": "prepare",
    "prepared": "prepare",
    "applying": "apply",
    "applied": "apply",
    "verifying": "verify",
    "verified": "verify",
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
    """Execution state of a change; `wave` None: preparing, or not started."""

    state: State
    members: tuple[NodeExecution, ...]
    timeout_s: float
    auto_confirm: bool = False
    wave: int | None = None
    reason: str = ""
    """Reason if it ended in a state other than done."""

    @property
    def running(self) -> bool:
        """Whether nodes have steps to execute."""
        return self.state in RUNNING

    def in_wave(self) -> tuple[NodeExecution, ...]:
        """Members of the current wave; all members while preparing."""
        return tuple(member for member in self.members if self.wave is None or member.wave == self.wave)

    @property
    def progress(self) -> ChangeProgress:
        """Its members, counted."""
        guards: dict[int, datetime] = {}
        for item in self.members:
            if item.state == "applied" and item.guard_until is not None:
                guards[item.wave] = min(item.guard_until, guards.get(item.wave, item.guard_until))
        return ChangeProgress(Counter((item.wave, item.state) for item in self.members), guards)

    def confirm_by(self) -> datetime | None:
        """Deadline of the confirmation; None if no confirmation is pending."""
        return confirm_by(self.state, self.wave, self.progress)


@dataclass(frozen=True, slots=True)
class ChangeProgress:
    """How many nodes of a change are in which state: all that its state as text and its rules need."""

    counts: Mapping[tuple[int, NodeState], int] = field(default_factory=dict)
    """By wave and state."""
    guards: Mapping[int, datetime] = field(default_factory=dict)
    """Wave -> when the first guard of its applied nodes rolls back."""

    @property
    def total(self) -> int:
        """Number of nodes."""
        return sum(self.counts.values())

    @property
    def waves(self) -> int:
        """Number of waves."""
        return max((wave + 1 for wave, _ in self.counts), default=0)

    def of(self, *states: NodeState) -> int:
        """Number of nodes in these states."""
        return sum(number for (_, state), number in self.counts.items() if state in states)


def confirm_by(state: State, wave: int | None, progress: ChangeProgress) -> datetime | None:
    """As `ChangeExecution.confirm_by`."""
    ends = [until for number, until in progress.guards.items() if wave is None or number == wave]
    if state != "confirming" or not ends:
        return None
    return min(ends) - timedelta(seconds=MARGIN_S)


def outcome(execution: ChangeExecution) -> str:
    """Result of an ended change: `stopped at wave 2 of 4; 1 of 5 nodes keeps the change: no answer`."""
    return outcome_of(execution.state, execution.wave, execution.reason, execution.progress)


def outcome_of(state: State, wave: int | None, reason: str, progress: ChangeProgress) -> str:
    """As `outcome`."""
    kept = progress.of("confirmed")
    if state == "done":
        return f"{count(kept, 'node')} confirmed"
    text = state.replace("_", " ")
    if kept and state in {"stopped", "failed"}:
        keep = "keeps" if kept == 1 else "keep"
        text += f" at wave {(wave or 0) + 1} of {progress.waves}"
        text += f"; {part_of(kept, progress.total, 'node')} {keep} the change"
    return f"{text}: {reason}" if reason else text


def next_step(execution: ChangeExecution, member: NodeExecution) -> NodeStep | None:
    """The step that a node executes now; None if there is none."""
    return _WANTED.get(member.state) if execution.running else None


def ask_interval(execution: ChangeExecution, wave: int, size: int) -> float | None:
    """Interval in seconds at which the `size` nodes of a wave request their next step; None: they decide.

    Short for the wave at work and, unless an operator is awaited, for the next one, because each phase waits
    for the last node to learn of it; longer for large waves, because one backend answers all.
    """
    at_work = -1 if execution.wave is None else execution.wave
    is_near = wave == at_work or (wave == at_work + 1 and execution.state == "rolling")
    return max(_SOONEST_S, size / _REQUESTS_PER_S) if execution.running and is_near else None


def begin(execution: ChangeExecution, now: datetime) -> ChangeExecution:
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
    """Apply a node's report. Reports that do not follow from the node's current step are ignored."""
    members = tuple(
        _moved(member, reported, now, reason, guard) if member.node == node else member
        for member in execution.members
    )
    return replace(execution, members=members)


_FOLLOWS: dict[NodeReport, frozenset[NodeState]] = {
    "prepared": frozenset({"preparing"}),
    # After applying: the node has lost its journal.
    "refused": frozenset({"preparing", "applying", "verifying", "verified", "confirming", "rolling_back"}),
    "applied": frozenset({"applying"}),
    "verified": frozenset({"verifying"}),
    "confirmed": frozenset({"confirming"}),
    "rolled_back": TOUCHED | {"confirmed", "rolling_back", "failed"},
    "failed": TOUCHED | {"confirmed", "rolling_back"},
}


def _moved(
    member: NodeExecution, reported: NodeReport, now: datetime, reason: str, guard: datetime | None
) -> NodeExecution:
    if reported == member.state == "applied":
        return replace(member, guard_until=guard)
    if member.state not in _FOLLOWS[reported]:
        return member
    # A node that should roll back but has nothing to undo counts as rolled back.
    state: NodeState = "rolled_back" if reported == "refused" and member.state == "rolling_back" else reported
    return replace(member, state=state, since=now, reason=reason, guard_until=guard)


def confirm(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Confirm the current wave: its nodes verify, then save. The caller has checked `confirm_by`."""
    return replace(execution, state="rolling", members=_asked(execution, "applied", "verifying", now))


def _save(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Let a wave whose nodes have all verified save, unless a guard may act before its node learns of it."""
    ends = [member.guard_until for member in execution.in_wave() if member.guard_until]
    if ends and now >= min(ends) - timedelta(seconds=MARGIN_S):
        return _end_badly(replace(execution, reason="not verified by all nodes in time to save"), now)
    return replace(execution, members=_asked(execution, "verified", "confirming", now))


def roll_back(execution: ChangeExecution, reason: str, now: datetime) -> ChangeExecution:
    """Roll back the current wave. Members that were not changed keep their state."""
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
    """Advance as far as the reported states allow; returns the same value if there is nothing to do."""
    if not execution.running:
        return _back_after_all(execution)
    execution = _overdue(execution, now)
    wave = execution.in_wave()
    states = {item.state for item in wave}
    if states & _BAD or execution.reason:
        return _end_badly(execution, now)
    if execution.wave is None:
        return _start_wave(execution, 0, now) if states == {"prepared"} else execution
    if execution.state == "rolling" and states == {"applied"}:
        confirming = replace(execution, state="confirming")
        return confirm(confirming, now) if execution.auto_confirm else confirming
    if states == {"verified"}:
        return _save(execution, now)
    return _next_wave(execution, now) if states == {"confirmed"} else execution


def _back_after_all(execution: ChangeExecution) -> ChangeExecution:
    """Mark a change that failed for lack of reports as rolled back, once its nodes have reported their
    rollback.
    """
    back = [member for member in execution.members if member.state == "rolled_back"]
    if (
        execution.state != "failed"
        or not back
        or any(member.state == "failed" for member in execution.members)
    ):
        return execution
    reason = next((item.reason for item in back if item.reason), execution.reason)
    return replace(execution, state=_ended_by_rollback(execution.members), reason=reason)


def _ended_by_rollback(members: tuple[NodeExecution, ...]) -> State:
    return "stopped" if any(member.state == "confirmed" for member in members) else "rolled_back"


def _overdue(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Time out nodes that do not report: refused while preparing, failed later."""
    prepared = [member.since for member in execution.members if member.state == "prepared" and member.since]
    quiet_s = min(((now - item).total_seconds() for item in prepared), default=math.inf)
    members = tuple(_given_up(member, execution.timeout_s, quiet_s, now) for member in execution.members)
    return replace(execution, members=members)


def _given_up(member: NodeExecution, timeout_s: float, quiet_s: float, now: datetime) -> NodeExecution:
    if member.since is None:
        return member
    waited = (now - member.since).total_seconds()
    if member.state == "preparing" and min(waited, quiet_s) > PREPARE_S:
        return replace(member, state="refused", since=now, reason=f"no report for {PREPARE_S:.0f} s")
    if member.state in TOUCHED | {"rolling_back"} and waited > timeout_s + GRACE_S:
        reason = f"no report for {waited:.0f} s; its own guard should restore it"
        return replace(member, state="failed", since=now, reason=reason)
    return member


def _end_badly(execution: ChangeExecution, now: datetime) -> ChangeExecution:
    """Roll back the whole wave; end the change when all its nodes have finished."""
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
    ended: State = "failed" if failed else _ended_by_rollback(execution.members)
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
