"""Incidents, and what people do with them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, WithJsonSchema

from backstay.alerts.rules import RULES
from backstay.api.http.list_query import Id, Text
from backstay.api.http.schemas import Body, State
from backstay.api.links.schemas import Direction
from backstay.core.diagnosis.faults.fault import EvidenceSource
from backstay.core.model.progress import ShownPhase

IncidentKind = Annotated[
    Text, WithJsonSchema({"type": "string", "enum": list(RULES), "description": "The rule's kind"})
]


PhaseFilter = Literal[ShownPhase, "current"]
Comment = Annotated[str, Field(max_length=2000)]
Muted = Literal["snoozed", "maintenance"]


class IncidentOut(BaseModel):
    """One problem of one object, from detection to resolution."""

    id: int
    name: str = Field(description="The object: link, node or path")
    kind: IncidentKind
    state: State
    phase: ShownPhase
    title: str
    detail: str
    direction: Direction | None
    since: datetime
    last_seen: datetime
    resolved_at: datetime | None
    age_s: float
    acknowledged_by: str | None
    acknowledged_at: datetime | None
    comment: str = Field(description="Of the acknowledgement")
    owner: str | None = Field(description="User who deals with it")
    snoozed_until: datetime | None = Field(description="No notifications until then; null: not snoozed")
    snoozed_by: str | None
    muted: Muted | None = Field(description="Why it does not notify now; null: it does")
    occurrences: int = Field(description="How often the condition began: more than 1 is flapping")
    flapping_since: datetime | None = Field(
        description="First occurrence, if it came back; `since` is the newest"
    )
    quiet_since: datetime | None = Field(
        description="The condition is over; the incident stays open in case it comes back"
    )
    resolves_at: datetime | None = Field(description="When a quiet incident resolves")
    node_id: int | None
    link_id: int | None
    path_ids: list[int]
    cause_id: int | None = Field(description="The root cause")
    effects: int = Field(
        description="Number of incidents that it causes: the open ones, or all once it is resolved"
    )
    dead_paths: list[int] = Field(description="For a root cause: number of paths without a working gateway")
    rerouted_paths: list[int] = Field(description="For a root cause: number of paths on another gateway")
    standby_paths: list[int] = Field(description="For a root cause: number of paths that lost a standby")
    runbook: str = Field(description="File with the steps to take, e.g. docs/runbooks/link-down.md")
    value: float | None = Field(description="The value that opened it, e.g. utilisation")
    threshold: float | None
    url: str


class IncidentEvidence(BaseModel):
    """One observation for or against the incident."""

    source: EvidenceSource
    label: str = Field(description="Description of the source")
    text: str
    at: datetime | None
    age_s: float | None
    by: str = Field(description="Names of the reporting nodes")
    supports: bool = Field(description="false: the observation contradicts the incident")


class IncidentObject(BaseModel):
    """One object that an incident is about, with its page."""

    kind: Literal["node", "link", "path", "policy", "incident", "change", "test_run", "window"]
    name: str
    url: str


class IncidentCommentOut(BaseModel):
    """What a person wrote about an incident."""

    id: int
    author: str
    text: str
    at: datetime


class IncidentMetric(BaseModel):
    """A device metric that an incident is about."""

    node_id: int
    metric: str
    subject: str = Field(description="Port or part; empty: the device as a whole")
    name: str = Field(description="`Temperature of temp1`")
    threshold: float | None = Field(description="In the metric's unit; of a counter per second")


class IncidentPath(BaseModel):
    """A path that an incident affects."""

    id: int
    node: str
    prefix: str


class IncidentCharts(BaseModel):
    """What is measured of the objects of an incident, and the time to draw; all lists empty: nothing is."""

    start: datetime = Field(description="30 min before it began")
    end: datetime | None = Field(description="30 min after its end; null: now")
    metrics: list[IncidentMetric] = Field(description="The worst first")
    link_ids: list[int] = Field(description="Its link, or links of its node or fabric; the load")
    paths: list[IncidentPath] = Field(description="The worst first; gateways, switches and outages")
    clock: str | None = Field(
        description="Node of the clock that it is about; its last offsets: `list_clocks`"
    )
    direction: Direction | None
    threshold: float | None = Field(description="Utilisation of its link")
    more: int = Field(description="Further objects with a history, which are left out")


class IncidentDetail(IncidentOut):
    """An incident with its evidence and objects."""

    evidence: list[IncidentEvidence] = Field(description="Supporting observations first")
    objects: list[IncidentObject] = Field(
        description="Its root cause, node, link, policies and the first of its paths; changes of its nodes,"
        " from 30 min before it, tests that they took part in, and maintenance windows about it now"
    )
    comments: list[IncidentCommentOut] = Field(description="Oldest first")
    charts: IncidentCharts


class Acknowledge(Body):
    """Body of `POST /incidents/{id}/acknowledge`."""

    comment: Comment = ""


class Snooze(Body):
    """Body of `POST /incidents/{id}/snooze`: until a time, or for a time; neither ends the snooze."""

    until: AwareDatetime | None = Field(None, description="At most 30 days from now")
    for_s: int | None = Field(None, ge=60, le=30 * 86400, description="Seconds from now, instead of `until`")
    comment: Comment = ""


class Assign(Body):
    """Body of `POST /incidents/{id}/assign`."""

    owner: Text | None = Field(description="User name; null: nobody")
    comment: Comment = ""


class CommentIn(Body):
    """Body of `POST /incidents/{id}/comments`."""

    text: str = Field(min_length=1, max_length=2000)


class IncidentSummary(BaseModel):
    """The incidents that a list with the same filters has."""

    count: int
    digest: str = Field(description="Identifies exactly these incidents; for `bulk_incidents`")
    snoozed: int = Field(description="Of all unresolved incidents of the site")
    in_maintenance: int = Field(description="Of all unresolved incidents of the site, without snoozed ones")
    suppressed: int = Field(description="Findings that opened no incident because of a maintenance window")


class BulkFilter(Body):
    """Filters as of `list_incidents`."""

    q: Text | None = None
    phase: PhaseFilter | None = None
    state: State | None = None
    kind: IncidentKind | None = None
    node: Text | None = None
    link_id: Id | None = None
    root: bool | None = None
    cause_id: Id | None = None
    owner: Text | None = None
    has_owner: bool | None = None
    muted: bool | None = None


class BulkIn(Body):
    """Body of `POST /incidents/bulk`: exactly the incidents that the user saw."""

    site: str
    action: Literal["acknowledge", "snooze", "assign"]
    filter: BulkFilter
    count: int = Field(ge=0, description="`count` of the summary that the user saw")
    digest: str = Field(max_length=64, description="`digest` of the summary that the user saw")
    until: AwareDatetime | None = Field(None, description="Of a snooze; null with `for_s` null ends it")
    for_s: int | None = Field(None, ge=60, le=30 * 86400, description="Of a snooze, instead of `until`")
    owner: Text | None = Field(None, description="Of an assignment; null: nobody")
    comment: Comment = ""


class BulkOut(BaseModel):
    """What a bulk action did."""

    changed: int
    unchanged: int = Field(description="Resolved, or for an acknowledgement not open")
