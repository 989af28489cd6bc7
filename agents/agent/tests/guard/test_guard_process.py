"""The guard alone: its lock, clock, journal, and a reboot in between."""

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from backstay_agent.changes.executor import ChangeExecutor
from backstay_agent.engines import actuator_for
from backstay_agent.guard import process, snapshot, store
from backstay_agent.guard.journal import Journal, JournalStep
from backstay_agent.guard.launch import Launcher
from backstay_agent.guard.process import Guard
from backstay_agent.guard.snapshot import Snapshot
from backstay_agent.guard.store import Store
from backstay_agent.host.locks import owned
from backstay_testing.engines import DEFAULT, EngineProcess, boot_text, hops, node, routing, wait_until
from backstay_testing.namespaces import Namespace
from backstay_wire import Engine, EngineKind

pytestmark = pytest.mark.anyio
ENGINE = Engine(kind=EngineKind.KERNEL, config="/etc/routes.batch")
EMPTY = Snapshot(host=None, running=(), engine={}, files=())


def journal(
    step: JournalStep = JournalStep.ARMED, deadline_s: float = 5, change: int = 7, boot_id: str = "one"
) -> Journal:
    return Journal(
        change=change,
        revision=change,
        step=step,
        engine=ENGINE,
        boot_id=boot_id,
        deadline_ns=round(deadline_s * 1e9),
        until_wall_ns=0,
    )


async def test_only_one_of_agent_and_guard_takes_a_step(tmp_path: Path) -> None:
    agent, guard = Store(tmp_path, "agent"), Store(tmp_path, "guard")
    agent.arm(journal(), EMPTY)
    agent.advance(7, JournalStep.APPLYING)
    agent.advance(7, JournalStep.APPLIED)
    assert guard.advance(7, JournalStep.RESTORING, by="guard") is not None
    assert agent.advance(7, JournalStep.CONFIRMING) is None
    assert [item.step for item in agent.open()] == [JournalStep.RESTORING]


async def test_highest_revision_is_kept_after_its_journal(tmp_path: Path) -> None:
    agent = Store(tmp_path, "agent")
    agent.arm(journal(), EMPTY)
    agent.forget(7)
    assert agent.load(7) is not None, "an open change is not forgotten"
    for step in (JournalStep.RESTORING, JournalStep.RESTORED):
        agent.advance(7, step)
    agent.forget(7)
    assert (agent.load(7), agent.highest()) == (None, 7)


async def test_full_disk_while_arming_leaves_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Store(tmp_path, "agent")

    def full(path: Path, data: bytes, *, durable: bool = True) -> None:
        if "journal" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr(store, "atomic_write", full)
    with pytest.raises(OSError, match="No space"):
        agent.arm(journal(), EMPTY)
    assert (agent.load(7), list(agent.folder.glob("7.*"))) == (None, [])


async def test_second_guard_exits_while_the_first_holds_the_folder(tmp_path: Path) -> None:
    guard = Guard(tmp_path, linger_s=0)
    with owned(Store(tmp_path, "guard").alone) as mine:
        assert mine
        assert await guard.run() is False
    assert await guard.run() is True


async def test_guard_timeout_uses_the_boot_clock(tmp_path: Path) -> None:
    now = [1_000_000_000]
    guard = Guard(tmp_path, now_ns=lambda: now[0], boot_id=lambda: "one")
    agent = Store(tmp_path, "agent")
    agent.arm(journal(deadline_s=5), EMPTY)
    assert await guard.step()
    assert agent.load(7) is not None
    assert [item.step for item in agent.all()] == [JournalStep.ARMED]
    now[0] = 5_000_000_000
    await guard.step()
    (ended,) = agent.all()
    assert (ended.step, ended.by, ended.reason) == (JournalStep.RESTORED, "guard", "not confirmed in time")


async def test_an_agent_that_arms_a_change_wakes_the_guard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long an idle guard waits until it looks by itself."""
    monkeypatch.setattr(process, "_IDLE_LOOK_S", 600.0)
    agent, guard = Store(tmp_path, "agent"), Guard(tmp_path, now_ns=lambda: 0, boot_id=lambda: "one")
    running = asyncio.create_task(guard.run())
    try:
        async with asyncio.timeout(30):
            await asyncio.to_thread(wait_until, agent.watching.exists)
            agent.arm(journal(), EMPTY)
            await Launcher(agent).watched(7)
    finally:
        running.cancel()


async def nobody() -> bool:
    return False


async def test_a_rollback_after_the_confirmation_wakes_the_guard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_IDLE_LOOK_S", 600.0)
    agent, guard = Store(tmp_path, "agent"), Guard(tmp_path, now_ns=lambda: 0, boot_id=lambda: "one")
    launcher = Launcher(agent)
    running = asyncio.create_task(guard.run())
    try:
        async with asyncio.timeout(30):
            await asyncio.to_thread(wait_until, agent.watching.exists)
            agent.arm(journal(), EMPTY)
            await launcher.watched(7)
            for step in (
                JournalStep.APPLYING,
                JournalStep.APPLIED,
                JournalStep.CONFIRMING,
                JournalStep.CONFIRMED,
            ):
                assert agent.advance(7, step) is not None
            await asyncio.to_thread(wait_until, lambda: '"changes": []' in agent.watching.read_text())
            executor = ChangeExecutor(agent, launcher, lambda _: pytest.fail("no echo"), nobody)
            assert executor.put_back(7, "the controller asked for it")
            await asyncio.to_thread(wait_until, lambda: next(agent.all()).step is JournalStep.RESTORED)
    finally:
        running.cancel()


async def test_guard_records_the_changes_it_watches(tmp_path: Path) -> None:
    guard = Guard(tmp_path, now_ns=lambda: 0, boot_id=lambda: "one")
    agent = Store(tmp_path, "agent")
    agent.arm(journal(), EMPTY)
    agent.arm(journal(change=8), EMPTY)
    await guard.step()
    assert '"changes": [7, 8]' in agent.watching.read_text()


async def test_guard_does_not_watch_a_change_it_cannot_restore(tmp_path: Path) -> None:
    guard = Guard(tmp_path, now_ns=lambda: 0, boot_id=lambda: "one")
    agent = Store(tmp_path, "agent")
    agent.arm(journal(), EMPTY)
    agent.arm(journal(change=8), EMPTY)
    (agent.folder / "7.snapshot.json").write_text('{"of": "another version"}')
    await guard.step()
    assert '"changes": [8]' in agent.watching.read_text()


async def test_unreadable_journal_does_not_block_the_others(tmp_path: Path) -> None:
    guard = Guard(tmp_path, now_ns=lambda: 10**10, boot_id=lambda: "one")
    agent = Store(tmp_path, "agent")
    agent.arm(journal(), EMPTY)
    agent.arm(journal(change=8), EMPTY)
    (agent.folder / "7.journal.json").write_text("{half")
    await guard.step()
    assert [(item.change, item.step) for item in agent.all()] == [(8, JournalStep.RESTORED)]


@pytest.mark.netns
def test_reboot_while_confirming_restores_file_and_routes(
    make_namespace: Callable[[], Namespace], tmp_path: Path
) -> None:
    with node() as place:
        engine = EngineProcess(EngineKind.KERNEL, place, tmp_path / "engine", hops("grf1", "atmgw")).start()
        actuator = actuator_for(engine.engine)
        agent = Store(tmp_path, "agent")
        taken = place.run(lambda: snapshot.take(actuator, [DEFAULT], [engine.engine.config]))
        armed = journal(boot_id="one").model_copy(update={"engine": engine.engine})
        agent.arm(armed, taken)
        for step in (JournalStep.APPLYING, JournalStep.APPLIED, JournalStep.CONFIRMING):
            agent.advance(7, step)
        # The boot reads the file just written.
        Path(engine.engine.config).write_text(boot_text(EngineKind.KERNEL, hops("atmgw", "grf1")))
        place.run(lambda: actuator.apply(routing(engine.engine, hops("atmgw", "grf1"), 7, "")))
        guard = Guard(tmp_path, now_ns=lambda: 0, boot_id=lambda: "two")
        place.run(guard.step)
        (ended,) = agent.all()
        assert ended.step is JournalStep.RESTORED
        assert "rebooted" in ended.reason
        assert Path(engine.engine.config).read_text() == engine.boot
        routes = place.ask("ip", "route", "show", "default").splitlines()
        assert [route.strip() for route in routes] == [
            "default via 10.77.1.1 dev p1 proto 201 metric 60",
            "default via 10.77.2.1 dev p2 proto 201 metric 70",
        ]
