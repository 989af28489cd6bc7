"""Watched paths: passes routes and echoes to the pure observer, and reports its observations at once.

An unchanged path is reported with the counters of this host, once per `path_repeat_s`: its heartbeat causes
no request. It is reported alone if half an interval more passes without a request, and in the minute after a
change as often as on a host without counters.
"""

import logging
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Protocol
from uuid import uuid4

from backstay_agent.failover.observe import Observation, PathObserver, Switch, TargetChange
from backstay_agent.failover.outages import Outage
from backstay_agent.failover.routes import RouteTable, gateway_in_use
from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.standby import StandbyProbes
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import SECOND, UNREST_NS
from backstay_wire import (
    PATH_REPEAT_MOST_S,
    GatewayLiveness,
    PathOutage,
    PathReport,
    PathSwitch,
    PathWatch,
    path_repeat_s,
)

_log = logging.getLogger(__name__)
_GATEWAY_MS = 1000
_TICK_NS = 1_000
"""The resolution of stored times."""
_LOOK_NS = 500_000_000
"""Gateways answer once a second: evaluating them at each of the target's probes would be waste."""
_MISSES = 3


class GatewayHealth:
    """Liveness of one gateway of a watched path, from its echo replies and the kernel's neighbour entry.

    An echo reply is proof. A gateway that never replies to echoes may filter them, so in that case the
    neighbour table decides: reachable means that it has just confirmed an ARP request or a neighbour
    solicitation.
    """

    def __init__(self) -> None:
        self.rtt_us: int | None = None
        self._misses = 0
        """Probes without an answer since the last answered one, including the one in flight."""
        self._ever_answered = False
        self._neighbour = ""

    def sent(self) -> None:
        """An echo request was sent."""
        self._misses += 1

    def answered(self, rtt_us: int) -> None:
        """An echo reply arrived."""
        self._misses = 0
        self._ever_answered = True
        self.rtt_us = rtt_us

    def neighbour(self, state: str) -> None:
        """The neighbour entry's state, "" if there is none."""
        self._neighbour = state

    def alive(self) -> bool | None:
        """None while nothing is known. A probe in flight does not count as lost."""
        if self._ever_answered and self._misses <= 1:
            return True
        if self._neighbour == "failed":
            return False
        if self._misses > _MISSES:
            return not self._ever_answered and self._neighbour == "reachable"
        if self._ever_answered:
            return True
        return True if self._neighbour == "reachable" else None


class KernelView(Protocol):
    """The live view of the kernel that the Linux collector keeps."""

    routes: RouteTable

    def neighbour_state(self, address: IPv4Address | IPv6Address) -> str:
        """The neighbour entry's state, "" if there is none."""


class _GatewayProbe:
    """Listener of one gateway's echoes."""

    def __init__(self, health: GatewayHealth) -> None:
        self._health = health

    def sent(self, number: int, now_ns: int) -> None:
        self._health.sent()

    def answered(self, number: int, rtt_us: int) -> None:
        self._health.answered(rtt_us)


class PathWatcher:
    """One failover policy observed on this node."""

    def __init__(
        self,
        watch: PathWatch,
        device: str,
        *,
        kernel: KernelView,
        prober: EchoProber,
        clock: Clock,
        emit: ReportSink,
        standby: StandbyProbes | None = None,
        counters_s: float = 0.0,
    ) -> None:
        """`standby`: probes through each gateway; None: only the gateways themselves are probed.

        `counters_s`: seconds between two reports of this host's counters; 0: there are none.
        """
        self._watch = watch
        self._device = device
        self._kernel = kernel
        self._prober = prober
        self._clock = clock
        self._emit = emit
        self._standby = standby
        self._observer = self._new_observer(has_target=watch.target is not None)
        self._health = {gateway.name: GatewayHealth() for gateway in watch.gateways}
        self._gateways: list[GatewayLiveness] = []
        """As reported last."""
        self._target_rtt_us: int | None = None
        self._slots: list[int] = []
        self._found: list[Observation] = []
        self._reported_ns: int | None = None
        self._last_at_ns = 0
        """Wall time of the last report."""
        self._look_ns = 0
        self._unrest_until_ns = 0
        self.set_counters(counters_s)
        self.switch_listeners: list[Callable[[Switch], None]] = []
        """Called at each switch, and again once it is measured."""

    def set_counters(self, seconds: float) -> None:
        """Counters are reported each `seconds`: exactly one of their reports falls into the time between
        `_early_ns` and `_late_ns` after a heartbeat."""
        repeat_s = path_repeat_s(self._watch.probe_interval_ms, seconds)
        half_s = min(seconds, PATH_REPEAT_MOST_S) / 2
        self._early_ns = round((repeat_s - half_s) * SECOND)
        self._late_ns = round((repeat_s + half_s) * SECOND)
        base_s = path_repeat_s(self._watch.probe_interval_ms, 0)
        self._unrest_ns = round(base_s * SECOND) if repeat_s > base_s else self._late_ns

    def start(self) -> None:
        """Start watching. If this host does not permit echoes, only the routes are watched: switches are
        reported, outages and liveness stay unknown."""
        try:
            self._start_probes()
        except PermissionError:
            event(_log, logging.WARNING, "not permitted to send ICMP echoes", policy=self._watch.policy)
            self._observer = self._new_observer(has_target=False)
        self._prober.on_step(self._step)
        self.routes_changed(self._clock.wall_ns(), self._clock.monotonic_ns())

    def stop(self) -> None:
        """Stop watching."""
        for slot in self._slots:
            self._prober.remove(slot)
        self._prober.off_step(self._step)
        self._slots.clear()
        if self._standby is not None:
            self._standby.stop()

    def _new_observer(self, *, has_target: bool) -> PathObserver:
        interval = self._watch.probe_interval_ms
        return PathObserver(probe_interval_ms=interval, new_id=uuid4, has_target=has_target)

    def _start_probes(self) -> None:
        for gateway in self._watch.gateways:
            probe = _GatewayProbe(self._health[gateway.name])
            self._slots.append(self._prober.add(gateway.address, _GATEWAY_MS, probe))
        if self._watch.target is not None:
            self._slots.append(self._prober.add(self._watch.target, self._watch.probe_interval_ms, self))
        if self._standby is not None:
            self._standby.start()

    def routes_changed(self, at_ns: int, now_ns: int) -> None:
        """The kernel's routes changed at wall time `at_ns`, monotonic time `now_ns`."""
        route = self._kernel.routes.best(self._watch.prefix)
        active = gateway_in_use(route, [(gateway.name, gateway.address) for gateway in self._watch.gateways])
        found = self._observer.active(active, at_ns=at_ns, now_ns=now_ns, has_route=route is not None)
        self._report(found, now_ns)

    def sent(self, number: int, now_ns: int) -> None:
        """Listener of the end-to-end target's echoes."""
        self._observer.sent(number, now_ns)

    def answered(self, number: int, rtt_us: int) -> None:
        """Listener of the end-to-end target's echoes."""
        self._target_rtt_us = rtt_us
        self._found += self._observer.answered(number)

    def _step(self, now_ns: int) -> None:
        found, self._found = self._found + self._observer.step(now_ns), []
        if found or now_ns >= self._look_ns:
            self._report(found, now_ns)

    def request_leaves(self) -> None:
        """A request is about to leave: report along with it what is due about now."""
        now_ns = self._clock.monotonic_ns()
        if self._reported_ns is not None and now_ns - self._reported_ns >= self._early_ns:
            self._report([], now_ns, with_others=True)

    def _report(self, found: list[Observation], now_ns: int, *, with_others: bool = False) -> None:
        """Report each switch once, and anything else that changed or whose last report is old."""
        self._look_ns = now_ns + _LOOK_NS
        self._note_target(found)
        known, self._gateways = self._gateways, self._look_at_gateways()
        changed = _states(known) != _states(self._gateways) or bool(found)
        switches = [observation for observation in found if isinstance(observation, Switch)]
        outages = [observation for observation in found if isinstance(observation, Outage)]
        for switch in switches:
            self._send(switch, switch.outage, now_ns, urgent=True)
            for listener in self.switch_listeners:
                listener(switch)
        for outage in outages:
            self._send(None, outage, now_ns, urgent=True)
        if switches or outages:
            return
        if changed:
            self._send(None, None, now_ns, urgent=True)
        elif with_others or self._is_due(now_ns):
            self._send(None, None, now_ns, can_wait=with_others)

    def _is_due(self, now_ns: int) -> bool:
        if self._reported_ns is None:
            return True
        limit_ns = self._unrest_ns if now_ns < self._unrest_until_ns else self._late_ns
        return now_ns - self._reported_ns >= limit_ns

    def _note_target(self, found: list[Observation]) -> None:
        """What the end-to-end probes show about the gateway in use."""
        for observation in found:
            if isinstance(observation, TargetChange) and self._standby is not None and self._observer.gateway:
                self._standby.observed(self._observer.gateway, target_alive=observation.alive)

    def _look_at_gateways(self) -> list[GatewayLiveness]:
        for gateway in self._watch.gateways:
            self._health[gateway.name].neighbour(self._kernel.neighbour_state(gateway.address))
        return [self._liveness(name, health) for name, health in self._health.items()]

    def _liveness(self, name: str, health: GatewayHealth) -> GatewayLiveness:
        alive = health.alive()
        forwards = None if self._standby is None else self._standby.forwards(name)
        return GatewayLiveness(
            name=name, alive=alive, rtt_us=health.rtt_us if alive else None, forwards=forwards
        )

    def _send(
        self,
        switch: Switch | None,
        outage: Outage | None,
        now_ns: int,
        *,
        urgent: bool = False,
        can_wait: bool = False,
    ) -> None:
        """Report the path with the switch and the outage; without one, with the ongoing outage."""
        self._reported_ns = now_ns
        if urgent:
            self._unrest_until_ns = now_ns + UNREST_NS
        lost = outage or self._observer.ongoing()
        wire_outage = None if lost is None else self._wire_outage(lost)
        is_new = switch is not None and switch.outage_ms is None
        at = self._after_last(switch.at_ns if switch is not None and is_new else self._clock.wall_ns())
        self._emit(
            lambda boot, seq: PathReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                policy=self._watch.policy,
                prefix=self._watch.prefix,
                active=self._observer.gateway or "",
                target_alive=self._observer.target_alive,
                target_rtt_us=self._target_rtt_us if self._observer.target_alive else None,
                gateways=self._gateways,
                switch=None if switch is None else self._wire(switch),
                outage=wire_outage,
            ),
            urgent=urgent,
            can_wait=can_wait,
        )

    def _after_last(self, at_ns: int) -> int:
        """`at_ns`, but later than the last report: a switch is found a moment after the kernel made it, and
        a report from between still names the previous gateway. A clock that was set back stays free to be."""
        if 0 <= self._last_at_ns - at_ns < SECOND:
            at_ns = self._last_at_ns + _TICK_NS
        self._last_at_ns = at_ns
        return at_ns

    def _wire_outage(self, outage: Outage) -> PathOutage:
        before_ns = self._clock.monotonic_ns() - outage.since_ns
        return PathOutage(
            id=outage.id,
            since=self._clock.wall_ns() - before_ns,
            duration_ms=None if outage.duration_ns is None else round(outage.duration_ns / 1e6, 3),
            cause=outage.cause,
            lost_probes=outage.lost_probes,
            probe_interval_ms=self._watch.probe_interval_ms,
        )

    def _wire(self, switch: Switch) -> PathSwitch:
        return PathSwitch(
            id=switch.id,
            at=switch.at_ns,
            from_gateway=switch.from_gateway,
            to_gateway=switch.to_gateway,
            outage_ms=switch.outage_ms,
            lost_probes=switch.lost_probes,
            probe_interval_ms=self._watch.probe_interval_ms,
        )


def _states(gateways: Iterable[GatewayLiveness]) -> list[tuple[bool | None, bool | None]]:
    """What makes a report urgent: round-trip times do not."""
    return [(gateway.alive, gateway.forwards) for gateway in gateways]
