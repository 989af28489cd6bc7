"""A fault: one root cause, the objects that it affects, and the evidence for and against it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

EvidenceSource = Literal["probe", "carrier", "bfd", "snmp", "neighbours", "report", "external"]
SOURCES: dict[EvidenceSource, str] = {
    "probe": "Probe",
    "carrier": "Carrier",
    "bfd": "BFD",
    "snmp": "SNMP",
    "neighbours": "Neighbour table",
    "report": "Reports",
    "external": "Other system",
}
"""Labels on pages and in the command line."""


class FaultKind(StrEnum):
    """Kind of root cause, the most general first: of two faults that explain one effect the first wins."""

    REPORTING_LOST = "reporting_lost"
    """Most nodes stopped reporting: nothing is known about their data paths."""
    FABRIC_DOWN = "fabric_down"
    GATEWAY_ISOLATED = "gateway_isolated"
    """A gateway lost all its links."""
    GATEWAY_UNREACHABLE = "gateway_unreachable"
    """No node's probes of the gateway are answered, although its links have carrier or are not reported."""
    GATEWAY_NOT_FORWARDING = "gateway_not_forwarding"
    """The gateway answers probes, but traffic through it does not arrive."""
    NODE_UNREACHABLE = "node_unreachable"
    """A node does not report; its evidence shows whether it is still reachable."""
    LINK_DOWN = "link_down"
    STANDBY_DEAD = "standby_dead"
    """Paths that work have a standby that could not take over."""


GATEWAY_KINDS = frozenset(
    {FaultKind.GATEWAY_ISOLATED, FaultKind.GATEWAY_UNREACHABLE, FaultKind.GATEWAY_NOT_FORWARDING}
)
"""Faults of a gateway, which affect its BFD sessions; more evidence may turn one kind into another."""


@dataclass(frozen=True, slots=True)
class FaultEvidence:
    """One observation that supports or contradicts a fault."""

    source: EvidenceSource
    text: str
    at: datetime | None
    """When it was observed; None: unknown."""
    by: str
    """Names of the reporting nodes."""
    supports: bool = True


@dataclass(frozen=True, slots=True)
class Fault:
    """One root cause. Ids are ascending, so that equal observations give equal faults."""

    kind: FaultKind
    subject: str
    """Name of the node, link or fabric."""
    since: datetime
    node_id: int | None = None
    fabric_id: int | None = None
    """The fabric that is down, or the only one on which a gateway is unreachable."""
    link_id: int | None = None
    dead_paths: tuple[int, ...] = ()
    """Paths without a working gateway."""
    rerouted_paths: tuple[int, ...] = ()
    """Paths that work through another gateway."""
    standby_paths: tuple[int, ...] = ()
    """Paths that work and lost a standby."""
    links: tuple[int, ...] = ()
    """Links that are down because of it, or whose other end it cuts off."""
    nodes: tuple[int, ...] = ()
    evidence: tuple[FaultEvidence, ...] = ()

    @property
    def key(self) -> tuple[str, int, int]:
        """Identifies the fault while it lasts: kind, object, and the fabric of a partial fault."""
        subject = self.link_id or self.node_id or self.fabric_id or 0
        return self.kind.value, subject, (self.fabric_id or 0) if self.node_id else 0
