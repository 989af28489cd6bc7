"""The routing reporter: running and saved routing of this node, each minute and on change."""

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
from backstay_agent.report_sink import ReportSink
from backstay_wire import Engine, RoutingReport

_log = logging.getLogger(__name__)
_REPEAT_S = 60.0
_LOOK_S = 1.0
"""Interval for checking the file's time stamp."""
_SETTLE_S = 0.3
"""Delay after a route event: a daemon that reconfigures touches many routes."""
_GONE_S = 5.0
"""Interval of attempts to query an engine that does not answer."""


@dataclass(frozen=True, slots=True)
class _Look:
    """Result of one reading."""

    state: RoutingState
    alive: bool
    detail: str = ""


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
    ) -> None:
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

    def routes_changed(self) -> None:
        """A route changed somewhere: read soon."""
        self._touched.set()

    async def run(self) -> None:
        """Report until cancelled."""
        while True:
            self._touched.clear()
            file = stamp(Path(self._engine.config))
            look = await self._look()
            self._report(look)
            await self._wait(file, _REPEAT_S if look.alive else _GONE_S)

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
            return _Look(found, alive=await self._actuator.alive())
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
        )
