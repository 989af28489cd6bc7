"""A plan as a value: what will be different on each node, what was checked, what each failure would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.routing import NodeRouting, PolicyRoute

Level = Literal["passed", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check. `failed` blocks; a check that crashed is `failed`."""

    check: str
    """Its name in the register: `gateway_on_link`."""
    level: Level
    text: str
    """One sentence with names and numbers, and the next step where there is one."""
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One prefix on one node, before and after, in words: `via atmgw 10.1.0.15 pref 60`, best first."""

    prefix: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A boot file before and after; `base` is the SHA-256 of the text before, empty when there was none."""

    path: str
    before: str
    after: str
    base: str


@dataclass(frozen=True, slots=True)
class NodePlan:
    """What one node will do."""

    routing: NodeRouting
    base: str
    """`ObservedRouting.digest` that it was planned from."""
    differences: tuple[Difference, ...]
    files: tuple[FileDifference, ...]
    variants: dict[tuple[str, str], dict[str, str]]
    """(policy, prefix) -> gateway -> block text with that gateway first."""
    shape: str
    """Nodes whose changes read the same share a shape: the page shows one of them."""

    @property
    def changes(self) -> bool:
        """Whether anything is different at all."""
        return bool(self.differences or any(item.before != item.after for item in self.files))


@dataclass(frozen=True, slots=True)
class LinkLoad:
    """A link under a failure; utilisation 0..1 and more, of the usable rate, in the busier direction."""

    link_id: int
    bps: int
    utilisation: float


@dataclass(frozen=True, slots=True)
class Impact:
    """What one single failure would do once the plan is in force."""

    failure: str
    """Name of what fails: a gateway, `grf1:ga031`, a fabric."""
    kind: Literal["none", "node", "link", "fabric"]
    """`none`: nothing fails."""
    ident: int
    """Of the node, link or fabric."""
    cut_off: tuple[str, ...] = ()
    """Nodes whose traffic would find no way."""
    looping: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    """Nodes that would go over another gateway than without the failure."""
    over: tuple[LinkLoad, ...] = ()
    """Links that would carry more than they can, fullest first."""
    loads: tuple[LinkLoad, ...] = ()
    """Every link whose load would differ from today's."""
    seconds: float | None = None
    """Until traffic goes on, by the policy's detection; None: never."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A frozen proposal. `digest` is SHA-256 over everything that the outcome depends on and all of it."""

    nodes: tuple[NodePlan, ...]
    findings: tuple[Finding, ...]
    impacts: tuple[Impact, ...]
    waves: tuple[tuple[int, ...], ...]
    """Node ids: the canary, a tenth, all others."""
    inputs: str
    """SHA-256 of topology, policies and observed states as they were."""
    digest: str

    @property
    def blocked(self) -> bool:
        """Whether it may not be applied."""
        return any(finding.level == "failed" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Observation:
    """What the planner knows of the present besides the topology."""

    demand: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Node id -> (bit/s out, bit/s in) that it exchanges with what lies beyond its gateways, today."""
    link_load: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Link id -> (forward, back) bit/s."""
    alive: dict[tuple[int, int], bool] = field(default_factory=dict)
    """(node id, gateway id) -> whether the gateway answers the node."""
    controller: dict[int, tuple[PolicyRoute, ...]] = field(default_factory=dict)
    """Node id -> the routes by which its agent reaches the controller, where these are managed."""
    address_mismatches: dict[int, AddressMismatch] = field(default_factory=dict)
    """Port id -> which of its addresses it does not run; unlike all the others an input that must stay."""
