"""Keeps one policy's route on this node on a working gateway: probes in, decisions out, engine switched.

The decision is pure (failover/decide.py); this module supplies its input and executes it. The duration of a
switch comes from the kernel's own route event, whichever engine applies it. The kernel's active gateway is
monitored continuously: if others moved the route, or the kernel dropped it with a port, it is moved back, and
what others did is reported.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from backstay_agent.failover.decide import decide
from backstay_agent.failover.evidence import describe
from backstay_agent.failover.overrides import Override, OverrideWatch, describe_route
from backstay_agent.failover.probe_window import ProbeState, ProbeWindow
from backstay_agent.failover.routes import RouteTable, gateway_in_use
from backstay_agent.failover.types import ActiveGateway, Decision, GatewayStatus
from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.parsers.linux import rtnl
from backstay_agent.probes.via_gateway import HostPorts, ProbeStream, ProbeStreams, unreachable_via
from backstay_wire import PolicyRoute

_log = logging.getLogger(__name__)
_OWN_MS = 500
"""Interval of probes to a gateway itself, while a target behind it is more conclusive."""
_DOUBTFUL = 2
"""Probes without an answer: at least one of them has timed out."""
_LOOP_MS = 2000
"""Interval of probes that a gateway returns to us, while the target answers: shows whether it can."""
_ASK_OFTEN_NS = 3_000_000_000
"""For this long after the target stops answering, the gateways are probed as often as it is; afterwards less
often."""
_ASK_SELDOM_NS = 500_000_000
_SEEN_S = 1.0
"""How long to wait for the kernel's route event after the engine reported success."""
_LEAD_S = 10.0
_NOT_YET = "the kernel does not forward by it yet"
_RETRY_NS = 1_000_000_000
_MOST_RETRY_NS = 60_000_000_000


class KernelView(HostPorts, Protocol):
    """The live view of the kernel."""

    routes: RouteTable


@dataclass(frozen=True, slots=True)
class SwitchOutcome:
    """An executed decision."""

    decision: Decision
    evidence: str
    took_ms: float
    at_ns: int
    """Wall time of the decision."""
    trouble: str = ""
    """Why the engine was not switched; empty: it was."""
    times: int = 1
    """Equal outcomes that this one stands for."""


LeadBy = Callable[[PolicyRoute, str], Awaitable[None]]
"""Put a gateway of a route first in the engine; raises an error with the reason on failure."""


class PolicyChecker:
    """One route of one policy."""

    def __init__(
        self,
        route: PolicyRoute,
        lead: ActiveGateway,
        *,
        view: KernelView,
        streams: ProbeStreams,
        clock: Clock,
        lead_by: LeadBy,
        on_outcome: Callable[["PolicyChecker", SwitchOutcome], None],
    ) -> None:
        self.route = route
        self.forced = ""
        """The gateway of a move in progress."""
        self._paused = False
        self.lead = lead
        self._view = view
        self._streams = streams
        self._clock = clock
        self._lead_by = lead_by
        self._on_outcome = on_outcome
        self._order = tuple(hop.gateway for hop in route.hops)
        self._own: dict[str, ProbeWindow] = {}
        self._through: dict[str, ProbeWindow] = {}
        self._loops: dict[str, tuple[ProbeStream, ProbeWindow]] = {}
        self._doubts = True
        """The last step found a problem."""
        self._asked_ns = 0
        """When all gateways last got an extra probe to return."""
        self._tracks: list[tuple[ProbeStream, ProbeWindow]] = []
        self._asked: dict[str, ProbeStream] = {}
        """The probe stream to each gateway itself."""
        self._carrier = {hop.port: True for hop in route.hops}
        self._not_through = unreachable_via(route.hops, view)
        self._switching: asyncio.Task[None] | None = None
        self._seen: tuple[str, asyncio.Future[int]] | None = None
        """The gateway whose route is awaited, and the monotonic time at which it was installed."""
        self._routes_seen = False
        """The kernel forwards by the active gateway, and its routes have not changed since that was
        checked."""
        self._retry_ns, self._pause_ns = 0, _RETRY_NS
        self._overrides = OverrideWatch()
        self._override_outcomes: dict[str, SwitchOutcome] = {}
        """The newest by reason: reported later if it comes too soon after another."""

    @property
    def paused(self) -> bool:
        """A change, a rollback or an operator controls the node's routing: probe, decide nothing."""
        return self._paused

    @paused.setter
    def paused(self, paused: bool) -> None:
        if paused != self._paused:
            self._overrides.unsettle()
        self._paused = paused

    @property
    def active(self) -> str:
        """The gateway that the kernel forwards by; "" for none or an unknown one."""
        hops = [(hop.gateway, hop.address) for hop in self.route.hops]
        return gateway_in_use(self._view.routes.best(self.route.prefix), hops)

    @property
    def limits(self) -> str:
        """A limitation of these probes, as a sentence; empty: none."""
        if self.route.target is None or not self._not_through:
            return ""
        return f"the target cannot be reached through each of {', '.join(self._not_through)}"

    def start(self) -> None:
        """Start probing. Raises PermissionError if this host does not permit echoes."""
        now, timers = self._clock.monotonic_ns(), self.route.timers
        own_ms = timers.interval_ms if self.route.target is None else max(timers.interval_ms, _OWN_MS)
        self.look_at_ports()
        for hop in self.route.hops:
            own = timers.model_copy(update={"interval_ms": own_ms})
            self._asked[hop.gateway] = ProbeStream(hop.address, hop.port, None, own_ms)
            self._own[hop.gateway] = self._watch(self._asked[hop.gateway], ProbeWindow(own, now))
        if self.route.target is not None and not self._not_through:
            try:
                self._start_through(now)
            except PermissionError:
                self._not_through = list(self._order)
                self._through = {}

    def _start_through(self, now: int) -> None:
        timers = self.route.timers
        for hop in self.route.hops:
            track = ProbeStream(hop.address, hop.port, self.route.target, timers.interval_ms)
            self._through[hop.gateway] = self._watch(track, ProbeWindow(timers, now))
        # Evaluated as quickly as the target, once they are probed as often.
        soon = timers.model_copy(update={"recover_after": timers.fail_after})
        for hop in self.route.hops:
            track = ProbeStream(hop.address, hop.port, None, max(_LOOP_MS, timers.interval_ms), loop=True)
            window = ProbeWindow(soon, now)
            self._streams.watch(track, window)
            self._loops[hop.gateway] = track, window

    def _watch(self, track: ProbeStream, window: ProbeWindow) -> ProbeWindow:
        self._streams.watch(track, window)
        self._tracks.append((track, window))
        return window

    def stop(self) -> None:
        """Stop probing; a switch in progress is completed."""
        for track, window in [*self._tracks, *self._loops.values()]:
            self._streams.leave(track, window)
        self._tracks.clear()
        self._loops.clear()

    def look_at_ports(self) -> None:
        """Read the carrier of each port from the kernel view."""
        flags = {link.name: link.flags for link in self._view.links.values()}
        self._carrier = {port: rtnl.carries(flags.get(port, 0)) for port in self._carrier}
        if not all(self._carrier.values()):
            self._overrides.unsettle()

    def carrier(self, port: str, up: bool) -> None:
        """A port lost or regained carrier, just now."""
        if self._carrier.get(port, up) != up:
            self._carrier[port] = up
            self._overrides.unsettle()
            self.step(self._clock.monotonic_ns())

    def routes_changed(self, now_ns: int) -> None:
        """The kernel's routes changed at monotonic time `now_ns`."""
        self._routes_seen = False
        if self._seen is not None and not self._seen[1].done() and self.active == self._seen[0]:
            self._seen[1].set_result(now_ns)

    def signs(self, now: int) -> dict[str, GatewayStatus]:
        """State of each gateway."""
        found = {}
        for hop in self.route.hops:
            through = self._through.get(hop.gateway)
            found[hop.gateway] = GatewayStatus(
                own=self._own[hop.gateway].step(now),
                through=None if through is None else through.step(now),
                carrier=self._carrier[hop.port],
                loop=self._loop(hop.gateway, now),
            )
        return found

    def _loop(self, gateway: str, now: int) -> ProbeState | None:
        """None for a gateway that has never returned a probe: it may not be permitted to."""
        if gateway not in self._loops:
            return None
        mark = self._loops[gateway][1].step(now)
        return None if mark.last_answered_ns is None else mark

    def step(self, now: int) -> None:
        """Evaluate, decide, act."""
        self._doubts = not self._calm()
        if self._doubts:
            self._judge(now)
        if (counted := self._overrides.overdue(now)) is not None:
            reason, times = counted
            self._on_outcome(self, replace(self._override_outcomes[reason], times=times))

    def _calm(self) -> bool:
        """Whether all is well: the best gateway is active, all answer, no move is requested. Then `decide`
        cannot change anything, and need not run twenty times a second."""
        lead = self.lead
        if self.forced or lead.moved_to or lead.dead or lead.silent or not self._routes_seen:
            return False
        if lead.gateway != self._order[0] or not all(self._carrier.values()):
            return False
        for _, window in self._tracks:  # noqa: SIM110 - a generator would cost more than all the rest
            if not window.calm:
                return False
        return True

    def _judge(self, now: int) -> None:
        signs = self.signs(now)
        self._ask_doubtful(signs)
        if self._loops and all(sign.through and sign.through.lost >= _DOUBTFUL for sign in signs.values()):
            self._ask_all(signs, now)
        if self.paused or self._switching is not None:
            return
        before = self.lead
        timers = self.route.timers
        self.lead, decision = decide(self._order, timers, before, signs, forced=self.forced, now=now)
        if decision is not None:
            self._act(decision, describe(self.route, decision, signs, now, self.lead), now)
        elif self.lead.gateway and (self.active != self.lead.gateway or self._overrides.must_restore):
            self._overrides.notice(self._found, self.active, now)
            self._lead_back(now)
        else:
            self._routes_seen = True
            ended = self._overrides.settle(carriers=all(self._carrier.values()))
            if ended is not None:
                self._restored(ended, now)
            self._pause_ns = _RETRY_NS
            self._retry_ns = now + _RETRY_NS

    def _ask_doubtful(self, signs: dict[str, GatewayStatus]) -> None:
        """Probe a gateway itself if it seems not to forward: the result decides."""
        for gateway, sign in signs.items():
            if sign.through is not None and sign.through.lost == _DOUBTFUL and sign.own.lost == 0:
                self._streams.hasten(self._asked[gateway])

    def _ask_all(self, signs: Mapping[str, GatewayStatus], now: int) -> None:
        """The target seems not to answer through any gateway: probe which of them still forwards."""
        since = max(sign.through.silent_ns or now for sign in signs.values() if sign.through is not None)
        often = now - since < _ASK_OFTEN_NS
        pause = self.route.timers.interval_ms * 900_000 if often else _ASK_SELDOM_NS
        if now - self._asked_ns >= pause:
            self._asked_ns = now
            for gateway, (track, _) in self._loops.items():
                self._streams.hasten(track)
                if signs[gateway].own.lost == 0:
                    self._streams.hasten(self._asked[gateway])

    async def quiet(self) -> None:
        """Wait for a switch that is in progress."""
        if self._switching is not None:
            await asyncio.wait([self._switching])

    async def hand_back(self) -> None:
        """Put the preferred gateway first, dead or alive, and stop deciding: a daemon decides from here."""
        await self.quiet()
        self.paused, first = True, self._order[0]
        decision = Decision("move_over", self.lead.gateway, first, 0)
        self.lead = ActiveGateway(first, self._clock.monotonic_ns())
        evidence = f"{first} is preferred again, and the node's routing daemon decides"
        outcome = SwitchOutcome(decision, evidence, 0.0, self._clock.wall_ns())
        await self._switch(outcome, self._clock.monotonic_ns())

    def due_ns(self) -> int | None:
        """When the next state change may happen; None: none is near."""
        if not self._doubts:
            return None
        watched = [*self._tracks, *self._loops.values()]
        return min((due for _, window in watched if (due := window.due_ns()) is not None), default=None)

    def _act(self, decision: Decision, evidence: str, now: int) -> None:
        if self.limits:
            evidence = f"{evidence}; {self.limits}"
        outcome = SwitchOutcome(decision, evidence[:1000], 0.0, self._clock.wall_ns())
        if not decision.switches:
            self._on_outcome(self, outcome)
            return
        self._overrides.unsettle()
        self._switching = asyncio.create_task(self._switch(outcome, now))

    async def _switch(self, outcome: SwitchOutcome, now: int) -> None:
        trouble, took_ms = await self._lead_and_see(outcome.decision.to_gateway, now)
        self._switching = None
        self._retry_ns = self._clock.monotonic_ns() + _RETRY_NS
        evidence = f"{outcome.evidence}; {trouble}" if trouble else outcome.evidence
        self._on_outcome(self, replace(outcome, evidence=evidence[:1000], took_ms=took_ms, trouble=trouble))

    async def _lead_and_see(self, gateway: str, now: int) -> tuple[str, float]:
        """Switch the engine and wait for the kernel's route; (error or empty, milliseconds since `now`)."""
        stood: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._seen = (gateway, stood)
        trouble = await self._lead(gateway)
        took_ns = self._clock.monotonic_ns() - now
        if not trouble:
            try:
                async with asyncio.timeout(0 if self.active == gateway else _SEEN_S):
                    took_ns = await stood - now
            except TimeoutError:
                trouble = "" if self.active == gateway else _NOT_YET
        self._seen = None
        return trouble, round(max(0, took_ns) / 1e6, 3)

    async def _lead(self, gateway: str) -> str:
        """Switch the engine; returns the error, or empty."""
        try:
            async with asyncio.timeout(_LEAD_S):
                await self._lead_by(self.route, gateway)
        except TimeoutError:
            return f"the engine did not answer within {_LEAD_S:g} s"
        except Exception as error:
            # Whatever the engine's fault is, the next step retries; it must not end the checker.
            event(_log, logging.ERROR, "cannot lead a route", policy=self.route.policy, error=error)
            return f"the engine was not switched: {error}"
        return ""

    def _lead_back(self, now: int) -> None:
        """Not at once, because the event of our own switch may be pending; more slowly each time."""
        if now < self._retry_ns:
            return
        self._retry_ns = now + self._pause_ns
        self._pause_ns = min(2 * self._pause_ns, _MOST_RETRY_NS)
        self._switching = asyncio.create_task(self._put_back(self.lead.gateway))

    async def _put_back(self, gateway: str) -> None:
        override, found = self._overrides.current, self.active or "another or none"
        trouble, _ = await self._lead_and_see(gateway, self._clock.monotonic_ns())
        self._switching = None
        event(
            _log,
            logging.WARNING,
            "the kernel forwarded by another gateway than the active one",
            policy=self.route.policy,
            prefix=self.route.prefix,
            found=found,
            leads=gateway,
            trouble=trouble,
        )
        if override is None or self._overrides.current is not override:
            return
        follows = not trouble or trouble == _NOT_YET
        self._overrides.attempts += follows
        if trouble and (not follows or self._overrides.attempts > 1):
            self._report_override("not_restored", override, trouble)

    def restore(self, cause: str) -> None:
        """A hold has ended: set the route again as the policy has it, and report what differed."""
        now = self._clock.monotonic_ns()
        self.look_at_ports()
        self._overrides.demand(self._found, self.active, now, cause)
        self._routes_seen, self._retry_ns, self._pause_ns = False, now, _RETRY_NS

    @property
    def _found(self) -> str:
        return describe_route(self._view.routes.best(self.route.prefix), self.route.prefix)

    def _restored(self, override: Override, now: int) -> None:
        if not override.cause or override.gateway != self.lead.gateway:
            seconds = (now - override.since_ns) / 1e9
            self._report_override("restored", override, f"restored {seconds:.2f} s later")

    def _report_override(
        self, reason: Literal["restored", "not_restored"], override: Override, end: str
    ) -> None:
        """At once, or counted and reported within a minute; the end of a hold always at once."""
        cause = f"{override.cause}; " if override.cause else ""
        instead = f"{self.route.prefix} via {self.lead.gateway}"
        evidence = f"{cause}found {override.found} instead of {instead}; {end}"
        decision = Decision(reason, override.gateway, self.lead.gateway, 0)
        now = self._clock.monotonic_ns()
        took_ms = round((now - override.since_ns) / 1e6, 3) if reason == "restored" else 0.0
        outcome = SwitchOutcome(decision, evidence[:1000], took_ms, self._clock.wall_ns())
        self._override_outcomes[reason] = outcome
        times = 1 if override.cause else self._overrides.count(reason, now)
        if times:
            self._on_outcome(self, replace(outcome, times=times))
