"""Incidents and their acknowledgement."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from backstay.alerts.rules import RULES
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body, State
from backstay.api.links.schemas import Direction

IncidentKind = Annotated[
    Text, WithJsonSchema({"type": "string", "enum": list(RULES), "description": "The rule's kind"})
]


class IncidentOut(BaseModel):
    """One problem of one object, from detection to resolution."""

    id: int
    name: str = Field(description="The object: link, node or path")
    kind: IncidentKind
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
    cause_id: int | None = Field(description="The root cause")
    value: float | None = Field(description="The value that opened it, e.g. utilisation")
    threshold: float | None
    url: str


class Acknowledge(Body):
    """Body of `POST /incidents/{id}/acknowledge`."""

    comment: str = Field("", max_length=2000)
