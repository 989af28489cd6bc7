"""A change killed at every step of its journal, in agent or guard: the node is left in the old or the new
state, never in between, and reports which. All cases run in parallel, since they mostly wait."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Semaphore

import pytest

from backstay_testing.change_node import ChangedNode, changed_node
from backstay_testing.driver_node import CHANGE
from backstay_testing.engines import boot_text, hops, wait_until
from backstay_testing.kill_points import AGENT_POINTS, KillPoint, play
from backstay_testing.namespaces import Namespace
from backstay_wire import EngineKind, NodePhase, Phase

pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.timeout(300)]


@contextlib.contextmanager
def prepared(starting: Semaphore, timeout_s: float = 30.0) -> Iterator[ChangedNode]:
    """A node that has prepared the change; two start at a time, since starting is most of the work."""
    with contextlib.ExitStack() as stack:
        with starting:
            node = stack.enter_context(changed_node(EngineKind.KERNEL))
            node.propose("atmgw", "grf1", timeout_s=timeout_s)
            node.until(NodePhase.PREPARED)
        yield node


def is_new(node: ChangedNode) -> bool:
    saved = Path(node.engine.engine.config).read_text() == boot_text(EngineKind.KERNEL, hops("atmgw", "grf1"))
    first = node.node.ask("ip", "route", "show", "default").splitlines()[0]
    return saved and "via 10.77.2.1 " in first


def only_the_confirmation_writes_the_boot_file(starting: Semaphore) -> None:
    with prepared(starting) as node:
        before = node.seen()
        node.want(Phase.APPLY)
        applied = node.until(NodePhase.APPLIED)
        assert applied.guard_until is not None
        probed = {item.what for item in applied.evidence if item.stage == "probed"}
        assert probed == {"behind", "controller"}
        assert "via 10.77.2.1 dev p2 proto 201 metric 60" in applied.after
        assert node.seen()["routes.batch"] == before["routes.batch"]
        node.want(Phase.CONFIRM)
        assert node.until(NodePhase.CONFIRMED).guard_until is None
        assert is_new(node)
        node.drop()
        node.until_step("")


def a_confirmed_node_goes_back_with_its_wave(starting: Semaphore) -> None:
    with prepared(starting) as node:
        before = node.seen()
        for phase, reached in ((Phase.APPLY, NodePhase.APPLIED), (Phase.CONFIRM, NodePhase.CONFIRMED)):
            node.want(phase)
            node.until(reached)
        node.want(Phase.ROLL_BACK)
        report = node.until(NodePhase.ROLLED_BACK)
        assert (report.by, report.reason) == ("agent", "the controller asked for it")
        assert node.seen() == before


def the_agent_dies_when(step: str, starting: Semaphore) -> None:
    patience = 5.0 if step == "applied" else 30.0
    with prepared(starting, patience) as node:
        before = node.seen()
        node.fault.write_text(f"agent {step}")
        node.want(Phase.APPLY)
        confirms = step in ("confirming", "confirmed")
        if confirms:
            node.until(NodePhase.APPLIED)
            node.want(Phase.CONFIRM)
        node.until_dead()
        assert not node.fault.exists()
        node.start()
        report = node.until(NodePhase.CONFIRMED if confirms else NodePhase.ROLLED_BACK)
        assert is_new(node) if confirms else node.seen() == before
        assert confirms or report.reason


def the_guard_dies_when(step: str, starting: Semaphore) -> None:
    patience = 5.0
    with prepared(starting, patience) as node:
        before = node.seen()
        node.fault.write_text(f"guard {step}")
        node.want(Phase.APPLY)
        node.until(NodePhase.APPLIED)
        report = node.until(NodePhase.ROLLED_BACK)
        assert not node.fault.exists()
        assert report.by == "guard"
        assert node.seen() == before


def the_agent_is_held_up_when(step: str, starting: Semaphore) -> None:
    """The agent continues after the guard's rollback and touches nothing."""
    with prepared(starting, 5.0) as node:
        before = node.seen()
        if step == "confirming":
            node.want(Phase.APPLY)
            node.until(NodePhase.APPLIED)
        node.fault.write_text(f"agent {step} held up")
        node.want(Phase.CONFIRM if step == "confirming" else Phase.APPLY)
        wait_until(lambda: not node.fault.exists(), 30)
        wait_until(lambda: node.step() == "restored", 30)
        files = {path: path.stat().st_mtime_ns for path in node.engine.folder.iterdir()}
        node.go_on()
        assert node.until(NodePhase.ROLLED_BACK).reason == "not confirmed in time"
        assert node.seen() == before
        node.drop()
        node.until_step("")
        assert files == {path: path.stat().st_mtime_ns for path in node.engine.folder.iterdir()}


def an_engine_hangs_until_the_guard_has_acted(starting: Semaphore) -> None:
    """gdc continues after the guard's rollback; the node is rolled back again."""
    with contextlib.ExitStack() as stack:
        with starting:
            node = stack.enter_context(changed_node(EngineKind.GATED))
            node.propose("atmgw", "grf1", timeout_s=5.0)
            node.until(NodePhase.PREPARED)
        before, hang, gdc = node.seen(), node.folder / "hang", Path(node.engine.engine.control)
        hang.touch()
        first, _, rest = gdc.read_text().partition("\n")
        loop = f'while [ "$*" != "${{*%newconf}}" ] && [ -e {hang} ]; do sleep 0.05; done'
        gdc.write_text(f"{first}\n{loop}\n{rest}")
        node.want(Phase.APPLY)
        wait_until(lambda: node.step() in ("restored", "failed"), 60)
        hang.unlink()
        wait_until(lambda: "applying failed" in node.until(NodePhase.ROLLED_BACK).reason, 30)
        wait_until(lambda: node.step() == "restored", 30)
        assert node.seen() == before


def a_stale_plan_is_refused(starting: Semaphore) -> None:
    with contextlib.ExitStack() as stack:
        with starting:
            node = stack.enter_context(changed_node(EngineKind.KERNEL))
        before = node.seen()
        node.propose("atmgw", "grf1", base="0" * 64)
        assert "stale" in node.until(NodePhase.REFUSED).reason
        assert (node.seen(), node.step()) == (before, "")


def a_plan_that_became_stale_since_it_was_prepared_is_refused(starting: Semaphore) -> None:
    with prepared(starting) as node:
        node.node.space.run("route", "replace", "default", "via", "10.77.1.1", "metric", "66")
        node.want(Phase.APPLY)
        assert "stale" in node.until(NodePhase.REFUSED).reason
        assert node.step() == ""


def nothing_is_touched_when_the_snapshot_cannot_be_written(starting: Semaphore) -> None:
    with prepared(starting) as node:
        before = node.seen()
        # A folder in the file's place: the write fails as on a full disk, also for root.
        (node.folder / f"state/guard/{CHANGE}.snapshot.json").mkdir()
        node.want(Phase.APPLY)
        assert "not armed" in node.until(NodePhase.REFUSED).reason
        assert node.seen() == before


def something_dies(point: KillPoint, starting: Semaphore) -> None:
    with prepared(starting, 6.0 if point.victim == "paused agent" else 30.0) as node:
        before = node.seen()
        node.want(Phase.APPLY)
        ending = play(node, point, 90.0)
        assert ending in point.endings
        assert is_new(node) if ending == "confirmed" else node.seen() == before


STORIES: dict[str, Callable[[Semaphore], None]] = {
    "only the confirmation writes the boot file": only_the_confirmation_writes_the_boot_file,
    "a confirmed node goes back with its wave": a_confirmed_node_goes_back_with_its_wave,
    "a stale plan is refused": a_stale_plan_is_refused,
    "became stale since prepared": a_plan_that_became_stale_since_it_was_prepared_is_refused,
    "an engine hangs": an_engine_hangs_until_the_guard_has_acted,
    "the snapshot cannot be written": nothing_is_touched_when_the_snapshot_cannot_be_written,
    **{
        f"the agent dies when {step}": partial(the_agent_dies_when, step)
        for step in ("armed", "applying", "applied", "confirming", "confirmed")
    },
    **{
        f"the guard dies when {step}": partial(the_guard_dies_when, step)
        for step in ("restoring", "restored")
    },
    **{
        f"the agent is held up when {step}": partial(the_agent_is_held_up_when, step)
        for step in ("applying", "confirming")
    },
    **{
        f"{point.victim} at {point.step}": partial(something_dies, point)
        for point in AGENT_POINTS
        if point.victim in ("controller", "paused agent") or point.fault.endswith("held up")
    },
}


@pytest.fixture(scope="module")
def endings(make_namespace: Callable[[], Namespace]) -> Iterator[dict[str, Future[None]]]:
    starting = Semaphore(2)
    with ThreadPoolExecutor(max_workers=6) as pool:
        yield {name: pool.submit(story, starting) for name, story in STORIES.items()}


@pytest.mark.parametrize("story", STORIES)
def test_change_ends_in_the_old_or_the_new_state(story: str, endings: dict[str, Future[None]]) -> None:
    endings[story].result()
