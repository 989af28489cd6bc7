"""What switches and gateways count. Plain numbers since the start; the SNMP tables fold them to 31 bits."""

from __future__ import annotations

from dataclasses import dataclass, field

from backstay_lab.hippi.packet import Packet


@dataclass(slots=True)
class Flow:
    """What passed in one direction of one port."""

    connects: int = 0
    packets: int = 0
    octets: int = 0
    bursts: int = 0
    words: int = 0
    busy_ns: int = 0
    """Time that a connection stood."""

    def add(self, packet: Packet, busy_ns: int) -> None:
        """Count a connection and the packet that it carried; a raw transfer counts no words."""
        self.connects += 1
        self.packets += 1
        self.octets += len(packet.data)
        self.bursts += packet.bursts
        self.words += packet.words
        self.busy_ns += busy_ns


@dataclass(slots=True)
class PortCounters:
    """One switch port: `into` the switch from what is attached, and `out` of it."""

    into: Flow = field(default_factory=Flow)
    out: Flow = field(default_factory=Flow)
    rejects: int = 0
    """Connections asked for by this port's source that the switch refused."""
    campons: int = 0
    """Connections asked for by this port's source that had to wait for a busy destination."""
    campon_ns: int = 0
    dest_rejects: int = 0
    """Connections of this port's source that the destination itself refused."""
    last_ifield: int = 0


@dataclass(slots=True)
class GatewayCounters:
    """One HIPPI-SONET gateway; names as its MIB has them: `dst` takes from the LAN, `src` gives to it.

    Its traffic is counted at its switch port.
    """

    src_connect_fail: int = 0
    """Hold timer ran out before the destination was free."""
    discarded: int = 0
    """Packets thrown away with those connections."""
    overflow: int = 0
    """Packets that found the burst buffer full."""
    dst_connect_reject: int = 0
    """Connections that it refused, for no stripe of its line was up."""
    mf_flow_control: int = 0
    """The burst buffer reached its high mark, so the gateway asked the far end to stop."""
    dl_flow_control: int = 0
    """The far end asked this one to stop taking packets."""
    los: int = 0
    lof: int = 0
    peak_octets: int = 0
    """Most that the burst buffer ever held."""
