"""Failover policies, their deployment, and stripes."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body
from backstay.core.model.policy import Balance
from backstay.core.model.routing import Detection, Revert


class StripeModel(Body):
    """Nodes spread over parallel gateways."""

    gateways: list[str]
    backups: int = Field(1, ge=0, le=15)
    balance: Balance = "count"
    weights: dict[str, float] = Field(default_factory=dict, description="Weight of each gateway")
    by_label: str = Field(
        "", description="Nodes with the same value of this label stay together, e.g. quadrant"
    )


class StripeTakeOver(BaseModel):
    """Load of a backup after the failure of another gateway, including its own nodes."""

    gateway: str
    nodes: int = Field(description="Nodes that it would take over")
    bps: int = Field(description="Larger direction at the current load, bit/s")
    utilisation: float | None = Field(description="Share of its capacity; 1 and above is full; null: unknown")


class StripeShare(BaseModel):
    """One gateway's part of a stripe."""

    gateway: str
    nodes: list[str]
    share: float = Field(description="0..1 of the weight, nodes or load, depending on the balancing method")
    bps: int = Field(description="Current traffic of its nodes, bit/s")
    usable_bps: int | None = Field(description="Capacity of the gateway per direction, bit/s")
    utilisation: float | None = Field(
        description="Share of the capacity that is used, in the larger direction"
    )
    if_lost: dict[str, int] = Field(description="Backup gateway -> nodes that it would take over")
    takes_over: list[StripeTakeOver] = Field(description="The same with the resulting load of each backup")


class StripeOut(BaseModel):
    """Current distribution of a stripe: `POST /failover-policies/stripe-preview`, body `PolicyIn`."""

    shares: list[StripeShare]
    imbalance: float = Field(description="Largest share over the mean, minus 1")


class TimersModel(Body):
    """Failure detection, recovery and failback timers."""

    interval_ms: int = Field(50, ge=10, le=60_000)
    fail_after: int = Field(3, ge=1, le=100, description="Failures before down: consecutive lost probes")
    recover_after: int = Field(
        20, ge=1, le=10_000, description="Successes before up: consecutive answered probes"
    )
    hold_down_s: float = Field(2.0, ge=0, le=3600, description="Minimum time between two failovers")
    revert: Revert = "now"
    revert_after_s: float = Field(60.0, ge=0, le=86_400)


class GroupModel(Body):
    """Node selector: nodes that match every given part."""

    names: list[str] = Field(
        default_factory=list, description="Names or shell patterns such as `sp*`; one must match"
    )
    role: str = ""
    number_from: int | None = Field(None, ge=0)
    number_to: int | None = Field(None, ge=0)
    labels: dict[str, str] = Field(default_factory=dict)


class GroupIn(Body):
    """Body of `POST /failover-policies/group-preview`."""

    site: str
    nodes: GroupModel
    gateways: list[str] = Field(
        default_factory=list, description="Gateways of the policy, to mark the nodes that are among them"
    )


class GroupOut(BaseModel):
    """Nodes that currently match a group; the lists have at most 200 names."""

    total: int
    nodes: list[str]
    not_managed_total: int = Field(
        description="Members whose routes Backstay does not manage: plans skip them"
    )
    not_managed: list[str]
    own_gateways: list[str] = Field(description="Members that are gateways of the policy")
    roles: list[str] = Field(description="Roles of the site's nodes")
    labels: list[str] = Field(description="Label names of the site's nodes")


class ReturnPathModel(Body):
    """The return path: routers that reach the nodes' network through the same gateways, in order."""

    routers: list[str]
    prefix: str
    target: str | None = None


class PolicyIn(Body):
    """Body of `POST /failover-policies` and `PUT /failover-policies/{id}`. Does not change any node."""

    site: str
    name: str = Field(max_length=50)
    nodes: GroupModel
    prefix: str = Field(description="Destination, IPv4 or IPv6; 0.0.0.0/0 and ::/0 are the default route")
    gateways: list[str] = Field(
        default_factory=list, description="In order of preference; empty with a stripe"
    )
    stripe: StripeModel | None = None
    detection: Detection = Detection.CHECKER
    timers: TimersModel = TimersModel()
    target: str | None = Field(None, description="End-to-end target probed through each gateway")
    return_path: ReturnPathModel | None = None
    note: str = Field("", max_length=2000)


class PolicyProgress(BaseModel):
    """The deployment of a policy."""

    managed: int = Field(description="Member nodes that Backstay may change")
    not_managed: list[str] = Field(description="Member nodes without an engine in the site file")
    confirmed: int = Field(description="Nodes with a confirmed current version")
    outdated: int = Field(description="Nodes with an earlier version")
    text: str


class PolicyOut(BaseModel):
    """A failover policy and its deployment."""

    id: int
    name: str
    kind: Literal["failover_policy"] = "failover_policy"
    site: str
    prefix: str
    gateways: list[str] = Field(description="In order of preference; for a stripe, all gateways")
    detection: Detection
    target: str | None
    probe_interval_ms: int
    nodes: list[str]
    note: str
    origin: Literal["file", "operator"] = Field(
        description="Where the policy is defined; policies of the site file can be changed only there"
    )
    group: GroupModel
    timers: TimersModel
    stripe: StripeModel | None
    return_path: ReturnPathModel | None
    progress: PolicyProgress
    deployed: bool = Field(description="Whether any node has its routes, members or not")
    is_preconfigured: bool | None = Field(
        description="Key `deployed` of the site file: whether its routes and failure detection run on the"
        " nodes, installed outside Backstay; null: the policy is not of the site file"
    )
    undetected: list[str] = Field(
        description="Member nodes of a policy that is not preconfigured, on which no change has deployed it:"
        " nothing there detects a failure"
    )
    removal: int | None = Field(None, description="The open change that removes it from its nodes")
    deletion_refusal: str = Field("", description="Why it cannot be deleted now; empty: it can")
    url: str


class OutageTotalOut(BaseModel):
    """Outages of a policy's paths in one day or month; overlapping outages of a path count once."""

    start: datetime
    end: datetime = Field(description="Exclusive; clipped to the range, as is `start`")
    outages: int
    paths: int = Field(description="Paths with an outage")
    ongoing: int = Field(description="Paths with an outage that is not over")
    outage_s: float = Field(description="Sum over the paths, s")
    worst_s: float = Field(description="Of the path with the longest outage time, s")
    worst_node: str = Field(description="Its node; empty: no outage")
    worst_text: str = Field(description="`sp01, 20.35 s`; empty: no outage")
    observed_s: float = Field(description="Time in which the paths were observed, sum over the paths, s")
    text: str = Field(description="`no outage`, `20.35 s on 1 path`, `no data`")


class PolicyOutagesOut(BaseModel):
    """Outage time of a policy's paths: `GET /failover-policies/{id}/outages`."""

    policy_id: int
    policy: str
    by: Literal["day", "month"]
    timezone: Literal["UTC"] = Field("UTC", description="Days and months begin at 00:00 of this zone")
    items: list[OutageTotalOut] = Field(description="Oldest first; periods without an outage included")
    outage_s: float = Field(description="Sum over all periods and paths, s")
    observed_s: float = Field(description="Sum over all periods and paths, s")
    text: str = Field(description="`20.65 s in 2 outages`, `no outage`, `no data`")
