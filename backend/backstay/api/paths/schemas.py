"""Paths, their history, and moves."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.holds.schemas import HoldOut
from backstay.api.http.schemas import Body, Page, Reason, State
from backstay.core.model.outage import OutageCause, OutageMeasure
from backstay.core.model.progress import MoveState
from backstay.core.model.routing import Detection, EngineKind
from backstay.core.model.state import EndToEnd, GatewayUse, PathStandby, Placement, Standby
from backstay.policy.failback import Why


class MoveIn(Body):
    """Body of `POST /paths/{id}/move`: keep the path on a gateway for a limited time."""

    gateway: str
    seconds: float = Field(600.0, ge=5, le=86_400)
    reason: Reason = ""


class GatewayState(BaseModel):
    """One gateway of a path, as observed by the node."""

    name: str
    node_id: int
    order: int = Field(description="Order of preference; 0 is the preferred gateway")
    active: bool
    use: GatewayUse = Field(description="How the path uses it")
    alive: bool | None
    standby: Standby | None = Field(
        description="Whether it could take over, by probes of the target through it; null: it is active"
    )
    since: datetime | None = Field(description="Start of its current state, answering or not")
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
    held_back: int = Field(description="Failovers that damping or hold-down prevented before it")


class MoveOut(BaseModel):
    """A path kept on a gateway by an operator."""

    id: int
    gateway: str
    state: MoveState
    seconds: float
    at: datetime = Field(description="When it was requested")
    until: datetime | None = Field(description="When the node returns automatically; null: not moved yet")
    returning: bool = Field(description="An operator requested the return")
    by: str
    reason: str
    detail: str = Field(description="Last report of the node")
    drill_id: int | None


class OutageOut(BaseModel):
    """An outage of a path: no end-to-end probe was answered, or there was no route."""

    id: int
    start: datetime
    end: datetime | None = Field(description="Null: ongoing")
    duration_ms: float = Field(description="Measured duration; for an ongoing outage, the minimum so far")
    text: str = Field(description="`300 ms`; `at least 10 s, ongoing`; `about 31 s` if it was not measured")
    cause: OutageCause
    cause_text: str
    measured_by: OutageMeasure
    measure_text: str = Field(description="`probes every 50 ms, ±50 ms`")
    uncertainty_ms: float | None = Field(description="Largest error of the duration; null: not known")


class PathOut(BaseModel):
    """The observed path of one node to one policy's prefix.

    Of a past moment (`at`), what history does not keep is null, `unknown` or empty; the policy and the order
    of its gateways are those of today.
    """

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
    end_to_end: EndToEnd = Field(
        description="working: the target answered recently; unverified: a route, but no target is probed"
    )
    placement: Placement
    standby: PathStandby | None = Field(
        description="State of the best standby gateway; null: of a past moment, not kept"
    )
    since: datetime | None
    age_s: float | None
    target: str | None
    target_alive: bool | None
    rtt_ms: float | None
    detection: Detection
    switches_24h: int
    switches_7d: int
    fallback_24h_s: float = Field(description="Seconds of the last 24 hours not on the preferred gateway")
    last_outage_ms: float | None = Field(
        description="Duration of the last outage other than 0 ms; while it is ongoing, the minimum so far"
    )
    last_outage_at: datetime | None = Field(description="Its start")
    last_outage: OutageOut | None = Field(description="Null: none recorded")
    failback: FailbackOut | None = Field(
        description="Null: on the preferred gateway, or the preferred gateway is unreachable"
    )
    standby_dead: list[str] = Field(
        description="Standby gateways that do not answer, or do not forward to the target"
    )
    last_decision: DecisionOut | None
    managed: bool | None = Field(
        description="Whether Backstay may change this node's routes; null: of a past moment, not kept"
    )
    released: str = Field(
        description="One sentence if it was released on the node or reverted by its agent; otherwise empty"
    )
    engine: EngineKind | None
    deployed: bool | None = Field(
        description="Whether a change confirmed this policy on the node; null: of a past moment, not kept"
    )
    in_force: bool | None = Field(
        description="False: no change has deployed its policy on the node; the path is not counted anywhere."
        " Null: of a past moment, not kept"
    )
    saved: Literal["yes", "would change on reboot", "unknown"] = Field(
        description="Whether the route survives a reboot"
    )
    move: MoveOut | None = Field(description="Null: not moved by an operator")
    hold: HoldOut | None = Field(description="Null: its node is not held")
    gateways: list[GatewayState]
    hops: list[str] = Field(
        description="Topology keys from the node to the active gateway and beyond; empty of a past moment"
    )
    links: list[int] = Field(description="Ids of the links along the active path; empty of a past moment")
    standby_links: list[int] = Field(
        description="Ids of the links used only by standby gateways; empty of a past moment"
    )
    url: str


class PathCause(BaseModel):
    """The root incident of a group of paths."""

    id: int
    text: str = Field(description="What happened: `grf1 lost all links`")
    url: str


class PathGroupOut(BaseModel):
    """Paths with the same policy, gateways, states, standby and root cause that moved together."""

    key: str = Field(description="Names the group in `GET /paths?group=KEY`, with the same filters")
    kind: Literal["path_group"] = "path_group"
    text: str = Field(description="One sentence without the time: `62 nodes fell over from grf1 to atmgw`")
    paths: int
    policy: str
    policy_id: int
    prefix: str
    in_force: bool | None = Field(
        description="False: a draft, which is not counted anywhere; null: of a past moment, not kept"
    )
    preferred: str
    active: str = Field(description="Empty: no route")
    state: State
    end_to_end: EndToEnd
    placement: Placement
    standby: PathStandby | None = Field(description="Null: of a past moment, not kept")
    since: datetime | None = Field(
        description="When the first path moved or died; of other groups the longest time on the gateway"
    )
    moved_until: datetime | None = Field(description="When the last path moved or died; null: none did")
    switches_24h: int = Field(description="Of all paths")
    last_outage: OutageOut | None = Field(description="The longest last outage of a path; null: none")
    cause: PathCause | None = Field(description="Null: no incident explains it")
    only: PathOut | None = Field(description="The path of a group of one; null: there are more")
    url: str


class PathGroupPage(Page[PathGroupOut]):
    """Groups in the order of the sort."""

    total: int = Field(description="Number of groups on all pages")


class PathSegment(BaseModel):
    """A period in which a path used one gateway, or in which its node did not report it."""

    gateway: str = Field(description="Empty: no route, or unknown")
    state: Literal["preferred", "fallback", "no_route", "unknown"]
    start: datetime
    end: datetime
    outage_ms: float | None = Field(
        description="Outage of the path switch that started it; null: not measured"
    )
    on_fallback: bool


class SwitchOut(BaseModel):
    """A path moved between gateways."""

    at: datetime
    from_gateway: str = Field(description="Empty: no route")
    to_gateway: str = Field(description="Empty: no route")
    outage_ms: float | None = Field(description="0: no probe was lost; null: not measured, or not yet")
    outage_text: str = Field(description="`131 ms`, `no outage`; empty: not measured, or not yet")


class PathTimeline(BaseModel):
    """Gateways, switches and outages of a path over a range: `GET /paths/timelines`."""

    path_id: int
    since: datetime
    until: datetime
    segments: list[PathSegment] = Field(description="Oldest first, without gaps")
    switches: list[SwitchOut] = Field(description="Oldest first")
    outages: list[OutageOut] = Field(description="Those that overlap the range, oldest first")


class TimelineOut(PathTimeline):
    """A path's history: `GET /paths/{id}/timeline`."""

    decisions: list[DecisionOut] = Field(description="Newest first, at most 200")
    moves: list[MoveOut] = Field(description="Newest first, at most 50")
    more_decisions: bool = Field(False, description="Whether there are older decisions since `since`")
    more_moves: bool = Field(False, description="Whether there are older moves since `since`")
