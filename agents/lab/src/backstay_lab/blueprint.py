"""The lab's network as values: fabrics, nodes, ports, links, routes, policies and background flows.

One blueprint builds both the namespaces and the site file, so what runs and what is declared cannot
differ. Pure: no process, no file, no clock. Words are those of `docs/glossary.md`.

Not every wire is a veth pair, and not every node a namespace. `Fabric.wiring` names who makes the devices:

veth   the lab: a pair a link, or a bridge when the fabric is `shared`. Shaped at both ends.
tun    the lab makes persistent TUN devices with addresses and the fabric's MTU; a service opens them
tap    (TUNSETIFF, one queue) and carries what the nodes send. Until it does, they have no carrier. The
       rate is the service's affair. With `tap` the service sees whom a frame is for: use it where
       next hops matter, and answer ARP inside.
none   no devices: the fabric exists only inside a service, and no port of it has a device.

A node with `simulated_by` is played by the service of that name: its ports on `tun`, `tap` and `none`
fabrics have no device. When no port is left it has no namespace, no daemon and no agent, only a place on
the map and a watcher (`watcher`, `sources`). Fault verbs go to that service. A device that is simulated but
answers SNMP on the management network keeps that port, and so its namespace and its snmpd: a HIPPI switch.
`Service` describes the programs that a site needs besides the daemons.
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
    settings: Mapping[str, float] = field(default_factory=dict)
    """What only one site has, by name: `--set hold_ms=10`."""

    def setting(self, name: str) -> float:
        """A setting that the site declares (`sites.Site.settings`), so that it always has a value."""
        return self.settings[name]


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
    wiring: Wiring = "veth"
    arp: Literal["on", "none"] = "on"
    """`none`: the medium has no broadcast, and its addresses come from static tables."""


@dataclass(frozen=True)
class Port:
    """One attachment of a node to a fabric; without an address it is a switch's port."""

    name: str
    fabric: str
    address: IPv4Interface | None

    @property
    def interface(self) -> IPv4Interface:
        """The address of a port that has one; LabError for another."""
        if self.address is None:
            raise LabError(f"{self.name} on {self.fabric} has no address.", "Name a port that has one.")
        return self.address


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
    """Anything with ports. `service` is the address to talk to, stable over failovers; a switch has none."""

    name: str
    title: str
    kind: NodeKind
    role: str
    ports: tuple[Port, ...]
    service: IPv4Address | None
    routes: tuple[Route, ...] = ()
    engine: EngineName = "bird"
    """What installs the routes; with `bird`, BFD monitors a choice of gateways, otherwise nothing does."""
    forwards: bool = False
    loopback: IPv4Address | None = None
    node_number: int | None = None
    switch_node_number: int | None = None
    labels: tuple[tuple[str, str], ...] = ()
    watcher: str | None = None
    """The node whose agent collects this one; None: an agent runs on it, unless it has no namespace."""
    object_id: str = ""
    """sysObjectID (RFC 3418) that its snmpd answers with; net-snmp's own when empty."""
    simulated_by: str | None = None
    """The service that plays it."""
    guid: str = ""
    """Of an InfiniBand device: its node GUID, 0x and 16 digits."""
    extension: str = ""
    """The port with which a gateway is attached to an SP switch as an extension node."""
    announces: str = ""
    """The port on which it offers its default route by RIP (RFC 2453) while that leads on; with `bird`."""
    arp: bool = False
    """Whether Backstay may change its ARP: the site file then names the files of that configuration."""
    sources: tuple[Mapping[str, Any], ...] = ()
    """Sources of the site file in addition to those that follow from its daemons (docs/site-file.md)."""

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
class Stripe:
    """A policy's nodes are spread over its gateways, each with this many of the others as backups."""

    backups: int = 1
    by_label: str = ""
    """Nodes with one value of this label stay together."""


@dataclass(frozen=True)
class ReturnPath:
    """The return path of a policy: these routers reach the nodes' network by the same gateways."""

    routers: tuple[str, ...]
    prefix: IPv4Network
    target: IPv4Address | None = None


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
    detection: Detection = "bfd"
    probe_interval_ms: int = 50
    """With three lost in a row: fewer false alarms on a busy machine than a shorter one."""
    stripe: Stripe | None = None
    """The gateways have no order then."""
    back: ReturnPath | None = None

    def concerns(self, node: str) -> bool:
        """Whether it affects that node's routes, forward or return."""
        routers = self.back.routers if self.back is not None else ()
        return any(fnmatchcase(node, item) for item in (*self.nodes, *routers))


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
    """... starting here, in rotations (0..1)."""


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
    """Where the backend is reached from inside, on the management fabric; 10.255.0.1 at every site."""
    interval_s: int = 2
    """Seconds between two reports of a node; more where there are many agents for one small machine."""
    second_person: bool = False
    """Whether a change needs the approval of a second person."""
    services: tuple[Service, ...] = ()
    """Programs that run for the life of the site, started in this order before the routing daemons."""

    @cached_property
    def _fabrics(self) -> dict[str, Fabric]:
        return {fabric.name: fabric for fabric in self.fabrics}

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
        return self._fabrics[name]

    @property
    def bridges(self) -> tuple[Fabric, ...]:
        """The fabrics that are a bridge in a namespace of its own."""
        return tuple(fabric for fabric in self.fabrics if fabric.shared and fabric.wiring == "veth")

    @property
    def spaces(self) -> tuple[Node, ...]:
        """The nodes that are a namespace."""
        return tuple(node for node in self.nodes if self.in_namespace(node))

    @property
    def management(self) -> Fabric:
        """The out-of-band Ethernet."""
        return next(fabric for fabric in self.fabrics if fabric.management)

    def management_address(self, node: Node) -> IPv4Address | None:
        """The node's address on the out-of-band network; None when it is not on it."""
        addresses = (port.interface.ip for port in node.ports if self.fabric(port.fabric).management)
        return next(addresses, None)

    def managed(self, node: Node) -> bool:
        """Whether Backstay may change the node's routes: it has some, an agent, and a policy is about it."""
        named = any(policy.concerns(node.name) for policy in self.policies)
        return named and bool(node.routes) and self.own_agent(node)

    def has_device(self, node: Node, port: Port) -> bool:
        """Whether the port is a network device of the node's namespace."""
        wiring = self.fabric(port.fabric).wiring
        return wiring == "veth" or (wiring != "none" and node.simulated_by is None)

    def device_of(self, end: End) -> bool:
        """Whether that end of a link is a network device."""
        node = self.node(end.node)
        return self.has_device(node, node.port(end.port))

    def devices(self, node: Node) -> tuple[Port, ...]:
        """The node's ports that are network devices of its namespace."""
        return tuple(port for port in node.ports if self.has_device(node, port))

    def namespaces(self, names: Names) -> list[str]:
        """The names of all namespaces of the site."""
        nodes = [names.node(node.name) for node in self.nodes if self.in_namespace(node)]
        return nodes + [names.fabric(fabric.name) for fabric in self.bridges]

    def in_namespace(self, node: Node) -> bool:
        """Whether the node is a namespace, and not only a part of a service."""
        return any(self.has_device(node, port) for port in node.ports)

    def own_agent(self, node: Node) -> bool:
        """Whether an agent runs on the node."""
        return node.watcher is None and self.in_namespace(node)

    def service_named(self, name: str) -> Service:
        """The service of that name."""
        return next(service for service in self.services if service.name == name)

    def data_ports(self, node: Node) -> tuple[Port, ...]:
        """The node's ports that carry users' traffic: all but management."""
        return tuple(port for port in node.ports if not self.fabric(port.fabric).management)

    def wire_rate(self, fabric: Fabric) -> int:
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


def _none_for_node(_site: Running, _node: Node) -> dict[str, str]:
    return {}


def _no_lines(_site: Running, _node: Node) -> list[str]:
    return []


def _refuse(_site: Running, node: Node, kind: str) -> None:
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
    """Writes its configuration before it starts."""
    ready: Callable[[Running], bool] = lambda _site: True
    """Polled after the start, until True; a LabError ends the start at once."""
    ready_s: float = 10.0
    environment: Callable[[Running], Mapping[str, str]] = _no_environment
    node_environment: Callable[[Running, Node], Mapping[str, str]] = _none_for_node
    """For everything that `backstay-lab exec NODE` runs, the node's agent included (LD_PRELOAD)."""
    snmpd_lines: Callable[[Running, Node], Sequence[str]] = _no_lines
    """Additional lines of a watched node's snmpd.conf (pass_persist)."""
    fault: Callable[[Running, Node, str], None] = _refuse
    """Apply `cut`, `silence` or `blackhole` to a node that it simulates; LabError for an unsupported one."""
    restore: Callable[[Running, Node, str], None] = _refuse
    """Undo that kind."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Required programs -> the Debian package of each."""
