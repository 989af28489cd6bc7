"""Paths, their history, and moves."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.holds.schemas import HoldOut
from backstay.api.http.schemas import Body, Reason, State
from backstay.core.model.routing import Detection, EngineKind
from backstay.core.model.state import Standby
from backstay.policy.failback import Why
from backstay.telemetry.facts import MoveState


class MoveIn(Body):
    """Body of `POST /paths/{id}/move`: keep the path on a gateway for a limited time."""

    gateway: str
    seconds: float = Field(600.0, ge=5, le=86_400)
    reason: Reason = ""


class GatewayState(BaseModel):
    """One gateway of a path, as observed by the node."""

    name: str
    node_id: int
    order: int = Field(description="0 is the preferred one")
    active: bool
    alive: bool | None
    standby: Standby | None = Field(
        description="Whether it could take over, by probes of the target through it; null: it is active"
    )
    since: datetime | None = Field(description="Since when it answers, or does not")
    rtt_ms: float | None


class FailbackOut(BaseModel):
    """A pending failback to the reachable preferred gateway, with its condition."""

    gateway: str
    why: Literal[Why, "moved"]
    text: str
    until: datetime | None = Field(description="When it is due, if known")


class DecisionOut(BaseModel):
    """A decision of the checker on a node, with its evidence."""

    at: datetime
    reason: Literal[
        "failed", "recovered", "carrier", "moved", "move_over", "no_gateway", "tried", "start", "refused",
        "restored", "not_restored",
    ]  # fmt: skip
    from_gateway: str
    to_gateway: str
    evidence: str
    took_ms: float = Field(description="Time from the decision to the route's installation in the kernel")
    held_back: int = Field(description="Failovers prevented before it by damping or hold-down")


class MoveOut(BaseModel):
    """A path kept on a gateway by an operator."""

    id: int
    gateway: str
    state: Literal["waiting", MoveState]
    seconds: float
    at: datetime = Field(description="When it was requested")
    until: datetime | None = Field(description="When the node returns by itself; null: not moved yet")
    returning: bool = Field(description="An operator requested the return")
    by: str
    reason: str
    detail: str = Field(description="Last report of the node")
    drill_id: int | None


class PathOut(BaseModel):
    """The observed path of one node to one policy's prefix."""

    id: int
    name: str
    kind: Literal["path"] = "path"
    policy: str
    policy_id: int
    node: str
    node_id: int
    prefix: str
    active: str = Field(description="Gateway in use; empty: no route")
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
    failback: FailbackOut | None = Field(description="Null: on the preferred gateway, or that is unreachable")
    standby_dead: list[str] = Field(
        description="Standby gateways that do not answer, or do not forward to the target"
    )
    last_decision: DecisionOut | None
    managed: bool = Field(description="Whether Backstay may change this node's routes")
    released: str = Field(
        description="Released on the node, or reverted by its agent: one sentence; empty: neither"
    )
    engine: EngineKind | None
    deployed: bool = Field(description="Whether a change confirmed this policy on the node")
    saved: Literal["yes", "would change on reboot", "unknown"] = Field(
        description="Whether the route survives a reboot"
    )
    move: MoveOut | None = Field(description="Null: not moved by an operator")
    hold: HoldOut | None = Field(description="Null: its node is not held")
    gateways: list[GatewayState]
    hops: list[str] = Field(description="Topology keys from the node to the active gateway and beyond")
    links: list[int] = Field(description="Ids of the links along the active path")
    standby_links: list[int] = Field(description="Ids of the links used only by standby gateways")
    url: str


class PathSegment(BaseModel):
    """A period in which a path used one gateway."""

    gateway: str = Field(description="Empty: no route")
    start: datetime
    end: datetime
    outage_ms: float | None = Field(description="Outage of the failover that started it; null: not measured")
    on_fallback: bool


class TimelineOut(BaseModel):
    """A path's history: `GET /paths/{id}/timeline`."""

    path_id: int
    since: datetime
    until: datetime
    segments: list[PathSegment] = Field(description="Oldest first; unknown periods are missing")
    decisions: list[DecisionOut] = Field(description="Newest first, at most 200")
    moves: list[MoveOut] = Field(description="Newest first, at most 50")
