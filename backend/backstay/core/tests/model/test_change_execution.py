"""Execution of a change: all or none of a wave, for any order of node reports."""

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
    apply_report,
    ask_interval,
    begin,
    confirm,
    next_step,
    outcome,
    roll_back,
    step,
)

NOW = datetime(1998, 12, 1, tzinfo=UTC)
WAVES = (0, 1, 1, 2)


def _execution(**changes: object) -> ChangeExecution:
    members = tuple(NodeExecution(node, wave) for node, wave in enumerate(WAVES))
    execution = ChangeExecution("approved", members, timeout_s=10.0)
    return begin(replace(execution, **changes), NOW)  # type: ignore[arg-type]


def _report(execution: ChangeExecution, text: NodeReport, *nodes: int, at: datetime = NOW) -> ChangeExecution:
    for node in nodes:
        execution = apply_report(execution, node, text, at, guard=at + timedelta(seconds=10))
    return step(execution, at)


def _verified(execution: ChangeExecution, *nodes: int) -> ChangeExecution:
    """Confirmed by the operator, and verified by these nodes."""
    return _report(confirm(execution, NOW), "verified", *nodes)


def _states(execution: ChangeExecution) -> list[str]:
    return [member.state for member in execution.members]


def _prepared() -> ChangeExecution:
    return _report(_execution(), "prepared", 0, 1, 2, 3)


def test_canary_starts_when_all_nodes_are_prepared() -> None:
    waiting = _report(_execution(), "prepared", 0, 1, 2)
    assert _states(waiting) == ["prepared"] * 3 + ["preparing"]
    assert _states(_report(waiting, "prepared", 3)) == ["applying", "prepared", "prepared", "prepared"]


def test_refusal_while_preparing_changes_no_node() -> None:
    execution = apply_report(_execution(), 2, "refused", NOW, reason="line 3: syntax error")
    execution = step(_report(execution, "prepared", 0), NOW)
    assert execution.state == "failed"
    assert execution.reason == "line 3: syntax error"
    assert set(_states(execution)) == {"pending", "refused"}


def test_next_wave_starts_after_confirmation_of_the_wave() -> None:
    execution = _report(_prepared(), "applied", 0)
    assert (execution.state, execution.confirm_by()) == ("confirming", NOW + timedelta(seconds=7))
    execution = _report(_verified(execution, 0), "confirmed", 0)
    assert _states(execution) == ["confirmed", "applying", "applying", "prepared"]
    execution = _report(execution, "applied", 1)
    assert execution.state == "rolling"
    execution = _report(execution, "applied", 2)
    execution = _report(_verified(execution, 1, 2), "confirmed", 1, 2)
    execution = _report(execution, "applied", 3)
    assert _report(_verified(execution, 3), "confirmed", 3).state == "done"


def test_nodes_ask_often_while_their_wave_is_at_work_or_the_next_one() -> None:
    def asks(execution: ChangeExecution) -> list[float | None]:
        return [ask_interval(execution, wave, WAVES.count(wave)) for wave in (0, 1, 2)]

    assert asks(_execution()) == [0.3, None, None]
    assert asks(_prepared()) == [0.3, 0.3, None]
    awaits_operator = _report(_prepared(), "applied", 0)
    assert asks(awaits_operator) == [0.3, None, None]
    second = _report(_verified(awaits_operator, 0), "confirmed", 0)
    assert asks(second) == [None, 0.3, 0.3]
    assert asks(replace(second, state="stopped")) == [None] * 3
    assert ask_interval(second, 2, 400) == 10.0


def test_rollback_of_one_node_rolls_back_its_wave_only() -> None:
    execution = _report(_verified(_report(_prepared(), "applied", 0), 0), "confirmed", 0)
    execution = _report(_report(execution, "applied", 1), "rolled_back", 2)
    assert _states(execution) == ["confirmed", "rolling_back", "rolled_back", "prepared"]
    execution = _report(execution, "rolled_back", 1)
    assert execution.state == "stopped"
    assert outcome(execution) == "stopped at wave 2 of 3; 1 of 4 nodes keeps the change: rolled back"
    assert _states(execution) == ["confirmed", "rolled_back", "rolled_back", "pending"]


def test_outcome_of_an_unreported_rollback_claims_no_restored_node() -> None:
    execution = _report(_verified(_report(_prepared(), "applied", 0), 0), "confirmed", 0)
    execution = _report(_report(execution, "applied", 1), "rolled_back", 2, at=NOW)
    late = NOW + timedelta(seconds=10 + GRACE_S + 1)
    lost = step(execution, late)
    assert (lost.state, outcome(lost)[:58]) == (
        "failed",
        "failed at wave 2 of 3; 1 of 4 nodes keeps the change: roll",
    )
    assert lost.members[1].reason.endswith("its own guard should restore it")
    back = step(apply_report(lost, 1, "rolled_back", late), late)
    assert back.state == "stopped"


def _second_wave() -> ChangeExecution:
    """Both nodes of the second wave have applied."""
    execution = _report(_verified(_report(_prepared(), "applied", 0), 0), "confirmed", 0)
    return _report(execution, "applied", 1, 2)


def test_no_node_saves_before_all_nodes_of_its_wave_have_verified() -> None:
    execution = _verified(_second_wave(), 1)
    assert [next_step(execution, execution.members[node]) for node in (1, 2)] == ["verify", "verify"]
    execution = _report(execution, "verified", 2)
    assert [next_step(execution, execution.members[node]) for node in (1, 2)] == ["confirm", "confirm"]


def test_node_that_does_not_verify_rolls_back_its_wave() -> None:
    execution = _report(_verified(_second_wave(), 1), "rolled_back", 2)
    assert _states(execution) == ["confirmed", "rolling_back", "rolled_back", "prepared"]


def test_wave_verified_too_late_is_rolled_back() -> None:
    execution = _verified(_second_wave(), 1)
    late = NOW + timedelta(seconds=7.5)
    execution = apply_report(execution, 2, "verified", late, guard=NOW + timedelta(seconds=10))
    execution = step(execution, late)
    assert _states(execution)[1:3] == ["rolling_back", "rolling_back"]
    assert execution.reason == "not verified by all nodes in time to save"


def test_node_that_loses_its_journal_while_verifying_rolls_back_its_wave() -> None:
    execution = _report(_verified(_second_wave(), 1), "refused", 2)
    assert _states(execution)[1:3] == ["rolling_back", "refused"]


def test_guards_roll_back_an_unconfirmed_wave() -> None:
    execution = _report(_report(_prepared(), "applied", 0), "rolled_back", 0)
    assert execution.state == "rolled_back"


def test_unreachable_node_fails_the_change_and_can_report_later() -> None:
    absent = step(_execution(), NOW + timedelta(seconds=PREPARE_S + 1))
    assert absent.state == "failed"
    lost = step(_prepared(), NOW + timedelta(seconds=10 + GRACE_S + 1))
    assert (lost.state, lost.members[0].state) == ("failed", "failed")
    assert apply_report(lost, 0, "rolled_back", NOW).members[0].state == "rolled_back"


def test_no_prepare_timeout_while_other_nodes_report() -> None:
    execution, late = _execution(), NOW
    for node in (1, 2, 3):
        late += timedelta(seconds=PREPARE_S - 1)
        execution = step(apply_report(execution, node, "prepared", late), late)
        assert (execution.state, execution.members[0].state) == ("rolling", "preparing")
    assert step(execution, late + timedelta(seconds=PREPARE_S + 1)).state == "failed"


def test_operator_rolls_back_the_current_wave() -> None:
    execution = step(roll_back(_report(_prepared(), "applied", 0), "looks wrong", NOW), NOW)
    assert next_step(execution, execution.members[0]) == "roll_back"
    assert (_report(execution, "rolled_back", 0).state, execution.reason) == ("rolled_back", "looks wrong")


def test_late_rollback_report_turns_failed_into_rolled_back() -> None:
    execution = _report(_execution(), "prepared", 0, 1, 2, 3)
    execution = _report(execution, "applied", 0)
    late = NOW + timedelta(seconds=10 + GRACE_S + 1)
    lost = step(execution, late)
    assert lost.state == "failed"
    reports = step(apply_report(lost, 0, "rolled_back", late, reason="not confirmed in time"), late)
    assert (reports.state, reports.reason) == ("rolled_back", "not confirmed in time")
    assert step(reports, late) == reports
    worse = step(apply_report(lost, 0, "failed", late, reason="a route differs"), late)
    assert worse.state == "failed"


_SAYINGS: tuple[NodeReport, ...] = (
    *("prepared", "refused", "applied", "verified", "confirmed", "rolled_back", "failed"),
)
_moves = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(_SAYINGS), st.integers(0, len(WAVES) - 1)),
        st.tuples(st.sampled_from(("confirm", "roll_back", "wait")), st.integers(0, 40)),
    ),
    max_size=60,
)


@settings(max_examples=1000, deadline=None)
@given(_moves)
def test_no_wave_starts_before_the_previous_one_is_confirmed(
    moves: list[tuple[str, int]],
) -> None:
    execution, now = _execution(), NOW
    for move, value in moves:
        if move == "confirm":
            execution = confirm(execution, now) if execution.state == "confirming" else execution
        elif move == "roll_back":
            execution = roll_back(execution, "asked", now) if execution.running else execution
        elif move == "wait":
            now += timedelta(seconds=value)
        else:
            execution = apply_report(execution, value, move, now)  # type: ignore[arg-type]
        execution = step(execution, now)
        _holds(execution)


def _holds(execution: ChangeExecution) -> None:
    untouched = {"pending", "preparing", "prepared", "refused"}
    for member in execution.members:
        if member.state not in untouched:
            earlier = [item for item in execution.members if item.wave < member.wave]
            # A node may roll back by itself after its wave was confirmed; then no further wave starts.
            assert all(item.state in {"confirmed", "rolled_back", "failed"} for item in earlier)
    if execution.state == "done":
        assert all(member.state in {"confirmed", "rolled_back", "failed"} for member in execution.members)
    if execution.state in ENDED:
        assert all(member.state in AT_REST for member in execution.members)
        assert all(next_step(execution, member) is None for member in execution.members)
