"""Drills: deliberate failovers that are measured."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body, Reason
from backstay.core.model.progress import DrillState, MoveState


class DrillIn(Body):
    """Body of `POST /drills`: fail over, measure, fail back."""

    policy: int
    nodes: list[str] = Field(
        default_factory=list, description="Nodes of the drill; empty: all nodes of the policy"
    )
    gateway: str = Field("", description="Gateway to fail over to; empty: each node's next one")
    seconds: float = Field(30.0, ge=5, le=3600)
    at: datetime | None = Field(None, description="Start time; null: now")
    every_days: int | None = Field(
        None, ge=1, le=366, description="Repeat after this many days; null: run once"
    )
    reason: Reason = ""


class DrillNodeOut(BaseModel):
    """One node in a drill."""

    node: str
    node_id: int
    path_id: int
    gateway: str
    moved_at: datetime | None
    state: MoveState
    detail: str
    outage_out_ms: float | None
    outage_back_ms: float | None
    rtt_ms: float | None


class DrillOut(BaseModel):
    """A drill, planned, running or kept as evidence."""

    id: int
    name: str
    kind: Literal["drill"] = "drill"
    site: str
    policy: str
    policy_id: int
    gateway: str = Field(description="Gateway to fail over to; empty: each node's next one")
    nodes: list[str] = Field(description="Nodes of the drill; empty: all nodes with the policy")
    state: DrillState
    state_text: str
    since: datetime
    age_s: float
    author: str
    cancelled_by: str
    may_cancel: bool = Field(description="Whether this user may cancel it now")
    reason: str
    at: datetime = Field(description="Scheduled or actual start")
    seconds: float
    every_days: int | None
    refused_because: list[str]
    members: list[DrillNodeOut]
    worst_outage_ms: float | None
    fallback_bps: int | None = Field(
        description="Peak (1 s) on the fallback's links while it carried traffic"
    )
    fallback_utilisation: float | None
    url: str
