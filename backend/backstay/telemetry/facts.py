"""Facts derived from one stored batch, passed to policy and alerts in the same transaction.

Telemetry does not depend on policies or incidents: `intake.batches` takes these values from
`telemetry.ingest` and passes them to the services of the apps above. Times are corrected to our clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from backstay.core.model.change import NodeReport
from backstay.core.model.progress import HoldOrigin, ManagementState, MoveReport, ReleaseScope


@dataclass(frozen=True, slots=True)
class SwitchSeen:
    """A path moved between gateways; sent again with the same uid once the outage is known."""

    uid: UUID
    at: datetime
    from_gateway: str
    to_gateway: str
    outage_ms: float | None
    lost_probes: int | None
    probe_interval_ms: int


@dataclass(frozen=True, slots=True)
class OutageSeen:
    """An outage of a path, as its node measured it; sent again with the same uid until its end is known."""

    uid: UUID
    since: datetime
    duration_ms: float | None
    """None: ongoing."""
    cause: str
    lost_probes: int | None
    """None: measured by route events."""
    probe_interval_ms: int


@dataclass(frozen=True, slots=True)
class PathSeen:
    """One node's observation of one policy."""

    node_id: int
    policy: str
    active: str
    at: datetime
    target_alive: bool | None
    target_rtt_us: int | None
    liveness: dict[str, dict[str, bool | int | None]]
    """Gateway name -> {"alive": bool | None, "rtt_us": int | None, "forwards": bool | None}."""
    switch: SwitchSeen | None
    outage: OutageSeen | None = None


@dataclass(frozen=True, slots=True)
class PortChanged:
    """A port's operational state changed."""

    node_id: int
    port_id: int
    port: str
    oper_up: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class NodeRestarted:
    """A device's uptime decreased."""

    node_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class NodeReporting:
    """A stale node reported again."""

    node_id: int
    at: datetime
    silent_s: float


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """A node's clock was set: it moved by more than the errors of two measurements and drift explain."""

    node_id: int
    at: datetime
    source: str
    offset_ms: float
    before_ms: float
    at_reboot: bool = False


@dataclass(frozen=True, slots=True)
class SpoolDropped:
    """An agent lost reports: its spool was full or damaged."""

    node_id: int
    at: datetime
    dropped: int


@dataclass(frozen=True, slots=True)
class NoticeSeen:
    """An unsolicited message of a device: an SNMP notification or a syslog line."""

    node_id: int
    at: datetime
    name: str
    source: str
    severity: str
    about: str
    """The port or part concerned; empty: the device, or unspecified."""
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class NoticesDropped:
    """A device exceeded its limit of notices; the excess was only counted."""

    node_id: int
    at: datetime
    dropped: int


@dataclass(frozen=True, slots=True)
class RoutingSeen:
    """A node's running and saved routing was reported and stored in its RoutingState."""

    node_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ArpSeen:
    """A node's running and saved ARP state was reported and stored in its ArpState."""

    node_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class DecisionSeen:
    """A decision of a node's checker about one policy; fields as on the wire."""

    node_id: int
    policy: str
    at: datetime
    reason: str
    from_gateway: str
    to_gateway: str
    evidence: str
    took_ms: float
    held_back: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class HoldSeen:
    """A hold of one node began, continues or ended."""

    node_id: int
    uid: str
    origin: HoldOrigin
    by: str
    reason: str
    at: datetime
    state: Literal["held", "ended"]
    seconds: float
    began: datetime
    until: datetime
    detail: str


@dataclass(frozen=True, slots=True)
class MoveSeen:
    """Progress of a manual move or a drill on one node."""

    node_id: int
    move: str
    policy: str
    at: datetime
    state: MoveReport
    detail: str
    outage_ms: float | None
    rtt_us: int | None


@dataclass(frozen=True, slots=True)
class ChangeSeen:
    """Progress of a change on one node."""

    node_id: int
    change: int
    revision: int
    at: datetime
    phase: NodeReport
    reason: str
    by: str
    evidence: list[dict[str, Any]]
    """[{what, ok, found}]."""
    before: str
    after: str
    guard_until: datetime | None


@dataclass(frozen=True, slots=True)
class ManagementSeen:
    """Something was released or reverted on a node, or that was cleared; fields as on the wire."""

    node_id: int
    at: datetime
    state: ManagementState
    release: str
    scope: ReleaseScope
    policies: list[str]
    since: datetime
    by: str
    reason: str
    left: str
    change: int | None


@dataclass(frozen=True, slots=True)
class TestSeen:
    """Progress or result of one node's part in a test; `report` holds the other fields as on the wire."""

    __test__ = False
    node_id: int
    assignment: int
    at: datetime
    state: str
    final: bool
    detail: str
    started: datetime | None
    ended: datetime | None
    report: dict[str, Any]


@dataclass(slots=True)
class Facts:
    """All facts of one batch."""

    site_id: int
    received: datetime | None = None
    """When the batch arrived, by our clock."""
    sampled: set[int] = field(default_factory=set)
    """Ids of the nodes with new samples."""
    paths: list[PathSeen] = field(default_factory=list)
    ports: list[PortChanged] = field(default_factory=list)
    restarts: list[NodeRestarted] = field(default_factory=list)
    reporting: list[NodeReporting] = field(default_factory=list)
    clocks: list[ClockStepped] = field(default_factory=list)
    drops: list[SpoolDropped] = field(default_factory=list)
    notices: list[NoticeSeen] = field(default_factory=list)
    dropped_notices: list[NoticesDropped] = field(default_factory=list)
    routings: list[RoutingSeen] = field(default_factory=list)
    arps: list[ArpSeen] = field(default_factory=list)
    decisions: list[DecisionSeen] = field(default_factory=list)
    moves: list[MoveSeen] = field(default_factory=list)
    holds: list[HoldSeen] = field(default_factory=list)
    changes: list[ChangeSeen] = field(default_factory=list)
    management: list[ManagementSeen] = field(default_factory=list)
    tests: list[TestSeen] = field(default_factory=list)
    has_changed_paths: bool = False
    """Whether a path's gateway, target or liveness changed; set when the paths are stored."""
    alarms: bool = False
    """Whether a device raised or cleared an alarm."""

    @property
    def is_relevant(self) -> bool:
        """Whether any app above telemetry needs these facts."""
        first = (self.paths, self.ports, self.restarts, self.reporting, self.clocks, self.drops)
        routing = (self.routings, self.arps, self.decisions, self.moves, self.changes, self.management)
        rest = (self.tests, self.notices, self.dropped_notices, self.holds)
        return bool(any(first) or any(routing) or any(rest) or self.alarms or self.has_changed_paths)
