"""The public API's shapes for failover: policies, changes that bring them about, drift, moves, drills.

Conventions are those of `schemas.py`. A preference is lower-wins, as gated's.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backstay.api.schemas import State

Detection = Literal["checker", "bfd", "protocol"]
EngineName = Literal["kernel", "frr", "bird", "gated"]
Reason = Annotated[str, Field(max_length=2000)]
Ticket = Annotated[str, Field(max_length=100)]


class TimersModel(BaseModel):
    """When a gateway is dead or alive again, and when to go back to a better one."""

    interval_ms: int = Field(50, ge=10, le=60_000)
    fail_after: int = Field(3, ge=1, le=100, description="Probes lost in a row that make a gateway dead")
    recover_after: int = Field(20, ge=1, le=10_000, description="Probes answered in a row that make it alive")
    hold_down_s: float = Field(2.0, ge=0, le=3600, description="No further switch for so long after one")
    revert: Literal["now", "after", "manual"] = "now"
    revert_after_s: float = Field(60.0, ge=0, le=86_400)


class GroupModel(BaseModel):
    """Which nodes: those that fit every part given."""

    names: list[str] = Field(default_factory=list, description="Names or shell patterns, one must fit: `sp*`")
    role: str = ""
    number_from: int | None = Field(None, ge=0)
    number_to: int | None = Field(None, ge=0)
    labels: dict[str, str] = Field(default_factory=dict)


class StripeModel(BaseModel):
    """Nodes spread over parallel gateways."""

    gateways: list[str]
    backups: int = Field(1, ge=0, le=15)
    balance: Literal["count", "weight", "load"] = "count"
    weights: dict[str, float] = Field(default_factory=dict, description="Gateway -> weight")
    by_label: str = Field("", description="Nodes with one value of this label stay together, e.g. quadrant")


class ReturnPathModel(BaseModel):
    """The way back: routers that reach the nodes' network by the same gateways in order."""

    routers: list[str]
    prefix: str
    target: str | None = None


class PolicyIn(BaseModel):
    """Body of `POST /failover-policies` and `PUT /failover-policies/{id}`. No node changes by it."""

    site: str
    name: str = Field(max_length=50)
    nodes: GroupModel
    prefix: str = Field(description="Destination, IPv4 or IPv6; 0.0.0.0/0 and ::/0 are the default route")
    gateways: list[str] = Field(
        default_factory=list, description="In order of preference; none with a stripe"
    )
    stripe: StripeModel | None = None
    detection: Detection = "checker"
    timers: TimersModel = TimersModel()
    target: str | None = Field(None, description="End-to-end target probed through each gateway")
    return_path: ReturnPathModel | None = None
    note: str = Field("", max_length=2000)


class StripeTakeOver(BaseModel):
    """What a backup would carry after the loss of another gateway, its own nodes included."""

    gateway: str
    nodes: int = Field(description="That it would take over")
    bps: int = Field(description="In the fuller direction, at today's load, bit/s")
    utilisation: float | None = Field(
        description="Of what it can pass on; 1 and above is full; null: not known"
    )


class StripeShare(BaseModel):
    """One gateway's part of a stripe."""

    gateway: str
    nodes: list[str]
    share: float = Field(description="0..1 of the weight, nodes or load, whichever is balanced")
    bps: int = Field(description="What its nodes send and receive today, bit/s")
    usable_bps: int | None = Field(description="What the gateway can pass on in one direction, bit/s")
    utilisation: float | None = Field(description="Of that, in the fuller direction")
    if_lost: dict[str, int] = Field(description="Backup gateway -> nodes that it would take over")
    takes_over: list[StripeTakeOver] = Field(description="The same with what each backup would carry then")


class StripeOut(BaseModel):
    """How a stripe would spread its nodes now: `POST /failover-policies/stripe-preview`, body `PolicyIn`."""

    shares: list[StripeShare]
    imbalance: float = Field(description="Largest share over the mean, minus 1")


class NodeEngine(BaseModel):
    """How a node's routes are installed, as the site file says; null: Backstay does not manage them."""

    node: str
    engine: EngineName | None
    config: str | None


class CheckOut(BaseModel):
    """One check of a plan."""

    check: str
    level: Literal["passed", "warning", "failed"]
    text: str
    nodes: list[str] = Field(default_factory=list)


class DifferenceOut(BaseModel):
    """One prefix before and after, best hop first."""

    prefix: str
    before: list[str]
    after: list[str]


class FileDiffOut(BaseModel):
    """A boot file before and after; `diff` is unified."""

    path: str
    diff: str
    after: str


class ShapeOut(BaseModel):
    """Nodes whose changes read the same: one of them stands for all."""

    nodes: list[str]
    engine: EngineName
    differences: list[DifferenceOut]
    files: list[FileDiffOut]


class ImpactLink(BaseModel):
    """A link's load under a failure."""

    link_id: int
    name: str
    bps: int
    utilisation: float


class ImpactOut(BaseModel):
    """What one single failure would do once the plan is in force."""

    failure: str
    kind: Literal["none", "node", "link", "fabric"]
    id: int
    verdict: Literal["holds", "saturates", "cuts_off", "loops"]
    text: str
    cut_off: list[str]
    looping: list[str]
    moved: list[str]
    links: list[ImpactLink]
    seconds: float | None = Field(description="Until traffic goes on, by the policy's detection")


class PlanOut(BaseModel):
    """A frozen proposal."""

    made_at: datetime
    digest: str = Field(description="SHA-256 over inputs and outcome; approval and application name it")
    stale: bool = Field(description="True when its inputs have changed since: plan again")
    stale_because: str = ""
    blocked: bool
    summary: str = Field(description="`8 nodes, 2 shapes; 14 checks passed, 1 warning`")
    shapes: list[ShapeOut]
    checks: list[CheckOut]
    impacts: list[ImpactOut]
    waves: list[list[str]]


ChangeState = Literal[
    "draft", "planned", "approved", "rolling", "confirming", "done", "rolled_back", "failed", "superseded"
]
NodeState = Literal[
    "pending", "preparing", "prepared", "applying", "applied", "confirming", "confirmed",
    "rolling_back", "rolled_back", "refused", "failed",
]  # fmt: skip


class EvidenceOut(BaseModel):
    """One thing that was looked at on a node."""

    what: str
    ok: bool
    found: str


class ChangeNodeOut(BaseModel):
    """One node in a change."""

    node: str
    node_id: int
    wave: int = Field(description="0 is the canary")
    engine: EngineName
    state: NodeState
    since: datetime
    reason: str
    by: Literal["agent", "guard", ""]
    evidence: list[EvidenceOut]
    before: str
    after: str
    guard_until: datetime | None


class ApprovalOut(BaseModel):
    """Who approved what."""

    person: str
    at: datetime
    digest: str
    comment: str


class ChangeStep(BaseModel):
    """One line of a change's history: who did what, or what happened."""

    at: datetime
    person: str = Field(description="Empty: Backstay itself")
    text: str


class ChangeOut(BaseModel):
    """A change: proposal, plan, approval, application, outcome."""

    id: int
    name: str = Field(description="`#42`")
    kind: Literal["policies", "restore", "adopt", "drill"]
    title: str
    reason: str
    ticket: str
    state: ChangeState
    state_text: str
    since: datetime
    age_s: float
    author: str
    site: str
    policies: list[str]
    nodes: int
    confirmed: int
    wave: int | None = Field(description="The one under way")
    waves: int
    confirm_by: datetime | None = Field(description="When the guards roll back; null: nothing waits")
    may: list[Literal["plan", "approve", "apply", "confirm", "roll_back", "discard"]] = Field(
        description="What this person may do to it now"
    )
    may_not: dict[str, str] = Field(
        default_factory=dict, description="Action -> why not, for those that a person would look for"
    )
    url: str


class ChangeDetail(ChangeOut):
    """One change whole: `GET /changes/{id}`."""

    plan: PlanOut | None
    approvals: list[ApprovalOut]
    members: list[ChangeNodeOut]
    history: list[ChangeStep]


class ChangeIn(BaseModel):
    """Body of `POST /changes`: plans at once.

    `policies`: bring these about. `restore`: make the nodes run and save what is intended. `adopt`: take what
    the nodes run as intended.
    """

    site: str
    kind: Literal["policies", "restore", "adopt"] = "policies"
    policies: list[int] = Field(default_factory=list)
    nodes: list[str] = Field(
        default_factory=list, description="For restore and adopt; with policies: only these"
    )
    title: str = Field("", max_length=200)
    reason: Reason = ""
    ticket: Ticket = ""


class ApproveIn(BaseModel):
    """Body of `POST /changes/{id}/approve`."""

    digest: str = Field(description="Of the plan that was read")
    comment: Reason = ""
    accept_warnings: bool = False


class ApplyIn(BaseModel):
    """Body of `POST /changes/{id}/apply`."""

    digest: str
    timeout_s: float = Field(120.0, ge=5, le=600, description="Until the guards roll back by themselves")
    auto_confirm: bool = Field(False, description="Confirm each wave as soon as all its probes pass")


class ConfirmIn(BaseModel):
    """Body of `POST /changes/{id}/confirm`; it may be left out."""

    wave: int | None = Field(
        None, ge=0, description="Only if this wave waits, so that two clicks confirm one"
    )


class RollBackIn(BaseModel):
    """Body of `POST /changes/{id}/roll-back`."""

    reason: Reason = ""


class DriftItem(BaseModel):
    """One prefix or file in which intended, running and saved are not one."""

    what: str = Field(description="A prefix, or a file's path")
    kind: Literal["route", "file"]
    intended: str
    running: str
    saved: str
    reboot: bool = Field(description="What runs would change on reboot")
    on_fallback: bool = Field(description="The checker has a fallback first: known, and no drift in itself")
    text: str


class DriftOut(BaseModel):
    """One node that differs.

    A checker on its fallback is no drift: with nothing else the state is ok, and the node is listed because a
    reboot would change what it runs.
    """

    node: str
    node_id: int
    engine: EngineName
    state: State
    since: datetime
    age_s: float
    running_differs: bool
    saved_differs: bool
    reboot: bool
    on_fallback: bool
    text: str = Field(description="All of it in sentences")
    intended_by: int | None = Field(description="The change that brought about what is intended")
    items: list[DriftItem]
    url: str


class MoveIn(BaseModel):
    """Body of `POST /paths/{id}/move`: keep the path on a gateway for a time."""

    gateway: str
    seconds: float = Field(600.0, ge=5, le=86_400)
    reason: Reason = ""


class DrillIn(BaseModel):
    """Body of `POST /drills`: fail over on purpose, measure, go back."""

    policy: int
    nodes: list[str] = Field(default_factory=list, description="Empty: all of the policy's")
    gateway: str = Field("", description="Empty: each node's next")
    seconds: float = Field(30.0, ge=5, le=3600)
    at: datetime | None = Field(None, description="Null: now")
    every_days: int | None = Field(None, ge=1, le=366, description="Repeat")
    reason: Reason = ""


class DrillNodeOut(BaseModel):
    """One node in a drill."""

    node: str
    node_id: int
    path_id: int
    gateway: str
    moved_at: datetime | None
    state: Literal["waiting", "moved", "returned", "refused", "failed"]
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
    gateway: str = Field(description="Empty: each node's next")
    nodes: list[str] = Field(description="Only these; empty: all that have the policy")
    state: Literal["scheduled", "refused", "running", "returning", "passed", "failed", "cancelled"]
    state_text: str
    since: datetime
    age_s: float
    author: str
    cancelled_by: str
    may_cancel: bool = Field(description="Whether this person may call it off now")
    reason: str
    at: datetime = Field(description="When it shall begin, or began")
    seconds: float
    every_days: int | None
    refused_because: list[str]
    members: list[DrillNodeOut]
    worst_outage_ms: float | None
    fallback_bps: int | None = Field(description="Busiest second on the fallback's links while it carried")
    fallback_utilisation: float | None
    url: str
