"""What follows for a change on this node, as a table and under every order of events."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay_agent.changes.course import Act, Standing, next_act
from backstay_agent.guard.journal import OPEN, Journal, Step, expired, left_s, may_follow
from backstay_testing.engines import hops, routing
from backstay_wire import ChangeDuty, Engine, EngineKind, NodePhase, Phase

ENGINE = Engine(kind=EngineKind.KERNEL, config="/etc/routes.batch")
BASE = "a" * 64
DEFAULT = ip_network("0.0.0.0/0")


def duty(phase: Phase, revision: int = 7) -> ChangeDuty:
    wanted = routing(ENGINE, hops("grf1", "atmgw"), revision, "")
    return ChangeDuty(change=7, revision=revision, phase=phase, base=BASE, routing=wanted)


def journal(step: Step, boot_id: str = "one", deadline_ns: int = 10**9) -> Journal:
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


READY = Standing(highest=6, prepared=True, digest=BASE)


@pytest.mark.parametrize(
    ("phase", "standing", "act", "words"),
    [
        (Phase.PREPARE, Standing(highest=6, digest=BASE), Act.PREPARE, ""),
        (Phase.APPLY, Standing(highest=6, digest=BASE), Act.PREPARE, ""),
        (Phase.APPLY, READY, Act.APPLY, ""),
        (Phase.PREPARE, READY, Act.TELL, ""),
        (Phase.APPLY, Standing(highest=7, prepared=True, digest=BASE), Act.REFUSE, "not newer than 7"),
        (Phase.APPLY, Standing(highest=9, prepared=True, digest=BASE), Act.REFUSE, "not newer than 9"),
        (Phase.APPLY, Standing(highest=6, prepared=True, digest="b" * 64), Act.REFUSE, "stale"),
        (Phase.PREPARE, Standing(highest=6, digest=BASE, other_open=5), Act.REFUSE, "change 5 is still"),
        (Phase.CONFIRM, READY, Act.REFUSE, "nothing had been applied"),
        (Phase.ROLL_BACK, READY, Act.REFUSE, "nothing had been applied"),
        (Phase.APPLY, Standing(highest=6, at_work=True), Act.WAIT, ""),
    ],
)
def test_before_anything_is_armed(phase: Phase, standing: Standing, act: Act, words: str) -> None:
    found = next_act(duty(phase), None, standing)
    assert found.act is act
    assert words in found.reason


@pytest.mark.parametrize(
    ("phase", "step", "act", "stands"),
    [
        (Phase.APPLY, Step.ARMED, Act.PUT_BACK, None),
        (Phase.APPLY, Step.APPLYING, Act.PUT_BACK, None),
        (Phase.APPLY, Step.APPLIED, Act.TELL, NodePhase.APPLIED),
        (Phase.CONFIRM, Step.APPLIED, Act.CONFIRM, None),
        (Phase.CONFIRM, Step.CONFIRMING, Act.CONFIRM, None),
        (Phase.CONFIRM, Step.CONFIRMED, Act.TELL, NodePhase.CONFIRMED),
        (Phase.CONFIRM, Step.RESTORED, Act.TELL, NodePhase.ROLLED_BACK),
        (Phase.CONFIRM, Step.RESTORING, Act.WAIT, None),
        (Phase.ROLL_BACK, Step.APPLIED, Act.PUT_BACK, None),
        (Phase.ROLL_BACK, Step.CONFIRMED, Act.PUT_BACK, None),
        (Phase.ROLL_BACK, Step.FAILED, Act.TELL, NodePhase.FAILED),
    ],
)
def test_once_it_is_armed(phase: Phase, step: Step, act: Act, stands: NodePhase | None) -> None:
    found = next_act(duty(phase), journal(step), Standing(highest=7))
    assert (found.act, found.stands) == (act, stands)


def test_what_this_process_applies_is_left_alone_but_for_a_roll_back() -> None:
    at_work = Standing(highest=7, at_work=True)
    assert next_act(duty(Phase.APPLY), journal(Step.APPLYING), at_work).act is Act.WAIT
    assert next_act(duty(Phase.ROLL_BACK), journal(Step.APPLYING), at_work).act is Act.PUT_BACK


def test_a_change_expires_by_its_own_boot_s_clock_and_at_once_after_another_boot() -> None:
    waiting = journal(Step.APPLIED)
    assert expired(waiting, 10**9 - 1, "one") == ""
    assert expired(waiting, 10**9, "one") == "not confirmed in time"
    assert "rebooted" in expired(waiting, 0, "two")
    assert expired(journal(Step.CONFIRMED), 2 * 10**9, "two") == ""
    assert (left_s(waiting, 5 * 10**8, "one"), left_s(waiting, 0, "two")) == (0.5, 0.0)


@given(st.lists(st.sampled_from(list(Step)), max_size=12))
def test_whatever_order_steps_are_tried_in_a_change_is_never_confirmed_after_it_went_back(
    tries: list[Step],
) -> None:
    step, taken = Step.ARMED, [Step.ARMED]
    for wanted in tries:
        if may_follow(wanted, step):
            step = wanted
            taken.append(step)
    if Step.RESTORING in taken:
        after = set(taken[taken.index(Step.RESTORING) :])
        assert after <= {Step.RESTORING, Step.RESTORED, Step.FAILED}
    if Step.CONFIRMED in taken:
        assert {Step.APPLYING, Step.APPLIED, Step.CONFIRMING} <= set(taken)
    assert taken.count(Step.APPLYING) <= 1


@given(st.sampled_from(list(Phase)), st.sampled_from(list(Step)), st.booleans())
def test_nothing_is_applied_while_a_journal_exists_and_confirming_needs_an_applied_change(
    phase: Phase, step: Step, at_work: bool
) -> None:
    found = next_act(duty(phase), journal(step), Standing(highest=7, at_work=at_work))
    assert found.act not in (Act.APPLY, Act.PREPARE, Act.REFUSE)
    if found.act is Act.CONFIRM:
        assert step in (Step.APPLIED, Step.CONFIRMING)
    if found.act is Act.PUT_BACK:
        assert step in OPEN | {Step.CONFIRMED}
