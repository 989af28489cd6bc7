"""A change's course: all or none of a wave, whatever the nodes say in whatever order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.change import (
    AT_REST,
    ENDED,
    GRACE_S,
    PREPARE_S,
    ChangeExecution,
    NodeExecution,
    NodeReport,
    begin,
    confirm,
    next_step,
    roll_back,
    step,
    told,
)

NOW = datetime(1998, 12, 1, tzinfo=UTC)
WAVES = (0, 1, 1, 2)


def _course(**changes: object) -> ChangeExecution:
    members = tuple(NodeExecution(node, wave) for node, wave in enumerate(WAVES))
    course = ChangeExecution("approved", members, timeout_s=10.0)
    return begin(replace(course, **changes), NOW)  # type: ignore[arg-type]


def _tell(course: ChangeExecution, says: NodeReport, *nodes: int, at: datetime = NOW) -> ChangeExecution:
    for node in nodes:
        course = told(course, node, says, at, guard=at + timedelta(seconds=10))
    return step(course, at)


def _states(course: ChangeExecution) -> list[str]:
    return [member.state for member in course.members]


def _prepared() -> ChangeExecution:
    return _tell(_course(), "prepared", 0, 1, 2, 3)


def test_the_canary_goes_first_once_all_are_prepared() -> None:
    waiting = _tell(_course(), "prepared", 0, 1, 2)
    assert _states(waiting) == ["prepared"] * 3 + ["preparing"]
    assert _states(_tell(waiting, "prepared", 3)) == ["applying", "prepared", "prepared", "prepared"]


def test_one_refusal_while_preparing_touches_no_node() -> None:
    course = told(_course(), 2, "refused", NOW, reason="line 3: syntax error")
    course = step(_tell(course, "prepared", 0), NOW)
    assert course.state == "failed"
    assert course.reason == "line 3: syntax error"
    assert set(_states(course)) == {"pending", "refused"}


def test_a_wave_is_confirmed_as_a_whole_and_then_the_next_begins() -> None:
    course = _tell(_prepared(), "applied", 0)
    assert (course.state, course.confirm_by()) == ("confirming", NOW + timedelta(seconds=7))
    course = _tell(confirm(course, NOW), "confirmed", 0)
    assert _states(course) == ["confirmed", "applying", "applying", "prepared"]
    course = _tell(course, "applied", 1)
    assert course.state == "rolling"
    course = _tell(course, "applied", 2)
    course = _tell(confirm(course, NOW), "confirmed", 1, 2)
    course = _tell(course, "applied", 3)
    assert _tell(confirm(course, NOW), "confirmed", 3).state == "done"


def test_one_node_of_a_wave_that_went_back_takes_the_others_with_it_and_leaves_earlier_waves() -> None:
    course = _tell(confirm(_tell(_prepared(), "applied", 0), NOW), "confirmed", 0)
    course = _tell(_tell(course, "applied", 1), "rolled_back", 2)
    assert _states(course) == ["confirmed", "rolling_back", "rolled_back", "prepared"]
    course = _tell(course, "rolled_back", 1)
    assert course.state == "rolled_back"
    assert _states(course) == ["confirmed", "rolled_back", "rolled_back", "pending"]


def test_nobody_confirms_and_the_guards_speak() -> None:
    course = _tell(_tell(_prepared(), "applied", 0), "rolled_back", 0)
    assert course.state == "rolled_back"


def test_a_node_that_is_never_heard_again_fails_the_change_and_is_believed_when_it_returns() -> None:
    absent = step(_course(), NOW + timedelta(seconds=PREPARE_S + 1))
    assert absent.state == "failed"
    lost = step(_prepared(), NOW + timedelta(seconds=10 + GRACE_S + 1))
    assert (lost.state, lost.members[0].state) == ("failed", "failed")
    assert told(lost, 0, "rolled_back", NOW).members[0].state == "rolled_back"


def test_while_others_still_come_in_nobody_is_given_up_while_preparing() -> None:
    course, late = _course(), NOW
    for node in (1, 2, 3):
        late += timedelta(seconds=PREPARE_S - 1)
        course = step(told(course, node, "prepared", late), late)
        assert (course.state, course.members[0].state) == ("rolling", "preparing")
    assert step(course, late + timedelta(seconds=PREPARE_S + 1)).state == "failed"


def test_a_person_rolls_back_the_wave_under_way() -> None:
    course = step(roll_back(_tell(_prepared(), "applied", 0), "looks wrong", NOW), NOW)
    assert next_step(course, course.members[0]) == "roll_back"
    assert (_tell(course, "rolled_back", 0).state, course.reason) == ("rolled_back", "looks wrong")


def test_a_node_that_was_given_up_and_tells_late_that_it_is_as_before_makes_its_change_rolled_back() -> None:
    course = _tell(_course(), "prepared", 0, 1, 2, 3)
    course = _tell(course, "applied", 0)
    late = NOW + timedelta(seconds=10 + GRACE_S + 1)
    lost = step(course, late)
    assert lost.state == "failed"
    heard = step(told(lost, 0, "rolled_back", late, reason="not confirmed in time"), late)
    assert (heard.state, heard.reason) == ("rolled_back", "not confirmed in time")
    assert step(heard, late) == heard
    worse = step(told(lost, 0, "failed", late, reason="a route differs"), late)
    assert worse.state == "failed"


_SAYINGS: tuple[NodeReport, ...] = ("prepared", "refused", "applied", "confirmed", "rolled_back", "failed")
_moves = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(_SAYINGS), st.integers(0, len(WAVES) - 1)),
        st.tuples(st.sampled_from(("confirm", "roll_back", "wait")), st.integers(0, 40)),
    ),
    max_size=60,
)


@settings(max_examples=1000, deadline=None)
@given(_moves)
def test_in_any_order_no_later_wave_begins_before_the_earlier_one_is_confirmed(
    moves: list[tuple[str, int]],
) -> None:
    course, now = _course(), NOW
    for move, value in moves:
        if move == "confirm":
            course = confirm(course, now) if course.state == "confirming" else course
        elif move == "roll_back":
            course = roll_back(course, "asked", now) if course.running else course
        elif move == "wait":
            now += timedelta(seconds=value)
        else:
            course = told(course, value, move, now)  # type: ignore[arg-type]
        course = step(course, now)
        _holds(course)


def _holds(course: ChangeExecution) -> None:
    untouched = {"pending", "preparing", "prepared", "refused"}
    for member in course.members:
        if member.state not in untouched:
            earlier = [item for item in course.members if item.wave < member.wave]
            # A node may still go back by itself after its wave was confirmed; then nothing further begins.
            assert all(item.state in {"confirmed", "rolled_back", "failed"} for item in earlier)
    if course.state == "done":
        assert all(member.state in {"confirmed", "rolled_back", "failed"} for member in course.members)
    if course.state in ENDED:
        assert all(member.state in AT_REST for member in course.members)
        assert all(next_step(course, member) is None for member in course.members)
