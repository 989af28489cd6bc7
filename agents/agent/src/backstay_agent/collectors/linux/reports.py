"""Reports of the kernel's live view: ports on any change and each minute, routes as deltas and as a whole
each ten minutes, neighbours on change."""

import asyncio

from backstay_agent.collectors.base import Ran
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.failover.routes import Delta
from backstay_agent.host import machine
from backstay_agent.host.clock import Clock
from backstay_agent.parsers.linux import rtnl
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import MAX_PORTS, DeviceReport, Neighbour, NeighbourReport, PortState, Route, RouteReport

_LEAST_S = 10.0
_ROUTES_EVERY_NS = 600_000_000_000
_ROUTES_LIMIT = 100_000
# States that the kernel moves an entry through in normal operation: not a change worth a report.
_WORKING = {"reachable", "stale", "delay", "probe", "permanent"}


class LinuxState:
    """Collector `linux-state`: the live view, changes by the kernel's events, the rest by the clock: every
    10 s, or at the site's longer interval."""

    name = "linux-state"
    limit_s = 8.0

    def __init__(
        self, *, device: str, interval_s: float, kernel: KernelState, clock: Clock, emit: ReportSink
    ) -> None:
        self.device = device
        self.interval_s = max(_LEAST_S, interval_s)
        self._kernel = kernel
        self._clock = clock
        self._emit = emit
        self._ports: list[PortState] | None = None
        self._ports_ns = 0
        self._routes_ns: int | None = None
        self._neighbours: frozenset[tuple[str, str, str, bool]] | None = None

    async def start(self) -> None:
        """Start the live view and report its content at once."""
        await self._kernel.start()
        self._kernel.routes_listeners.append(self._routes_changed)
        self._kernel.ports_listeners.append(self._ports_changed)

    async def stop(self) -> None:
        """Stop receiving; the view itself may have other users."""
        if self._routes_changed in self._kernel.routes_listeners:
            self._kernel.routes_listeners.remove(self._routes_changed)
            self._kernel.ports_listeners.remove(self._ports_changed)

    async def collect(self) -> Ran:
        """Neighbours each time; ports each minute, routes each ten minutes."""
        now = self._clock.monotonic_ns()
        if self._ports is None or now - self._ports_ns >= REPEAT_NS:
            await self._kernel.read_ports()
            self._report_ports(self._clock.wall_ns(), always=True)
        if self._routes_ns is None or now - self._routes_ns >= _ROUTES_EVERY_NS:
            await self._kernel.read_routes()
            self._report_routes(now)
        await self._kernel.read_neighbours()
        self._report_neighbours()
        return Ran()

    async def _ports_changed(self, at: int) -> None:
        self._report_ports(at, always=False)
        await asyncio.sleep(0)

    def _report_ports(self, at: int, *, always: bool) -> None:
        kernel = self._kernel
        stated = [
            rtnl.port_state(link, kernel.addresses.get(index, []), kernel.speeds.get(index, 0))
            for index, link in kernel.links.items()
        ][:MAX_PORTS]
        ports = kernel.stated_speeds.corrected(stated)
        is_same = ports == self._ports
        if is_same and not always:
            return
        self._ports, self._ports_ns = ports, self._clock.monotonic_ns()
        self._emit(
            lambda boot, seq: DeviceReport(
                boot=boot,
                seq=seq,
                device=self.device,
                at=at,
                sys_name=machine.hostname(),
                sys_descr=machine.description(),
                uptime_s=machine.uptime_s(),
                ports=ports,
            ),
            urgent=not always,
            can_wait=is_same,
        )

    def _report_routes(self, now: int) -> None:
        is_known, self._routes_ns = self._routes_ns is not None, now
        at = self._clock.wall_ns()
        self._send_routes(at, self._kernel.routes.all()[:_ROUTES_LIMIT], [], complete=True, can_wait=is_known)

    def _routes_changed(self, delta: Delta, at: int, now: int) -> None:
        if self._routes_ns is not None:
            added, removed = delta.added[:_ROUTES_LIMIT], delta.removed[:_ROUTES_LIMIT]
            self._send_routes(at, added, removed, complete=False)

    def _send_routes(
        self,
        at: int,
        routes: list[Route],
        removed: list[Route],
        *,
        complete: bool,
        can_wait: bool = False,
    ) -> None:
        self._emit(
            lambda boot, seq: RouteReport(
                boot=boot,
                seq=seq,
                device=self.device,
                at=at,
                complete=complete,
                routes=routes,
                removed=removed,
            ),
            urgent=not complete,
            can_wait=can_wait,
        )

    def _report_neighbours(self) -> None:
        neighbours = self._kernel.neighbours
        essence = frozenset(_essence(entry) for entry in neighbours)
        if essence == self._neighbours:
            return
        self._neighbours = essence
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: NeighbourReport(
                boot=boot, seq=seq, device=self.device, at=at, neighbours=neighbours
            )
        )


def _essence(entry: Neighbour) -> tuple[str, str, str, bool]:
    """Identity of a neighbour entry: without the state that ARP changes every minute."""
    return entry.port, str(entry.address), entry.mac, entry.state in _WORKING
