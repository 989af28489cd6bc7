"""The routing reporter: running and saved routing of this node, each minute and on change.

A daemon that has not loaded its file is looked at again after a second, for it may be reading it just then;
then it is reported, and made to load it (probes/engine_reconciler.py).
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path

from backstay_agent.actuators import routing_state
from backstay_agent.actuators.actuator import Actuator, ActuatorError, Prefix
from backstay_agent.actuators.routing_state import RoutingState
from backstay_agent.host.clock import Clock
from backstay_agent.host.files import stamp
from backstay_agent.logs import event
from backstay_agent.probes.engine_reconciler import EngineReconciler
from backstay_agent.report_sink import ReportSink
from backstay_wire import Engine, RoutingReport

_log = logging.getLogger(__name__)
_REPEAT_S = 60.0
_DAEMON_S, _OF_THE_TIME = 10.0, 0.02
"""A daemon's state may change without a trace in its file or in the kernel: it is read again after this time,
or later if reading takes more than this fraction of it."""
_LOOK_S = 1.0
"""Interval for checking the file's time stamp."""
_SETTLE_S = 0.3
"""Delay after a route event: a daemon that reconfigures touches many routes."""
_LOADING_S = 1.0
"""Time for a daemon to read its file."""
_GONE_S = 5.0
"""Interval of attempts to query an engine that does not answer."""


@dataclass(frozen=True, slots=True)
class _Look:
    """Result of one reading."""

    state: RoutingState
    alive: bool
    detail: str = ""
    """Why it is not alive, or what it has not loaded."""


class RoutingReporter:
    """Reports on one engine, until it is stopped."""

    def __init__(
        self,
        *,
        device: str,
        engine: Engine,
        actuator: Actuator,
        prefixes: list[Prefix],
        revision: int,
        clock: Clock,
        emit: ReportSink,
        reconciler: EngineReconciler,
    ) -> None:
        self._reconciler = reconciler
        self._device = device
        self._engine = engine
        self._actuator = actuator
        self._prefixes = prefixes
        self._revision = revision
        self._clock = clock
        self._emit = emit
        self._touched = asyncio.Event()
        self._last_reported: _Look | None = None
        self._last_reported_ns = 0
        self._read_s = 0.0
        """Duration of the last reading."""

    def routes_changed(self) -> None:
        """A route changed somewhere: read soon."""
        self._touched.set()

    async def run(self) -> None:
        """Report until cancelled."""
        while True:
            self._touched.clear()
            file = stamp(Path(self._engine.config))
            began = self._clock.monotonic_ns()
            look = await self._settled()
            self._read_s = (self._clock.monotonic_ns() - began) / 1e9
            self._report(look)
            await self._wait(file, await self._go_on(look))

    async def _settled(self) -> _Look:
        """A reading that is not of a moment in which the daemon's routes are switched or its file is read."""
        await self._reconciler.switched()
        look = await self._look()
        if look.alive and look.detail:
            await asyncio.sleep(_LOADING_S)
            await self._reconciler.switched()
            look = await self._look()
        return look

    async def _go_on(self, look: _Look) -> float:
        """Have a file loaded that the daemon has not loaded; returns the seconds until the next reading."""
        if not look.alive:
            return _GONE_S
        if not look.detail:
            self._reconciler.rest()
            if not self._actuator.runs_daemon:
                return _REPEAT_S
            return min(_REPEAT_S, max(_DAEMON_S, self._read_s / _OF_THE_TIME))
        if not self._reconciler.pause_s:
            await self._reconciler.load()
            return 0.0
        return min(self._reconciler.pause_s, _REPEAT_S)

    async def _wait(self, file: object, seconds: float) -> None:
        """Wait until a route changed, the file changed, or the time is over."""
        end = self._clock.monotonic_ns() + round(seconds * 1e9)
        while self._clock.monotonic_ns() < end and stamp(Path(self._engine.config)) == file:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._touched.wait()
                await asyncio.sleep(_SETTLE_S)
                return

    async def _look(self) -> _Look:
        try:
            found = await routing_state.read(self._actuator, self._engine, self._prefixes)
            alive = await self._actuator.alive()
            state, reason = self._reconciler.compare(found) if alive else (found, "")
            return _Look(state, alive, reason)
        except (ActuatorError, OSError) as error:
            trouble = str(error)
        files = []
        with contextlib.suppress(OSError):
            # Its file is what the next boot reads, whether or not the engine answers now.
            files = [routing_state.saved_file(self._engine.config)]
        return _Look(RoutingState([], files, routing_state.digest([], files)), alive=False, detail=trouble)

    def _report(self, look: _Look) -> None:
        """Report at once on each change, else each minute."""
        now = self._clock.monotonic_ns()
        same = look == self._last_reported
        if same and now - self._last_reported_ns < _REPEAT_S * 1e9:
            return
        if not look.alive and not same:
            event(_log, logging.WARNING, "the routing engine does not answer", detail=look.detail)
        self._last_reported, self._last_reported_ns = look, now
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: RoutingReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                revision=self._revision,
                engine=self._engine.kind,
                digest=look.state.digest,
                alive=look.alive,
                detail=look.detail[:1000],
                routes=look.state.routes,
                files=look.state.files,
            ),
            urgent=not same,
            can_wait=same,
        )
