"""How often a node polls for the next phase of a change and reports its own."""

import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from backstay_agent.changes.driver import ChangeDriver
from backstay_agent.changes.reporter import ChangeReporter
from backstay_agent.guard.journal import Journal, JournalStep
from backstay_agent.guard.snapshot import Snapshot
from backstay_agent.guard.store import Store
from backstay_agent.host.clock import HostClock
from backstay_agent.report_sink import BuildReport
from backstay_testing.engines import hops, routing
from backstay_wire import ChangeAssignment, ChangeReport, Engine, EngineKind, NodePhase, Phase

ENGINE = Engine(kind=EngineKind.KERNEL, config="/etc/routes.batch")
SECOND = 1_000_000_000


class HandClock(HostClock):
    """A clock that advances only on request."""

    now_ns = 1_000 * SECOND

    def monotonic_ns(self) -> int:
        return self.now_ns


class Kept:
    """A ReportSink: phase and urgency of each report."""

    def __init__(self) -> None:
        self.reported: list[tuple[str, bool]] = []
        self.texts: list[tuple[str, str, str]] = []
        self.moments: list[int] = []

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        report = build(uuid4(), 1)
        assert isinstance(report, ChangeReport)
        self.reported.append((report.phase, urgent))
        self.texts.append((report.phase, report.before, report.after))


def assignment(change: int = 7) -> ChangeAssignment:
    wanted = routing(ENGINE, hops("grf1", "atmgw"), change, "")
    return ChangeAssignment(
        change=change, revision=change, phase=Phase.PREPARE, base="a" * 64, routing=wanted
    )


@pytest.fixture
def made(tmp_path: Path) -> Callable[[], ChangeDriver]:
    async def nobody() -> bool:
        return False

    def make() -> ChangeDriver:
        return ChangeDriver(
            store=Store(tmp_path, "agent"),
            reporter=ChangeReporter("sp01", HandClock(), Kept()),
            echo=lambda _: pytest.fail("nothing is probed"),
            reach=nobody,
            prefixes=list,
        )

    return make


@pytest.mark.parametrize(("waited_s", "asks_s"), [(0, 2.0), (20, 2.0), (60, 6.0), (1000, 10.0)])
def test_polling_slows_down_while_an_assignment_waits(
    made: Callable[[], ChangeDriver], monkeypatch: pytest.MonkeyPatch, waited_s: float, asks_s: float
) -> None:
    now = [50.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    driver = made()
    assert driver.asks_every_s is None
    driver.take_up([assignment()])
    now[0] += waited_s
    assert driver.asks_every_s == pytest.approx(asks_s)
    driver.take_up([assignment(), assignment(8)])
    assert driver.asks_every_s == 2.0, "a new duty is in a hurry"
    driver.take_up([])
    assert driver.asks_every_s is None


def test_the_backends_interval_counts_while_a_wave_is_at_work(
    made: Callable[[], ChangeDriver], tmp_path: Path
) -> None:
    driver = made()
    driver.take_up([assignment().model_copy(update={"ask_every_s": 0.3})])
    assert driver.asks_every_s == 0.3
    armed = Journal(
        change=7,
        revision=7,
        step=JournalStep.ARMED,
        engine=ENGINE,
        boot_id="one",
        deadline_ns=1,
        until_wall_ns=0,
    )
    Store(tmp_path, "agent").arm(armed, Snapshot(host=None, running=(), engine={}, files=()))
    assert driver.asks_every_s == 0.3


def test_node_polls_twice_a_second_during_a_countdown(
    made: Callable[[], ChangeDriver], tmp_path: Path
) -> None:
    driver = made()
    armed = Journal(
        change=7,
        revision=7,
        step=JournalStep.ARMED,
        engine=ENGINE,
        boot_id="one",
        deadline_ns=1,
        until_wall_ns=0,
    )
    Store(tmp_path, "agent").arm(armed, Snapshot(host=None, running=(), engine={}, files=()))
    driver.take_up([assignment()])
    assert driver.asks_every_s == 0.5


def test_node_state_is_urgent_once_and_repeated_at_growing_intervals() -> None:
    clock, kept = HandClock(), Kept()
    reporter = ChangeReporter("sp01", clock, kept)
    for moment_s in range(200):
        clock.now_ns = (1_000 + moment_s) * SECOND
        before = len(kept.reported)
        reporter.prepared(assignment(), [])
        if len(kept.reported) > before:
            kept.moments.append(moment_s)
    assert kept.moments == [0, 20, 60, 120, 180]
    assert kept.reported == [("prepared", True), *[("prepared", False)] * 4]


def test_state_before_and_after_is_sent_once_and_again_when_it_changes() -> None:
    clock, kept = HandClock(), Kept()
    reporter = ChangeReporter("sp01", clock, kept)
    journal = Journal(
        change=7, revision=7, step=JournalStep.APPLIED, engine=ENGINE, boot_id="one", deadline_ns=1,
        until_wall_ns=0, before="via grf1", after="via atmgw",
    )  # fmt: skip
    reporter.report(assignment(), NodePhase.APPLIED, journal)
    clock.now_ns += 20 * SECOND
    reporter.report(assignment(), NodePhase.APPLIED, journal)
    reporter.report(assignment(), NodePhase.VERIFIED, journal)
    reporter.report(assignment(), NodePhase.ROLLED_BACK, journal.model_copy(update={"after": "via grf1"}))
    assert kept.texts == [
        ("applied", "via grf1", "via atmgw"),
        ("applied", "", ""),
        ("verified", "", ""),
        ("rolled_back", "via grf1", "via grf1"),
    ]


def test_node_expects_a_step_only_while_the_backend_names_an_interval(
    made: Callable[[], ChangeDriver],
) -> None:
    driver = made()
    driver.take_up([assignment()])
    assert not driver.expects_step
    driver.take_up([assignment().model_copy(update={"ask_every_s": 0.3})])
    assert driver.expects_step
    driver.take_up([])
    assert not driver.expects_step


def test_new_reason_is_reported_at_once() -> None:
    kept = Kept()
    reporter = ChangeReporter("sp01", HandClock(), kept)
    reporter.refused(assignment(), "stale", [])
    reporter.refused(assignment(), "stale", [])
    reporter.refused(assignment(), "the engine is gone", [])
    assert kept.reported == [("refused", True), ("refused", True)]
