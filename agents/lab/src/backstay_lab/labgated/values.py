"""labgated's ports and routes."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from typing import Literal

Kind = Literal["unicast", "unreachable", "blackhole"]


@dataclass(frozen=True)
class GatedPort:
    """A network interface; `up` means enabled and with carrier."""

    name: str
    index: int
    up: bool
    addresses: tuple[IPv4Interface, ...] = ()

    def meant_by(self, patterns: tuple[str, ...]) -> bool:
        """Whether a list of interfaces (`all`, names, names without their number, addresses) includes it."""
        names = {"all", self.name, self.name.rstrip("0123456789")}
        return any(
            pattern in names or pattern in {str(address.ip) for address in self.addresses}
            for pattern in patterns
        )

    def attached(self, neighbour: IPv4Address) -> IPv4Interface | None:
        """The port's address in the neighbour's network; None when it is in another network or is the port
        itself.
        """
        found = (
            address for address in self.addresses if neighbour in address.network and neighbour != address.ip
        )
        return next(found, None)


@dataclass(frozen=True)
class GatedHop:
    """A next hop: address and port. For a directly connected route the address is the port's own."""

    address: IPv4Address
    port: str = ""
    source: IPv4Address | None = None
    """The port's address."""
    gateway: bool = True


@dataclass(frozen=True)
class GatedRoute:
    """One candidate for a prefix."""

    prefix: IPv4Network
    protocol: str
    """The dump's name: Direct, Kernel, ICMP, Static or RIP."""
    preference: int
    hop: GatedHop
    since: float
    metric: int = 0
    kind: Kind = "unicast"
    install: bool = True
    retain: bool = False
    deleted: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """The candidate's identity."""
        return self.prefix, self.protocol, self.hop.address, self.hop.port, self.kind

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key of candidates."""
        return self.deleted, self.preference, self.metric, self.hop.address


@dataclass(frozen=True)
class KernelRoute:
    """A route of the main table, wanted or present."""

    prefix: IPv4Network
    gateway: IPv4Address | None = None
    port: int = 0
    kind: Kind = "unicast"
