"""The public API's shapes: what every client sees, the browser included.

Conventions: times are RFC 3339 UTC, rates integer bit/s, utilisation a float 0..1 of the usable rate,
ages in seconds. A node, port, link, incident or event carries `id`, `name`, `kind`, `state`, `since`,
`age_s` and `url`, the page that is about it. Lists answer `{items, next}`; `next` is an opaque cursor.
"""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field

T = TypeVar("T")

State = Literal["ok", "warning", "critical", "unknown", "disabled"]
"""Five states, everywhere: unknown is stale or never heard of, and never shown as good."""
Direction = Literal["forward", "back"]
"""Of a link: forward runs from its `source` to its `target`."""


class Page(BaseModel, Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None = Field(None, description="Cursor of the next page: pass it as ?cursor=")


class Problem(BaseModel):
    """Every error, whatever the status."""

    code: str
    message: str = Field(description="What went wrong and the next step")
    fields: dict[str, str] = Field(default_factory=dict)


class Person(BaseModel):
    """Who is signed in, and what they may do."""

    username: str
    name: str
    role: Literal["viewer", "operator", "approver", "admin"]
    csrf_token: str


class SignIn(BaseModel):
    """Body of `POST /session`."""

    username: str = Field(max_length=150)
    password: str = Field(max_length=1024)


class SiteOut(BaseModel):
    """One cluster's networks under one set of operators."""

    id: int
    name: str
    title: str
    interval_s: float
    rate_scale: float = Field(
        description="Lab only: rates on the wire are the real ones times this; 1 on a real site"
    )
    imported_at: datetime


class SiteListed(SiteOut):
    """A site among the others that one may see."""

    heard_at: datetime | None = Field(description="When any of its nodes was heard last; null when never")


class FabricOut(BaseModel):
    """One network technology instance at a site."""

    id: int
    name: str
    title: str
    kind: str
    media_rate: int
    usable_rate: int = Field(description="After encoding and framing, and after the site's rate_scale")
    mtu: int
    arp: Literal["on", "off", "none"]
    ports: int
    url: str


class Load(BaseModel):
    """Traffic in one direction, from the newest sample of either end."""

    bps: int
    utilisation: float = Field(description="0..1 of the usable rate; may pass 1 by measuring error")
    peak_bps: int | None = Field(
        None, description="Busiest second of the interval, where the source measures it"
    )
    at: datetime = Field(description="End of the interval")
    fresh: bool = Field(description="False when older than two intervals")


class TopologyNode(BaseModel):
    """A node, or a shared fabric drawn as a node."""

    key: str = Field(description="`node:<id>` or `fabric:<id>`, the end points of links")
    id: int
    name: str
    title: str
    kind: str = Field(description="host, switch, router, gateway, or fabric")
    role: str = Field(description="compute, server, gateway, router; a fabric's technology")
    tier: int = Field(description="Left to right: 0 cluster, 1 fabric, 2 gateways, 3 outside")
    state: State
    state_text: str = Field(description="The state in words: `heard 1 s ago`, `silent for 40 s`")
    since: datetime | None
    age_s: float | None = Field(description="Seconds since it was last heard; null when never")
    incidents: int
    url: str


class TopologyLink(BaseModel):
    """Two ports joined, or a port and its fabric's shared medium."""

    id: int
    name: str
    source: str
    target: str
    source_port: str
    target_port: str | None
    fabric: str
    kind: Literal["link", "circuit", "medium"]
    circuit: str
    usable_rate: int
    state: State
    state_text: str
    carries: Literal["active", "standby", "dead", "none"] = Field(
        description=(
            "What failover policies make of it: on an active path, on a standby path only,"
            " on a path that is dead"
        )
    )
    forward: Load | None
    back: Load | None
    incidents: int
    url: str


class Topology(BaseModel):
    """The site as a graph with live load."""

    site: SiteOut
    at: datetime
    version: str = Field(description="Changes when nodes or links do, not when load does")
    nodes: list[TopologyNode]
    links: list[TopologyLink]


class NodeOut(BaseModel):
    """A node: anything with ports."""

    id: int
    name: str
    title: str
    kind: str
    role: str
    state: State
    state_text: str
    since: datetime | None
    age_s: float | None
    node_number: int | None
    switch_node_number: int | None
    management_address: str | None
    agent: str | None = Field(description="Name of the agent that watches it")
    sys_name: str
    sys_descr: str
    uptime_s: float | None
    clock_offset_s: float | None = Field(description="Its clock minus ours")
    labels: dict[str, str]
    engine: Literal["kernel", "frr", "bird", "gated"] | None = Field(
        description="What installs its routes, where Backstay may change them"
    )
    url: str


class PortOut(BaseModel):
    """One attachment of a node to a fabric."""

    id: int
    name: str
    kind: str = Field(description="The fabric's technology, or `management`")
    node: str
    node_id: int
    fabric: str | None
    link_id: int | None
    state: State
    state_text: str
    since: datetime | None
    age_s: float | None
    if_type: int
    speed: int = Field(description="As the device reports it, bit/s")
    usable_rate: int
    mtu: int
    mac: str
    addresses: list[str]
    measured_at: datetime | None = Field(description="End of the interval that the rates below are of")
    measured_s: float | None = Field(description="Length of that interval")
    in_bps: int | None
    out_bps: int | None
    in_pps: float | None = Field(description="Packets per second")
    out_pps: float | None
    in_utilisation: float | None
    out_utilisation: float | None
    utilisation: float | None = Field(description="The greater of in and out")
    in_errors_ps: float | None
    out_errors_ps: float | None
    url: str


class LinkEnd(BaseModel):
    """One end of a link."""

    node: str
    node_id: int | None
    port: str | None
    port_id: int | None
    url: str


class Evidence(BaseModel):
    """Who says that the link exists, and when."""

    source: str = Field(description="site file, infiniband, lldp, fdb or subnet")
    by: str = Field(description="The node that says so; empty: the site file")
    node_id: int | None
    since: datetime = Field(description="When it first said so")
    at: datetime = Field(description="When it last said so")


class Conflict(Evidence):
    """Who names another end for one of the link's ports."""

    says: str = Field(description="The link that it tells of instead, `node:port-node:port`")


class LinkOut(BaseModel):
    """A link with its ends, its load and what it is for."""

    id: int
    name: str
    kind: Literal["link", "circuit", "medium"]
    circuit: str
    fabric: str
    media_rate: int
    usable_rate: int
    mtu: int
    source: LinkEnd
    target: LinkEnd
    state: State
    state_text: str
    since: datetime | None
    age_s: float | None
    carries: Literal["active", "standby", "dead", "none"]
    forward: Load | None
    back: Load | None
    declared: bool = Field(description="In the site file; else found by evidence alone")
    evidence: list[Evidence]
    conflicts: list[Conflict] = Field(
        description="Shown, not acted on: the site file stands, else the most believed source"
    )
    incidents: int
    url: str


class LinkHistory(BaseModel):
    """A link's load over time: parallel lists, one entry a bin, oldest first.

    A null figure is a gap: nothing was heard, and nothing is interpolated. `mean`, `max` (busiest second
    where the source measures it, else the busiest interval) in bit/s; p95 over 5-minute bins of the range.
    """

    usable_rate: int
    step_s: float
    at: list[float] = Field(description="Unix seconds of each bin's start")
    forward_mean: list[int | None]
    forward_max: list[int | None]
    back_mean: list[int | None]
    back_max: list[int | None]
    forward_p95: int | None
    back_p95: int | None
    measured_at: str = Field(description="The port whose counters these are")
    resets: list[float] = Field(description="Unix seconds at which a counter restarted")


EventKind = Literal[
    "path.switched",
    "path.lost",
    "path.dead",
    "path.restored",
    "path.decision",
    "path.move_asked",
    "path.moved",
    "path.returned",
    "path.move_failed",
    "change.planned",
    "change.approved",
    "change.rolling",
    "change.confirming",
    "change.done",
    "change.rolled_back",
    "change.failed",
    "change.superseded",
    "policy.created",
    "policy.changed",
    "policy.deleted",
    "drift.appeared",
    "drift.gone",
    "drill.scheduled",
    "drill.refused",
    "drill.running",
    "drill.returning",
    "drill.passed",
    "drill.failed",
    "drill.cancelled",
    "port.down",
    "port.up",
    "node.stale",
    "node.heard",
    "node.restarted",
    "incident.opened",
    "incident.resolved",
    "incident.acknowledged",
    "agent.enrolled",
    "site.imported",
    "clock.stepped",
    "spool.dropped",
    "notice",
    "notice.dropped",
    "link.found",
    "link.gone",
    "link.moved",
    "link.conflict",
]


class EventOut(BaseModel):
    """Something that happened, in one sentence with its figures."""

    id: int
    kind: EventKind
    name: str = Field(description="What it is about: node, port, path")
    state: State
    since: datetime = Field(description="When it happened, by the observer's corrected clock")
    age_s: float
    message: str
    node: str | None
    node_id: int | None
    link_id: int | None
    incident_id: int | None
    data: dict[str, Any] = Field(
        description=(
            "By kind. path.switched: {policy, prefix, from, to, outage_ms, lost_probes, probe_interval_ms}"
        )
    )
    url: str


class IncidentOut(BaseModel):
    """One thing wrong with one object, from first seen to resolved."""

    id: int
    name: str = Field(description="The object: link, node or path")
    kind: str = Field(
        description=(
            "The rule: saturation, gateway_failed_over, node_stale, port_down, path_dead, device_alarm,"
            " device_state, drift"
        )
    )
    state: State
    phase: Literal["open", "acknowledged", "resolved"]
    title: str
    detail: str
    direction: Direction | None
    since: datetime
    last_seen: datetime
    resolved_at: datetime | None
    age_s: float
    acknowledged_by: str | None
    acknowledged_at: datetime | None
    comment: str
    node_id: int | None
    link_id: int | None
    path_ids: list[int]
    cause_id: int | None = Field(description="The incident that explains this one")
    value: float | None = Field(description="The figure that opened it, e.g. utilisation")
    threshold: float | None
    url: str


class Acknowledge(BaseModel):
    """Body of `POST /incidents/{id}/acknowledge`."""

    comment: str = Field("", max_length=2000)


class OverviewItem(BaseModel):
    """One line of one of the five answers."""

    title: str
    detail: str
    state: State
    since: datetime | None
    confirm_by: datetime | None = Field(None, description="Of a change: when it is too late to confirm")
    url: str


class OverviewAnswer(BaseModel):
    """One of the five questions, its answer and where to see all of it."""

    question: Literal["broken", "nearly_full", "just_changed", "to_confirm", "out_of_sight"]
    total: int
    items: list[OverviewItem]
    url: str


class Overview(BaseModel):
    """The first page in one request."""

    site: SiteOut
    at: datetime
    headline: str
    answers: list[OverviewAnswer]
    top_links: list[LinkOut]
    paths_total: int
    paths_on_fallback: int
    open_incidents: int


class LinkLoad(BaseModel):
    """One link's load in a live message."""

    id: int
    forward: Load | None
    back: Load | None


class LiveMessage(BaseModel):
    """What `GET /live` sends: SSE `event:` is `type`, `data:` this object, `id:` resumes after a break.

    load: `links` whose figures changed. changed: something else did, so refetch `nouns` (e.g. `incidents`).
    event: one new event. gap: the stream cannot resume from the given id; refetch everything.
    """

    type: Literal["load", "changed", "event", "gap", "hello"]
    site: str
    at: datetime
    links: list[LinkLoad] = Field(default_factory=list)
    nouns: list[str] = Field(default_factory=list)
    event: EventOut | None = None
