"""The lab's network as values: fabrics, nodes, ports, links, routes, policies and background flows.

One blueprint builds both the namespaces and the site file, so the running and the declared network cannot
differ. Pure: no process, file or clock. Terms are defined in `docs/glossary.md`.

Not every link is a veth pair, and not every node a namespace. `Fabric.wiring` selects who creates the
devices:

veth   the lab: a pair per link, or a bridge when the fabric is `shared`. Shaped at both ends.
tun    the lab creates persistent TUN devices with addresses and the fabric's MTU; a service opens them
tap    (TUNSETIFF, one queue) and forwards their packets. Until then they have no carrier. The service
       controls the rate. With `tap` the service sees a frame's destination: use it where next hops
       matter, and answer ARP in the service.
none   no devices: the fabric exists only inside a service, and no port of it has a device.

The service named by `simulated_by` simulates a node: its ports on `tun`, `tap` and `none` fabrics have no
device. A node without any device has no namespace, daemon or agent, only a position on the map and a
collecting node (`watcher`, `sources`). Fault commands go to that service. A simulated device that answers
SNMP on the management network, such as a HIPPI switch, keeps that port, its namespace and its snmpd.
`Service` describes the programs that a site needs in addition to the daemons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from pathlib import Path
from typing import Any, Literal

from backstay_lab.credentials import Credentials
from backstay_lab.errors import LabError
from backstay_lab.naming import Names

FabricKind = Literal["sp_switch", "hippi", "atm", "ethernet", "fddi", "ultranet", "infiniband"]
NodeKind = Literal["host", "gateway", "router", "switch"]
Wiring = Literal["veth", "tun", "tap", "none"]
EngineName = Literal["bird", "frr", "gated", "kernel"]
Detection = Literal["bfd", "checker"]

RELAY_PORT = 8000
"""The backend's port inside the lab, independent of its port outside."""


@dataclass(frozen=True)
class Parameters:
    """The options of `up`."""

    nodes: int = 8
    """Compute nodes."""
    rate_scale: float = 0.1
    """Factor from real rates to rates on the wire."""
    bfd_ms: int = 100
    """BFD transmit and receive interval (RFC 5880), milliseconds; three consecutive losses mean down."""
    settings: Mapping[str, float] = field(default_factory=dict)
    """Site-specific settings by name: `--set hold_ms=10`."""

    def setting(self, name: str) -> float:
        """A setting declared by the site (`sites.Site.settings`); it always has a value."""
        return self.settings[name]


@dataclass(frozen=True)
class FabricSpec:
    """One network technology. Rates are the real medium's, bit/s, before the lab's scale.

    A `shared` fabric is a switch that connects all its ports; otherwise each link is point to point.
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
    wiring: Wiring = "veth"
    arp: Literal["on", "none"] = "on"
    """`none`: the medium has no broadcast, and its addresses come from static tables."""


@dataclass(frozen=True)
class PortSpec:
    """One attachment of a node to a fabric; without an address it is a switch's port."""

    name: str
    fabric: str
    address: IPv4Interface | None

    @property
    def interface(self) -> IPv4Interface:
        """The port's address; LabError when it has none."""
        if self.address is None:
            raise LabError(f"{self.name} on {self.fabric} has no address.", "Name a port that has one.")
        return self.address


@dataclass(frozen=True)
class HopSpec:
    """A next hop: the neighbour's node name, its address, and the own port that faces it."""

    gateway: str
    address: IPv4Address
    port: str


@dataclass(frozen=True)
class RouteSpec:
    """A prefix and its next hops in order of preference; none at all means unreachable.

    An unreachable route prevents a loop: when the preferred connected route is lost, packets for the
    prefix are dropped here instead of following the default route back to their sender.
    """

    prefix: IPv4Network
    hops: tuple[HopSpec, ...]


@dataclass(frozen=True)
class SnmpEndpoint:
    """Where a service answers SNMP for a device without a namespace."""

    address: IPv4Address
    version: Literal["2c", "3"] = "3"
    timeout_s: float = 4.0
    """Seconds to wait for a response: one process answers for many devices."""


@dataclass(frozen=True)
class NodeSpec:
    """Anything with ports. `service` is the address to talk to, stable over failovers; a switch has none."""

    name: str
    title: str
    kind: NodeKind
    role: str
    ports: tuple[PortSpec, ...]
    service: IPv4Address | None
    routes: tuple[RouteSpec, ...] = ()
    engine: EngineName = "bird"
    """The routing engine. `bird` monitors alternative gateways by BFD, the others monitor nothing."""
    forwards: bool = False
    loopback: IPv4Address | None = None
    node_number: int | None = None
    switch_node_number: int | None = None
    labels: tuple[tuple[str, str], ...] = ()
    watcher: str | None = None
    """The node whose agent collects this one; None: its own agent, if it has a namespace."""
    object_id: str = ""
    """sysObjectID (RFC 3418) of its snmpd; net-snmp's default when empty."""
    simulated_by: str | None = None
    """The service that simulates it."""
    snmp: SnmpEndpoint | None = None
    """Where that service answers for it, if the node has no namespace."""
    guid: str = ""
    """Of an InfiniBand device: its node GUID, 0x and 16 digits."""
    extension: str = ""
    """The port by which a gateway is an extension node of an SP switch."""
    announces: str = ""
    """The port on which BIRD announces the default route by RIP (RFC 2453) while another port carries it."""
    arp: bool = False
    """Whether Backstay may change its ARP; the site file then names its ARP configuration files."""
    sources: tuple[Mapping[str, Any], ...] = ()
    """Sources of the site file in addition to those that follow from its daemons (docs/site-file.md)."""

    def port(self, name: str) -> PortSpec:
        """The port of that name; KeyError when there is none."""
        return {port.name: port for port in self.ports}[name]


@dataclass(frozen=True)
class End:
    """One end of a link."""

    node: str
    port: str


@dataclass(frozen=True)
class LinkSpec:
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
class StripeSpec:
    """Distributes a policy's nodes over its gateways, each with this many others as backups."""

    backups: int = 1
    by_label: str = ""
    """Nodes with equal values of this label share a gateway."""


@dataclass(frozen=True)
class ReturnPath:
    """A policy's return path: these routers reach the nodes' network through the same gateways."""

    routers: tuple[str, ...]
    prefix: IPv4Network
    target: IPv4Address | None = None


@dataclass(frozen=True)
class Policy:
    """Nodes, prefix, gateways in order, and the target that proves the path."""

    name: str
    nodes: tuple[str, ...]
    """Names, or shell patterns (`sp*`)."""
    prefix: IPv4Network
    gateways: tuple[str, ...]
    target: IPv4Address
    note: str
    detection: Detection = "bfd"
    probe_interval_ms: int = 50
    """Three consecutive losses mean down; shorter intervals cause false alarms on a busy machine."""
    stripe: StripeSpec | None = None
    """With a stripe the gateways have no order."""
    back: ReturnPath | None = None
    deployed: bool = True
    """False: until Backstay deploys it, nothing on its nodes detects a failure."""

    def concerns(self, node: str) -> bool:
        """Whether it affects the node's forward or return routes."""
        routers = self.back.routers if self.back is not None else ()
        return any(fnmatchcase(node, item) for item in (*self.nodes, *routers))


@dataclass(frozen=True)
class SharedRiskSpec:
    """Components that fail together."""

    name: str
    kind: Literal["chassis", "power", "fibre", "card"]
    members: tuple[str, ...]
    """`node:NAME`, `link:NODE:PORT`, `fabric:NAME`."""


@dataclass(frozen=True)
class FlowSpec:
    """A background flow of UDP datagrams: `rate` is its mean, bit/s on the wire, after the scale."""

    source: str
    target: str
    rate: float
    datagram: int
    """Octets of UDP payload; the largest that the path carries unfragmented."""
    period_s: float
    """Seconds of one oscillation of the rate around its mean."""
    phase: float
    """Initial phase, in rotations (0..1)."""


@dataclass(frozen=True)
class Blueprint:
    """A whole site."""

    site: str
    title: str
    parameters: Parameters
    fabrics: tuple[FabricSpec, ...]
    nodes: tuple[NodeSpec, ...]
    links: tuple[LinkSpec, ...]
    policies: tuple[Policy, ...]
    flows: tuple[FlowSpec, ...]
    relay: IPv4Interface
    """The backend's address on the management fabric; 10.255.0.1 at every site."""
    interval_s: int = 2
    """Seconds between a node's reports; longer where many agents share a small machine."""
    second_person: bool = False
    """Whether a change needs the approval of a second person."""
    shared_risks: tuple[SharedRiskSpec, ...] = ()
    services: tuple[Service, ...] = ()
    """Programs that run while the site is up, started in this order before the routing daemons."""

    @cached_property
    def _fabrics(self) -> dict[str, FabricSpec]:
        return {fabric.name: fabric for fabric in self.fabrics}

    @cached_property
    def _nodes(self) -> dict[str, NodeSpec]:
        return {node.name: node for node in self.nodes}

    def node(self, name: str) -> NodeSpec:
        """The node of that name; LabError lists the existing nodes."""
        if name not in self._nodes:
            raise LabError(f"{self.site} has no node {name!r}.", f"Its nodes are: {', '.join(self._nodes)}.")
        return self._nodes[name]

    def fabric(self, name: str) -> FabricSpec:
        """The fabric of that name."""
        return self._fabrics[name]

    @property
    def bridges(self) -> tuple[FabricSpec, ...]:
        """The fabrics that are bridges in their own namespaces."""
        return tuple(fabric for fabric in self.fabrics if fabric.shared and fabric.wiring == "veth")

    @property
    def spaces(self) -> tuple[NodeSpec, ...]:
        """The nodes with a namespace."""
        return tuple(node for node in self.nodes if self.in_namespace(node))

    @property
    def management(self) -> FabricSpec:
        """The out-of-band Ethernet."""
        return next(fabric for fabric in self.fabrics if fabric.management)

    def management_address(self, node: NodeSpec) -> IPv4Address | None:
        """The node's address on the out-of-band network; None without a port there."""
        addresses = (port.interface.ip for port in node.ports if self.fabric(port.fabric).management)
        return next(addresses, None)

    def managed(self, node: NodeSpec) -> bool:
        """Whether Backstay may change the node's routes: it has routes, an agent and a policy."""
        named = any(policy.concerns(node.name) for policy in self.policies)
        return named and bool(node.routes) and self.own_agent(node)

    def has_device(self, node: NodeSpec, port: PortSpec) -> bool:
        """Whether the port is a network device of the node's namespace."""
        wiring = self.fabric(port.fabric).wiring
        return wiring == "veth" or (wiring != "none" and node.simulated_by is None)

    def device_of(self, end: End) -> bool:
        """Whether that end of a link is a network device."""
        node = self.node(end.node)
        return self.has_device(node, node.port(end.port))

    def devices(self, node: NodeSpec) -> tuple[PortSpec, ...]:
        """The node's ports that are network devices of its namespace."""
        return tuple(port for port in node.ports if self.has_device(node, port))

    def namespaces(self, names: Names) -> list[str]:
        """The names of all namespaces of the site."""
        nodes = [names.node(node.name) for node in self.nodes if self.in_namespace(node)]
        return nodes + [names.fabric(fabric.name) for fabric in self.bridges]

    def in_namespace(self, node: NodeSpec) -> bool:
        """Whether the node is a namespace, and not only a part of a service."""
        return any(self.has_device(node, port) for port in node.ports)

    def own_agent(self, node: NodeSpec) -> bool:
        """Whether an agent runs on the node."""
        return node.watcher is None and self.in_namespace(node)

    def service_named(self, name: str) -> Service:
        """The service of that name."""
        return next(service for service in self.services if service.name == name)

    def data_ports(self, node: NodeSpec) -> tuple[PortSpec, ...]:
        """The node's ports that carry users' traffic: all but management."""
        return tuple(port for port in node.ports if not self.fabric(port.fabric).management)

    def wire_rate(self, fabric: FabricSpec) -> int:
        """Bit/s at which the lab shapes each direction of a port of that fabric.

        The management network is not scaled: it carries the reports, and no user's traffic.
        """
        scale = 1.0 if fabric.management else self.parameters.rate_scale
        return round(fabric.usable_rate * scale)


@dataclass(frozen=True)
class Running:
    """A running site, as passed to its services."""

    plan: Blueprint
    names: Names
    """Of the namespaces: `names.node("sp01")`."""
    credentials: Credentials
    state: Path
    """The lab's state folder."""
    folder: Path
    """The service's own folder, mode 700: configurations, sockets, pass_persist programs."""
    alive: Path
    """A file that exists as long as this run."""


def _nothing(_site: Running) -> None:
    """A service that needs no files."""


def _no_environment(_site: Running) -> dict[str, str]:
    return {}


def _none_for_node(_site: Running, _node: NodeSpec) -> dict[str, str]:
    return {}


def _no_lines(_site: Running, _node: NodeSpec) -> list[str]:
    return []


def _refuse(_site: Running, node: NodeSpec, kind: str) -> None:
    raise LabError(f"{node.name} cannot be {kind}.", "Choose another fault or another node.")


@dataclass(frozen=True)
class Service:
    """A program that runs for the life of a site besides the daemons, such as a simulated fabric.

    `up` prepares and starts the services in order, after the namespaces and before the routing daemons, and
    waits until each is ready; `down` ends them by their process. A service without a process inside a
    namespace must also end by itself when `Running.alive` is gone, as the relay does, so that nothing is left
    when the lab's state was lost. Its program finds everything by the state folder alone:
    `StateFolder(Path(argument)).require().plan()` is the blueprint.

    The fault commands call `fault` and `restore` for the nodes whose `simulated_by` names the service, in the
    process of the command; the service is notified by its own means (a control socket below `Running.folder`,
    a console).
    """

    name: str
    argv: Callable[[Running], Sequence[str]]
    """Its command line. It must stay in the foreground, so that its process id is the one started."""
    node: str | None = None
    """The node in whose namespace it runs; None: that of the lab's command, as for the relay."""
    prepare: Callable[[Running], None] = _nothing
    """Writes the configuration before the start."""
    ready: Callable[[Running], bool] = lambda _site: True
    """Polled after the start until True; a LabError aborts the start."""
    ready_s: float = 10.0
    environment: Callable[[Running], Mapping[str, str]] = _no_environment
    node_environment: Callable[[Running, NodeSpec], Mapping[str, str]] = _none_for_node
    """Environment of everything that `backstay-lab exec NODE` runs, including the node's agent
    (LD_PRELOAD).
    """
    snmpd_lines: Callable[[Running, NodeSpec], Sequence[str]] = _no_lines
    """Additional snmpd.conf lines of a polled node (pass_persist)."""
    fault: Callable[[Running, NodeSpec, str], None] = _refuse
    """Apply `cut`, `silence` or `blackhole` to a node that it simulates; LabError for an unsupported one."""
    restore: Callable[[Running, NodeSpec, str], None] = _refuse
    """Undo a fault of that kind."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Required programs -> the Debian package of each."""
