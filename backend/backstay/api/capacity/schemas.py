"""Capacity: whether the fallback holds under every single failure, and under any chosen one."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Page, State
from backstay.core.planning.whatif.fallback_verdict import FallbackVerdict, MoveOutcome

ComponentKind = Literal["node", "link", "fabric"]
FailureKind = Literal["node", "link", "fabric", "chassis", "power", "fibre", "card"]
"""Of a component, or of a shared risk."""


class FailedComponent(BaseModel):
    """What fails."""

    kind: ComponentKind
    id: int
    name: str = Field(description="`grf1`, `grf1:ga031-router:at0`, `sp-switch`")


class VerdictCounts(BaseModel):
    """Failures by verdict."""

    total: int
    holds: int
    would_not_hold: int
    unknown: int


class LaneLoadOut(BaseModel):
    """One direction of a link whose load changes."""

    link: int
    name: str
    direction: Literal["forward", "back"] = Field(description="forward: from the link's end a, as in links")
    start: str = Field(description="Node or shared medium that sends")
    end: str
    before_bps: int = Field(description="Without the failure, with the growth")
    after_bps: int = Field(description="Load for which it would be needed")
    carried_bps: int | None = Field(
        default=None,
        description="What a measurement would find of it: at most the usable rate; senders adapt to full"
        " links anywhere on their path; null: a prediction from before this was calculated",
    )
    usable_rate: int | None = Field(description="bit/s; null: unknown")
    utilisation: float | None = Field(description="Under the failure: 1.42 is 142 %; null: unknown rate")
    is_measured: bool = Field(description="Whether its present load is known")


class GatewayPacketsOut(BaseModel):
    """A gateway or router that gains traffic, against the packet rate that it can forward."""

    node: int
    name: str
    before_pps: int = Field(description="Packets/s into its ports without the failure, with the growth")
    after_pps: int = Field(description="Under the failure; a lower bound if it is not known")
    limit_pps: int = Field(
        description="Packets/s that it can forward: `capacity` of the rule `gateway_packets` for this node"
    )
    share: float = Field(description="Of the limit under the failure: 1.31 is 131 %")
    is_known: bool = Field(
        description="false: its packet rate, or that of nodes whose traffic moves, is unknown or stale"
    )


class TrafficMove(BaseModel):
    """Nodes that one failure takes from one gateway to another, or cuts off."""

    policy: str
    prefix: str
    from_gateway: FailedComponent | None
    to_gateway: FailedComponent | None = Field(description="null: none is left")
    outcome: MoveOutcome = Field(
        description="undetected: another gateway works, but nothing detects the failure"
    )
    nodes: int
    names: list[str] = Field(description="The first of the nodes")
    out_bps: int = Field(description="Traffic that the nodes send")
    in_bps: int
    unknown_nodes: int = Field(description="Nodes whose traffic is unknown")


class StoppedTraffic(BaseModel):
    """Traffic of nodes that keep a path, with hosts that no path reaches any more."""

    hosts: list[str] = Field(description="The first of the hosts")
    hosts_total: int
    bps: int = Field(description="Both directions")


class FailureDetail(BaseModel):
    """One failure in full."""

    failed: list[FailedComponent] = Field(description="Empty: nothing fails")
    verdict: FallbackVerdict
    state: State
    reason: str = Field(description="One sentence: `atmgw:at0 would carry 142 % of 134.5 Mb/s.`")
    sentence: str = Field(description="`If grf1 fails, atmgw:at0 would carry 142 % of 134.5 Mb/s.`")
    has_fallback: bool = Field(description="Whether traffic moves, or should move, to another gateway")
    growth_percent: float | None = Field(
        description="Growth of all traffic at which a link is full, or a gateway at its limit of packets;"
        " negative: it is already; null: unknown, cut off, or no load moves"
    )
    moves: list[TrafficMove]
    moves_total: int
    links: list[LaneLoadOut] = Field(description="The fullest first; those that lose load last")
    links_total: int
    gateways: list[GatewayPacketsOut] = Field(
        description="Gateways with a known limit of packets that gain traffic, the nearest to its limit first"
    )
    gateways_total: int
    cut_off: list[str] = Field(description="The first nodes without a path, or whose packets loop")
    cut_off_nodes: int
    cut_off_bps: int = Field(description="Their traffic, and `stopped`: counted, not dropped")
    stopped: list[StoppedTraffic] = Field(
        default=[], description="Traffic that moves nowhere, because its destinations are cut off"
    )
    loops: list[str] = Field(description="`Packets of 4 nodes loop: grf1 to atmgw to grf1.`")
    redundancy_lost: list[str] = Field(description="The first nodes that work through their last gateway")
    redundancy_lost_nodes: int
    recovers_in_s: float | None = Field(description="Until the last node has moved; null: none moves")
    unattributed_bps: int = Field(
        description="Traffic of what fails that no policy or path explains: it may move too"
    )


class FailureListed(BaseModel):
    """One single failure in a list."""

    id: int
    name: str
    kind: FailureKind
    key: str = Field(
        description="`node:5`, or `group:NAME` of a shared risk: the value of `dead` for `capacity/what-if`"
    )
    members: list[str] = Field(
        description="The first members of a shared risk, which fail together; empty: a single component"
    )
    members_total: int
    verdict: FallbackVerdict
    state: State
    since: datetime = Field(description="Since when it has this verdict")
    reason: str
    sentence: str
    has_fallback: bool
    worst: LaneLoadOut | None = Field(description="The fullest link that gains load")
    worst_utilisation: float | None
    worst_gateway: GatewayPacketsOut | None = Field(
        description="The gateway that gains traffic and is nearest to its limit of packets; null: none gains"
        " traffic, or no limit is known"
    )
    worst_packet_share: float | None = Field(description="Its packets as a share of the limit")
    moved_nodes: int
    moved_bps: int
    cut_off_nodes: int
    cut_off_bps: int
    redundancy_lost: int = Field(description="Nodes that work through their last gateway")
    growth_percent: float | None
    url: str


class CapacityStatus(BaseModel):
    """The newest study of a site."""

    site: str
    headline: str = Field(description="`2 of 14 fallbacks would not hold`")
    state: State
    computed_at: datetime | None = Field(description="Time of its loads; null: never computed")
    checked_at: datetime | None = Field(description="When its inputs were last found alike")
    age_s: float | None
    is_stale: bool
    error: str = Field(description="Why the last attempt failed; empty: it succeeded")
    failing_since: datetime | None
    method: Literal["policies", "ecmp", "none"] = Field(
        description="policies: routes of policies and observed paths; ecmp: equal-cost shortest paths, where"
        " nothing is managed; none: no paths and no measured links"
    )
    fallbacks: VerdictCounts = Field(description="Failures that move traffic to another gateway or path")
    failures: VerdictCounts = Field(description="All single failures with an effect")
    single_attached: int = Field(
        description="Hosts with one link: its failure isolates only the host, and is not listed"
    )
    unknown_nodes: int = Field(description="Nodes whose traffic is unknown or stale")
    carried_bps: int = Field(description="Measured load of the links at gateways")
    unattributed_bps: int = Field(description="The part of it that no policy or path explains")
    unattributed_share: float | None = Field(description="0..1; null: nothing is measured")
    cpu_ms: float = Field(description="Processor time of the last computation")


class CapacityFailures(Page[FailureListed]):
    """`GET /capacity/n-1`: the study and one page of its failures."""

    status: CapacityStatus


class FailureOut(FailureDetail):
    """`GET /capacity/n-1/{id}`: one stored failure."""

    id: int
    name: str
    kind: FailureKind
    key: str
    since: datetime
    computed_at: datetime | None
    is_stale: bool


class WhatIf(BaseModel):
    """`GET /capacity/what-if`: any failure at any moment."""

    site: str
    at: datetime = Field(description="Moment of the loads and of the gateways in use")
    load: Literal["mean", "p95", "peak"]
    growth_percent: float
    method: Literal["policies", "ecmp", "none"]
    failure: FailureDetail
    intact: FailureDetail = Field(description="The same moment and growth without a failure")
    unknown_nodes: int
    carried_bps: int
    unattributed_bps: int
    unattributed_share: float | None
