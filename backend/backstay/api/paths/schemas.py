"""Moves: a path kept on a gateway for a time."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body, Reason, State
from backstay.api.policies.schemas import Detection
from backstay.core.model.routing import EngineKind


class MoveIn(Body):
    """Body of `POST /paths/{id}/move`: keep the path on a gateway for a time."""

    gateway: str
    seconds: float = Field(600.0, ge=5, le=86_400)
    reason: Reason = ""


class GatewayState(BaseModel):
    """One gateway of a path, as the node sees it."""

    name: str
    node_id: int
    order: int = Field(description="0 is the preferred one")
    active: bool
    alive: bool | None
    since: datetime | None = Field(description="Since when it answers, or does not")
    rtt_ms: float | None


class FailbackOut(BaseModel):
    """The failback to the preferred gateway, which answers: what it waits for."""

    gateway: str
    why: Literal["manual", "after", "hold_down", "recovering", "daemon", "moved"]
    text: str
    until: datetime | None = Field(description="When it is due, where that is known")


class DecisionOut(BaseModel):
    """What the checker on a node decided, with its evidence."""

    at: datetime
    reason: Literal[
        "failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "tried", "start", "refused"
    ]
    from_gateway: str
    to_gateway: str
    evidence: str
    took_ms: float = Field(description="From the decision to the route installed in the kernel")
    held_back: int = Field(description="Switches that damping or hold-down prevented before it")


class MoveOut(BaseModel):
    """A path kept on a gateway on purpose."""

    id: int
    gateway: str
    state: Literal["waiting", "moved", "returned", "refused", "failed"]
    seconds: float
    at: datetime = Field(description="When it was asked for")
    until: datetime | None = Field(description="When the node goes back by itself; null: not moved yet")
    returning: bool = Field(description="An operator requested the return")
    by: str
    reason: str
    detail: str = Field(description="What the node reported last")
    drill_id: int | None


class PathOut(BaseModel):
    """How one node reaches one policy's prefix right now, by observation."""

    id: int
    name: str
    kind: Literal["path"] = "path"
    policy: str
    policy_id: int
    node: str
    node_id: int
    prefix: str
    active: str = Field(description="Gateway in use; empty when there is no route")
    preferred: str
    on_fallback: bool
    state: State
    state_text: str
    since: datetime | None
    age_s: float | None
    target: str | None
    target_alive: bool | None
    rtt_ms: float | None
    detection: Detection
    switches_24h: int
    switches_7d: int
    fallback_24h_s: float = Field(description="Seconds of the last 24 hours not on the preferred gateway")
    last_outage_ms: float | None
    last_outage_at: datetime | None
    failback: FailbackOut | None = Field(description="Null: it is where it belongs, or that does not answer")
    standby_dead: list[str] = Field(description="Gateways not in use that do not answer")
    last_decision: DecisionOut | None
    managed: bool = Field(description="Whether Backstay may change this node's routes")
    engine: EngineKind | None
    deployed: bool = Field(description="Whether a change confirmed this policy on the node")
    saved: Literal["yes", "would change on reboot", "unknown"] = Field(
        description="Whether the node would run the same after a reboot"
    )
    move: MoveOut | None = Field(description="Null: no operator keeps it on a gateway")
    gateways: list[GatewayState]
    hops: list[str] = Field(description="Topology keys from the node to the active gateway and beyond")
    links: list[int] = Field(description="Ids of the links along the active path")
    standby_links: list[int] = Field(description="Ids of the links that only a standby gateway would use")
    url: str


class PathSegment(BaseModel):
    """A stretch of a path's past through one gateway."""

    gateway: str = Field(description="Empty: no route")
    start: datetime
    end: datetime
    outage_ms: float | None = Field(description="Of the move that began it; null: not measured")
    on_fallback: bool


class TimelineOut(BaseModel):
    """A path's past: `GET /paths/{id}/timeline`."""

    path_id: int
    since: datetime
    until: datetime
    segments: list[PathSegment] = Field(description="The oldest first; a stretch not known is missing")
    decisions: list[DecisionOut] = Field(description="The newest first, at most 200")
    moves: list[MoveOut] = Field(description="The newest first, at most 50")
