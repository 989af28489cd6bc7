"""What a gated.conf says, as values with gated's defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network

DIRECT, KERNEL, DISCOVERY, STATIC, RIP, DOWN, REMNANT = 0, 40, 55, 60, 100, 120, 254
"""Default preferences of gated 3.x: of each protocol, of an interface that is down, of a remnant."""


@dataclass(frozen=True)
class PortRule:
    """`interface LIST ...` of `interfaces`."""

    ports: tuple[str, ...]
    preference: int = DIRECT
    down: int = DOWN
    passive: bool = False
    """The preference stays when the port goes down."""


@dataclass(frozen=True)
class Static:
    """One static route."""

    prefix: IPv4Network
    gateways: tuple[IPv4Address, ...] = ()
    ports: tuple[str, ...] = ()
    """The only ports that its gateways may be on; without gateways, the port itself."""
    preference: int = STATIC
    retain: bool = False
    reject: bool = False
    blackhole: bool = False
    noinstall: bool = False


@dataclass(frozen=True)
class Destination:
    """What a filter matches: this network and all in it, or only one of the two."""

    network: IPv4Network
    how: str = ""
    """Empty, `exact` or `refines`."""

    def matches(self, prefix: IPv4Network) -> bool:
        """Whether the filter means that prefix."""
        if self.how == "exact":
            return prefix == self.network
        return prefix.subnet_of(self.network) and (self.how != "refines" or prefix != self.network)


@dataclass(frozen=True)
class Filter:
    """One line of an import list; preference None: that of its statement."""

    destination: Destination
    preference: int | None = None
    restrict: bool = False


@dataclass(frozen=True)
class Import:
    """`import proto rip|redirect ...`; without filters it is `restrict`."""

    protocol: str
    ports: tuple[str, ...] = ()
    gateways: tuple[IPv4Address, ...] = ()
    preference: int | None = None
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True)
class RipPorts:
    """`interface LIST ...` of `rip`."""

    ports: tuple[str, ...]
    listens: bool = True
    metric_in: int = 1
    version: int = 0
    """0: either."""
    password: str = ""


@dataclass
class Rip:
    """`rip`; it is on unless the file says no, as in gated."""

    on: bool = True
    preference: int = RIP
    check_zero: bool = True
    ports: list[RipPorts] = field(default_factory=list)
    trusted: tuple[IPv4Address, ...] = ()
    """Empty: every neighbour is."""


@dataclass
class Discovery:
    """`routerdiscovery client` (RFC 1256)."""

    on: bool = False
    preference: int = DISCOVERY
    ports: list[tuple[tuple[str, ...], bool, bool]] = field(default_factory=list)
    """(ports, enabled, whether to ask for routers)."""


@dataclass(frozen=True)
class Martian:
    """A destination that is not believed; with `allow`, one that is all the same."""

    destination: Destination
    allow: bool = False


def _martians() -> list[Martian]:
    nets = (
        "127.0.0.0/8",
        "128.0.0.0/16",
        "191.255.0.0/16",
        "192.0.0.0/24",
        "223.255.255.0/24",
        "240.0.0.0/4",
    )
    return [Martian(Destination(IPv4Network(net))) for net in nets]


@dataclass
class Config:
    """A whole file. Filled by `document.read`, and only read afterwards."""

    send: bool = True
    """`options nosend` takes it away."""
    strict: bool = False
    scan_s: int = 60
    port_rules: list[PortRule] = field(default_factory=list)
    router_id: IPv4Address | None = None
    martians: list[Martian] = field(default_factory=_martians)
    rip: Rip = field(default_factory=Rip)
    discovery: Discovery = field(default_factory=Discovery)
    flush_at_exit: bool = True
    remnant_s: int = 180
    statics: list[Static] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)

    def believed(self, prefix: IPv4Network) -> bool:
        """Whether a learned destination is no martian; the last statement that matches decides."""
        found = [martian for martian in self.martians if martian.destination.matches(prefix)]
        return not found or found[-1].allow
