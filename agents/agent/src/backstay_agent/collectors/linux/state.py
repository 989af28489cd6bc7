"""The live view of this host's kernel: ports, addresses, routes, neighbours.

It is driven by events. Route events are applied one by one. A link or address event causes links and routes
to be read again, because the kernel sends no event for the IPv4 routes that it drops, or stops using, when a
port goes down or loses carrier. Events of one burst are processed together (20 ms); after an overrun of the
event socket everything is read again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import Protocol

from backstay_agent.collectors.speed_check import StatedSpeeds
from backstay_agent.failover.routes import Change, Delta, Drop, Put, RouteTable
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel.netlink import (
    RTM_DELADDR,
    RTM_DELLINK,
    RTM_DELROUTE,
    RTM_NEWADDR,
    RTM_NEWLINK,
    RTM_NEWROUTE,
    DumpTable,
    Message,
    NetlinkError,
    NetlinkEvent,
    OverrunError,
)
from backstay_agent.logs import event
from backstay_agent.parsers.linux import rtnl
from backstay_wire import Neighbour, Route

_log = logging.getLogger(__name__)
_BURST_S = 0.02
_REPLACE = 0x100
_PORT_EVENTS = {RTM_NEWLINK, RTM_DELLINK, RTM_NEWADDR, RTM_DELADDR}
_ROUTE_EVENTS = {RTM_NEWROUTE, RTM_DELROUTE}


class Dumps(Protocol):
    """Source of tables (host/kernel/netlink.py)."""

    async def dump(self, table: DumpTable) -> list[Message]:
        """Every row of a table."""


class Events(Protocol):
    """Source of events (host/kernel/netlink.py)."""

    def fileno(self) -> int:
        """For the event loop."""

    def read(self) -> list[NetlinkEvent]:
        """All waiting events; raises OverrunError."""

    def close(self) -> None:
        """Close the socket."""


RoutesListener = Callable[[Delta, int, int], None]
"""(difference, wall time, monotonic time of the first event)."""
PortsListener = Callable[[int], Awaitable[None]]
"""(wall time of the first event)."""
CarrierListener = Callable[[str, bool], None]
"""(port, whether it can carry traffic): called for the event itself, before anything is read again."""


class KernelState:
    """One host's kernel, kept up to date while started."""

    def __init__(
        self, dumps: Dumps, open_events: Callable[[], Events], speed_of: Callable[[str], int], clock: Clock
    ) -> None:
        self.links: dict[int, rtnl.KernelLink] = {}
        """Ports by interface index, without loopbacks."""
        self.addresses: dict[int, list[str]] = {}
        self.speeds: dict[int, int] = {}
        self.stated_speeds = StatedSpeeds()
        self.routes = RouteTable()
        self.neighbours: list[Neighbour] = []
        self.routes_listeners: list[RoutesListener] = []
        self.ports_listeners: list[PortsListener] = []
        self.carrier_listeners: list[CarrierListener] = []
        self._dumps = dumps
        self._open_events = open_events
        self._speed_of = speed_of
        self._clock = clock
        self._events: Events | None = None
        self._starting = asyncio.Lock()
        self._names: dict[int, str] = {}
        self._neighbour_states: dict[IPv4Address | IPv6Address, str] = {}
        self._burst: list[NetlinkEvent] = []
        self._burst_at: tuple[int, int] | None = None
        self._ports_touched = False
        self._reading: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        """Subscribe to events first, then read everything, so that nothing is missed in between.
        Idempotent."""
        async with self._starting:
            if self._events is None:
                await self._start()

    async def _start(self) -> None:
        events = self._open_events()
        try:
            await self.read_ports()
            self.routes.replace_all(await self._read_routes())
            await self.read_neighbours()
        except BaseException:
            events.close()
            raise
        self._events = events
        asyncio.get_running_loop().add_reader(events.fileno(), self._readable)

    async def stop(self) -> None:
        """Unsubscribe from events."""
        if self._timer is not None:
            self._timer.cancel()
        if self._reading is not None:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading
        if self._events is not None:
            asyncio.get_running_loop().remove_reader(self._events.fileno())
            self._events.close()
            self._events = None

    def neighbour_state(self, address: IPv4Address | IPv6Address) -> str:
        """The neighbour entry's state for `address`, "" if there is none."""
        return self._neighbour_states.get(address, "")

    async def read_ports(self) -> None:
        """Read links and addresses again."""
        found = [rtnl.link(message) for message in await self._dumps.dump(DumpTable.LINKS)]
        self.addresses = rtnl.addresses(await self._dumps.dump(DumpTable.ADDRESSES))
        self._names = {link.index: link.name for link in found}
        self.links = {link.index: link for link in found if not link.loopback}
        self.speeds = {index: self._speed_of(link.name) for index, link in self.links.items()}

    async def read_neighbours(self) -> None:
        """Read the neighbour table again."""
        messages = await self._dumps.dump(DumpTable.NEIGHBOURS)
        entries = [rtnl.neighbour(message, self._names) for message in messages]
        # A dump of a table that changes meanwhile may contain an entry twice.
        known = {(entry.port, entry.address): entry for entry in entries if entry is not None}
        self.neighbours = list(known.values())
        self._neighbour_states = {entry.address: entry.state for entry in self.neighbours}

    async def read_routes(self) -> None:
        """Read the route table again and notify the listeners of the difference."""
        at, now = self._clock.wall_ns(), self._clock.monotonic_ns()
        self._notify_routes(self.routes.replace_all(await self._read_routes()), at, now)

    async def _read_routes(self) -> list[Route]:
        messages = await self._dumps.dump(DumpTable.ROUTES)
        routes = [rtnl.route(m, self._names) for m in messages if rtnl.is_main_unicast(m)]
        return [route for route in routes if route is not None]

    def _readable(self) -> None:
        now = (self._clock.wall_ns(), self._clock.monotonic_ns())
        assert self._events is not None
        try:
            arrived = self._events.read()
        except OverrunError:
            event(_log, logging.WARNING, "netlink events lost, reading everything again")
            arrived, self._ports_touched = [], True
        self._notify_carrier(arrived)
        self._burst += [one for one in arrived if one.kind in _ROUTE_EVENTS]
        self._ports_touched |= any(one.kind in _PORT_EVENTS for one in arrived)
        if not self._burst and not self._ports_touched:
            return
        if self._burst_at is None:
            self._burst_at = now
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_BURST_S, self._end_of_burst)

    def _notify_carrier(self, arrived: list[NetlinkEvent]) -> None:
        """A failover cannot wait for the burst's end: a link event's flags are enough."""
        for one in arrived if self.carrier_listeners else []:
            found = rtnl.carrier(one.kind, one.raw)
            if found is not None and found[0] in self._names:
                for listener in self.carrier_listeners:
                    listener(self._names[found[0]], found[1])

    def _end_of_burst(self) -> None:
        self._timer = None
        if self._reading is not None and not self._reading.done():
            # A table is being read right now: apply events that arrive meanwhile only on top of the result.
            self._timer = asyncio.get_running_loop().call_later(_BURST_S, self._end_of_burst)
            return
        if self._burst_at is None:
            return
        burst, (at, now), touched = self._burst, self._burst_at, self._ports_touched
        self._burst, self._burst_at, self._ports_touched = [], None, False
        if touched:
            self._reading = asyncio.create_task(self._read_all(at, now))
            return
        messages = [one.message() for one in burst]
        self._notify_routes(self.routes.apply(self._changes(messages)), at, now)

    async def _read_all(self, at: int, now: int) -> None:
        try:
            # Names first: a route contains its port's name. Routes next: a failover waits for them.
            await self.read_ports()
            self._notify_routes(self.routes.replace_all(await self._read_routes()), at, now)
            for listener in self.ports_listeners:
                await listener(at)
        except (NetlinkError, OverrunError, OSError) as error:
            event(_log, logging.WARNING, "cannot read the kernel's tables, trying again", error=error)
            self._ports_touched, self._burst_at = True, (at, now)
            self._timer = asyncio.get_running_loop().call_later(1.0, self._end_of_burst)

    def _changes(self, messages: Iterable[Message]) -> Iterable[Change]:
        for message in messages:
            if not rtnl.is_main_unicast(message):
                continue
            route = rtnl.route(message, self._names)
            if message["message_type"] == RTM_NEWROUTE and route is not None:
                yield Put(route, replaces=bool(message["message_flags"] & _REPLACE))
            else:
                protocol = rtnl.protocol(message)
                yield Drop(rtnl.destination(message), message["attrs"].get("RTA_PRIORITY") or 0, protocol)

    def _notify_routes(self, delta: Delta, at: int, now: int) -> None:
        if delta:
            for listener in self.routes_listeners:
                listener(delta, at, now)
