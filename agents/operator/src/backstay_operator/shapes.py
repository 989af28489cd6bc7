"""The parts of the API's answers that this program shows or acts on; all else is left alone.

Names are those of the API's document, where a test looks each field up. Words of a fixed set are plain
text here: a newer backend may know more of them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from backstay_operator.errors import Unreachable

T = TypeVar("T", bound="Shape")


class Shape(BaseModel):
    """Base: read only what is named."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def read(shape: type[T], answer: Any) -> T:
    """An answer as a value."""
    try:
        return shape.model_validate(answer)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise Unreachable(
            f"The answer does not fit ({shape.__name__}, {where}): this program and Backstay are of"
            " different versions. Install the one that came with it."
        ) from error


def read_all(shape: type[T], page: dict[str, Any]) -> list[T]:
    """A page's items as values."""
    return [read(shape, item) for item in page["items"]]


class Person(Shape):
    """Who asks."""

    username: str
    name: str
    role: str


class SiteListed(Shape):
    """A site."""

    name: str
    title: str


class SiteOut(SiteListed):
    """A site, with what its rates mean."""

    rate_scale: float


class OverviewItem(Shape):
    """One line of an answer."""

    title: str
    detail: str
    state: str
    since: datetime | None
    confirm_by: datetime | None
    url: str


class OverviewAnswer(Shape):
    """One of the five answers."""

    question: str
    total: int
    items: list[OverviewItem]


class Overview(Shape):
    """The first page."""

    site: SiteOut
    at: datetime
    headline: str
    answers: list[OverviewAnswer]
    paths_total: int
    paths_on_fallback: int
    open_incidents: int


class MoveOut(Shape):
    """A path kept on a gateway on purpose."""

    id: int
    gateway: str
    state: str
    until: datetime | None
    detail: str


class GatewayState(Shape):
    """One gateway of a path."""

    name: str
    alive: bool | None


class PathOut(Shape):
    """How a node reaches a prefix."""

    id: int
    name: str
    policy: str
    node: str
    prefix: str
    active: str
    preferred: str
    on_fallback: bool
    state: str
    state_text: str
    age_s: float | None
    rtt_ms: float | None
    last_outage_ms: float | None
    standby_dead: list[str]
    engine: str | None
    saved: str
    move: MoveOut | None
    gateways: list[GatewayState]


class PolicyProgress(Shape):
    """How far a policy is brought about."""

    text: str


class PolicyOut(Shape):
    """A policy as wanted."""

    id: int
    name: str
    prefix: str
    gateways: list[str]
    detection: str
    nodes: list[str]
    origin: str
    note: str
    progress: PolicyProgress


class CheckOut(Shape):
    """One check of a plan."""

    check: str
    level: str
    text: str
    nodes: list[str]


class DifferenceOut(Shape):
    """One prefix before and after."""

    prefix: str
    before: list[str]
    after: list[str]


class FileDiffOut(Shape):
    """A boot file before and after."""

    path: str
    diff: str


class ShapeOut(Shape):
    """Nodes whose changes read the same."""

    nodes: list[str]
    engine: str
    differences: list[DifferenceOut]
    files: list[FileDiffOut]


class ImpactOut(Shape):
    """What a single failure would do."""

    failure: str
    kind: str
    verdict: str
    text: str
    seconds: float | None


class ArpDifferenceOut(Shape):
    """One thing of one port before and after."""

    port: str
    what: str
    before: str
    after: str


class ArpShapeOut(Shape):
    """Nodes whose ARP changes read the same."""

    nodes: list[str]
    differences: list[ArpDifferenceOut]
    files: list[FileDiffOut]


class ArpHandedEntryOut(Shape):
    """One entry that a device must have."""

    address: str
    mac: str
    node: str
    standing: str
    found: str


class ArpHandOverOut(Shape):
    """What a person must set on a device."""

    node: str
    port: str
    done: bool
    reminders: list[str]
    entries: list[ArpHandedEntryOut]


class ArpPlanOut(Shape):
    """What a plan would change of ARP."""

    shapes: list[ArpShapeOut]
    hand_overs: list[ArpHandOverOut]


class PlanOut(Shape):
    """A frozen proposal."""

    digest: str
    stale: bool
    stale_because: str
    blocked: bool
    summary: str
    shapes: list[ShapeOut]
    checks: list[CheckOut]
    impacts: list[ImpactOut]
    waves: list[list[str]]
    arp: ArpPlanOut | None = None


class EvidenceOut(Shape):
    """One thing looked at on a node."""

    what: str
    ok: bool
    found: str


class ChangeNodeOut(Shape):
    """One node in a change."""

    node: str
    wave: int
    engine: str | None = None
    state: str
    reason: str
    by: str
    evidence: list[EvidenceOut]


class ApprovalOut(Shape):
    """Who approved what."""

    person: str
    at: datetime
    digest: str
    comment: str


class ChangeStep(Shape):
    """One line of a change's history."""

    at: datetime
    person: str
    text: str


class ChangeOut(Shape):
    """A change as a line of a list."""

    id: int
    name: str
    kind: str
    title: str
    reason: str
    ticket: str
    state: str
    state_text: str
    since: datetime
    age_s: float
    author: str
    site: str
    policies: list[str]
    nodes: int
    confirmed: int
    wave: int | None
    waves: int
    confirm_by: datetime | None
    may: list[str]
    may_not: dict[str, str]

    def left_s(self) -> float | None:
        """Seconds until the guards act, by the backend's clock when it answered; None: nothing waits."""
        if self.confirm_by is None:
            return None
        return max((self.confirm_by - self.since).total_seconds() - self.age_s, 0.0)


class ChangeDetail(ChangeOut):
    """A change whole."""

    plan: PlanOut | None
    approvals: list[ApprovalOut]
    members: list[ChangeNodeOut]
    history: list[ChangeStep]


class DriftItem(Shape):
    """One prefix or file that differs."""

    what: str
    intended: str
    running: str
    saved: str


class DriftOut(Shape):
    """One node that differs."""

    node: str
    engine: str | None
    state: str
    age_s: float
    running_differs: bool
    saved_differs: bool
    reboot: bool
    on_fallback: bool
    text: str
    items: list[DriftItem]

    @property
    def drifts(self) -> bool:
        """Whether it is drift, and not only a checker on its fallback."""
        return self.running_differs or self.saved_differs


class DrillNodeOut(Shape):
    """One node in a drill."""

    node: str
    gateway: str
    state: str
    detail: str
    outage_out_ms: float | None
    outage_back_ms: float | None
    rtt_ms: float | None


class DrillOut(Shape):
    """A drill."""

    id: int
    name: str
    policy: str
    gateway: str
    state: str
    state_text: str
    at: datetime
    author: str
    reason: str
    seconds: float
    every_days: int | None
    refused_because: list[str]
    members: list[DrillNodeOut]
    worst_outage_ms: float | None
    fallback_bps: int | None


class EventOut(Shape):
    """Something that happened."""

    id: int
    kind: str
    name: str
    state: str
    since: datetime
    message: str


class LiveMessage(Shape):
    """One message of the live stream."""

    type: str
    event: dict[str, Any] | None


class TableIncident(Shape):
    """An incident about a neighbour table or a clock."""

    title: str


class NeighbourTable(Shape):
    """One port's part of a device's neighbour tables."""

    node: str
    port: str
    state: str
    ipv4: int
    ipv6: int
    incomplete: int
    capacity_ipv4: int | None
    share: float | None
    broadcasts_per_s: float | None
    talker: str
    talker_owner: str
    incidents: list[TableIncident]


class ClockStep(Shape):
    """When a clock was last seen to have been set."""

    at: datetime
    text: str


class ClockOut(Shape):
    """One node's clock as one source tells of it."""

    node: str
    source: str
    against: str
    state: str
    text: str
    offset_s: float
    error_s: float
    age_s: float
    drift_ppm: float | None
    drift_error_ppm: float | None
    step: ClockStep | None
    incident: TableIncident | None


class HoldingOut(Shape):
    """That an address was at a hardware address."""

    node: str
    port: str
    mac: str
    owner: str
    since: datetime
    until: datetime | None


class NeighbourHistory(Shape):
    """Who had an address when."""

    address: str
    kept_days: int
    items: list[HoldingOut]


class DuplicateMac(Shape):
    """One of the places of an address."""

    mac: str
    owner: str
    nodes: list[str]


class DuplicateOut(Shape):
    """An address at several places."""

    address: str
    fabric: str | None
    age_s: float
    macs: list[DuplicateMac]


class ArpPolicyOut(Shape):
    """One fabric's ARP policy."""

    id: int
    mode: str
    settings: dict[str, int]
    ports: list[dict[str, Any]]
    table: dict[str, int]
    note: str
    state: str
    state_text: str


class ArpFabricOut(Shape):
    """One fabric as its nodes run it."""

    fabric: str
    declared: str
    running: str
    state: str
    state_text: str
    policy: ArpPolicyOut | None


class ArpRuleLine(Shape):
    """One member under the address rule."""

    node: str
    address: str
    host_part: int | None
    switch_node_number: int | None
    difference: int | None
    verdict: str
    text: str


class ArpRuleOut(Shape):
    """The address rule over one fabric."""

    constant: int | None
    broken: int
    applies: bool
    text: str
    lines: list[ArpRuleLine]
