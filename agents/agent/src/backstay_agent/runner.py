"""Runs collectors, each in its own task with its own deadlines, and observes each run.

The runner measures, the collector collects. A run that is late, stuck or crashed affects only its own
collector: it is cancelled at its time limit, its outcome is reported, and the others continue.
"""

import asyncio
import logging
from dataclasses import dataclass

from backstay_agent.collectors.base import CollectError, Collector, Ran, TableCollector
from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS, SECOND, first_run, next_run, phase
from backstay_wire import CollectorOutcome, CollectorReport, TableReading

_log = logging.getLogger(__name__)
_INSIST_S = 1.0


@dataclass(slots=True)
class RunState:
    """State of a collector's last run."""

    outcome: CollectorOutcome | None = None
    detail: str = ""
    duration_ms: float = 0.0
    at_ns: int = 0
    missed: int = 0
    """Deadlines skipped since start because a run took too long."""
    started: bool = False
    reported_ns: int = 0
    tables: list[TableReading] | None = None
    """Those reported last, without durations."""


class Runner:
    """The collectors that run now."""

    def __init__(self, clock: Clock, emit: ReportSink) -> None:
        self._clock = clock
        self._emit = emit
        self._tasks: dict[Collector, asyncio.Task[None]] = {}
        self.states: dict[Collector, RunState] = {}

    def add(self, collector: Collector) -> None:
        """Start running `collector`."""
        self.states[collector] = RunState()
        self._tasks[collector] = asyncio.create_task(
            self._keep_running(collector), name=f"{collector.name} {collector.device}"
        )

    async def remove(self, collector: Collector) -> None:
        """Stop `collector` and let it clean up."""
        task = self._tasks.pop(collector)
        # A library may swallow a cancellation that coincides with its own timeout, and the run continues:
        # cancel again.
        while not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_INSIST_S)
        self.states.pop(collector)
        try:
            await collector.stop()
        except Exception:
            _log.exception("collector did not stop cleanly")

    async def close(self) -> None:
        """Stop all."""
        for collector in list(self._tasks):
            await self.remove(collector)

    async def _keep_running(self, collector: Collector) -> None:
        period = round(collector.interval_s * SECOND)
        await self._run(collector)
        shift = phase(f"{collector.device} {collector.name}", period)
        deadline = first_run(self._clock.monotonic_ns(), period, shift)
        while True:
            await asyncio.sleep(max(0, deadline - self._clock.monotonic_ns()) / SECOND)
            await self._run(collector)
            deadline, missed = next_run(deadline, self._clock.monotonic_ns(), period)
            self.states[collector].missed += missed

    async def _run(self, collector: Collector) -> None:
        state = self.states[collector]
        began = self._clock.monotonic_ns()
        ran = await self._attempt(collector, state)
        ended = self._clock.monotonic_ns()
        changed = (ran.outcome, ran.detail) != (state.outcome, state.detail)
        state.outcome, state.detail = ran.outcome, ran.detail
        state.duration_ms, state.at_ns = (ended - began) / 1e6, self._clock.wall_ns()
        if changed or ended - state.reported_ns >= REPEAT_NS:
            state.reported_ns = ended
            self._report(collector, state, can_wait=not changed)
        if changed:
            self._log_outcome(collector, state)

    async def _attempt(self, collector: Collector, state: RunState) -> Ran:
        try:
            async with asyncio.timeout(collector.limit_s):
                if not state.started:
                    await collector.start()
                    state.started = True
                return await collector.collect()
        except CollectError as error:
            return Ran(error.outcome, str(error)[:1024])
        except TimeoutError:
            return Ran(CollectorOutcome.TIMEOUT, f"not done within {collector.limit_s:g} s")
        except Exception as error:
            _log.exception("collector crashed")
            return Ran(CollectorOutcome.FAILED, f"{type(error).__name__}: {error}"[:1024])

    def _report(self, collector: Collector, state: RunState, *, can_wait: bool) -> None:
        assert state.outcome is not None
        outcome, detail, duration = state.outcome, state.detail, state.duration_ms
        at, tables = state.at_ns, _changed_tables(collector, state)
        self._emit(
            lambda boot, seq: CollectorReport(
                boot=boot,
                seq=seq,
                device=collector.device,
                at=at,
                collector=collector.name,
                outcome=outcome,
                detail=detail,
                duration_ms=round(duration, 3),
                tables=tables,
            ),
            can_wait=can_wait,
        )

    def _log_outcome(self, collector: Collector, state: RunState) -> None:
        good = state.outcome in (CollectorOutcome.OK, CollectorOutcome.NO_DATA)
        level = logging.INFO if good else logging.WARNING
        event(
            _log,
            level,
            "collector",
            collector=collector.name,
            device=collector.device,
            outcome=state.outcome,
            detail=state.detail,
        )


def _changed_tables(collector: Collector, state: RunState) -> list[TableReading] | None:
    """The collector's tables if they changed in more than durations since its last report."""
    if not isinstance(collector, TableCollector):
        return None
    tables = list(collector.table_readings())
    essence = [table.model_copy(update={"duration_ms": 0.0}) for table in tables]
    if essence == (state.tables or []):
        return None
    state.tables = essence
    return tables
