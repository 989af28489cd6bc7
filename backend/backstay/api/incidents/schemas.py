"""Incidents and their acknowledgement."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from backstay.alerts.rules import RULES
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body, State
from backstay.api.links.schemas import Direction
from backstay.core.diagnosis.faults.fault import EvidenceSource
from backstay.core.model.progress import ShownPhase

IncidentKind = Annotated[
    Text, WithJsonSchema({"type": "string", "enum": list(RULES), "description": "The rule's kind"})
]


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
    comment: str
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

    kind: Literal["node", "link", "path", "policy", "incident"]
    name: str
    url: str


class IncidentDetail(IncidentOut):
    """An incident with its evidence and objects."""

    evidence: list[IncidentEvidence] = Field(description="Supporting observations first")
    objects: list[IncidentObject] = Field(
        description="Its root cause, node, link and policies, and the first of its paths"
    )


class Acknowledge(Body):
    """Body of `POST /incidents/{id}/acknowledge`."""

    comment: str = Field("", max_length=2000)
