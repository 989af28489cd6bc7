"""Incidents: what is wrong, since when, and who has seen it."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body, State
from backstay.api.links.schemas import Direction


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


class Acknowledge(Body):
    """Body of `POST /incidents/{id}/acknowledge`."""

    comment: str = Field("", max_length=2000)
