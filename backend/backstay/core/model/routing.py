"""Intended, running and saved routing of a node: engine, gateways in order, timers.

`api.agent` converts these values from and to the wire. A *preference* is gated's: lower wins (FRR: distance;
kernel: metric; BIRD, where higher wins: 260 minus preference).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Literal

Address = IPv4Address | IPv6Address
Prefix = IPv4Network | IPv6Network

FIRST_PREFERENCE = 60
"""gated's preference for static routes."""
STEP = 10
"""Step between consecutive gateways; leaves values for an operator's own routes."""


class EngineKind(StrEnum):
    """Routing software that installs a node's routes."""

    KERNEL = "kernel"
    FRR = "frr"
    BIRD = "bird"
    GATED = "gated"


class Detection(StrEnum):
    """Method that detects a dead gateway."""

    CHECKER = "checker"
    BFD = "bfd"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """Properties of one engine; `rendering.RENDERERS` has the code that reads and writes its files."""

    label: str
    detections: frozenset[Detection]
    """Detection methods that work with this engine."""
    description: str = ""
    """Text after `runs`, if it differs from the label."""
    bfd_since: int = 0
    """First major version whose static routes support BFD; 0: all versions."""
    min_protocol_ms: int | None = None
    """Minimum detection time of its routing protocol; None: as the policy sets."""
    has_blocks: bool = True
    """Whether a gateway switch rewrites a block of its file; kernel routes are switched by netlink."""
    switches_by_file: bool = False
    """Whether it runs only what its file contains, so that a gateway switch also changes the saved state."""
    switch_ms: int = 0
    """Longest measured time from the checker's decision until the kernel forwards by another gateway."""


RIP_TIMEOUT_MS = 180_000
"""RFC 2453, 3.8: the timeout of a listener that does not know the announcement interval of its gateways."""

# `switch_ms`: the largest outage measured with the checker less the time of its probes, rounded up; for gated
# from the demo, 1.2 to 6.2 s on two busy cores (docs/benchmarks.md, "Failover").
ENGINES: Mapping[EngineKind, EngineSpec] = {
    EngineKind.KERNEL: EngineSpec(
        "kernel",
        frozenset({Detection.CHECKER}),
        description="plain kernel routes",
        has_blocks=False,
        switch_ms=150,
    ),
    EngineKind.FRR: EngineSpec(
        "FRR",
        frozenset(Detection),
        bfd_since=9,  # 8.4 and 8.5 cannot (staticd, FRR release notes)
        min_protocol_ms=5_000,  # ripd's `timers basic` begins at 5 s (FRR user guide, "RIP Timers")
        switch_ms=200,
    ),
    EngineKind.BIRD: EngineSpec("BIRD", frozenset(Detection), min_protocol_ms=1_000, switch_ms=150),
    EngineKind.GATED: EngineSpec(
        "gated",
        frozenset({Detection.CHECKER, Detection.PROTOCOL}),
        min_protocol_ms=RIP_TIMEOUT_MS,  # its RIP timers are fixed
        switches_by_file=True,
        switch_ms=6_500,
    ),
}

Revert = Literal["now", "after", "manual"]


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine of one node and its files and sockets; fields as on the wire."""

    kind: EngineKind
    config: str
    control: str = ""
    dump: str = ""
    version: str = ""
    """As its collector last reported, `8.4.4`; empty: unknown. Limits the supported features."""

    @property
    def spec(self) -> EngineSpec:
        return ENGINES[self.kind]


ANNOUNCED_MS = 1_000


@dataclass(frozen=True, slots=True)
class Timers:
    """Timers for failure detection, recovery and failback.

    With detection by protocol, `interval_ms` is the interval of the gateway's announcements.
    """

    interval_ms: int = 50
    fail_after: int = 3
    recover_after: int = 20
    hold_down_s: float = 2.0
    revert: Revert = "now"
    revert_after_s: float = 60.0

    @property
    def detects_in_ms(self) -> int:
        """Minimum time to detect a gateway failure."""
        return self.interval_ms * self.fail_after

    @property
    def announced(self) -> bool:
        """Whether the interval is long enough for protocol announcements, which are seconds apart."""
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
    is_detected: bool = True
    """Whether anything on the node detects a dead gateway; False: it keeps the first hop whatever fails."""

    def led_by(self, gateway: str) -> PolicyRoute:
        """The same route with `gateway` first and the others in order; preferences stay with the
        positions.
        """
        first = [hop for hop in self.hops if hop.gateway == gateway]
        rest = [hop for hop in self.hops if hop.gateway != gateway]
        places = [hop.preference for hop in self.hops]
        hops = tuple(
            Hop(hop.gateway, hop.gateway_id, hop.address, hop.port, place)
            for hop, place in zip([*first, *rest], places, strict=True)
        )
        return replace(self, hops=hops)


@dataclass(frozen=True, slots=True)
class NodeRouting:
    """The complete intended routing of a node: the input of every renderer."""

    node: str
    node_id: int
    engine: Engine
    routes: tuple[PolicyRoute, ...]


@dataclass(frozen=True, slots=True)
class RunningHop:
    """One next hop in the engine; `active`: the kernel forwards through it."""

    address: Address
    port: str
    preference: int
    active: bool = False


@dataclass(frozen=True, slots=True)
class RunningRoute:
    """One prefix in the engine."""

    prefix: Prefix
    hops: tuple[RunningHop, ...]
    loaded: bool = True
    """False: the boot file is as intended, and the agent finds that the engine does not run it."""


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A configuration file on disk."""

    path: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class ObservedRouting:
    """Running and saved routing of a node, from its agent's last report."""

    node_id: int
    revision: int
    digest: str
    engine: EngineKind
    alive: bool
    routes: tuple[RunningRoute, ...] = ()
    files: tuple[SavedFile, ...] = ()
    detail: str = ""
    """Why the engine does not respond, or what it has not loaded from its boot file."""
