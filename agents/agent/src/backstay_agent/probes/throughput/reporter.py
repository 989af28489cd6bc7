"""Reports of one test assignment, completed as the test proceeds."""

from typing import Any

from backstay_agent.host.clock import Clock
from backstay_agent.host.throughput.child import Start
from backstay_agent.parsers import text
from backstay_agent.probes.throughput.kinds.base import Command, ThroughputOutcome
from backstay_agent.probes.throughput.start_time import StartTime
from backstay_agent.report_sink import ReportSink
from backstay_wire import TestAssignment, TestReport, TestState


class TestReporter:
    """The reports of one assignment."""

    def __init__(self, assignment: TestAssignment, device: str, clock: Clock, emit: ReportSink) -> None:
        self._assignments = assignment
        self._device = device
        self._clock = clock
        self._emit = emit
        self._known: dict[str, Any] = {}

    def know(self, **values: Any) -> None:
        """Fields that all further reports carry."""
        self._known.update(values)

    def know_command(self, command: Command) -> None:
        """What is run."""
        self.know(program=command.program, command=command.shown)

    def know_start(self, start: Start, moment: StartTime) -> None:
        """When it actually started."""
        error = None if moment.error_ns is None else moment.error_ns // 1000
        self.know(started=start.wall_ns, late_us=moment.late_us(start.wall_ns), clock_error_us=error)

    def report(self, state: TestState, detail: str = "") -> None:
        """Report a state before the end."""
        self._send(state, detail, {})

    def report_end(self, outcome: ThroughputOutcome) -> None:
        """The last one."""
        ended = self._clock.wall_ns() if "started" in self._known else None
        self._send(outcome.state, outcome.detail, {"result": outcome.result, "ended": ended})

    def _send(self, state: TestState, detail: str, more: dict[str, Any]) -> None:
        assignment, at = self._assignments, self._clock.wall_ns()
        values = {**self._known, **more}
        self._emit(
            lambda boot, seq: TestReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                assignment=assignment.id,
                run=assignment.run,
                cell=assignment.cell,
                flow=assignment.flow,
                role=assignment.role,
                state=state,
                detail=text.text(detail)[:1024],
                **values,
            ),
            urgent=True,
        )
