"""How a node shall route, as values: engine, gateways in order, timers; and what it runs and has saved.

`api.agent` translates these to the wire and back. A *preference* is gated's: lower wins (FRR: distance; the
kernel: metric; BIRD, where higher wins: 260 minus it).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Literal

Address = IPv4Address | IPv6Address
Prefix = IPv4Network | IPv6Network

FIRST_PREFERENCE = 60
"""gated's own for static routes."""
STEP = 10
"""Between one gateway and the next: room for an operator's own."""


class EngineKind(StrEnum):
    """What installs a node's routes."""

    KERNEL = "kernel"
    FRR = "frr"
    BIRD = "bird"
    GATED = "gated"


class Detection(StrEnum):
    """Who notices that a gateway is dead."""

    CHECKER = "checker"
    BFD = "bfd"
    PROTOCOL = "protocol"


Revert = Literal["now", "after", "manual"]


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine of one node and where it is reached; fields as on the wire."""

    kind: EngineKind
    config: str
    control: str = ""
    dump: str = ""
    version: str = ""
    """As its collector last told, `8.4.4`; empty: unknown. Decides what it can be asked to do."""


ANNOUNCED_MS = 1_000


@dataclass(frozen=True, slots=True)
class Timers:
    """When a gateway counts as dead or alive again, and when to go back to a better one.

    For detection by a protocol, `interval_ms` is the time between two of the gateway's announcements.
    """

    interval_ms: int = 50
    fail_after: int = 3
    recover_after: int = 20
    hold_down_s: float = 2.0
    revert: Revert = "now"
    revert_after_s: float = 60.0

    @property
    def detects_in_ms(self) -> int:
        """The soonest that a silent gateway can be noticed."""
        return self.interval_ms * self.fail_after

    @property
    def announced(self) -> bool:
        """Whether the interval can be that of a protocol's announcements, which come seconds apart."""
        return self.interval_ms >= ANNOUNCED_MS


DEFAULT_TIMERS = Timers()


@dataclass(frozen=True, slots=True)
class Hop:
    """One gateway of a policy as a node reaches it."""

    gateway: str
    gateway_id: int
    address: Address
    port: str
    preference: int


@dataclass(frozen=True, slots=True)
class PolicyRoute:
    """One prefix of one policy on one node; `hops` in order of preference."""

    policy: str
    prefix: Prefix
    hops: tuple[Hop, ...]
    detection: Detection
    timers: Timers = DEFAULT_TIMERS
    target: Address | None = None

    def led_by(self, gateway: str) -> PolicyRoute:
        """The same with `gateway` first and the others after it in their order; preferences go by place."""
        first = [hop for hop in self.hops if hop.gateway == gateway]
        rest = [hop for hop in self.hops if hop.gateway != gateway]
        places = [hop.preference for hop in self.hops]
        hops = tuple(
            Hop(hop.gateway, hop.gateway_id, hop.address, hop.port, place)
            for hop, place in zip([*first, *rest], places, strict=True)
        )
        return PolicyRoute(self.policy, self.prefix, hops, self.detection, self.timers, self.target)


@dataclass(frozen=True, slots=True)
class NodeRouting:
    """All of a node's intended routing: what every renderer takes."""

    node: str
    node_id: int
    engine: Engine
    routes: tuple[PolicyRoute, ...]


@dataclass(frozen=True, slots=True)
class RunningHop:
    """One next hop as the engine has it; `active`: the kernel forwards by it."""

    address: Address
    port: str
    preference: int
    active: bool = False


@dataclass(frozen=True, slots=True)
class RunningRoute:
    """One prefix as the engine runs it."""

    prefix: Prefix
    hops: tuple[RunningHop, ...]


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A configuration file as it is on disk."""

    path: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class ObservedRouting:
    """What a node runs and has saved, as its agent last told."""

    node_id: int
    revision: int
    digest: str
    engine: EngineKind
    alive: bool
    routes: tuple[RunningRoute, ...] = ()
    files: tuple[SavedFile, ...] = ()
