"""The source side of one attachment: a queue whose packets are sent over successive connections.

Hosts, gateways and blocking sources use it; a gateway also gives up after its hold time. As at the papers'
sites, a connection carries one packet.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Mapping
from typing import Protocol

from backstay_lab.hippi.crossbar import Answer, Crossbar
from backstay_lab.hippi.event_queue import Action, Agenda, ScheduledAction
from backstay_lab.hippi.ifield import SOURCE_ROUTE
from backstay_lab.hippi.packet import Packet


class Sink(Protocol):
    """The destination side of an attachment."""

    @property
    def rate(self) -> int:
        """Bit/s that it takes."""

    def accepts(self) -> bool:
        """Whether it answers a request with CONNECT; otherwise the packet is lost."""

    def ready(self, resume: Action, now: int) -> bool:
        """Whether it gives READY; if not, it calls `resume` when it does."""

    def take(self, packet: Packet, now: int) -> None:
        """Receive a complete packet."""


class State(enum.Enum):
    """The sender's state, as raised signals."""

    IDLE = "idle"
    PACING = "pacing"
    REQUESTING = "requesting"
    CONNECTED = "connected"


class PacketSender:
    """Sends packets in order. Its queue is unbounded: callers enforce their own limit."""

    def __init__(
        self,
        agenda: Agenda,
        crossbar: Crossbar,
        port: int,
        rate: int,
        sinks: Mapping[int, Sink],
        *,
        spacing_ns: int = 0,
        given_up: Callable[[list[Packet], int], None] | None = None,
    ) -> None:
        """Attach to input `port`, at `rate` bit/s; `spacing_ns` is the least time between two starts.

        `given_up` gets the packets that the hold timer dropped.
        """
        self.queue: deque[Packet] = deque()
        self.state = State.IDLE
        self.rate = rate
        self.spacing_ns = spacing_ns
        self._hold_ns: int | None = None
        self._agenda, self._crossbar, self._port, self._sinks = agenda, crossbar, port, sinks
        self._given_up = given_up
        self._counters = crossbar.counters[port]
        self._timer: ScheduledAction | None = None
        self._since = 0
        self._earliest = 0
        self._output = 0

    def offer(self, packet: Packet, now: int) -> None:
        """Queue a packet."""
        self.queue.append(packet)
        if self.state is State.IDLE:
            self._next(now)

    def hold(self, hold_ns: int | None, now: int) -> None:
        """Limit the wait for a busy destination (None: no limit), including the current one."""
        self._hold_ns = hold_ns
        if self.state is State.REQUESTING:
            self._arm(now)

    def granted(self, output: int, now: int) -> None:
        """The switch has opened the connection."""
        self._disarm()
        self.state, self._since, self._output = State.CONNECTED, now, output
        self._earliest = now + self.spacing_ns
        sink = self._sinks.get(output)
        if sink is None or not sink.accepts():
            self._agenda.at(now, self._turned_away)
        elif self.queue[0].hold_ns or sink.ready(self._transmit, now):
            self._transmit(now)

    def refused(self, now: int) -> None:
        """The switch has cancelled the request: a port was switched off."""
        self._disarm()
        self._drop_head(now)
        self._next(now)

    def _next(self, now: int) -> None:
        """Request the next connection; a packet whose request is rejected at once is lost."""
        self.state = State.IDLE
        while self.queue:
            if now < self._earliest:
                self.state = State.PACING
                self._agenda.at(self._earliest, self._next)
                return
            self.state, self._since = State.REQUESTING, now
            answer = self._crossbar.request(self._port, self.queue[0].ifield, self, now)
            if answer is Answer.CAMPED:
                self._arm(now)
            if answer is not Answer.REJECTED:
                return
            self._drop_head(now)
            self.state = State.IDLE

    def _transmit(self, now: int) -> None:
        rate = min(self.rate, self._sinks[self._output].rate)
        self._agenda.at(now + self.queue[0].wire_ns(rate), self._finish)

    def _finish(self, now: int) -> None:
        packet = self.queue.popleft()
        self._counters.into.add(packet, now - self._since)
        self._crossbar.counters[self._output].out.add(packet, now - self._since)
        if packet.ifield.selection == SOURCE_ROUTE:
            packet.ifield = packet.ifield.next_hop()
        if packet.data:
            self._sinks[self._output].take(packet, now)
        self._end(packet, now)

    def _turned_away(self, now: int) -> None:
        self._counters.dest_rejects += 1
        self._end(self.queue.popleft(), now)

    def _end(self, packet: Packet, now: int) -> None:
        """Release the connection, let waiting inputs go first, then continue."""
        self.state = State.IDLE
        self._crossbar.release(self._port, now)
        if packet.done is not None:
            packet.done(now)
        if self.state is State.IDLE:
            self._next(now)

    def _drop_head(self, now: int) -> None:
        packet = self.queue.popleft()
        if packet.done is not None:
            self._agenda.at(now, packet.done)

    def _arm(self, now: int) -> None:
        self._disarm()
        if self._hold_ns is not None:
            self._timer = self._agenda.at(max(now, self._since + self._hold_ns), self._give_up)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self, now: int) -> None:
        """The hold timer expired: drop the request and all packets for the same destination."""
        self._timer = None
        self._crossbar.withdraw(self._port, now)
        target = self.queue[0].ifield.address
        lost = [packet for packet in self.queue if packet.ifield.address == target]
        self.queue = deque(packet for packet in self.queue if packet.ifield.address != target)
        if self._given_up is not None:
            self._given_up(lost, now)
        self._next(now)
