"""The HIPPI-SONET gateway: a HIPPI LAN's port to a remote LAN.

It terminates HIPPI connections locally, so READY signals need not cross the distance, and sends packets
over up to eight OC-3 stripes. Packets from the far end wait in a burst buffer for their destination, at
most for the hold time; then everything queued for that destination is dropped with the request. A full
buffer stops the far gateway, which then withholds READY from its sources: the sending gateway buffers
nothing (Chinoy and Fall, section 4.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backstay_lab.hippi.config import MAX_STRIPES, GatewayConfig
from backstay_lab.hippi.counters import GatewayCounters
from backstay_lab.hippi.crossbar import Crossbar
from backstay_lab.hippi.event_queue import Action, Agenda
from backstay_lab.hippi.packet import NS, Packet
from backstay_lab.hippi.sender import PacketSender, Sink

TICK_NS = 20_000
"""Unit of the hold timer: a hold value of h waits 20 h microseconds (the paper, section 5)."""
MAX_TICKS = 0x7FFF
LARGEST = 65_536
"""Octets of a packet in flight when the stop signal arrives; up to two can be."""


@dataclass(slots=True)
class SonetStripe:
    """One OC-3: signal state and octets carried."""

    up: bool
    out_octets: int = 0
    in_octets: int = 0


class Gateway:
    """One gateway; `join` connects it to its peer."""

    def __init__(
        self, agenda: Agenda, config: GatewayConfig, crossbar: Crossbar, sinks: Mapping[int, Sink]
    ) -> None:
        self.config = config
        self.counters = GatewayCounters()
        self.stripes = [SonetStripe(up=number < config.stripes) for number in range(MAX_STRIPES)]
        self.blackhole = False
        self.hold_ticks: int | None = None
        self.queued = 0
        """Octets in the burst buffer."""
        self.sender = PacketSender(
            agenda, crossbar, config.port, config.media_rate, sinks, given_up=self._given_up
        )
        self._agenda = agenda
        self._peer = self
        self._stopped = False
        self._stop_requested = False
        self._waiting: list[Action] = []
        self.hold(config.hold_ticks, 0)

    def join(self, peer: Gateway) -> None:
        """Connect two gateways."""
        self._peer, peer._peer = peer, self

    @property
    def line_rate(self) -> int:
        """Bit/s over the stripes that are up."""
        return self.signals * self.config.stripe_rate

    @property
    def signals(self) -> int:
        """Number of stripes with a signal."""
        return sum(stripe.up for stripe in self.stripes)

    @property
    def rate(self) -> int:
        """Bit/s that it accepts from its LAN: it forwards while it receives."""
        return max(1, min(self.config.media_rate, self.line_rate))

    @property
    def high_mark(self) -> int:
        """Octets at which it requests a stop, leaving room for packets in flight."""
        in_flight = self._peer.line_rate * 2 * self.config.delay_ns // (8 * NS) + 2 * LARGEST
        return max(self.config.buffer - in_flight, self.config.buffer // 8)

    def hold(self, ticks: int | None, now: int) -> None:
        """Set the hold time: 1 to 32767 ticks of 20 us, None for no limit; ValueError otherwise."""
        if ticks is not None and not 1 <= ticks <= MAX_TICKS:
            raise ValueError(f"a hold time is 1 to {MAX_TICKS} ticks of 20 us, not {ticks}")
        self.hold_ticks = ticks
        self.sender.hold(None if ticks is None else ticks * TICK_NS, now)

    def signal(self, stripes: int) -> None:
        """Give the first `count` stripes a signal; each lost one counts as LOS and LOF."""
        for number, stripe in enumerate(self.stripes):
            up = number < stripes
            self.counters.los += stripe.up and not up
            self.counters.lof += stripe.up and not up
            stripe.up = up

    def accepts(self) -> bool:
        """Refuses connections while no stripe is up."""
        up = self.signals > 0
        self.counters.dst_connect_reject += not up
        return up

    def ready(self, resume: Action, now: int) -> bool:
        """No READY while the far end's burst buffer is near its end."""
        if self._stop_requested:
            self._waiting.append(resume)
        return not self._stop_requested

    def take(self, packet: Packet, now: int) -> None:
        """Send the packet, its words distributed over the stripes; without a stripe it is lost."""
        carriers = [number for number, stripe in enumerate(self.stripes) if stripe.up]
        if not carriers or self.blackhole:
            return
        share = packet.words * 4 // len(carriers)
        for number in carriers:
            self.stripes[number].out_octets += share
            self._peer.stripes[number].in_octets += share
        self._agenda.at(now + self.config.delay_ns, lambda due: self._peer.arrive(packet, due))

    def arrive(self, packet: Packet, now: int) -> None:
        """Put a packet from the far end into the burst buffer, if there is room."""
        octets = packet.words * 4
        if self.queued + octets > self.config.buffer:
            self.counters.overflow += 1
            return
        self.queued += octets
        self.counters.peak_octets = max(self.counters.peak_octets, self.queued)
        packet.done = lambda due: self._left(octets, due)
        self.sender.offer(packet, now)
        if self.queued >= self.high_mark and not self._stopped:
            self._stopped = True
            self.counters.mf_flow_control += 1
            self._agenda.at(now + self.config.delay_ns, self._peer.stop)

    def stop(self, now: int) -> None:
        """The far end's signal: its burst buffer is nearly full."""
        self._stop_requested = True
        self.counters.dl_flow_control += 1

    def go(self, now: int) -> None:
        """The far end's signal: its burst buffer has room again."""
        self._stop_requested = False
        waiting, self._waiting = self._waiting, []
        for resume in waiting:
            resume(now)

    def _given_up(self, lost: list[Packet], now: int) -> None:
        self.counters.src_connect_fail += 1
        self.counters.discarded += len(lost)
        for packet in lost:
            self._left(packet.words * 4, now)

    def _left(self, octets: int, now: int) -> None:
        self.queued -= octets
        if self._stopped and self.queued <= self.high_mark // 2:
            self._stopped = False
            self._agenda.at(now + self.config.delay_ns, self._peer.go)
