"""How the nodes of a fabric shall find each other's link addresses, and what they run and have saved.

With ARP off (IFF_NOARP, netdevice(7)) a kernel neither asks nor answers: who is to be reached must stand in
its table as a permanent entry, for IPv6 too. On or off is a property of a whole fabric: a node that asks is
not answered by one that does not. Settings are named as on the wire, `ipv4.conf.arp_ignore`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.routing import Address, Prefix, SavedFile

Mode = Literal["on", "off", "unmanaged"]
Settings = tuple[tuple[str, int], ...]
"""(name, value), by name."""


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
    """One port as it shall be."""

    port: str
    arp: bool | None = None
    """None: not ours to say."""
    settings: Settings = ()
    neighbours: tuple[StaticNeighbour, ...] = ()
    """Exactly these permanent entries, by address; counts only where `arp` is said."""


@dataclass(frozen=True, slots=True)
class FabricArp:
    """What one fabric's policy asks of one node: one marked block in each of its boot files."""

    fabric: str
    ports: tuple[PortArp, ...]
    table: Settings = ()
    """Of the whole node: `ipv4.gc_thresh3`."""


@dataclass(frozen=True, slots=True)
class NodeArp:
    """All that is intended of one node."""

    node: str
    node_id: int
    files: ArpFiles
    fabrics: tuple[FabricArp, ...] = ()
    """By name."""

    @property
    def table(self) -> dict[str, int]:
        """The table settings of all fabrics."""
        return {name: value for fabric in self.fabrics for name, value in fabric.table}

    @property
    def ports(self) -> dict[str, PortArp]:
        """By name, of all fabrics."""
        return {port.port: port for fabric in self.fabrics for port in fabric.ports}


@dataclass(frozen=True, slots=True)
class RunningPortArp:
    """One port as the kernel has it."""

    port: str
    arp: bool
    mac: str = ""
    settings: Settings = ()
    neighbours: tuple[StaticNeighbour, ...] = ()
    """Permanent ones only."""


@dataclass(frozen=True, slots=True)
class ObservedArp:
    """What a node runs and has saved, as its agent last told."""

    node_id: int
    revision: int
    digest: str
    ports: tuple[RunningPortArp, ...] = ()
    table: Settings = ()
    files: tuple[SavedFile, ...] = ()

    def port(self, name: str) -> RunningPortArp | None:
        """That port; None: the agent does not tell of it."""
        return next((port for port in self.ports if port.port == name), None)


@dataclass(frozen=True, slots=True)
class PortSettings:
    """Settings for the ports whose name, or `node:port`, fits a shell pattern."""

    pattern: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class ArpIntent:
    """What is wanted of one fabric."""

    id: int
    fabric: int
    mode: Mode
    settings: Settings = ()
    """Of every port on the fabric."""
    ports: tuple[PortSettings, ...] = ()
    """Over those, in order: the last that fits wins."""
    table: Settings = ()


@dataclass(frozen=True, slots=True)
class Member:
    """One port on a fabric with what counts there; ports without any address are members too."""

    node: int
    name: str
    """The node's."""
    port: str
    addresses: tuple[Address, ...]
    """As the site file gives them; the first IPv4 address comes first."""
    networks: tuple[Prefix, ...]
    """Of the addresses, in their order."""
    host_part: int | None
    """Of its first IPv4 address; None: it has none."""
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
    """What its own agent tells of addresses that are not run there. None: all are, or nobody tells."""

    @property
    def missing(self) -> tuple[Address, ...]:
        """Those of its addresses that nobody runs."""
        return () if self.address_mismatch is None else self.address_mismatch.missing

    @property
    def place(self) -> str:
        """`sp01:css0`."""
        return f"{self.name}:{self.port}"
