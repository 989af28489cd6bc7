"""Parts shared by sites: management Ethernet, circuits, addresses by number."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from backstay_lab.blueprint import End, FabricSpec, HopSpec, LinkSpec, NodeSpec, PortSpec

MANAGEMENT = FabricSpec(
    name="management",
    title="Management Ethernet",
    kind="ethernet",
    media_rate=100_000_000,
    usable_rate=100_000_000,
    mtu=1500,
    if_type=6,
    shared=True,
    management=True,
)
MANAGEMENT_NET = IPv4Network("10.255.0.0/24")
MANAGEMENT_HOST = 254
DEFAULT = IPv4Network("0.0.0.0/0")
GRF400 = ".1.3.6.1.4.1.1080.1.4.1"
"""grf400 of NETSTAR-MIB: a GRF 400's sysObjectID."""
UDP_OVERHEAD = 28
"""IPv4 and UDP headers without options, octets."""


def on(net: IPv4Network, host: int) -> IPv4Interface:
    """The host of that number in a network, with its prefix length."""
    return IPv4Interface((net.network_address + host, net.prefixlen))


def alone(address: IPv4Address) -> IPv4Network:
    """The network of one host."""
    return IPv4Network(address)


RELAY = on(MANAGEMENT_NET, 1)
"""The backend's address at every site."""


def management_port(host: int, name: str = "en0") -> PortSpec:
    """A node's port on the management Ethernet."""
    return PortSpec(name, MANAGEMENT.name, on(MANAGEMENT_NET, host))


def management_host() -> NodeSpec:
    """`mgmt1`, whose agent polls the devices without one."""
    port = management_port(MANAGEMENT_HOST)
    return NodeSpec(
        name="mgmt1",
        title="Management host",
        kind="host",
        role="management",
        ports=(port,),
        service=port.interface.ip,
    )


@dataclass(frozen=True)
class CircuitSpec:
    """A point-to-point attachment: its fabric, its network, its two ends, its VPI/VCI."""

    fabric: FabricSpec
    net: IPv4Network
    a: End
    b: End
    circuit: str = ""

    @property
    def link(self) -> LinkSpec:
        """The link between its ends."""
        return LinkSpec(self.fabric.name, self.a, self.b, self.circuit)

    def port(self, node: str) -> PortSpec:
        """The end that is on `node`: the network's first address for a, its second for b."""
        if node == self.a.node:
            return PortSpec(self.a.port, self.fabric.name, on(self.net, 1))
        return PortSpec(self.b.port, self.fabric.name, on(self.net, 2))

    def hop(self, gateway: str) -> HopSpec:
        """The next hop `gateway` as seen from the other end."""
        own = self.b if gateway == self.a.node else self.a
        return HopSpec(gateway, self.port(gateway).interface.ip, own.port)
