"""Holds of nodes."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body, Reason
from backstay.core.model.progress import HoldOrigin, HoldState


class HoldIn(Body):
    """Body of `POST /nodes/{id}/hold`: leave the node's routes to an operator for a limited time."""

    seconds: float = Field(1800.0, ge=5, le=86_400)
    reason: Reason = ""


class HoldOut(BaseModel):
    """A hold: a node's managed routes are left to an operator and failover is paused."""

    id: int
    node: str
    node_id: int
    state: HoldState = Field(
        description="waiting: the node has not confirmed it; ending: the node has not confirmed its end"
    )
    text: str = Field(description="`held until 14:32 UTC by alice`")
    origin: HoldOrigin = Field(description="node: set with `backstay-agent hold`")
    by: str
    reason: str
    seconds: float
    at: datetime = Field(description="When it was requested or began")
    until: datetime = Field(description="When it ends or ended")
    ended_by: str = Field(description="Who ended it early; empty: it was not ended early")
    detail: str = Field(description="Last report of the node")
    can_end: bool = Field(
        description="Whether it can be ended here: a hold that was set on the node can be ended only there"
    )
