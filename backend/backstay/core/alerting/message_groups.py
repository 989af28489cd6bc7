"""When a route sends which message: grouping, escalation, reminders and damping.

A group is everything that one route reports of a site. What changed since its last message goes into one
message. State is kept per object (fingerprint), so that an incident that opens again continues its
predecessor's. All functions are pure; `alerts.notify.outbox` stores what they decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from backstay.core.alerting.message import Reason
from backstay.core.alerting.root_causes import EFFECTS, CauseRank
from backstay.core.thresholds import ROUND_S

SETTLED_S = 2 * ROUND_S
"""A change younger than this may still get a root cause: it waits for the next message. One of a kind that is
normally an effect waits so much longer than a group does: its root cause may need two missed reports."""
MAX_WAITS = 2
"""A message waits at most so many times the group's wait for changes that may still get a root cause, or
prove to be another fault: a gateway counts as unreachable, or as isolated, before its last port reports."""
DAMPED_FOR = timedelta(hours=1)
MAX_MESSAGES = 3
"""Messages about one object within `DAMPED_FOR`. The last one is kept for an open incident, so that an object
that flaps never stays open while its last message reads resolved."""
LASTS = timedelta(minutes=15)
"""What has been well for so long does not flap any more: its end is reported whatever was sent before, so
that nobody is left with a message that reads open. That message does not count."""
MAX_URGENT = 3
"""Messages of a group within its interval: only a new critical incident comes before the interval ends."""
_RANKS = {"warning": 1, "critical": 2}
_ORDER: tuple[Reason, ...] = ("opened", "worse", "resolved")
"""A message about several changes is named by the first of these."""


@dataclass(frozen=True, slots=True)
class GroupTimes:
    """Times of a route in seconds."""

    wait_s: float = 10.0
    """From the first change to the message, at least: root causes become known meanwhile."""
    interval_s: float = 300.0
    """Between two messages."""
    repeat_s: float = 14_400.0
    """Between reminders of what is neither acknowledged nor resolved; 0: none."""
    sends_resolved: bool = True
    steps_s: tuple[float, ...] = (0.0,)
    """Step -> seconds after the first message until it is notified as well."""


@dataclass(frozen=True, slots=True)
class GroupMember:
    """One object of a group: its incident now, and what the group's messages reported of it."""

    key: str
    is_open: bool
    """Whether an incident lasts."""
    may_notify: bool
    """Open, matches the route, has no root cause that lasts, and is not muted."""
    is_acknowledged: bool
    severity: str
    changed_at: datetime
    """Since when it is as it is."""
    rank: CauseRank = CauseRank.INDEPENDENT
    """Of its kind."""
    reported: str = ""
    """Empty: never; `open`; `resolved`; `missed`: it opened and resolved while nothing was sent."""
    reported_severity: str = ""
    first_at: datetime | None = None
    """Of the message that reported it as open: escalation counts from here."""
    last_at: datetime | None = None
    step: int = 0
    """The last step that was notified."""
    messages: tuple[datetime, ...] = ()
    """Newest messages about its changes."""


@dataclass(frozen=True, slots=True)
class PlannedMessage:
    """A message that is due."""

    reason: Reason
    keys: tuple[str, ...]
    steps: tuple[tuple[int, frozenset[str]], ...]
    """Step -> the keys that its channels get."""


@dataclass(frozen=True, slots=True)
class GroupState:
    """What the group sent lately."""

    newest_at: datetime | None = None
    """The newest message about changes."""
    in_interval: int = 0
    """Messages about changes within the interval."""


def plan_messages(
    members: Iterable[GroupMember], times: GroupTimes, state: GroupState, now: datetime
) -> list[PlannedMessage]:
    """The messages that are due now; at most one about changes, one per step of escalation, one reminder."""
    known = sorted(members, key=lambda member: member.key)
    planned = _changes(known, times, state, now)
    planned += _escalations(known, times, now)
    busy = {key for message in planned for key in message.keys}
    return planned + _reminder([member for member in known if member.key not in busy], times, now)


def change_of(member: GroupMember, times: GroupTimes) -> Reason | None:
    """What a message about changes would report of it, apart from damping."""
    if not member.is_open:
        is_reported = member.reported in {"open", "missed"}
        return "resolved" if is_reported and times.sends_resolved else None
    if not member.may_notify or member.is_acknowledged:
        return None
    if member.reported != "open":
        return "opened"
    is_worse = _RANKS.get(member.severity, 0) > _RANKS.get(member.reported_severity, 0)
    return "worse" if is_worse else None


def is_damped(member: GroupMember, reason: Reason, now: datetime) -> bool:
    """Whether the object had enough messages lately."""
    if is_lasting_end(member, now):
        return False
    recent = sum(at > now - DAMPED_FOR for at in member.messages)
    return recent >= (MAX_MESSAGES - 1 if reason == "resolved" else MAX_MESSAGES)


def is_lasting_end(member: GroupMember, now: datetime) -> bool:
    """Whether it has been resolved for `LASTS`."""
    return not member.is_open and now - member.changed_at >= LASTS


def _changes(
    members: Sequence[GroupMember], times: GroupTimes, state: GroupState, now: datetime
) -> list[PlannedMessage]:
    found: list[tuple[GroupMember, Reason]] = []
    for member in members:
        reason = change_of(member, times)
        if reason is not None and not is_damped(member, reason, now):
            found.append((member, reason))
    due = [(member, reason) for member, reason in found if _age_s(member, now) >= _least_s(member, times)]
    waited_s = max((_age_s(member, now) for member, _ in due), default=0.0)
    if not due or waited_s < times.wait_s:
        return []
    is_settled = all(_age_s(member, now) >= _settles_s(member, times) for member, _ in found)
    if not is_settled and waited_s < MAX_WAITS * times.wait_s:
        return []
    if not _may_send(due, times, state, now):
        return []
    first = min((reason for _, reason in due), key=_ORDER.index)
    return [_planned(first, [member for member, _ in due])]


def _age_s(member: GroupMember, now: datetime) -> float:
    return (now - member.changed_at).total_seconds()


def _least_s(member: GroupMember, times: GroupTimes) -> float:
    """Age from which a message may contain it."""
    if member.is_open and member.rank in EFFECTS and times.wait_s:
        return times.wait_s + SETTLED_S
    return min(times.wait_s, SETTLED_S)


def _settles_s(member: GroupMember, times: GroupTimes) -> float:
    """Age from which a message does not wait for its root cause, or what refutes it, any more."""
    if member.is_open and member.rank < CauseRank.INDEPENDENT:
        return max(times.wait_s, _least_s(member, times))
    return 0.0


def _may_send(
    due: Sequence[tuple[GroupMember, Reason]], times: GroupTimes, state: GroupState, now: datetime
) -> bool:
    """Whether the interval since the last message is over, or something is too urgent to wait for it."""
    if state.newest_at is None or now >= state.newest_at + timedelta(seconds=times.interval_s):
        return True
    if state.in_interval >= MAX_URGENT or now < state.newest_at + timedelta(seconds=times.wait_s):
        return False
    fresh = now - timedelta(seconds=times.wait_s)
    return any(
        member.severity == "critical" and not _recent(member, now) and member.changed_at <= fresh
        for member, reason in due
        if reason in {"opened", "worse"}
    )


def _recent(member: GroupMember, now: datetime) -> bool:
    return any(at > now - DAMPED_FOR for at in member.messages)


def _escalations(members: Sequence[GroupMember], times: GroupTimes, now: datetime) -> list[PlannedMessage]:
    waiting = [member for member in members if _lasts(member) and member.first_at is not None]
    planned = []
    for step, after_s in enumerate(times.steps_s[1:], start=1):
        due = [
            member
            for member in waiting
            if member.step < step
            and member.first_at is not None
            and now >= member.first_at + timedelta(seconds=after_s)
        ]
        if due:
            keys = tuple(member.key for member in due)
            planned.append(PlannedMessage("escalated", keys, ((step, frozenset(keys)),)))
    return planned


def _lasts(member: GroupMember) -> bool:
    """Whether it was reported, lasts, and nobody has acknowledged it."""
    return member.may_notify and not member.is_acknowledged and member.reported == "open"


def _reminder(members: Sequence[GroupMember], times: GroupTimes, now: datetime) -> list[PlannedMessage]:
    lasting = [member for member in members if _lasts(member) and member.last_at is not None]
    pause = timedelta(seconds=times.repeat_s)
    is_due = any(member.last_at is not None and now >= member.last_at + pause for member in lasting)
    return [_planned("reminder", lasting)] if times.repeat_s and is_due else []


def _planned(reason: Reason, members: Sequence[GroupMember]) -> PlannedMessage:
    """To every step that was notified of them."""
    last = max(member.step for member in members)
    steps = tuple(
        (step, frozenset(member.key for member in members if member.step >= step)) for step in range(last + 1)
    )
    return PlannedMessage(reason, tuple(member.key for member in members), steps)
