"""The runner: collectors do not affect each other, and their outcome is data."""

import asyncio

import pytest

from backstay_agent.collectors.base import NoAnswerError, Ran
from backstay_agent.host.clock import HostClock
from backstay_agent.runner import Runner
from backstay_testing.report_list import ReportList
from backstay_wire import CollectorOutcome, CollectorReport

pytestmark = pytest.mark.anyio


class Reports(ReportList):
    def outcomes(self, name: str) -> list[CollectorOutcome]:
        return [r.outcome for r in self if isinstance(r, CollectorReport) and r.collector == name]


class Steady:
    """A collector that works."""

    def __init__(self, name: str = "steady", interval_s: float = 0.05) -> None:
        self.name = name
        self.device = "node"
        self.interval_s = interval_s
        self.limit_s = 0.2
        self.runs = 0
        self.stopped = False

    async def start(self) -> None:
        pass

    async def collect(self) -> Ran:
        self.runs += 1
        return Ran()

    async def stop(self) -> None:
        self.stopped = True


class Stuck(Steady):
    async def collect(self) -> Ran:
        await asyncio.sleep(3600)
        return Ran()


class Deaf(Steady):
    """Swallows the first cancellation, like a library whose timeout expires at the same moment."""

    async def collect(self) -> Ran:
        self.runs += 1
        if self.runs > 1:
            return Ran()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return Ran()
        raise AssertionError("nobody cancelled")


class Crashing(Steady):
    async def collect(self) -> Ran:
        self.runs += 1
        raise ZeroDivisionError("a bug")


class Silent(Steady):
    async def collect(self) -> Ran:
        self.runs += 1
        if self.runs % 3:
            raise NoAnswerError("no answer from the device")
        return Ran()


@pytest.fixture
def reports() -> Reports:
    return Reports()


async def run_for(seconds: float, reports: Reports, *collectors: Steady) -> Runner:
    runner = Runner(HostClock(), reports)
    for collector in collectors:
        runner.add(collector)
    await asyncio.sleep(seconds)
    await runner.close()
    return runner


async def test_stuck_collector_times_out_without_delaying_others(reports: Reports) -> None:
    steady, stuck = Steady(), Stuck("stuck")
    await run_for(1.0, reports, stuck, steady)
    assert steady.runs >= 15
    assert reports.outcomes("stuck") == [CollectorOutcome.TIMEOUT]


async def test_crash_is_contained_and_logged_once(reports: Reports) -> None:
    crashing = Crashing("crashing")
    await run_for(0.5, reports, crashing)
    assert crashing.runs >= 6
    assert reports.outcomes("crashing") == [CollectorOutcome.FAILED]


async def test_each_change_of_outcome_is_reported(reports: Reports) -> None:
    await run_for(0.4, reports, Silent("silent"))
    found = reports.outcomes("silent")
    assert found[:3] == [CollectorOutcome.TIMEOUT, CollectorOutcome.OK, CollectorOutcome.TIMEOUT]


async def test_every_collector_is_stopped_at_the_end(reports: Reports) -> None:
    steady, stuck = Steady(), Stuck("stuck")
    await run_for(0.1, reports, stuck, steady)
    assert steady.stopped
    assert stuck.stopped


async def test_swallowed_cancellation_is_repeated(reports: Reports) -> None:
    runner, deaf = Runner(HostClock(), reports), Deaf()
    runner.add(deaf)
    await asyncio.sleep(0.02)
    async with asyncio.timeout(5):
        await runner.remove(deaf)
    assert deaf.stopped
    assert deaf not in runner.states
