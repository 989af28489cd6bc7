"""The fabric as a whole: switches, hosts, gateways and blocking sources wired up from a configuration.

Pure: the caller passes packets and the time, and receives the delivered packets.
"""

from __future__ import annotations

from ipaddress import IPv4Address

from backstay_lab.hippi.blocking_source import Blocker
from backstay_lab.hippi.config import FabricConfig, HostConfig
from backstay_lab.hippi.crossbar import Crossbar
from backstay_lab.hippi.event_queue import Action, Agenda
from backstay_lab.hippi.gateway import Gateway
from backstay_lab.hippi.ifield import IField, parse
from backstay_lab.hippi.packet import Packet
from backstay_lab.hippi.sender import PacketSender, Sink

DESTINATION = slice(16, 20)
"""Offset in an IPv4 header (RFC 791)."""


class HippiHost:
    """One host's attachment: a sender and a sink."""

    def __init__(
        self, agenda: Agenda, config: HostConfig, crossbar: Crossbar, sinks: dict[int, Sink]
    ) -> None:
        self.config = config
        self.rate = config.rate
        self.sender = PacketSender(
            agenda, crossbar, config.port, config.rate, sinks, spacing_ns=config.spacing_ns
        )
        self.unroutable = 0
        """Packets for addresses without an I-field, lost in the host."""
        self.undelivered = 0
        """Packets that the host did not accept because its device is down."""
        self._agenda = agenda
        self._ifields = {
            IPv4Address(address).packed: parse(value) for address, value in config.ifields.items()
        }
        self.arrived: list[bytes] = []

    @property
    def wants(self) -> bool:
        """Whether its interface has room for a packet from the kernel."""
        return len(self.sender.queue) < self.config.fifo

    def send(self, data: bytes, now: int) -> None:
        """Take a packet from the host's kernel."""
        ifield = self._ifield(data)
        if ifield is None:
            self.unroutable += 1
        else:
            self.sender.offer(Packet(data, ifield), now)

    def _ifield(self, data: bytes) -> IField | None:
        return self._ifields.get(data[DESTINATION]) if data[0] >> 4 == 4 else None

    def accepts(self) -> bool:
        """A host always takes a connection."""
        return True

    def ready(self, resume: Action, now: int) -> bool:
        """A host is always ready."""
        return True

    def take(self, packet: Packet, now: int) -> None:
        """Queue the packet for the host's kernel after the cable's delay."""
        self._agenda.at(now + self.config.delay_ns, lambda _due: self.arrived.append(packet.data))


class HippiFabric:
    """A running fabric in virtual time."""

    def __init__(self, config: FabricConfig) -> None:
        self.agenda = Agenda()
        self.switches = {
            switch.name: Crossbar(switch.name, switch.size, switch.pathways) for switch in config.switches
        }
        self.clock_offsets = dict.fromkeys(self.switches, 0.0)
        """Seconds by which a switch's own clock is ahead of the machine's."""
        sinks: dict[str, dict[int, Sink]] = {name: {} for name in self.switches}
        self.hosts: dict[str, HippiHost] = {}
        self.gateways: dict[str, Gateway] = {}
        for host in config.hosts:
            wired = HippiHost(self.agenda, host, self.switches[host.switch], sinks[host.switch])
            self.hosts[host.name] = sinks[host.switch][host.port] = wired
        for gateway in config.gateways:
            box = Gateway(self.agenda, gateway, self.switches[gateway.switch], sinks[gateway.switch])
            self.gateways[gateway.name] = sinks[gateway.switch][gateway.port] = box
        for gateway in config.gateways:
            self.gateways[gateway.name].join(self.gateways[gateway.peer])
        self.blockers: dict[str, Blocker] = {}
        for blocker in config.blockers:
            sender = self.hosts[blocker.host].sender
            source = Blocker(self.agenda, sender, parse(blocker.target), blocker.seed)
            source.block(blocker.factor_ns, blocker.duty, 0)
            self.blockers[blocker.host] = source

    def run(self, now: int) -> dict[str, list[bytes]]:
        """Advance to `now`; the packets delivered meanwhile, by host."""
        self.agenda.run(now)
        arrived = {}
        for name, host in self.hosts.items():
            if host.arrived:
                arrived[name], host.arrived = host.arrived, []
        return arrived

    def attached(self, switch: str) -> dict[int, str]:
        """Port to name of the attached host or gateway of a switch."""
        boxes: list[HippiHost | Gateway] = [*self.hosts.values(), *self.gateways.values()]
        return {box.config.port: box.config.name for box in boxes if box.config.switch == switch}
