"""Events and their kinds."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Page, State
from backstay.core.model.event_kinds import EventKind

AnnotationKind = Literal["incident", "failover", "change", "test"]


class EventOut(BaseModel):
    """An event, as one sentence with its values."""

    id: int
    kind: EventKind
    name: str = Field(description="Object of the event: node, port, path")
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


class EventGroupOut(BaseModel):
    """Events with one root cause; without one, events of one object at about the same time."""

    key: str = Field(description="Pass it as `group` to `GET /events`, with `start` and `end` of this group")
    title: str = Field(description="What happened, without its times: `grf1 failed over`")
    detail: str = Field(description="`7 paths rerouted to atmgw, at most 300 ms lost, restored`")
    state: State = Field(description="ok once everything is restored")
    start: datetime
    end: datetime | None = Field(description="Null: ongoing")
    first_at: datetime = Field(description="Time of the oldest event")
    last_at: datetime = Field(description="Time of the newest event")
    events: int
    kinds: list[EventKind]
    paths: int = Field(description="Number of paths in the events")
    rerouted: int
    dead: int = Field(description="Number of paths that were dead and not rerouted")
    affected: int = Field(description="Number of paths that are not restored")
    outage_ms: float | None = Field(description="Longest measured outage of a path")
    incident_id: int | None = Field(description="The root cause")
    url: str


class EventGroupPageOut(Page[EventGroupOut]):
    """Groups, newest first."""

    total: int = Field(description="Number of groups on all pages")
    grouped_since: datetime | None = Field(
        description="Only events from this time on are grouped, as there are too many; null: all are"
    )


class AnnotationOut(BaseModel):
    """A mark on charts: an incident, failover, change or test."""

    id: int
    at: datetime
    kind: AnnotationKind
    state: State
    text: str
    url: str = Field(description="Page of the object")


class AnnotationsOut(BaseModel):
    """Marks of a range, oldest first."""

    items: list[AnnotationOut]
    is_whole: bool = Field(description="False: there are older ones in the range")
