"""Executes one assignment: waits for its start time, runs the program, watches the host, reports.

In every case there is one final report, and no process is left.
"""

import asyncio
import logging
from collections.abc import Hashable
from typing import Any

from backstay_agent.host.throughput import route
from backstay_agent.host.throughput.child import Child, Ended, Start
from backstay_agent.logs import event
from backstay_agent.probes.throughput import idle_round_trip, start_time
from backstay_agent.probes.throughput.host import ThroughputHost
from backstay_agent.probes.throughput.kinds.base import Command, ThroughputKind, ThroughputOutcome
from backstay_agent.probes.throughput.reporter import TestReporter
from backstay_agent.probes.throughput.start_time import StartTime
from backstay_agent.probes.throughput.tools import UnableError
from backstay_agent.probes.throughput.watch import TICK_S, Watch
from backstay_wire import Role, RouteSeen, TestAssignment, TestState

_log = logging.getLogger(__name__)
_LEAD_NS = 5_000_000_000
"""A program is started this long before the test: interpreters start slowly on a busy host."""
_BEFORE_NS = 1_500_000_000
_DECIDE_NS = 100_000_000
"""This long before the test the ports are checked for cross traffic."""
_AGAIN_S = 0.1
_SECOND = 1_000_000_000
_STOPPED = ThroughputOutcome(TestState.KILLED, "the agent was stopped")


class TestRun:
    """One assignment in progress."""

    __test__ = False

    def __init__(self, assignment: TestAssignment, device: str, host: ThroughputHost) -> None:
        self.assignment = assignment
        self._host = host
        self._kind: ThroughputKind = host.kinds[assignment.spec.kind]
        self._reporter = TestReporter(assignment, device, host.clock, host.emit)
        self._claimed: list[Hashable] = []
        self._child: Child | None = None
        self._watch: Watch | None = None
        self._idle: asyncio.Task[int | None] | None = None
        self._begun = False
        self._ending = False
        """The final report is being made: nothing may interrupt it."""
        self._why = ThroughputOutcome(TestState.CANCELLED, "cancelled")
        self._task = asyncio.create_task(self._run(), name=f"test {assignment.id}")

    @property
    def done(self) -> bool:
        """Whether the final report was made."""
        return self._task.done()

    def cancel(self, why: ThroughputOutcome) -> None:
        """End it; an observer that has started is finished when its assignment ends."""
        if not self._ending:
            self._ending, self._why = True, why
            # Not at once: a task that is cancelled before its first step makes no report.
            asyncio.get_running_loop().call_soon(self._task.cancel)

    def stop(self) -> None:
        """The agent stops: a test that has not started is left to the next process, without a report."""
        self.cancel(_STOPPED)

    async def wait(self) -> None:
        """Wait until the final report is made."""
        await asyncio.wait({self._task})

    async def _run(self) -> None:
        try:
            outcome = await self._carry_out()
        except UnableError as error:
            outcome = ThroughputOutcome(error.state, str(error))
        except asyncio.CancelledError:
            if self._why is _STOPPED and not self._host.journal.begun(self.assignment.id):
                return
            outcome = await self._cancelled()
        except Exception as error:
            _log.exception("a test crashed")
            outcome = ThroughputOutcome(TestState.FAILED, f"{type(error).__name__}: {error}")
        await self._finish(outcome)

    async def _cancelled(self) -> ThroughputOutcome:
        seen = (
            self.assignment.role is Role.OBSERVER and self._begun and self._why.state is TestState.CANCELLED
        )
        if seen:
            return ThroughputOutcome(TestState.DONE)
        if self._child is None:
            return self._why
        measured = self._kind.outcome(self.assignment, await self._child.end())
        return ThroughputOutcome(self._why.state, self._why.detail, measured.result)

    async def _finish(self, outcome: ThroughputOutcome) -> None:
        self._ending = True
        if self._child is not None:
            await self._child.end()
            self._host.moved.remove(self._child)
        await self._know_idle()
        for key in self._claimed:
            self._host.taken.release(key)
        try:
            if self._watch is not None and self._begun:
                self._look_back(self._watch)
        except OSError:
            _log.exception("the end of a test was missed")
        self._reporter.report_end(outcome)
        await asyncio.to_thread(self._host.journal.end, self.assignment.id)
        event(
            _log,
            logging.INFO,
            "test ended",
            run=self.assignment.run,
            cell=self.assignment.cell,
            role=self.assignment.role,
            state=outcome.state,
            detail=outcome.detail,
        )

    async def _know_idle(self) -> None:
        """The idle round trip, if the echoes measured it before the test started."""
        if self._idle is None:
            return
        self._idle.cancel()
        await asyncio.wait({self._idle})
        if not self._idle.cancelled() and self._idle.exception() is None:
            self._reporter.know(idle_us=self._idle.result())

    def _look_back(self, watch: Watch) -> None:
        assignment, wanted = self.assignment, list(self.assignment.ports)
        watch.look(alive=False)
        found = (
            route.ask(str(assignment.peer), str(assignment.local or ""))
            if assignment.peer is not None
            else None
        )
        if found is not None:
            port = self._host.port_of(found.source)
            if port and port not in wanted and assignment.role is not Role.OBSERVER:
                wanted.append(port)
            self._reporter.know(route=RouteSeen(port=port, source=found.source, mtu=found.mtu))
        self._reporter.know(host=watch.host_load(), ports=watch.port_loads(wanted))

    async def _carry_out(self) -> ThroughputOutcome:
        assignment = self.assignment
        at = self._moment()
        self._refuse_late(at)
        command = None
        if assignment.role is not Role.OBSERVER:
            command = await self._kind.command(assignment, self._host.tools)
            self._reporter.know_command(command)
        self._reporter.report(TestState.ACCEPTED)
        await self._sleep_until(at.monotonic_ns - _LEAD_NS)
        at = self._moment()
        if command is not None:
            await self._claim(at)
        known = await self._host.known_ports()
        own = command is not None and self._kind.counts_own_traffic
        self._watch = Watch(self._host, known, assignment.quiet, own=own)
        # A full disk must not let a test run twice: a test that cannot be recorded is not started.
        await asyncio.to_thread(self._host.journal.begin, assignment.id)
        if command is None:
            return await self._observe(self._watch, at)
        return await self._attempt(command, self._watch, at)

    def _moment(self) -> StartTime:
        return start_time.start_time_of(self.assignment.start_at, self._host.clock, self._host.offset())

    def _refuse_late(self, at: StartTime) -> None:
        late_s = (self._host.clock.monotonic_ns() - at.monotonic_ns) / _SECOND
        if late_s > self.assignment.late_s:
            raise UnableError(
                TestState.TIMED_OUT,
                f"not begun: its start was {late_s:.1f} s ago when this agent received it",
            )

    async def _claim(self, at: StartTime) -> None:
        """Claim the port, waiting until the start for the previous test to release it. Raises UnableError."""
        assignment = self.assignment
        if not self._kind.has_server:
            return
        key = assignment.port if assignment.role is Role.SERVER else (str(assignment.peer), assignment.port)
        left = (at.monotonic_ns - self._host.clock.monotonic_ns()) / _SECOND + assignment.late_s
        if not await self._host.taken.claim(key, left):
            raise UnableError(TestState.PORT_BUSY, f"another test of this host has port {assignment.port}")
        self._claimed.append(key)

    async def _observe(self, watch: Watch, at: StartTime) -> ThroughputOutcome:
        """Observe for the test's duration; if that is unknown, until the assignment ends."""
        await self._lead_in(watch, at)
        wall, now = self._host.clock.wall_ns(), self._host.clock.monotonic_ns()
        self._begin(watch, Start(wall, now), at)
        expected = self._kind.expected_s(self.assignment)
        limit = at.monotonic_ns + round(self.assignment.limit_s * _SECOND)
        until = limit if expected is None else min(limit, at.monotonic_ns + round(expected * _SECOND))
        while (now := self._host.clock.monotonic_ns()) < until:
            await asyncio.sleep(min(TICK_S, (until - now) / _SECOND))
            watch.look()
        if expected is None:
            return ThroughputOutcome(
                TestState.TIMED_OUT, f"the test did not end within {self.assignment.limit_s:g} s"
            )
        return ThroughputOutcome(TestState.DONE)

    async def _attempt(self, command: Command, watch: Watch, at: StartTime) -> ThroughputOutcome:
        """Run the program; a refused client retries for as long as it may be late."""
        client = self.assignment.role is Role.CLIENT
        begin_at = at.monotonic_ns if client else 0
        patience = at.monotonic_ns + round(self.assignment.late_s * _SECOND)
        child = await self._spawn(command, begin_at)
        if self.assignment.role is Role.CLIENT and self._kind.has_server:
            echoes = idle_round_trip.least_round_trip(self.assignment, at.monotonic_ns, self._host.clock)
            self._idle = asyncio.create_task(echoes, name=f"echoes {self.assignment.id}")
        await self._lead_in(watch, at)
        while True:
            outcome = await self._watched(child, watch, at)
            early = self._host.clock.monotonic_ns() + _AGAIN_S * _SECOND < patience
            if not (client and outcome.state is TestState.REFUSED and outcome.result is None and early):
                return outcome
            await asyncio.sleep(_AGAIN_S)
            self._host.moved.remove(child)
            child = await self._spawn(command, 0)

    async def _spawn(self, command: Command, at_ns: int) -> Child:
        if command.own:
            child = await Child.spawn_own(command.own, at_ns, command.argv)
        else:
            child = await Child.spawn(command.argv, at_ns)
        self._child = child
        self._host.moved.add(child)
        return child

    async def _lead_in(self, watch: Watch, at: StartTime) -> None:
        """Wait until just before the start. Raises UnableError if a port has too much cross traffic."""
        await self._sleep_until(at.monotonic_ns - _BEFORE_NS)
        watch.look_before()
        await self._sleep_until(at.monotonic_ns - _DECIDE_NS)
        if reason := watch.disturbed_before():
            raise UnableError(TestState.ABORTED_BY_LOAD, reason)
        if self.assignment.role is not Role.CLIENT:
            await self._sleep_until(at.monotonic_ns)

    async def _watched(self, child: Child, watch: Watch, at: StartTime) -> ThroughputOutcome:
        """From the start to the program's end."""
        ending = asyncio.ensure_future(child.ended())
        first: set[asyncio.Future[Any]] = {ending, child.started}
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if child.started.done() and not child.started.cancelled():
            self._begin(watch, child.started.result(), at)
        limit = at.monotonic_ns + round(self.assignment.limit_s * _SECOND)
        while not ending.done():
            left = (limit - self._host.clock.monotonic_ns()) / _SECOND
            if left <= 0:
                return self._broken(await child.end(), TestState.TIMED_OUT, self._overdue())
            await asyncio.wait({ending}, timeout=min(TICK_S, left))
            if not ending.done():
                watch.look()
                if reason := watch.disturbed():
                    return self._broken(await child.end(), TestState.ABORTED_BY_LOAD, reason)
        return self._kind.outcome(self.assignment, ending.result())

    def _begin(self, watch: Watch, start: Start, at: StartTime) -> None:
        watch.look()
        self._reporter.know_start(start, at)
        if not self._begun:
            self._begun = True
            self._reporter.report(TestState.RUNNING)

    def _broken(self, ended: Ended, state: TestState, reason: str) -> ThroughputOutcome:
        """Aborted by us: the values measured so far are kept."""
        return ThroughputOutcome(state, reason, self._kind.outcome(self.assignment, ended).result)

    def _overdue(self) -> str:
        whole = f"not ended within {self.assignment.limit_s:g} s"
        return (
            f"{whole}: the client did not come, or did not end"
            if self.assignment.role is Role.SERVER
            else whole
        )

    async def _sleep_until(self, monotonic_ns: int) -> None:
        """Returns early if the program has ended."""
        left = (monotonic_ns - self._host.clock.monotonic_ns()) / _SECOND
        if left <= 0:
            return
        if self._child is None:
            await asyncio.sleep(left)
        else:
            ending = asyncio.ensure_future(self._child.ended())
            await asyncio.wait({ending}, timeout=left)
