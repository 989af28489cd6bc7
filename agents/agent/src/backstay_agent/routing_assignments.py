"""Assignments of a managed node: check gateways, execute moves, report running and saved routing."""

import asyncio
import contextlib
from pathlib import Path

from backstay_agent.actuators.actuator import Actuator
from backstay_agent.actuators.routing_state import prefixes
from backstay_agent.collectors.context import Context
from backstay_agent.engines import actuator_for
from backstay_agent.failover.observe import Switch
from backstay_agent.failover.routes import Prefix
from backstay_agent.probes.checker import Checker
from backstay_agent.probes.checker_state import StateFile
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.engine_reconciler import EngineReconciler
from backstay_agent.probes.moves import Moves
from backstay_agent.probes.routing_state import RoutingReporter
from backstay_wire import Desired, Detection, Engine, GatewayAddress, PathWatch, Phase, PolicyRoute

_LEAST_PROBE_MS, _MOST_PROBE_MS = 10, 10_000
_LOAD_S = 15.0
"""Maximum wait for an engine that is loading its file when a hold begins."""


def engine_of(desired: Desired) -> Engine | None:
    """The engine of a managed node; None: its routing is not managed."""
    return desired.engine or (desired.routing.engine if desired.routing else None)


def has_change_in_progress(desired: Desired) -> bool:
    """Whether a change on this node is being applied or rolled back."""
    return any(change.phase is not Phase.PREPARE for change in desired.changes)


def path_watches(desired: Desired) -> list[PathWatch]:
    """The paths to observe: the assigned ones, and each managed route that none of them covers."""
    known = {(watch.policy, watch.prefix) for watch in desired.paths}
    managed = desired.routing.routes if desired.routing else []
    return [*desired.paths, *(_watch(one) for one in managed if (one.policy, one.prefix) not in known)]


def _watch(route: PolicyRoute) -> PathWatch:
    interval = min(max(route.timers.interval_ms, _LEAST_PROBE_MS), _MOST_PROBE_MS)
    return PathWatch(
        policy=route.policy,
        prefix=route.prefix,
        gateways=[GatewayAddress(name=hop.gateway, address=hop.address) for hop in route.hops],
        target=route.target,
        probe_interval_ms=interval,
    )


class RoutingAssignments:
    """The checker, the moves and the routing reporter of one node."""

    def __init__(self, context: Context, prober: EchoProber, state: Path | None) -> None:
        self._context = context
        self._prober = prober
        self._state = StateFile(state, context.clock)
        self._device = ""
        self._checker: Checker | None = None
        self._moves: Moves | None = None
        self._reporter: tuple[object, RoutingReporter, asyncio.Task[None]] | None = None
        self._paused = False
        """Something other than the checker controls this node's routing."""
        self._held = False
        self._routes: list[PolicyRoute] = []

    async def hold(self, *, held: bool, ended: str = "") -> None:
        """Leave the managed routes alone, or restore them (`ended`: why). Waits for a switch in progress."""
        self._held = held
        if self._checker is not None and self._moves is not None:
            self._moves.held = held
            self._checker.hold(held=held, ended=ended)
            if held:
                await self._checker.finish_switches()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOAD_S), self._checker.engine_lock:
                        pass  # nothing loads the engine's file any more

    @property
    def not_held(self) -> list[str]:
        """What continues in spite of a hold: routes whose daemon detects failures itself."""
        return [
            f"{route.prefix} of {route.policy}: its daemon itself fails over ({route.detection.value})"
            for route in self._routes
            if route.detection is not Detection.CHECKER
        ]

    def _is_paused(self) -> bool:
        """A change or an operator controls this node's routing."""
        return self._paused or self._held

    async def take_up(self, desired: Desired) -> None:
        """Apply the routing part of `desired`. Raises OSError."""
        engine = engine_of(desired)
        if engine is not None or desired.moves:
            await self._context.kernel.start()
        if self._checker is not None and self._device != desired.node:
            await self._stop_checker()
        self._device = desired.node
        self._paused = has_change_in_progress(desired)
        self._routes = routes = list(desired.routing.routes) if desired.routing else []
        actuator = actuator_for(engine) if engine else None
        await self._check(routes, actuator, desired)
        await self._report(engine, actuator, desired)

    async def _check(self, routes: list[PolicyRoute], actuator: Actuator | None, desired: Desired) -> None:
        if self._checker is None and (routes or desired.moves):
            self._start_checker()
        if self._checker is None or self._moves is None:
            return
        self._checker.take_up(routes, actuator, paused=self._paused)
        if self._paused:
            await self._checker.quiet()
        self._moves.take_up(desired.moves, routes if actuator else [])

    def routes_changed(self, now_ns: int) -> None:
        """The kernel's routes changed at monotonic time `now_ns`."""
        if self._checker is not None:
            self._checker.routes_changed(now_ns)
        if self._reporter is not None:
            self._reporter[1].routes_changed()

    def carrier(self, port: str, up: bool) -> None:
        """A port lost or regained carrier."""
        if self._checker is not None:
            self._checker.carrier(port, up)

    async def ports_read(self, at: int) -> None:
        """The kernel's ports were read again."""
        if self._checker is not None:
            self._checker.ports_read()

    def measured(self, policy: str, prefix: Prefix, switch: Switch) -> None:
        """A watched path was switched, or the outage of a switch was measured."""
        if self._moves is not None:
            self._moves.measured(policy, prefix, switch)

    async def let_go(self) -> None:
        """Wait for switches in progress, then stop checker, moves and reporter, which may load an engine's
        file; `take_up` starts what is managed."""
        if self._checker is not None:
            await self._checker.quiet()
        await self._stop_checker()
        await self._stop_reporter()

    async def close(self) -> None:
        """Stop everything; routes do not change."""
        await self._stop_checker()
        await self._stop_reporter()

    def _start_checker(self) -> None:
        context = self._context
        self._checker = Checker(
            device=self._device,
            view=context.kernel,
            prober=self._prober,
            clock=context.clock,
            emit=context.emit,
            state=self._state,
        )
        self._moves = Moves(
            self._checker, device=self._device, clock=context.clock, emit=context.emit, state=self._state
        )
        self._moves.held = self._held
        self._checker.hold(held=self._held)

    async def _stop_checker(self) -> None:
        if self._moves is not None:
            await self._moves.close()
        if self._checker is not None:
            self._checker.close()
        self._checker = self._moves = None

    async def _report(self, engine: Engine | None, actuator: Actuator | None, desired: Desired) -> None:
        revision = desired.routing.revision if desired.routing else 0
        about = (desired.node, engine, prefixes(desired), revision)
        if self._reporter is not None and self._reporter[0] == about:
            return
        await self._stop_reporter()
        if engine is None or actuator is None:
            return
        reporter = RoutingReporter(
            device=desired.node,
            engine=engine,
            actuator=actuator,
            prefixes=prefixes(desired),
            revision=revision,
            clock=self._context.clock,
            emit=self._context.emit,
            reconciler=EngineReconciler(
                actuator,
                desired.routing,
                owner=lambda: self._checker,
                paused=self._is_paused,
            ),
        )
        self._reporter = (about, reporter, asyncio.create_task(reporter.run()))

    async def _stop_reporter(self) -> None:
        if self._reporter is not None:
            _, _, task = self._reporter
            self._reporter = None
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
