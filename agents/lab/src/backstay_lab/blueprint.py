"""The lab's network as values: fabrics, nodes, ports, links, routes, policies and background flows.

One blueprint builds both the namespaces and the site file, so what runs and what is declared cannot
differ. Pure: no process, no file, no clock. Words are those of `docs/glossary.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Literal

from backstay_lab.errors import LabError

FabricKind = Literal["sp_switch", "hippi", "atm", "ethernet"]
NodeKind = Literal["host", "gateway", "router"]

RELAY_PORT = 8000
"""Where the backend is found inside the lab, whatever its port outside."""


@dataclass(frozen=True)
class Parameters:
    """What a person may choose when a site is brought up."""

    nodes: int = 8
    """Compute nodes."""
    rate_scale: float = 0.1
    """Rates on the wire are the real ones times this."""
    bfd_ms: int = 100
    """BFD transmit and receive interval (RFC 5880), milliseconds; three lost in a row mean down."""


@dataclass(frozen=True)
class Fabric:
    """One network technology. Rates are the real medium's, bit/s, before the lab's scale.

    `shared` is a switch that all its ports hang on; otherwise each link of it is point to point.
    `if_type` is the IANAifType-MIB number that a device of the time reported for its ports.
    """

    name: str
    title: str
    kind: FabricKind
    media_rate: int
    usable_rate: int
    mtu: int
    if_type: int
    shared: bool = False
    management: bool = False


@dataclass(frozen=True)
class Port:
    """One attachment of a node to a fabric."""

    name: str
    fabric: str
    address: IPv4Interface


@dataclass(frozen=True)
class Hop:
    """A next hop: the neighbour's node name, its address, and the own port that faces it."""

    gateway: str
    address: IPv4Address
    port: str


@dataclass(frozen=True)
class Route:
    """A prefix and its next hops in order of preference; none at all means unreachable.

    An unreachable route is the guard that ends a loop: when the connected route that beats it is
    lost, packets for the prefix die here and do not follow the default back to where they came from.
    """

    prefix: IPv4Network
    hops: tuple[Hop, ...]


@dataclass(frozen=True)
class Node:
    """Anything with ports. `service` is the address to talk to, stable over failovers."""

    name: str
    title: str
    kind: NodeKind
    role: str
    ports: tuple[Port, ...]
    service: IPv4Address
    routes: tuple[Route, ...] = ()
    forwards: bool = False
    loopback: IPv4Address | None = None
    node_number: int | None = None
    switch_node_number: int | None = None
    labels: tuple[tuple[str, str], ...] = ()
    watcher: str | None = None
    """The node whose agent polls this one over SNMP; None: an agent runs on it."""

    def port(self, name: str) -> Port:
        """The port of that name; KeyError when there is none."""
        return {port.name: port for port in self.ports}[name]


@dataclass(frozen=True)
class End:
    """One end of a link."""

    node: str
    port: str


@dataclass(frozen=True)
class Link:
    """Two ports joined; without `b`, a port on its fabric's shared medium. `circuit` is VPI/VCI."""

    fabric: str
    a: End
    b: End | None = None
    circuit: str = ""

    @property
    def name(self) -> str:
        """`sp01:css0 - sp-switch`, `grf1:gh010 - onyx1:hip0`."""
        other = f"{self.b.node}:{self.b.port}" if self.b else self.fabric
        return f"{self.a.node}:{self.a.port} - {other}"


@dataclass(frozen=True)
class Policy:
    """For these nodes and this prefix: the gateways in order, and the target that proves the path."""

    name: str
    nodes: tuple[str, ...]
    """Names, or shell patterns (`sp*`)."""
    prefix: IPv4Network
    gateways: tuple[str, ...]
    target: IPv4Address
    note: str


@dataclass(frozen=True)
class Flow:
    """A background flow of UDP datagrams: `rate` is its mean, bit/s on the wire, after the scale."""

    source: str
    target: str
    rate: float
    datagram: int
    """Octets of UDP payload; the largest that the path carries unfragmented."""
    period_s: float
    """The rate swings slowly about its mean with this period, ..."""
    phase: float
    """... starting here, in turns (0..1)."""


@dataclass(frozen=True)
class Blueprint:
    """A whole site."""

    site: str
    title: str
    parameters: Parameters
    fabrics: tuple[Fabric, ...]
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    policies: tuple[Policy, ...]
    flows: tuple[Flow, ...]
    relay: IPv4Interface
    """Where the backend is reached from inside, on the management fabric."""

    @cached_property
    def _nodes(self) -> dict[str, Node]:
        return {node.name: node for node in self.nodes}

    def node(self, name: str) -> Node:
        """The node of that name; LabError names those that exist."""
        if name not in self._nodes:
            raise LabError(
                f"There is no node {name!r} in {self.site}.", f"Its nodes are: {', '.join(self._nodes)}."
            )
        return self._nodes[name]

    def fabric(self, name: str) -> Fabric:
        """The fabric of that name."""
        return next(fabric for fabric in self.fabrics if fabric.name == name)

    @property
    def management(self) -> Fabric:
        """The out-of-band Ethernet."""
        return next(fabric for fabric in self.fabrics if fabric.management)

    def management_address(self, node: Node) -> IPv4Address:
        """The node's address on the out-of-band network."""
        return next(port.address.ip for port in node.ports if self.fabric(port.fabric).management)

    def data_ports(self, node: Node) -> tuple[Port, ...]:
        """The node's ports that carry users' traffic: all but management."""
        return tuple(port for port in node.ports if not self.fabric(port.fabric).management)

    def wire_rate(self, fabric: Fabric) -> int:
        """Bit/s at which the lab shapes each direction of a port of that fabric.

        The management network is not scaled: it carries the reports, and no user's traffic.
        """
        scale = 1.0 if fabric.management else self.parameters.rate_scale
        return round(fabric.usable_rate * scale)
