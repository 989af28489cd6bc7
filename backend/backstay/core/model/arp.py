"""ARP configuration of a fabric's nodes: intended, running and saved.

With ARP off (IFF_NOARP, netdevice(7)) a kernel neither sends nor answers ARP requests, so every neighbour
needs a permanent entry, also for IPv6. On or off applies to a whole fabric, because a node with ARP off does
not answer one with ARP on. Settings are named as on the wire, `ipv4.conf.arp_ignore`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.routing import Address, Prefix, SavedFile

Mode = Literal["on", "off", "unmanaged"]
DeclaredArp = Literal["on", "off", "none"]
"""Of a fabric in the site file; none: its nodes do not resolve addresses."""
Settings = tuple[tuple[str, int], ...]
"""(name, value), sorted by name."""


@dataclass(frozen=True, slots=True)
class ArpFiles:
    """The boot files of a node: an `ip -batch` text and a sysctl.d(5) text, as absolute paths."""

    config: str
    settings: str


@dataclass(frozen=True, slots=True)
class StaticNeighbour:
    """One permanent entry of a port's neighbour table."""

    address: Address
    mac: str
    """Lower case, with colons."""


@dataclass(frozen=True, slots=True)
class PortArp:
    """Intended state of one port."""

    port: str
    arp: bool | None = None
    """None: not managed."""
    settings: Settings = ()
    neighbours: tuple[StaticNeighbour, ...] = ()
    """Exactly these permanent entries, by address; applies only if `arp` is set."""


@dataclass(frozen=True, slots=True)
class FabricArp:
    """What one fabric's policy requires of one node: one marked block in each of its boot files."""

    fabric: str
    ports: tuple[PortArp, ...]
    table: Settings = ()
    """Of the whole node: `ipv4.gc_thresh3`."""


@dataclass(frozen=True, slots=True)
class NodeArp:
    """The complete intended ARP state of one node."""

    node: str
    node_id: int
    files: ArpFiles
    fabrics: tuple[FabricArp, ...] = ()
    """By name."""

    @property
    def table(self) -> dict[str, int]:
        """The neighbour table settings of all fabrics."""
        return {name: value for fabric in self.fabrics for name, value in fabric.table}

    @property
    def ports(self) -> dict[str, PortArp]:
        """Ports of all fabrics by name."""
        return {port.port: port for fabric in self.fabrics for port in fabric.ports}


@dataclass(frozen=True, slots=True)
class RunningPortArp:
    """Running state of one port."""

    port: str
    arp: bool
    mac: str = ""
    settings: Settings = ()
    neighbours: tuple[StaticNeighbour, ...] = ()
    """Only permanent entries."""


@dataclass(frozen=True, slots=True)
class ObservedArp:
    """Running and saved state of a node, from its agent's last report."""

    node_id: int
    revision: int
    digest: str
    ports: tuple[RunningPortArp, ...] = ()
    table: Settings = ()
    files: tuple[SavedFile, ...] = ()

    def port(self, name: str) -> RunningPortArp | None:
        """The port; None if the agent does not report it."""
        return next((port for port in self.ports if port.port == name), None)


@dataclass(frozen=True, slots=True)
class PortSettings:
    """Settings for the ports whose name, or `node:port`, matches a shell pattern."""

    pattern: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class ArpIntent:
    """ARP policy of one fabric."""

    id: int
    fabric: int
    mode: Mode
    settings: Settings = ()
    """For every port on the fabric."""
    ports: tuple[PortSettings, ...] = ()
    """Override `settings`; the last match wins."""
    table: Settings = ()


@dataclass(frozen=True, slots=True)
class Member:
    """One port on a fabric with the facts that ARP planning needs; ports without addresses are included."""

    node: int
    name: str
    """Name of the node."""
    port: str
    addresses: tuple[Address, ...]
    """From the site file; the first IPv4 address comes first."""
    networks: tuple[Prefix, ...]
    """Networks of the addresses, in their order."""
    host_part: int | None
    """Of the first IPv4 address; None without one."""
    number: int | None
    """Switch node number."""
    mac: str
    """Empty: unknown."""
    managed: bool
    """Whether Backstay may change ARP there."""
    own_agent: bool
    extension: bool
    """A router attached to an SP switch as a dependent node (IBM 9077), not a node of the complex."""
    alive: bool
    forwards: bool
    address_mismatch: AddressMismatch | None = None
    """Mismatch that the node's own agent reports. None: no mismatch, or no report."""

    @property
    def missing(self) -> tuple[Address, ...]:
        """Assigned addresses that the node does not run."""
        return () if self.address_mismatch is None else self.address_mismatch.missing

    @property
    def place(self) -> str:
        """`sp01:css0`."""
        return f"{self.name}:{self.port}"
