"""A plan as a value: changes on each node, check results, and the impact of each single failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.host_network import HostNetwork
from backstay.core.model.routing import Address, NodeRouting, PolicyRoute

Level = Literal["passed", "warning", "failed"]
FailureKind = Literal["none", "node", "link", "fabric"]
ImpactVerdict = Literal["holds", "saturates", "cuts_off", "loops"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check. `failed` blocks the plan; a check that raises an exception is `failed`."""

    check: str
    """Registered name: `gateway_on_link`."""
    level: Level
    text: str
    """One sentence with names and numbers, and the next step if there is one."""
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteDifference:
    """One prefix on one node, before and after, as text: `via atmgw 10.1.0.15 pref 60`, best first."""

    prefix: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A boot file before and after; `base` is the SHA-256 of the previous text, empty if there was none."""

    path: str
    before: str
    after: str
    base: str


@dataclass(frozen=True, slots=True)
class NodePlan:
    """Changes on one node."""

    routing: NodeRouting
    base: str
    """`ObservedRouting.digest` on which the plan is based."""
    differences: tuple[RouteDifference, ...]
    files: tuple[FileDifference, ...]
    variants: dict[tuple[str, str], dict[str, str]]
    """(policy, prefix) -> gateway -> block text with that gateway first."""
    shape: str
    """Nodes with identical changes have the same shape; the page shows one of them."""

    @property
    def changes(self) -> bool:
        """Whether the plan changes anything on the node."""
        return bool(self.differences or any(item.before != item.after for item in self.files))


@dataclass(frozen=True, slots=True)
class LinkLoad:
    """A link under a failure; utilisation is the share of the usable rate in the busier direction."""

    link_id: int
    bps: int
    utilisation: float


@dataclass(frozen=True, slots=True)
class Impact:
    """Impact of a single failure once the plan is deployed."""

    failure: str
    """Name of the failed component: a gateway, `grf1:ga031`, a fabric."""
    kind: FailureKind
    """`none`: nothing fails."""
    ident: int
    """Id of the node, link or fabric."""
    cut_off: tuple[str, ...] = ()
    """Nodes without a path."""
    looping: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    """Nodes that use another gateway than without the failure."""
    over: tuple[LinkLoad, ...] = ()
    """Links above their usable rate, highest utilisation first."""
    loads: tuple[LinkLoad, ...] = ()
    """Links whose load differs from the current load."""
    seconds: float | None = None
    """Time to recovery, s: the policy's detection and the engine's switch; None: no recovery."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A frozen proposal. `digest` is the SHA-256 of the plan and of all its inputs."""

    nodes: tuple[NodePlan, ...]
    findings: tuple[Finding, ...]
    impacts: tuple[Impact, ...]
    waves: tuple[tuple[int, ...], ...]
    """Node ids: the canary, a tenth, all others."""
    inputs: str
    """SHA-256 of topology, policies and observed states at planning time."""
    digest: str

    @property
    def blocked(self) -> bool:
        """Whether a failed check prevents applying the plan."""
        return any(finding.level == "failed" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Observation:
    """Current observations besides the topology."""

    demand: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Node id -> (bit/s out, bit/s in) exchanged with destinations behind its gateways."""
    link_load: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Link id -> (forward, back) bit/s."""
    alive: dict[tuple[int, int], bool] = field(default_factory=dict)
    """(node id, gateway id) -> whether the gateway answers the node."""
    controller: dict[int, tuple[PolicyRoute, ...]] = field(default_factory=dict)
    """Node id -> the managed routes over which its agent reaches the controller."""
    hosts: dict[int, HostNetwork] = field(default_factory=dict)
    """Node id -> what its own agent reported about its forwarding; a node without an agent is missing."""
    carried: frozenset[tuple[int, int, Address]] = frozenset()
    """(node id, gateway id, target) of paths whose end-to-end probes through that gateway are answered."""
    released: dict[int, str] = field(default_factory=dict)
    """Node id -> why it takes no change: an administrator released it on the node."""
    holds: dict[int, str] = field(default_factory=dict)
    """Node id -> `held until 14:32 UTC by alice`, of nodes that an operator holds."""
    address_mismatches: dict[int, AddressMismatch] = field(default_factory=dict)
    """Port id -> mismatch. Unlike the other observations it is part of the plan's digest."""
