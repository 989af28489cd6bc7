"""The agent's throughput test assignments: each is started once, and ended when it is withdrawn."""

import asyncio
import logging

from backstay_agent.logs import event
from backstay_agent.probes.throughput.host import ThroughputHost
from backstay_agent.probes.throughput.kinds.base import ThroughputOutcome
from backstay_agent.probes.throughput.reporter import TestReporter
from backstay_agent.probes.throughput.run import TestRun
from backstay_wire import Desired, TestAssignment, TestState

_log = logging.getLogger(__name__)
_ASKS_S = 1.0
"""A cancellation must not wait for the next report; the request is short."""


class TestAssignments:
    """The tests of one node that run or wait for their start."""

    __test__ = False

    def __init__(self, host: ThroughputHost) -> None:
        self._host = host
        self._runs: dict[int, TestRun] = {}

    def take_up(self, desired: Desired) -> None:
        """Execute the tests of `desired`; withdrawn ones end within a second."""
        wanted = {assignment.id: assignment for assignment in desired.tests}
        for key, run in list(self._runs.items()):
            if run.done:
                del self._runs[key]
            elif run.assignment != wanted.get(key):
                run.cancel(ThroughputOutcome(TestState.CANCELLED, "cancelled: the test was withdrawn"))
        for key, assignment in wanted.items():
            if key not in self._runs and not self._host.journal.ended(key):
                self._start(assignment, desired.node)

    @property
    def asks_every_s(self) -> float | None:
        """Interval for asking whether they are still assigned; None: the normal interval, because none runs
        or waits."""
        return None if all(run.done for run in self._runs.values()) else _ASKS_S

    async def close(self) -> None:
        """End all tests: the agent stops."""
        runs = list(self._runs.values())
        for run in runs:
            run.stop()
        await asyncio.gather(*(run.wait() for run in runs))

    def _start(self, assignment: TestAssignment, node: str) -> None:
        if self._host.journal.begun(assignment.id):
            reason = "the agent stopped during the test"
            reporter = TestReporter(assignment, node, self._host.clock, self._host.emit)
            reporter.report_end(ThroughputOutcome(TestState.KILLED, reason))
            self._host.journal.end(assignment.id)
            return
        event(
            _log,
            logging.INFO,
            "test taken up",
            run=assignment.run,
            cell=assignment.cell,
            role=assignment.role,
        )
        self._runs[assignment.id] = TestRun(assignment, node, self._host)
