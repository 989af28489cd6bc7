"""The checker: keeps each managed policy of this node on a working gateway, without backend or daemon.

It runs in the agent's own loop on the prober's ticks. A state change due between two ticks gets an extra
tick. Lost carrier comes straight from the kernel's link event and is handled at once. While a change on this
node is applied or rolled back, the guard controls the routing: the checker probes and waits. While the node
is held, an operator does; when the hold ends, the checker restores what the policies require.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from backstay_agent.actuators.actuator import Actuator
from backstay_agent.actuators.fallback_routing import key_of
from backstay_agent.failover.types import ActiveGateway, Decision
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel import linkdown
from backstay_agent.logs import event
from backstay_agent.probes.checker_policy import KernelView, PolicyChecker, SwitchOutcome
from backstay_agent.probes.checker_state import StateFile
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.via_gateway import ProbeStreams
from backstay_agent.report_sink import ReportSink
from backstay_wire import DecisionReport, Detection, PolicyRoute

_log = logging.getLogger(__name__)
OutcomeListener = Callable[[PolicyChecker, SwitchOutcome], None]
_BATCH_S = 30.0
"""Longer than an engine takes to switch all routes; each waits for less (checker_policy.py)."""
_EARLY_NS = 200_000
"""Timers fire slightly early by the other clock; a state change needs the whole timeout."""


@dataclass(frozen=True, slots=True)
class _LeadRequest:
    """A switch that is waited for."""

    route: PolicyRoute
    gateway: str
    done: asyncio.Future[None]


class Checker:
    """All policies of one node that the checker handles."""

    def __init__(
        self,
        *,
        device: str,
        view: KernelView,
        prober: EchoProber,
        clock: Clock,
        emit: ReportSink,
        state: StateFile,
    ) -> None:
        self._device = device
        self._view = view
        self._prober = prober
        self._clock = clock
        self._emit = emit
        self._state = state
        self._streams = ProbeStreams(prober, view)
        self._actuator: Actuator | None = None
        self.engine_lock = asyncio.Lock()
        """Held while something changes the engine's routes: one that reads a whole file must not get two."""
        self._requests: list[_LeadRequest] = []
        self._leading: asyncio.Task[None] | None = None
        self._running: dict[str, PolicyChecker] = {}
        self._on_loan: set[str] = set()
        """Routes with other failure detection, present only for a move."""
        self._paused = False
        self._held = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ns: int | None = None
        self._outcome_listeners: list[OutcomeListener] = []
        prober.on_step(self.step)

    def take_up(self, routes: list[PolicyRoute], actuator: Actuator | None, *, paused: bool) -> None:
        """Handle exactly these routes of this engine. Raises nothing."""
        self._actuator = actuator
        wanted = {key_of(route): route for route in routes if route.detection is Detection.CHECKER}
        for key in [key for key in self._running if key not in self._on_loan]:
            if actuator is None or wanted.get(key) != self._running[key].route:
                self._end(key)
        for key, route in wanted.items() if actuator is not None else ():
            if key not in self._running:
                self._begin(key, route)
        if self._paused and not paused:
            self._see_anew()
        self._paused = paused
        self._pause_all()

    def hold(self, *, held: bool, ended: str = "") -> None:
        """Leave the routes alone until called again; `ended`: why they are restored then. Raises nothing."""
        was, self._held = self._held, held
        self._pause_all()
        for policy in self._running.values() if was and not held else ():
            policy.restore(ended)

    def _pause_all(self) -> None:
        for policy in self._running.values():
            policy.paused = self._paused or self._held

    async def quiet(self) -> None:
        """Pause, and wait for switches in progress; afterwards nothing here touches the routing until the
        next `take_up`."""
        self._paused = True
        self._pause_all()
        await self.finish_switches()

    async def finish_switches(self) -> None:
        """Wait for switches in progress."""
        for policy in list(self._running.values()):
            await policy.quiet()

    def borrow(self, route: PolicyRoute) -> PolicyChecker | None:
        """The checker of a route, created for the duration of a move if there is none; None: impossible."""
        key = key_of(route)
        if key not in self._running and self._actuator is not None:
            self._begin(key, route)
            self._on_loan.add(key)
        return self._running.get(key)

    def leads(self) -> dict[str, str]:
        """The active gateway of each route handled here, by its key."""
        return {key: policy.lead.gateway for key, policy in self._running.items() if policy.lead.gateway}

    def give_back(self, policy: PolicyChecker) -> None:
        """A move is over."""
        key = key_of(policy.route)
        if key in self._on_loan:
            self._on_loan.discard(key)
            self._end(key)

    def listen(self, listener: OutcomeListener) -> None:
        """The listener receives every decision after its execution."""
        self._outcome_listeners.append(listener)

    def close(self) -> None:
        """Stop. The routes do not change."""
        for key in list(self._running):
            self._end(key)
        self._prober.off_step(self.step)
        if self._leading is not None:
            self._leading.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self._streams.close()

    def routes_changed(self, now_ns: int) -> None:
        """The kernel's routes changed at monotonic time `now_ns`."""
        for policy in self._running.values():
            policy.routes_changed(now_ns)

    def carrier(self, port: str, up: bool) -> None:
        """A port lost or regained carrier, just now."""
        for policy in list(self._running.values()):
            policy.carrier(port, up)

    def ports_read(self) -> None:
        """The kernel's ports were read again: earlier events may have been lost."""
        for policy in self._running.values():
            policy.look_at_ports()

    def step(self, now: int) -> None:
        """After each tick: evaluate all, and wake in time for the next state change."""
        for policy in list(self._running.values()):
            policy.step(now)
        due = min((at for p in self._running.values() if (at := p.due_ns()) is not None), default=None)
        if due is not None and due > now and due != self._timer_ns:
            if self._timer is not None:
                self._timer.cancel()
            self._timer_ns = due
            delay = (due - now + _EARLY_NS) / 1e9
            self._timer = asyncio.get_running_loop().call_later(delay, self._verdict)

    def _verdict(self) -> None:
        self._timer = self._timer_ns = None
        self._prober.tick()

    def _begin(self, key: str, route: PolicyRoute) -> None:
        now = self._clock.monotonic_ns()
        stored = self._state.lead(key)
        policy = PolicyChecker(
            route,
            stored or ActiveGateway("", now),
            view=self._view,
            streams=self._streams,
            clock=self._clock,
            lead_by=self._lead,
            on_outcome=self._carried_out,
        )
        try:
            policy.start()
        except PermissionError:
            policy.stop()
            event(
                _log, logging.ERROR, "not permitted to send ICMP echoes: a policy is not checked", policy=key
            )
            self._report(route, _refused(self._clock.wall_ns()))
            return
        self._heed_carrier(route)
        policy.paused = self._paused or self._held
        self._running[key] = policy
        self._see(policy, stored, now)

    def _heed_carrier(self, route: PolicyRoute) -> None:
        """The change that applied the route set this too, but no boot file contains it."""
        if self._actuator is None or self._actuator.runs_daemon:
            return
        try:
            linkdown.apply({hop.port for hop in route.hops})
        except OSError as error:
            event(_log, logging.WARNING, "ports cannot be configured to follow carrier", error=error)

    def _see(self, policy: PolicyChecker, stored: ActiveGateway | None, now: int) -> None:
        """The kernel determines the active gateway; the file adds since when, if it agrees."""
        active = policy.active
        if not active or (self._held and stored is not None and stored.gateway):
            # While held, the kernel's routes are the operator's.
            policy.lead = stored or ActiveGateway("", now)
            return
        if stored is not None and stored.gateway == active:
            evidence = f"the kernel forwards by {active}, in agreement with the state file"
        else:
            known = stored or ActiveGateway("", now)
            policy.lead = ActiveGateway(active, now, dampers=known.dampers, tries=known.tries)
            evidence = f"the kernel forwards by {active}; the state file has {known.gateway or 'none'}"
        if policy.limits:
            evidence = f"{evidence}; {policy.limits}"
        self._carried_out(policy, _started(active, evidence, self._clock.wall_ns()))

    def _see_anew(self) -> None:
        """A change has altered the routes: start with the new state."""
        now = self._clock.monotonic_ns()
        for policy in self._running.values():
            policy.look_at_ports()
            active = policy.active
            if active and active != policy.lead.gateway:
                policy.lead = ActiveGateway(active, now, dampers=policy.lead.dampers, tries=policy.lead.tries)

    def _end(self, key: str) -> None:
        self._running.pop(key).stop()

    async def _lead(self, route: PolicyRoute, gateway: str) -> None:
        """Together with all switches requested meanwhile: the engine reads one file once for all of them."""
        request = _LeadRequest(route, gateway, asyncio.get_running_loop().create_future())
        self._requests.append(request)
        if self._leading is None:
            self._leading = asyncio.create_task(self._lead_all())
        await request.done

    async def _lead_all(self) -> None:
        """Execute requests until there are none; abandoned ones are dropped."""
        try:
            while self._requests:
                async with self.engine_lock:
                    batch = [request for request in self._requests if not request.done.done()]
                    self._requests.clear()
                    await self._lead_batch(batch)
        finally:
            self._leading = None

    async def _lead_batch(self, batch: list["_LeadRequest"]) -> None:
        trouble: Exception | None = None
        try:
            if batch and self._actuator is not None:
                async with asyncio.timeout(_BATCH_S):
                    await self._actuator.lead([(request.route, request.gateway) for request in batch])
        except Exception as error:
            # Whatever the engine's fault is, those who wait report and repeat it.
            trouble = error
        for request in batch:
            if request.done.done():
                continue
            if trouble is None:
                request.done.set_result(None)
            else:
                request.done.set_exception(trouble)

    def _carried_out(self, policy: PolicyChecker, outcome: SwitchOutcome) -> None:
        self._report(policy.route, outcome)
        if key_of(policy.route) not in self._on_loan:
            self._state.keep_lead(key_of(policy.route), policy.lead)
        for listener in self._outcome_listeners:
            listener(policy, outcome)

    def _report(self, route: PolicyRoute, outcome: SwitchOutcome) -> None:
        decision = outcome.decision
        event(
            _log,
            logging.INFO,
            "decided",
            policy=route.policy,
            reason=decision.reason,
            was=decision.from_gateway,
            leads=decision.to_gateway,
            took_ms=outcome.took_ms,
            evidence=outcome.evidence,
        )
        self._emit(
            lambda boot, seq: DecisionReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=outcome.at_ns,
                policy=route.policy,
                prefix=route.prefix,
                reason=decision.reason,
                from_gateway=decision.from_gateway,
                to_gateway=decision.to_gateway,
                evidence=outcome.evidence,
                took_ms=outcome.took_ms,
                held_back=decision.held_back,
                times=outcome.times,
            ),
            urgent=True,
        )


def _started(active: str, evidence: str, at_ns: int) -> SwitchOutcome:
    return SwitchOutcome(Decision("start", active, active, 0), evidence, 0.0, at_ns)


def _refused(at_ns: int) -> SwitchOutcome:
    evidence = "this host does not permit ICMP echoes: the policy is not checked"
    return SwitchOutcome(Decision("refused", "", "", 0), evidence, 0.0, at_ns)
