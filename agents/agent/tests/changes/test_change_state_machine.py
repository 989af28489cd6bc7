"""Decisions about a change on this node, as a table and for every order of events."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay_agent.changes.state_machine import Action, ChangeStatus, decide
from backstay_agent.guard.journal import OPEN, Journal, JournalStep, expired, left_s, may_follow
from backstay_testing.engines import hops, routing
from backstay_wire import ChangeAssignment, Engine, EngineKind, NodePhase, Phase

ENGINE = Engine(kind=EngineKind.KERNEL, config="/etc/routes.batch")
BASE = "a" * 64
DEFAULT = ip_network("0.0.0.0/0")


def assignment(phase: Phase, revision: int = 7) -> ChangeAssignment:
    wanted = routing(ENGINE, hops("grf1", "atmgw"), revision, "")
    return ChangeAssignment(change=7, revision=revision, phase=phase, base=BASE, routing=wanted)


def journal(step: JournalStep, boot_id: str = "one", deadline_ns: int = 10**9) -> Journal:
    return Journal(
        change=7,
        revision=7,
        step=step,
        engine=ENGINE,
        boot_id=boot_id,
        deadline_ns=deadline_ns,
        until_wall_ns=0,
        reason="because",
    )


READY = ChangeStatus(highest=6, prepared=True, digest=BASE)


@pytest.mark.parametrize(
    ("phase", "status", "action", "tokens"),
    [
        (Phase.PREPARE, ChangeStatus(highest=6, digest=BASE), Action.PREPARE, ""),
        (Phase.APPLY, ChangeStatus(highest=6, digest=BASE), Action.PREPARE, ""),
        (Phase.APPLY, READY, Action.APPLY, ""),
        (Phase.PREPARE, READY, Action.REPORT, ""),
        (Phase.APPLY, ChangeStatus(highest=7, prepared=True, digest=BASE), Action.REFUSE, "not newer than 7"),
        (Phase.APPLY, ChangeStatus(highest=9, prepared=True, digest=BASE), Action.REFUSE, "not newer than 9"),
        (Phase.APPLY, ChangeStatus(highest=6, prepared=True, digest="b" * 64), Action.REFUSE, "stale"),
        (
            Phase.PREPARE,
            ChangeStatus(highest=6, digest=BASE, other_open=5),
            Action.REFUSE,
            "change 5 is still",
        ),
        (
            Phase.PREPARE,
            ChangeStatus(highest=6, digest=BASE, held="held until 14:32:05 UTC by alice"),
            Action.REFUSE,
            "this node is held until 14:32:05 UTC by alice",
        ),
        (
            Phase.APPLY,
            ChangeStatus(highest=6, prepared=True, digest=BASE, held="held until 14:32:05 UTC by alice"),
            Action.REFUSE,
            "end the hold first",
        ),
        (Phase.VERIFY, READY, Action.REFUSE, "nothing was applied"),
        (Phase.CONFIRM, READY, Action.REFUSE, "nothing was applied"),
        (Phase.ROLL_BACK, READY, Action.REFUSE, "nothing was applied"),
        (Phase.APPLY, ChangeStatus(highest=6, at_work=True), Action.WAIT, ""),
    ],
)
def test_decision_before_arming(phase: Phase, status: ChangeStatus, action: Action, tokens: str) -> None:
    found = decide(assignment(phase), None, status)
    assert found.action is action
    assert tokens in found.reason


@pytest.mark.parametrize(
    ("phase", "step", "action", "reached"),
    [
        (Phase.APPLY, JournalStep.ARMED, Action.PUT_BACK, None),
        (Phase.APPLY, JournalStep.APPLYING, Action.PUT_BACK, None),
        (Phase.APPLY, JournalStep.APPLIED, Action.REPORT, NodePhase.APPLIED),
        (Phase.VERIFY, JournalStep.APPLIED, Action.VERIFY, None),
        (Phase.VERIFY, JournalStep.RESTORED, Action.REPORT, NodePhase.ROLLED_BACK),
        (Phase.CONFIRM, JournalStep.APPLIED, Action.CONFIRM, None),
        (Phase.CONFIRM, JournalStep.CONFIRMING, Action.CONFIRM, None),
        (Phase.CONFIRM, JournalStep.CONFIRMED, Action.REPORT, NodePhase.CONFIRMED),
        (Phase.CONFIRM, JournalStep.RESTORED, Action.REPORT, NodePhase.ROLLED_BACK),
        (Phase.CONFIRM, JournalStep.RESTORING, Action.WAIT, None),
        (Phase.ROLL_BACK, JournalStep.APPLIED, Action.PUT_BACK, None),
        (Phase.ROLL_BACK, JournalStep.CONFIRMED, Action.PUT_BACK, None),
        (Phase.ROLL_BACK, JournalStep.FAILED, Action.REPORT, NodePhase.FAILED),
    ],
)
def test_decision_after_arming(
    phase: Phase, step: JournalStep, action: Action, reached: NodePhase | None
) -> None:
    found = decide(assignment(phase), journal(step), ChangeStatus(highest=7))
    assert (found.action, found.reached) == (action, reached)


def test_only_the_process_that_verified_a_change_reports_it_until_confirmation() -> None:
    verified = ChangeStatus(highest=7, verified=True)
    assert (
        decide(assignment(Phase.VERIFY), journal(JournalStep.APPLIED), verified).reached is NodePhase.VERIFIED
    )
    assert decide(assignment(Phase.CONFIRM), journal(JournalStep.APPLIED), verified).action is Action.CONFIRM


@pytest.mark.parametrize("step", [JournalStep.APPLIED, JournalStep.CONFIRMING])
@pytest.mark.parametrize("phase", [Phase.APPLY, Phase.VERIFY, Phase.CONFIRM])
def test_change_of_an_earlier_boot_is_always_restored(phase: Phase, step: JournalStep) -> None:
    found = decide(assignment(phase), journal(step), ChangeStatus(highest=7, boot_id="two"))
    assert (found.action, "rebooted" in found.reason) == (Action.PUT_BACK, True)
    same = decide(assignment(phase), journal(step), ChangeStatus(highest=7, boot_id="one"))
    assert same.action is not Action.PUT_BACK


def test_change_being_applied_is_interrupted_only_by_a_rollback() -> None:
    at_work = ChangeStatus(highest=7, at_work=True)
    assert decide(assignment(Phase.APPLY), journal(JournalStep.APPLYING), at_work).action is Action.WAIT
    assert (
        decide(assignment(Phase.ROLL_BACK), journal(JournalStep.APPLYING), at_work).action is Action.PUT_BACK
    )


def test_change_expires_by_boot_clock_and_at_once_after_a_reboot() -> None:
    waiting = journal(JournalStep.APPLIED)
    assert expired(waiting, 10**9 - 1, "one") == ""
    assert expired(waiting, 10**9, "one") == "not confirmed in time"
    assert "rebooted" in expired(waiting, 0, "two")
    assert expired(journal(JournalStep.CONFIRMED), 2 * 10**9, "two") == ""
    assert (left_s(waiting, 5 * 10**8, "one"), left_s(waiting, 0, "two")) == (0.5, 0.0)


@given(st.lists(st.sampled_from(list(JournalStep)), max_size=12))
def test_no_step_order_confirms_a_change_after_a_rollback(
    tries: list[JournalStep],
) -> None:
    step, taken = JournalStep.ARMED, [JournalStep.ARMED]
    for wanted in tries:
        if may_follow(wanted, step):
            step = wanted
            taken.append(step)
    if JournalStep.RESTORING in taken:
        after = set(taken[taken.index(JournalStep.RESTORING) :])
        assert after <= {JournalStep.RESTORING, JournalStep.RESTORED, JournalStep.FAILED}
    if JournalStep.CONFIRMED in taken:
        assert {JournalStep.APPLYING, JournalStep.APPLIED, JournalStep.CONFIRMING} <= set(taken)
    assert taken.count(JournalStep.APPLYING) <= 1


@given(st.sampled_from(list(Phase)), st.sampled_from(list(JournalStep)), st.booleans())
def test_applying_needs_no_journal_and_confirming_needs_an_applied_change(
    phase: Phase, step: JournalStep, at_work: bool
) -> None:
    found = decide(assignment(phase), journal(step), ChangeStatus(highest=7, at_work=at_work))
    assert found.action not in (Action.APPLY, Action.PREPARE, Action.REFUSE)
    if found.action is Action.CONFIRM:
        assert step in (JournalStep.APPLIED, JournalStep.CONFIRMING)
    if found.action is Action.PUT_BACK:
        assert step in OPEN | {JournalStep.CONFIRMED}
