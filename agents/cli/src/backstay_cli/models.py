"""The API's response models, generated from backend/openapi.json by `make gen-api`: do not edit."""

from datetime import date
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from backstay_cli.reading import Model


class AdviceItem(Model):
    kind: str
    title: str
    steps: list[str]
    policy: str | None
    gateways: list[str]
    fabric: str | None
    usable_rate: int | None
    holds: list[str]
    holds_total: int
    eased: list[str]
    eased_total: int
    worse: list[str]
    worse_total: int
    remaining: int


class BlockingResult(Model):
    state: str
    delay_ms: float | None
    loss: float | None
    fill_s: float | None
    reason: str


class BulkOut(Model):
    changed: int
    unchanged: int


class CalendarFeedOut(Model):
    id: int
    name: str
    site: str
    author: str | None
    created_at: AwareDatetime


class ChannelTestOut(Model):
    delivered: bool
    reason: str
    took_ms: float


class CheckOut(Model):
    check: str
    level: str
    text: str
    nodes: list[str]


class DifferentIncident(Model):
    id: int
    title: str
    state: str
    since: AwareDatetime
    resolved_at: AwareDatetime | None
    url: str


class DifferentObject(Model):
    name: str
    before: str
    after: str
    at: AwareDatetime
    url: str | None


class DifferentPaths(Model):
    policy: str
    before: str
    after: str
    paths: int
    nodes: list[str]
    at: AwareDatetime
    url: str


class EndsOut(Model):
    sender: str
    receiver: str


class ForecastListed(Model):
    id: int
    link: int
    name: str
    start: str
    end: str
    day: date
    is_stale: bool
    forecast: str
    state: str
    reason: str
    current_bps: int | None
    usable_rate: int | None
    utilisation: float | None
    full_on: date | None
    earliest: date | None
    latest: date | None
    error: float | None
    naive_error: float | None
    url: str


class ForecastOut(ForecastListed):
    days: list[date]
    values: list[int | None]
    trend: list[int | None]


class GatewayPacketsOut(Model):
    node: int
    name: str
    before_pps: int
    after_pps: int
    limit_pps: int
    share: float
    is_known: bool


class IncidentOut(DifferentIncident):
    name: str
    kind: str
    phase: str
    detail: str
    direction: str | None
    age_s: float
    comment: str
    owner: str | None
    snoozed_until: AwareDatetime | None
    snoozed_by: str | None
    muted: str | None
    occurrences: int
    flapping_since: AwareDatetime | None
    quiet_since: AwareDatetime | None
    resolves_at: AwareDatetime | None
    cause_id: int | None
    effects: int
    runbook: str
    value: float | None


class IncidentSummary(Model):
    count: int
    digest: str


class LaneLoadOut(Model):
    link: int
    name: str
    direction: str
    start: str
    end: str
    before_bps: int
    after_bps: int
    carried_bps: int | None
    usable_rate: int | None
    utilisation: float | None
    is_measured: bool


class Load(Model):
    bps: int
    utilisation: float
    at: AwareDatetime
    fresh: bool


class MetricLimitOut(Model):
    id: int
    name: str
    metric: str
    title: str
    unit: str
    subject: str
    role: str
    labels: dict[str, str]
    above: bool
    raise_at: float
    clear_at: float
    for_s: float
    severity: str
    enabled: bool
    origin: str
    changed_by: str | None


class MoveOut(Model):
    id: int
    gateway: str
    state: str
    seconds: float
    at: AwareDatetime
    until: AwareDatetime | None
    by: str
    reason: str
    detail: str


class NewCalendarFeedOut(CalendarFeedOut):
    path: str


class OutageTotalOut(Model):
    start: AwareDatetime
    end: AwareDatetime
    outages: int
    paths: int
    worst_text: str
    observed_s: float
    text: str


class ParametersOut(Model):
    kind: str
    streams: int
    buffer: int | None
    window: int | None
    send_buffer: int | None
    direction: str
    size: int | None
    program: str = ""
    offered_rate: float | None
    offered_pps: float | None
    mtu: int | None
    mss: int | None
    no_delay: bool | None
    quick_ack: bool | None
    congestion: str
    other: str = ""
    senders: int
    receivers: int


class Person(Model):
    username: str
    name: str
    role: str


class PolicyOutagesOut(Model):
    policy: str
    by: str
    items: list[OutageTotalOut]
    observed_s: float
    text: str


class PushDeviceOut(Model):
    id: int
    label: str
    service: str
    digest: str
    created_at: AwareDatetime
    delivered_at: AwareDatetime | None
    failing_since: AwareDatetime | None
    failure: str


class PushOut(Model):
    site: str
    is_allowed: bool
    is_routed: bool


class RecordingOut(Model):
    id: int
    device: str
    state: str
    text: str
    by: str
    asked_at: AwareDatetime
    ended_at: AwareDatetime | None
    expires_at: AwareDatetime
    objects: int
    bytes: int
    filename: str
    download: str | None


class RuleFileOut(Model):
    site: str
    text: str


class SavedItem(Model):
    port: str
    what: str
    running: str
    saved: str
    verdict: str


class SavedNode(Model):
    node: str
    state: str
    text: str
    files: list[str]
    items: list[SavedItem]
    reported: list[str]
    reminders: list[str]
    url: str


class SavedViewOut(Model):
    id: int
    site: str
    list_name: str
    name: str
    owner: str
    is_own: bool
    filters: dict[str, str]
    sort: str
    columns: list[str]


class SiteListed(Model):
    id: int
    name: str
    title: str
    rate_scale: float


class SuspectOut(Model):
    host: str
    side: str
    rate: float
    peer: str
    sentence: str


class UnmeasuredOut(Model):
    name: str
    reason: str
    url: str | None


class WallboardOut(Model):
    id: int
    name: str
    site: str
    pages: list[str]
    seconds: int
    state: str
    expires_at: AwareDatetime | None
    created_by: str
    created_at: AwareDatetime
    used_at: AwareDatetime | None


class WaveOut(Model):
    wave: int
    nodes: int
    states: dict[str, int]


class ArpEntryOut(Model):
    node: str
    port: str
    address: str
    mac: str


class ArpRuleLine(Model):
    node: str
    port: str
    address: str
    running: str
    host_part: int | None
    switch_node_number: int | None
    difference: int | None
    verdict: str
    text: str


class ArpDifferenceOut(Model):
    port: str
    what: str
    before: str
    after: str


class FileDiffOut(Model):
    path: str
    diff: str
    after: str


class CalendarProblemOut(Model):
    name: str
    text: str


class ApprovalOut(Model):
    person: str
    at: AwareDatetime
    digest: str
    comment: str


class StageChecksOut(Model):
    good: int
    total: int


class EvidenceOut(Model):
    what: str
    found: str


class CircuitShape(Model):
    name: str
    peak: Annotated[int, Field(gt=0)]


class CircuitSize(Model):
    method: str
    title: str
    circuits: int
    statements: int
    per_port: int
    trunk: int
    one_more: int
    fits: bool
    note: str


class PlannedCircuit(Model):
    name: str
    sides: list[str]


class ClockStep(Model):
    at: AwareDatetime
    text: str


class ClockIncident(Model):
    id: int
    title: str
    severity: str
    url: str


class CellDifference(Model):
    flows: list[EndsOut]
    parameters: ParametersOut
    before: float
    after: float
    change: float
    outcome: str


class PointOut(ParametersOut):
    flows: list[EndsOut]


class DeclaredSide(Model):
    port: str
    label: str


class DriftItem(Model):
    what: str
    kind: str
    intended: str
    running: str
    saved: str
    reboot: bool
    on_fallback: bool
    text: str


class DrillNodeOut(Model):
    node: str
    gateway: str
    state: str
    detail: str
    outage_out_ms: float | None
    outage_back_ms: float | None
    rtt_ms: float | None


class DuplicateMac(Model):
    mac: str
    owner: str
    since: AwareDatetime
    nodes: list[str]


class TableIncident(ClockIncident):
    kind: str


class EffectiveValueOut(Model):
    name: str
    label: str
    value: float | bool | str
    unit: str
    source: str
    ties: list[str]


class EventGroupOut(Model):
    key: str
    title: str
    detail: str
    state: str
    start: AwareDatetime
    end: AwareDatetime | None
    events: int
    kinds: list[str]
    paths: int
    url: str


class HistoryGapOut(Model):
    start: float
    end: float
    text: str


class SwitchPortOut(Model):
    frame: int
    slot: int
    owner: str
    text: str


class ExtensionProposal(Model):
    frame: int | None
    slot: int | None
    node_number: int | None
    switch_node_number: int | None
    address: str | None


class ExtensionAttribute(Model):
    key: str
    title: str
    sdr: str
    object: str
    intended: str | None
    reported: str | None
    verdict: str
    text: str


class ExtensionValue(Model):
    name: str
    value: str


class FailedComponent(Model):
    kind: str
    id: int
    name: str


class StoppedTraffic(Model):
    hosts: list[str]
    bps: int


class ForecastStatus(Model):
    site: str
    headline: str
    day: date | None
    is_stale: bool
    error: str
    failing_since: AwareDatetime | None


class ModelParameters(Model):
    rate_pps: float | None
    blocking_ms: float | None
    load: float | None


class ModelCurves(Model):
    blocking_ms: list[float]
    finite_hold_ms: float


class TcpResult(Model):
    blocked: str
    hold: str
    bps: float | None
    reproduces_paper: bool | None
    note: str


class HoldRecommendation(Model):
    title: str
    hold: str
    loss: float | None
    reason: str


class MeasuredGateway(Model):
    node: str
    rate_pps: float | None
    blocking_ms: float | None
    loss: float | None
    hold: str
    model: BlockingResult
    url: str


class MeasuredPort(Model):
    node: str
    port: str
    rate_pps: float | None
    url: str


class IncidentObject(Model):
    kind: str
    name: str
    url: str


class IncidentCommentOut(ClockStep):
    id: int
    author: str


class LinkEnd(Model):
    node: str
    port: str | None
    port_id: int | None
    url: str


class Evidence(Model):
    source: str
    by: str
    since: AwareDatetime
    at: AwareDatetime


class WindowTargetOut(Model):
    kind: str
    id: int | None
    name: str
    url: str | None


class OccurrenceOut(Model):
    begins_at: AwareDatetime
    ends_at: AwareDatetime


class HoldingOut(Model):
    node: str
    port: str
    mac: str
    owner: str
    since: AwareDatetime
    until: AwareDatetime | None


class GatewayOut(Model):
    role: str
    text: str
    reachability: str


class ManagementOut(Model):
    state: str
    scope: str
    policies: list[str]
    since: AwareDatetime
    by: str
    text: str


class MatchersModel(Model):
    severities: Annotated[list[str], Field(max_length=2)]
    kinds: Annotated[list[str], Field(max_length=100)]
    roles: Annotated[list[str], Field(max_length=100)]
    fabrics: Annotated[list[str], Field(max_length=100)]
    labels: Annotated[dict[str, str], Field(max_length=100)]
    zone: str = "UTC"


class StepOut(Model):
    after_s: float
    channels: list[int]
    schedules: list[int]
    targets: list[str]


class SiteOut(Model):
    id: int
    name: str
    title: str
    rate_scale: float


class OverviewItem(Model):
    title: str
    detail: str
    state: str
    since: AwareDatetime | None
    until: AwareDatetime | None
    confirm_by: AwareDatetime | None
    refusal: str = ""
    url: str


class OutageOut(Model):
    id: int
    start: AwareDatetime
    end: AwareDatetime | None
    duration_ms: float
    text: str
    cause: str


class PathCause(Model):
    id: int
    text: str
    url: str


class GatewayState(Model):
    name: str
    active: bool
    standby: str | None
    since: AwareDatetime | None
    rtt_ms: float | None


class PlanCheckOut(Model):
    check: str
    level: str
    text: str
    nodes: list[str]


class PolicyProgress(Model):
    confirmed: int
    text: str


class PortTrendOut(Model):
    port_id: int
    in_mean: list[int | None]
    out_mean: list[int | None]


class ComparedLoad(LaneLoadOut):
    measured_bps: int | None


class RuleParameterOut(Model):
    name: str
    label: str
    unit: str
    minimum: float
    maximum: float
    default: float
    value: float
    help: str


class RulePreviewCount(Model):
    name: str
    incidents: int


class OverrideModel(Model):
    start: AwareDatetime
    end: AwareDatetime
    person: str


class ShiftOut(Model):
    person: str
    start: AwareDatetime
    end: AwareDatetime


class SearchResult(IncidentObject):
    detail: str
    why: str


class DifferenceOut(Model):
    prefix: str
    before: list[str]
    after: list[str]


class UnclearRowsOut(Model):
    reason: str
    rows: int


class FlowOut(EndsOut):
    path: list[str]


class MeasuredOut(Model):
    rate: float
    seconds: list[float]
    duration_s: float | None
    loss: float | None
    rtt_s: float | None


class TestAssignmentOut(Model):
    id: int
    node: str
    role: str
    state: str
    detail: str
    late_ms: float | None
    program: str
    command: str
    host: dict[str, Any] | None
    ports: list[dict[str, Any]]
    result: dict[str, Any] | None


class GridCellOut(EndsOut):
    rate: float | None
    cells: list[int]
    states: list[str]
    verdict: str


class RegressionOut(Model):
    outcome: str
    change: float
    sentence: str
    cells: int
    runs: int


class NamedVerdict(Model):
    name: str
    cells: list[int]
    sentence: str


class CitationOut(Model):
    title: str
    cite: str
    figure: str
    about: str


class ConclusionOut(Model):
    row: str
    paper: str
    verdict: str
    confidence: str
    sentence: str
    agrees: bool


class TrackRecordStatus(Model):
    site: str
    headline: str
    measured: int
    median_error: float | None
    worst_error: float | None


class VerdictEvidence(Model):
    text: str
    supports: bool


class ArpPortSettings(Model):
    settings: dict[str, int]


class ArpHandedEntryOut(Model):
    address: str
    mac: str
    node: str
    status: str
    found: str


class VerdictCounts(Model):
    total: int
    holds: int
    would_not_hold: int


class ActiveGateway(Model):
    name: str
    nodes: int


class ImpactLink(Model):
    name: str
    bps: int
    utilisation: float


class Advice(Model):
    site: str
    headline: str
    age_s: float | None
    is_stale: bool
    skipped: int
    further: int
    error: str
    items: list[AdviceItem]


class ArpRuleOut(Model):
    fabric: str
    kind: str
    applies: bool
    broken: int
    text: str
    lines: list[ArpRuleLine]


class ArpShapeOut(Model):
    nodes: list[str]
    differences: list[ArpDifferenceOut]
    files: list[FileDiffOut]
    files_omitted: int


class ChangeNodeOut(Model):
    node: str
    wave: int
    engine: str | None
    state: str
    since: AwareDatetime
    reason: str
    by: str
    checks: list[StageChecksOut]
    failed: list[EvidenceOut]


class ChangeOut(FailedComponent):
    title: str
    reason: str
    ticket: str
    state: str
    state_text: str
    stale: bool = False
    since: AwareDatetime
    age_s: float
    author: str
    site: str
    policies: list[str]
    nodes: int
    confirmed: int
    wave: int | None
    waves: int
    confirm_by: AwareDatetime | None
    may: list[str]
    may_not: dict[str, str]
    url: str


class ChannelOut(FailedComponent):
    site: str
    label: str
    person: str
    enabled: bool
    state: str
    since: AwareDatetime
    failure: str
    worked_at: AwareDatetime | None
    waiting: int


class CircuitPlanOut(Model):
    members: int
    pairs: int
    capacity: int
    limits: str
    sizes: list[CircuitSize]
    advised: str
    advice: str
    planned: int
    circuits: list[PlannedCircuit]
    device: str | None
    text: str


class CircuitSide(DeclaredSide):
    port_id: int | None
    reported: str | None
    strays: list[str]


class ClockOut(ClockStep):
    node: str
    source: str
    against: str
    state: str
    offset_s: float
    error_s: float
    age_s: float
    drift_ppm: float | None
    drift_error_ppm: float | None
    step: ClockStep | None
    incident: ClockIncident | None
    url: str


class DeclaredHop(Model):
    node: str
    into: DeclaredSide | None
    out: DeclaredSide | None
    shape: CircuitShape | None
    joins: bool


class DeliveryOut(RulePreviewCount):
    id: int
    status: str
    reason: str
    target: str
    route: str | None
    key: str
    attempts: int
    failure: str
    next_at: AwareDatetime | None
    took_ms: float | None
    created_at: AwareDatetime
    ended_at: AwareDatetime | None


class DeviceMetricOut(IncidentObject):
    id: str
    metric: str
    subject: str
    collector: str
    unit: str
    sentence: str
    state: str
    value: float | None
    reported_state: str | None
    per_s: float | None
    outcome: str
    port_id: int | None
    since: AwareDatetime | None
    at: AwareDatetime
    age_s: float


class DriftOut(Model):
    node: str
    engine: str | None
    state: str
    since: AwareDatetime
    age_s: float
    running_differs: bool
    saved_differs: bool
    reboot: bool
    on_fallback: bool
    text: str
    items: list[DriftItem]
    url: str


class DrillOut(FailedComponent):
    site: str
    policy: str
    gateway: str
    nodes: list[str]
    state: str
    state_text: str
    since: AwareDatetime
    age_s: float
    author: str
    may_cancel: bool
    reason: str
    at: AwareDatetime
    seconds: float
    every_days: int | None
    refused_because: list[str]
    members: list[DrillNodeOut]
    worst_outage_ms: float | None
    fallback_bps: int | None
    url: str


class DuplicateOut(Model):
    address: str
    fabric: str | None
    since: AwareDatetime
    age_s: float
    macs: list[DuplicateMac]
    incident: TableIncident | None


class EffectiveRuleOut(Model):
    kind: str
    name: str
    about: str
    enabled: bool
    severity: str
    settings: list[EffectiveValueOut]


class EventGroupPageOut(Model):
    items: list[EventGroupOut]
    next: str | None
    total: int
    grouped_since: AwareDatetime | None


class EventOut(FailedComponent):
    state: str
    since: AwareDatetime
    age_s: float
    message: str
    node: str | None
    data: dict[str, Any]
    url: str


class ExportOut(RuleFileOut):
    id: int
    by: str
    format: str
    level: str
    start: AwareDatetime
    end: AwareDatetime
    selection: str
    state: str
    created_at: AwareDatetime
    ended_at: AwareDatetime | None
    expires_at: AwareDatetime | None
    progress: float
    rows: int
    bytes: int
    gaps: list[HistoryGapOut]
    gap_count: int
    filename: str
    download: str | None


class ExtensionStep(Model):
    command: str
    text: str
    values: list[ExtensionValue]


class FabricOut(FailedComponent):
    title: str
    usable_rate: int
    mtu: int
    arp: str
    ports: int
    url: str


class FailureListed(FailedComponent):
    key: str
    members: list[str]
    verdict: str
    state: str
    since: AwareDatetime
    reason: str
    sentence: str
    has_fallback: bool
    worst: LaneLoadOut | None
    worst_gateway: GatewayPacketsOut | None
    moved_nodes: int
    moved_bps: int
    cut_off_nodes: int
    cut_off_bps: int
    growth_percent: float | None
    url: str


class Forecasts(Model):
    items: list[ForecastListed]
    next: str | None
    status: ForecastStatus


class HippiModel(Model):
    site: str
    at: AwareDatetime
    headline: str
    gateway: str
    parameters: ModelParameters
    unlimited: BlockingResult
    finite: BlockingResult
    curves: ModelCurves
    tcp: list[TcpResult]
    recommendations: list[HoldRecommendation]
    gateways: list[MeasuredGateway]
    ports: list[MeasuredPort]
    ports_total: int
    limits: list[str]


class HoldOut(ClockStep):
    id: int
    node: str
    state: str
    origin: str
    by: str
    reason: str
    seconds: float
    until: AwareDatetime
    detail: str


class IncidentEvidence(VerdictEvidence):
    source: str
    label: str
    at: AwareDatetime | None
    age_s: float | None
    by: str


class LinkOut(FailedComponent):
    fabric: str
    usable_rate: int
    mtu: int
    source: LinkEnd
    target: LinkEnd
    state: str
    state_text: str
    carrier: str
    since: AwareDatetime | None
    age_s: float | None
    carries: str
    forward: Load | None
    back: Load | None
    declared: bool | None
    evidence: list[Evidence]
    incidents: int
    url: str


class MaintenanceWindowOut(CalendarFeedOut):
    kind: str
    state: str
    since: AwareDatetime
    age_s: float
    reason: str
    duration_s: int
    zone: str
    rule: str
    begins_at: AwareDatetime | None
    ends_at: AwareDatetime | None
    mutes_notifications: bool
    pauses_rules: bool
    pauses_tests: bool
    targets: list[WindowTargetOut]
    url: str


class NeighbourHistory(Model):
    address: str
    at: AwareDatetime | None
    kept_days: int
    items: list[HoldingOut]


class NeighbourTable(Model):
    node: str
    port: str
    fabric: str | None
    state: str
    at: AwareDatetime
    age_s: float
    ipv4: int
    ipv6: int
    incomplete: int
    capacity_ipv4: int | None
    share: float | None
    broadcasts_per_s: float | None
    talker: str
    talker_owner: str
    incidents: list[TableIncident]
    url: str


class NewWallboardOut(WallboardOut):
    path: str


class NodeOut(FailedComponent):
    title: str
    role: str
    state: str
    state_text: str
    reporting: str | None
    gateway: GatewayOut | None
    since: AwareDatetime | None
    age_s: float | None
    node_number: int | None
    switch_node_number: int | None
    agent: str | None
    labels: dict[str, str]
    engine: str | None
    management: ManagementOut | None
    hold: HoldOut | None
    url: str


class NotificationRouteOut(Model):
    id: int
    name: str
    site: str
    position: int
    enabled: bool
    matchers: MatchersModel
    steps: list[StepOut]


class OverviewTile(Model):
    kind: str
    total: int
    items: list[OverviewItem]
    url: str
    lag: str


class PastTile(Model):
    kind: str
    total: int
    items: list[OverviewItem]
    url: str
    lag: str


class PathGroupOut(Model):
    key: str
    kind: str
    text: str
    paths: int
    policy: str
    prefix: str
    in_force: bool | None
    preferred: str
    active: str
    state: str
    end_to_end: str
    placement: str
    standby: str | None
    since: AwareDatetime | None
    last_outage: OutageOut | None
    cause: PathCause | None
    url: str


class PathOut(FailedComponent):
    policy: str
    node: str
    prefix: str
    active: str
    preferred: str
    on_fallback: bool
    state: str
    state_text: str
    end_to_end: str
    placement: str
    standby: str | None
    since: AwareDatetime | None
    age_s: float | None
    target: str | None
    rtt_ms: float | None
    detection: str
    last_outage: OutageOut | None
    standby_dead: list[str]
    engine: str | None
    in_force: bool | None
    saved: str
    move: MoveOut | None
    hold: HoldOut | None
    gateways: list[GatewayState]
    hops: list[str]
    links: list[int]
    url: str


class PolicyOut(FailedComponent):
    site: str
    prefix: str
    gateways: list[str]
    detection: str
    target: str | None
    nodes: list[str]
    note: str
    origin: str
    progress: PolicyProgress
    url: str


class PortOut(FailedComponent):
    node: str
    fabric: str | None
    state: str
    state_text: str
    carrier: str
    since: AwareDatetime | None
    age_s: float | None
    usable_rate: int
    mtu: int
    mac: str
    in_bps: int | None
    out_bps: int | None
    utilisation: float | None
    url: str


class PortTrendsOut(Model):
    at: list[float]
    level: str
    ports: list[PortTrendOut]


class PredictionCheckOut(Model):
    id: int
    gateway: str
    cause: str
    drill: int | None
    started_at: AwareDatetime
    ended_at: AwareDatetime | None
    moved_nodes: int
    verdict: str | None
    state: str
    reason: str
    median_error: float | None
    worst_error: float | None
    worst: ComparedLoad | None
    links: list[ComparedLoad]


class RouteEnd(FailedComponent):
    port: str


class RouteHopOut(Model):
    start: RouteEnd
    end: RouteEnd
    link: int
    link_name: str
    state: str
    state_text: str
    fabric: str
    usable_rate: int | None
    mtu: int | None
    arp: str
    basis: str
    policy: str


class RuleOut(Model):
    kind: str
    name: str
    group_title: str
    summary: str
    about: str
    enabled: bool
    severity: str
    has_own_severity: bool
    parameters: list[RuleParameterOut]
    overrides: int
    open_incidents: int
    runbook: str
    origin: str
    changed_by: str | None


class RuleOverrideOut(FailedComponent):
    scope: str
    match: str
    enabled: bool | None
    severity: str | None
    parameters: dict[str, float]
    origin: str
    changed_by: str | None


class RulePreviewOut(Model):
    start: AwareDatetime
    end: AwareDatetime
    incidents: int
    objects: int
    read: int
    worst: list[RulePreviewCount]
    notes: list[str]


class ScheduleOut(Model):
    id: int
    name: str
    site: str
    people: list[str]
    zone: str
    days: int
    overrides: list[OverrideModel]
    on_call: str | None
    without_channel: list[str]
    shifts: list[ShiftOut]


class SearchResults(Model):
    query: str
    items: list[SearchResult]


class ShapeOut(Model):
    nodes: list[str]
    engine: str
    differences: list[DifferenceOut]
    files: list[FileDiffOut]
    files_omitted: int


class SiteDifferences(Model):
    start: AwareDatetime
    end: AwareDatetime
    known_since: AwareDatetime
    headline: str
    opened: list[DifferentIncident]
    opened_total: int
    resolved: list[DifferentIncident]
    resolved_total: int
    passed: int
    nodes: list[DifferentObject]
    nodes_total: int
    ports: list[DifferentObject]
    ports_total: int
    paths: list[DifferentPaths]
    paths_total: int
    returned: int
    actions: list[EventOut]
    actions_total: int


class TableReadingOut(Model):
    table: str
    columns: int
    rows: int
    results: int | None
    not_understood: list[UnclearRowsOut]
    duration_ms: float
    interruptions: int
    error: str


class TestGridOut(FailedComponent):
    site: str
    state: str
    since: AwareDatetime
    age_s: float
    plan_id: int
    run: str
    hosts: list[str]
    cells: list[GridCellOut]
    sentence: str
    suspects: list[SuspectOut]
    url: str


class TrackRecord(Model):
    items: list[PredictionCheckOut]
    next: str | None
    status: TrackRecordStatus


class TrafficMove(Model):
    policy: str
    prefix: str
    from_gateway: FailedComponent | None
    to_gateway: FailedComponent | None
    outcome: str
    nodes: int
    out_bps: int
    in_bps: int
    unknown_nodes: int


class VerdictOut(Model):
    name: str
    confidence: str
    sentence: str
    remedy: str
    evidence: list[VerdictEvidence]


class ArpPolicyOut(Model):
    site: str
    fabric: str
    mode: str
    settings: dict[str, int]
    ports: list[ArpPortSettings]
    table: dict[str, int]
    note: str = ""
    id: int
    name: str
    confirmed: int
    state: str
    state_text: str
    url: str


class ArpHandOverOut(Model):
    node: str
    port: str
    fabric: str
    done: bool
    reminders: list[str]
    entries: list[ArpHandedEntryOut]


class CalendarEventOut(Model):
    name: str
    zone: str
    rule: str
    upcoming: list[OccurrenceOut]


class CapacityStatus(Model):
    site: str
    headline: str
    state: str
    age_s: float | None
    is_stale: bool
    error: str
    failing_since: AwareDatetime | None
    method: str
    fallbacks: VerdictCounts
    unknown_nodes: int
    carried_bps: int
    unattributed_share: float | None


class ChangeStep(ClockStep):
    person: str


class PolicyOutcomeOut(Model):
    policy: str
    prefix: str
    preferred: str
    nodes: int
    active: list[ActiveGateway]
    state: str
    state_text: str
    url: str


class FallbacksOut(VerdictCounts):
    headline: str
    state: str
    items: list[OverviewItem]
    age_s: float | None
    is_stale: bool
    error: str
    url: str


class PolicyPathsOut(Model):
    policy: str
    prefix: str
    preferred: str
    nodes: int
    active: list[ActiveGateway]
    state: str
    state_text: str
    url: str


class ImpactOut(Model):
    failure: str
    kind: str
    id: int
    verdict: str
    text: str
    links: list[ImpactLink]
    seconds: float | None


class CellVerdictOut(VerdictOut):
    others: list[VerdictOut]


class ArpFabricOut(Model):
    fabric: str
    kind: str
    declared: str
    policy: ArpPolicyOut | None
    running: str
    state: str
    state_text: str


class ArpPlanOut(Model):
    shapes: list[ArpShapeOut]
    hand_overs: list[ArpHandOverOut]
    entries: list[ArpEntryOut]


class CalendarFileOut(Model):
    events: list[CalendarEventOut]
    problems: list[CalendarProblemOut]
    created: int
    changed: int


class CapacityFailures(Model):
    items: list[FailureListed]
    next: str | None
    status: CapacityStatus


class CircuitHop(Model):
    node: str
    into: CircuitSide | None
    out: CircuitSide | None
    shape: CircuitShape | None
    faults: list[str]
    joins: bool


class CircuitOut(FailedComponent):
    state: str
    state_text: str
    ends: list[str]
    labels: list[str]
    shape: str | None
    note: str
    hops: list[CircuitHop]
    url: str


class CircuitVersionOut(FailedComponent):
    since: AwareDatetime | None
    until: AwareDatetime | None
    ends: list[str]
    labels: list[str]
    note: str
    hops: list[DeclaredHop]
    url: str | None


class CollectorOut(IncidentObject):
    id: str
    state: str
    state_text: str
    outcome: str
    detail: str
    duration_ms: float
    since: AwareDatetime | None
    at: AwareDatetime
    age_s: float
    answered_at: AwareDatetime | None
    agent: str | None
    tables: list[TableReadingOut]
    record_command: str


class DeliveryDetail(DeliveryOut):
    text: str


class ExtensionCheckOut(Model):
    node: str
    fabric: str
    arp: bool
    attachable: bool
    ports: list[SwitchPortOut]
    proposal: ExtensionProposal
    checks: list[CheckOut]
    steps: list[ExtensionStep]
    undo: list[ExtensionStep]
    site_file: str


class ExtensionOut(Model):
    id: int
    name: str
    port: str
    fabric: str
    state: str
    state_text: str
    place: str
    node_number: int | None
    switch_node_number: int | None
    address: str | None
    arp: bool
    age_s: float | None
    attributes: list[ExtensionAttribute]
    checks: list[CheckOut]
    steps: list[ExtensionStep]
    undo: list[ExtensionStep]
    url: str


class FailureDetail(Model):
    failed: list[FailedComponent]
    verdict: str
    state: str
    reason: str
    sentence: str
    has_fallback: bool
    growth_percent: float | None
    moves: list[TrafficMove]
    links: list[LaneLoadOut]
    links_total: int
    gateways: list[GatewayPacketsOut]
    cut_off_nodes: int
    cut_off_bps: int
    stopped: Annotated[list[StoppedTraffic], Field(validate_default=True)] = []
    loops: list[str]
    redundancy_lost_nodes: int


class IncidentDetail(IncidentOut):
    evidence: list[IncidentEvidence]
    objects: list[IncidentObject]
    comments: list[IncidentCommentOut]


class MaintenanceWindowDetail(MaintenanceWindowOut):
    upcoming: list[OccurrenceOut]
    everything: bool
    nodes: int
    links: int
    paths: int


class NodeRouteOut(Model):
    failed: str | None
    outcome: str
    reason: str
    hops: list[RouteHopOut]
    usable_rate: int | None
    narrowest: RouteHopOut | None
    mtu: int | None
    is_moved: bool


class Overview(Model):
    site: SiteOut
    nodes_total: int
    at: AwareDatetime
    headline: str
    tiles: list[OverviewTile]
    policies: list[PolicyOutcomeOut]
    fallbacks: FallbacksOut
    paths_total: int
    paths_on_fallback: int
    paths_dead: int
    paths_unknown: int
    open_incidents: int
    root_causes: int
    held_nodes: int


class PastOverview(Model):
    site: SiteOut
    nodes_total: int
    at: AwareDatetime
    start: AwareDatetime
    headline: str
    tiles: list[PastTile]
    policies: list[PolicyPathsOut]
    paths_total: int
    paths_on_fallback: int
    paths_dead: int
    paths_unknown: int
    open_incidents: int
    root_causes: int
    held_nodes: int
    not_kept: list[str]


class PlanOut(Model):
    is_whole: bool
    digest: str
    stale: bool
    stale_because: str = ""
    blocked: bool
    summary: str
    shapes: list[ShapeOut]
    checks: list[PlanCheckOut]
    impacts: list[ImpactOut]
    impacts_omitted: int
    arp: ArpPlanOut | None
    reminders: list[str]
    waves: list[list[str]]


class RoutesBetween(Model):
    site: str
    source: str
    routes: list[NodeRouteOut]


class TestCellOut(Model):
    index: int
    key: str
    flows: list[FlowOut]
    parameters: ParametersOut
    state: str
    detail: str
    ended_at: AwareDatetime | None
    rate: float | None
    used: float | None
    measured: MeasuredOut | None
    verdict: CellVerdictOut | None


class TestRunOut(IncidentObject):
    id: str
    site: str
    plan: str
    plan_id: int | None
    shape: str
    source: str
    state: str
    state_text: str
    since: AwareDatetime | None
    age_s: float
    waits_for: str
    person: str
    asked_at: AwareDatetime | None
    began_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    cells_total: int
    cells_over: int
    cells_bad: int
    progress: float
    remaining_s: float | None
    verdict: VerdictOut | None
    used: str
    regression: RegressionOut | None
    may_cancel: bool


class WhatIf(Model):
    site: str
    at: AwareDatetime
    load: str
    growth_percent: float
    method: str
    failure: FailureDetail
    unknown_nodes: int
    carried_bps: int
    unattributed_share: float | None


class ChangeDetail(ChangeOut):
    plan: PlanOut | None
    approvals: list[ApprovalOut]
    members: list[ChangeNodeOut]
    has_all_members: bool
    progress: list[WaveOut]
    history: list[ChangeStep]


class ComparisonOut(Model):
    before: TestRunOut
    after: TestRunOut
    outcome: str
    change: float
    sentence: str
    differences: list[CellDifference]
    only_before: list[PointOut]
    only_after: list[PointOut]


class TestCellDetail(TestCellOut):
    assignments: list[TestAssignmentOut]


class TestPlanOut(FailedComponent):
    site: str
    state: str
    state_text: str
    since: AwareDatetime
    age_s: float
    shape: str
    senders: list[str]
    receivers: list[str]
    fabric: str
    matrix: dict[str, Any]
    repeats: int
    schedule: str
    next_at: AwareDatetime | None
    priority: int
    quiet_percent: float | None
    budget_bytes: int | None
    budget_s: int | None
    enabled: bool
    note: str
    author: str
    created_at: AwareDatetime
    cells: int
    runs: int
    last_run: TestRunOut | None
    may_run: bool
    url: str


class TestRunDetail(TestRunOut):
    outcome: str
    cells: list[TestCellOut]
    verdicts: list[NamedVerdict]
    citation: CitationOut | None
    conclusions: list[ConclusionOut]
