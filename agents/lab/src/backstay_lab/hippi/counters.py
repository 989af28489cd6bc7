"""Counters of switches and gateways since the start; the SNMP tables wrap them at 31 bits."""

from __future__ import annotations

from dataclasses import dataclass, field

from backstay_lab.hippi.packet import Packet


@dataclass(slots=True)
class DirectionCounters:
    """Counters of one direction of one port."""

    connects: int = 0
    packets: int = 0
    octets: int = 0
    bursts: int = 0
    words: int = 0
    busy_ns: int = 0
    """Total time of connections."""

    def add(self, packet: Packet, busy_ns: int) -> None:
        """Count a connection and its packet; a raw transfer counts no words."""
        self.connects += 1
        self.packets += 1
        self.octets += len(packet.data)
        self.bursts += packet.bursts
        self.words += packet.words
        self.busy_ns += busy_ns


@dataclass(slots=True)
class PortCounters:
    """One switch port: `into` the switch from the attached device, and `out` to it."""

    into: DirectionCounters = field(default_factory=DirectionCounters)
    out: DirectionCounters = field(default_factory=DirectionCounters)
    rejects: int = 0
    """Connection requests of this port's source that the switch refused."""
    campons: int = 0
    """Connection requests of this port's source that waited for a busy destination."""
    campon_ns: int = 0
    dest_rejects: int = 0
    """Connections of this port's source that the destination refused."""
    last_ifield: int = 0


@dataclass(slots=True)
class GatewayCounters:
    """One HIPPI-SONET gateway; names follow its MIB: `dst` receives from the LAN, `src` sends to it.

    Its traffic is counted at its switch port.
    """

    src_connect_fail: int = 0
    """Hold timer ran out before the destination was free."""
    discarded: int = 0
    """Packets dropped with those connections."""
    overflow: int = 0
    """Packets that found the burst buffer full."""
    dst_connect_reject: int = 0
    """Connections that it refused because no stripe was up."""
    mf_flow_control: int = 0
    """Stop requests to the far end: the burst buffer reached its high mark."""
    dl_flow_control: int = 0
    """Stop requests from the far end."""
    los: int = 0
    lof: int = 0
    peak_octets: int = 0
    """Maximum fill of the burst buffer."""
