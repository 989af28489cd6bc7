"""A change killed at every step of its journal, on either side: what is left is the old state or the new one,
never anything between, and the node says which."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backstay_agent.bench.changed_node import CHANGE, ChangedNode, changed_node
from backstay_agent.bench.engines import boot_text, hops
from backstay_agent.bench.network import Namespace
from backstay_agent.guard.fault import VARIABLE
from backstay_wire import EngineKind, NodePhase, Phase

pytestmark = [pytest.mark.netns, pytest.mark.timeout(120)]
Make = Callable[[], Namespace]


def prepare(node: ChangedNode, *gateways: str) -> None:
    node.propose(*(gateways or ("atmgw", "grf1")))
    node.until(NodePhase.PREPARED)


def is_new(node: ChangedNode) -> bool:
    saved = Path(node.engine.engine.config).read_text() == boot_text(EngineKind.KERNEL, hops("atmgw", "grf1"))
    first = node.node.ask("ip", "route", "show", "default").splitlines()[0]
    return saved and "via 10.77.2.1 " in first


def test_a_change_goes_through_and_only_its_confirmation_writes_the_boot_file(make_namespace: Make) -> None:
    with changed_node(EngineKind.KERNEL) as node:
        before = node.seen()
        prepare(node)
        assert node.seen() == before
        node.want(Phase.APPLY)
        applied = node.until(NodePhase.APPLIED)
        assert applied.guard_until is not None
        assert {each.what for each in applied.evidence} == {"behind", "controller"}
        assert "via 10.77.2.1 dev p2 proto 201 metric 60" in applied.after
        assert node.seen()["file"] == before["file"]
        node.want(Phase.CONFIRM)
        confirmed = node.until(NodePhase.CONFIRMED)
        assert confirmed.guard_until is None
        assert is_new(node)
        node.drop()
        node.until_step("")


def test_a_confirmed_node_goes_back_with_its_wave(make_namespace: Make) -> None:
    with changed_node(EngineKind.KERNEL) as node:
        before = node.seen()
        prepare(node)
        for phase, reached in ((Phase.APPLY, NodePhase.APPLIED), (Phase.CONFIRM, NodePhase.CONFIRMED)):
            node.want(phase)
            node.until(reached)
        node.want(Phase.ROLL_BACK)
        report = node.until(NodePhase.ROLLED_BACK)
        assert (report.by, report.reason) == ("agent", "the controller asked for it")
        assert node.seen() == before


@pytest.mark.parametrize("step", ["armed", "applying", "applied", "confirming", "confirmed"])
def test_an_agent_that_dies_at_a_step_leaves_the_old_state_or_the_new_one(
    step: str, make_namespace: Make, tmp_path: Path
) -> None:
    fault = tmp_path / "fault"
    with changed_node(EngineKind.KERNEL, **{VARIABLE: str(fault)}) as node:
        before = node.seen()
        prepare(node)
        fault.write_text(f"agent {step}")
        node.want(Phase.APPLY)
        if step in ("confirming", "confirmed"):
            node.until(NodePhase.APPLIED)
            node.want(Phase.CONFIRM)
        node.until_dead()
        assert not fault.exists()
        node.start()
        if step in ("confirming", "confirmed"):
            node.until(NodePhase.CONFIRMED)
            assert is_new(node)
        else:
            report = node.until(NodePhase.ROLLED_BACK)
            assert report.reason
            assert node.seen() == before


@pytest.mark.parametrize("step", ["restoring", "restored"])
def test_a_guard_that_dies_at_a_step_is_started_again_and_ends_its_work(
    step: str, make_namespace: Make, tmp_path: Path
) -> None:
    fault = tmp_path / "fault"
    with changed_node(EngineKind.KERNEL, **{VARIABLE: str(fault)}) as node:
        before = node.seen()
        prepare(node)
        fault.write_text(f"guard {step}")
        node.want(Phase.APPLY)
        node.until(NodePhase.APPLIED)
        report = node.until(NodePhase.ROLLED_BACK)
        assert not fault.exists()
        assert report.by == "guard"
        assert node.seen() == before


def test_a_stale_plan_and_an_older_revision_are_refused_and_nothing_is_touched(make_namespace: Make) -> None:
    with changed_node(EngineKind.KERNEL) as node:
        before = node.seen()
        node.propose("atmgw", "grf1", base="0" * 64)
        assert "stale" in node.until(NodePhase.REFUSED).reason
        assert (node.seen(), node.step()) == (before, "")


def test_a_change_that_was_planned_on_what_is_no_longer_so_is_refused_at_apply_too(
    make_namespace: Make,
) -> None:
    with changed_node(EngineKind.KERNEL) as node:
        prepare(node)
        node.node.space.run("route", "replace", "default", "via", "10.77.1.1", "metric", "66")
        node.want(Phase.APPLY)
        assert "stale" in node.until(NodePhase.REFUSED).reason
        assert node.step() == ""


def test_nothing_is_touched_when_the_journal_cannot_be_written(make_namespace: Make) -> None:
    with changed_node(EngineKind.KERNEL) as node:
        before = node.seen()
        prepare(node)
        # A folder in the journal's place: the write fails as on a full disk, also for root.
        (node.folder / f"state/guard/{CHANGE}.snapshot.json").mkdir()
        node.want(Phase.APPLY)
        assert "not armed" in node.until(NodePhase.REFUSED).reason
        assert node.seen() == before
