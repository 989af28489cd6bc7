"""How a node shall route, as values: engine, gateways in order, timers; and what it runs and has saved.

`api.agent` translates these to the wire and back. A *preference* is gated's: lower wins (FRR: distance; the
kernel: metric; BIRD, where higher wins: 260 minus it).
"""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """The facts of one engine; `rendering.RENDERERS` has the code that reads and writes its files."""

    label: str
    detections: frozenset[Detection]
    """Who can notice a dead gateway where this engine installs the routes."""
    description: str = ""
    """After `runs`, where it differs from the label."""
    bfd_since: int = 0
    """First major version whose static routes can follow BFD; 0: every one."""
    min_protocol_ms: int | None = None
    """The soonest that its routing protocol notices a dead gateway; None: as the policy asks."""
    has_blocks: bool = True
    """Whether a switch of gateways rewrites a block of its file; the kernel is switched by netlink."""
    switches_by_file: bool = False
    """Whether it runs only its file: a switch of gateways also changes what a reboot starts."""


RIP_TIMEOUT_MS = 180_000
"""RFC 2453, 3.8: what a listener waits where it does not know how often its gateways announce."""

ENGINES: Mapping[EngineKind, EngineSpec] = {
    EngineKind.KERNEL: EngineSpec(
        "kernel", frozenset({Detection.CHECKER}), description="plain kernel routes", has_blocks=False
    ),
    EngineKind.FRR: EngineSpec(
        "FRR",
        frozenset(Detection),
        bfd_since=9,  # 8.4 and 8.5 cannot (staticd, FRR release notes)
        min_protocol_ms=5_000,  # ripd's `timers basic` begins at 5 s (FRR user guide, "RIP Timers")
    ),
    EngineKind.BIRD: EngineSpec("BIRD", frozenset(Detection), min_protocol_ms=1_000),
    EngineKind.GATED: EngineSpec(
        "gated",
        frozenset({Detection.CHECKER, Detection.PROTOCOL}),
        min_protocol_ms=RIP_TIMEOUT_MS,  # its RIP timers are fixed
        switches_by_file=True,
    ),
}

Revert = Literal["now", "after", "manual"]


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine of one node and where it is reached; fields as on the wire."""

    kind: EngineKind
    config: str
    control: str = ""
    dump: str = ""
    version: str = ""
    """As its collector last reported, `8.4.4`; empty: unknown. Limits what it can do."""

    @property
    def spec(self) -> EngineSpec:
        return ENGINES[self.kind]


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
    """What a node runs and has saved, as its agent last reported."""

    node_id: int
    revision: int
    digest: str
    engine: EngineKind
    alive: bool
    routes: tuple[RunningRoute, ...] = ()
    files: tuple[SavedFile, ...] = ()
