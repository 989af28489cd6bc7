"""Grouping, escalation, reminders and damping, played second by second like the outbox does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.alerting.message_groups import (
    DAMPED_FOR,
    LASTS,
    MAX_MESSAGES,
    GroupMember,
    GroupState,
    GroupTimes,
    PlannedMessage,
    is_lasting_end,
    plan_messages,
)
from backstay.core.alerting.root_causes import CauseRank

START = datetime(2026, 6, 1, tzinfo=UTC)
TIMES = GroupTimes()


@dataclass(frozen=True)
class Incident:
    """What is true of an object at one time."""

    since: datetime
    is_open: bool = True
    may_notify: bool = True
    is_acknowledged: bool = False
    severity: str = "critical"
    rank: CauseRank = CauseRank.INDEPENDENT


Situation = Mapping[str, Incident]


@dataclass
class Group:
    """Plays the outbox: stores what was planned, as `alerts.notify.outbox` does."""

    times: GroupTimes = TIMES
    members: dict[str, GroupMember] = field(default_factory=dict)
    sent: list[tuple[datetime, PlannedMessage]] = field(default_factory=list)

    def tick(self, now: datetime, situation: Situation) -> None:
        for key, one in situation.items():
            before = self.members.get(key)
            reported = "" if before is None else before.reported
            if before is None and not one.is_open:
                continue
            fresh = GroupMember(
                key, one.is_open, one.may_notify, one.is_acknowledged, one.severity, one.since, one.rank
            )
            if before is not None:
                step = before.step if reported == "open" or not one.is_open else 0
                fresh = replace(
                    fresh,
                    reported=reported,
                    reported_severity=before.reported_severity,
                    first_at=before.first_at,
                    last_at=before.last_at,
                    step=step,
                    messages=before.messages,
                )
            self.members[key] = fresh
        for message in plan_messages(self.members.values(), self.times, self._state(now), now):
            self.sent.append((now, message))
            for key in message.keys:
                self.members[key] = self._noted(self.members[key], message, now)

    def _state(self, now: datetime) -> GroupState:
        recent = [
            at
            for at, message in self.sent
            if message.reason in {"opened", "worse", "resolved"}
            and at > now - timedelta(seconds=self.times.interval_s)
        ]
        return GroupState(max(recent, default=None), len(recent))

    def _noted(self, member: GroupMember, message: PlannedMessage, now: datetime) -> GroupMember:
        is_change = message.reason in {"opened", "worse", "resolved"}
        is_new = member.is_open and member.reported != "open"
        return replace(
            member,
            reported="open" if member.is_open else "resolved",
            reported_severity=member.severity,
            first_at=now if is_new else member.first_at,
            last_at=now,
            step=max([member.step, *(step for step, _ in message.steps)])
            if message.reason == "escalated"
            else member.step,
            messages=(*member.messages, now)
            if is_change and not is_lasting_end(member, now)
            else member.messages,
        )

    def play(self, seconds: int, situation: Callable[[int], Situation]) -> list[tuple[int, str, int]]:
        """(second, reason, number of objects) of every message."""
        for second in range(seconds):
            self.tick(START + timedelta(seconds=second), situation(second))
        return [
            (int((at - START).total_seconds()), message.reason, len(message.keys))
            for at, message in self.sent
        ]


def at(second: int) -> datetime:
    return START + timedelta(seconds=second)


def test_first_message_waits_for_causes_and_takes_what_came_meanwhile() -> None:
    def situation(second: int) -> Situation:
        known = {f"port{number}": Incident(at(number)) for number in range(6)}
        return {key: one for key, one in known.items() if one.since <= at(second)}

    assert Group().play(60, situation) == [(10, "opened", 6)]


def test_an_effect_does_not_leave_with_what_opened_before_it_while_its_cause_may_be_found() -> None:
    def situation(second: int) -> Situation:
        known = {"mover1": Incident(at(0))}
        if second >= 6:
            known["failed over"] = Incident(at(6), may_notify=second < 18, rank=CauseRank.FAILED_OVER)
        if second >= 18:
            known["gw1"] = Incident(at(18))
        return known

    group = Group()
    assert group.play(60, situation) == [(18, "opened", 1), (28, "opened", 1)]
    assert [message.keys for _, message in group.sent] == [("mover1",), ("gw1",)]


def test_a_lost_link_delays_the_message_in_which_its_cause_may_stand_and_leaves_with_it_at_last() -> None:
    def situation(second: int) -> Situation:
        known = {
            "sp03": Incident(at(0)),
            **{f"port{begin}": Incident(at(begin), rank=CauseRank.LINK_DOWN) for begin in range(6, 60, 6)},
        }
        return {key: one for key, one in known.items() if one.since <= at(second)}

    assert Group().play(30, situation) == [(20, "opened", 3)]


@pytest.mark.parametrize("rank", [CauseRank.FABRIC_DOWN, CauseRank.GATEWAY_DOWN, CauseRank.NODE_UNREACHABLE])
def test_a_cause_that_proves_to_be_another_fault_does_not_leave_with_what_opened_before(
    rank: CauseRank,
) -> None:
    def situation(second: int) -> Situation:
        known = {"shift3": Incident(at(0))}
        if second >= 5:
            refuted = second >= 12
            known["sp023 is unreachable"] = Incident(at(12 if refuted else 5), is_open=not refuted, rank=rank)
        if second >= 12:
            known["sp023:fi0 is down"] = Incident(at(12), rank=CauseRank.LINK_DOWN)
        return known

    group = Group()
    group.play(60, situation)
    assert {key for _, message in group.sent for key in message.keys} == {"shift3", "sp023:fi0 is down"}


def test_an_effect_of_which_no_cause_is_found_is_notified_within_half_a_minute() -> None:
    dead = Incident(at(0), rank=CauseRank.EFFECT)
    assert Group().play(60, lambda _: {"dead": dead}) == [(14, "opened", 1)]


def test_a_thousand_ports_within_ten_seconds_make_two_messages() -> None:
    def situation(second: int) -> Situation:
        known = {f"port{number}": Incident(at(number // 100)) for number in range(1000)}
        return {key: one for key, one in known.items() if one.since <= at(second)}

    assert [number for _, _, number in Group().play(600, situation)] == [700, 300]


def test_warnings_wait_for_the_interval_and_a_new_critical_incident_does_not() -> None:
    def situation(second: int) -> Situation:
        known = {
            "a": Incident(at(0)),
            "b": Incident(at(30), severity="warning"),
            "c": Incident(at(60)),
        }
        return {key: one for key, one in known.items() if one.since <= at(second)}

    assert Group().play(400, situation) == [(10, "opened", 1), (70, "opened", 2)]
    only = {"a", "b"}
    assert Group().play(
        400, lambda second: {key: one for key, one in situation(second).items() if key in only}
    ) == [
        (10, "opened", 1),
        (310, "opened", 1),
    ]


def test_urgent_messages_are_limited_within_the_interval() -> None:
    def situation(second: int) -> Situation:
        return {f"node{number}": Incident(at(15 * number)) for number in range(second // 15 + 1)}

    moments = [second for second, _, _ in Group().play(290, situation)]
    assert len(moments) == 3


def test_an_incident_that_ends_within_the_wait_is_not_reported() -> None:
    assert Group().play(600, lambda second: {"a": Incident(at(0), is_open=second < 8)}) == []


def test_resolution_is_reported_once_and_not_without_an_opening() -> None:
    def situation(second: int) -> Situation:
        return {"a": Incident(at(0) if second < 100 else at(100), is_open=second < 100)}

    assert Group().play(900, situation) == [(10, "opened", 1), (310, "resolved", 1)]
    silent = replace(TIMES, sends_resolved=False)
    assert Group(silent).play(900, situation) == [(10, "opened", 1)]


def test_a_hundred_flaps_in_an_hour_make_at_most_three_messages() -> None:
    def situation(second: int) -> Situation:
        period = second // 36
        is_open = second % 36 < 20
        return {"a": Incident(at(period * 36 + (0 if is_open else 20)), is_open=is_open)}

    sent = Group().play(3600, situation)
    assert 1 <= len(sent) <= 3


def test_an_object_that_flapped_and_is_well_for_a_while_is_reported_as_resolved() -> None:
    """Three messages were sent within the hour, the last of which reads open."""
    end = 1700

    def situation(second: int) -> Situation:
        period, into = divmod(second, 700)
        if second >= end:
            return {"a": Incident(at(end), is_open=False)}
        return {"a": Incident(at(period * 700 + (0 if into < 400 else 400)), is_open=into < 400)}

    sent = Group().play(3600, situation)
    assert [reason for _, reason, _ in sent] == ["opened", "resolved", "opened", "resolved"]
    assert sent[-1][0] == end + LASTS.total_seconds()


def test_an_object_that_flaps_and_then_stays_down_is_reported_as_open() -> None:
    def situation(second: int) -> Situation:
        if second >= 1500:
            return {"a": Incident(at(1500))}
        period = second // 400
        is_open = second % 400 < 200
        return {"a": Incident(at(period * 400 + (0 if is_open else 200)), is_open=is_open)}

    group = Group()
    group.play(3600, situation)
    assert group.members["a"].reported == "open"
    assert len(group.sent) <= 3


def test_a_worse_severity_is_reported() -> None:
    def situation(second: int) -> Situation:
        return {"a": Incident(at(0), severity="warning" if second < 60 else "critical")}

    assert Group().play(500, situation) == [(10, "opened", 1), (310, "worse", 1)]


def test_escalation_goes_up_step_by_step_and_stops_on_acknowledgement() -> None:
    steps = replace(TIMES, steps_s=(0.0, 300.0, 900.0))
    assert Group(steps).play(1800, lambda _: {"a": Incident(at(0))}) == [
        (10, "opened", 1),
        (310, "escalated", 1),
        (910, "escalated", 1),
    ]
    acknowledged = Group(steps).play(
        1800, lambda second: {"a": Incident(at(0), is_acknowledged=second >= 400)}
    )
    assert acknowledged == [(10, "opened", 1), (310, "escalated", 1)]


def test_resolution_reaches_every_step_that_was_notified() -> None:
    group = Group(replace(TIMES, steps_s=(0.0, 300.0, 900.0)))
    group.play(900, lambda second: {"a": Incident(at(0) if second < 400 else at(400), is_open=second < 400)})
    assert group.sent[-1][1].reason == "resolved"
    assert [step for step, _ in group.sent[-1][1].steps] == [0, 1]


def test_reminders_repeat_until_acknowledged() -> None:
    times = replace(TIMES, repeat_s=600.0)
    assert Group(times).play(1300, lambda second: {"a": Incident(at(0), is_acknowledged=second > 700)}) == [
        (10, "opened", 1),
        (610, "reminder", 1),
    ]


def test_muted_or_caused_incidents_are_neither_reported_nor_escalated() -> None:
    steps = replace(TIMES, steps_s=(0.0, 60.0), repeat_s=120.0)
    assert Group(steps).play(600, lambda _: {"a": Incident(at(0), may_notify=False)}) == []


@st.composite
def histories(draw: st.DrawFn) -> dict[str, list[tuple[int, str]]]:
    """Object -> (second, state) in order; states: open, acknowledged, resolved, muted."""
    states = st.sampled_from(["open", "resolved", "acknowledged", "muted"])
    found = {}
    for number in range(draw(st.integers(1, 4))):
        moments = sorted(draw(st.sets(st.integers(0, 3500), min_size=1, max_size=12)))
        found[f"o{number}"] = [(second, draw(states)) for second in moments]
    return found


def played(histories_: dict[str, list[tuple[int, str]]]) -> Callable[[int], Situation]:
    def situation(second: int) -> Situation:
        found = {}
        for key, history in histories_.items():
            reached = [(moment, state) for moment, state in history if moment <= second]
            if reached:
                moment, state = reached[-1]
                found[key] = Incident(
                    at(moment),
                    is_open=state != "resolved",
                    may_notify=state in {"open", "acknowledged"},
                    is_acknowledged=state == "acknowledged",
                )
        return found

    return situation


def ended_long_ago(history: list[tuple[int, str]], now: datetime) -> bool:
    second, state = [item for item in history if at(item[0]) <= now][-1]
    return state == "resolved" and now - at(second) >= LASTS


@settings(max_examples=60)
@given(history=histories())
def test_any_history_ends_with_what_is_true_and_within_the_limits(
    history: dict[str, list[tuple[int, str]]],
) -> None:
    group, situation = Group(), played(history)
    group.play(3600, situation)
    for key, moments in history.items():
        changes = [
            moment
            for moment, message in group.sent
            if key in message.keys and message.reason != "reminder" and not ended_long_ago(moments, moment)
        ]
        for moment in changes:
            assert sum(moment - DAMPED_FOR < other <= moment for other in changes) <= MAX_MESSAGES
    # Two hours later nothing is damped any more: what was reported is what is true.
    for second in range(3600, 3600 + 7600, 20):
        group.tick(at(second), situation(3599))
    for key, one in situation(3599).items():
        member = group.members.get(key)
        if one.is_open and one.may_notify and not one.is_acknowledged:
            assert member is not None
            assert member.reported == "open"
        elif not one.is_open:
            assert member is None or member.reported != "open"
