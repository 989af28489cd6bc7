"""Plans: what would be different, what was checked, what each failure would do."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.arp.schemas import ArpPlanOut
from backstay.api.http.schemas import Body, FileDiffOut, Reason, Ticket
from backstay.core.model.routing import EngineKind


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


class ShapeOut(BaseModel):
    """Nodes whose changes read the same: one of them stands for all."""

    nodes: list[str]
    engine: EngineKind
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
    arp: ArpPlanOut | None = Field(None, description="What would differ of ARP; null: it is left alone")
    reminders: list[str] = Field(
        default_factory=list, description="What a person has to save on devices that Backstay does not change"
    )
    waves: list[list[str]]


ChangeState = Literal[
    "draft", "planned", "approved", "rolling", "confirming", "done", "rolled_back", "stopped", "failed",
    "superseded",
]  # fmt: skip
NodeState = Literal[
    "pending", "preparing", "prepared", "applying", "applied", "confirming", "confirmed",
    "rolling_back", "rolled_back", "refused", "failed",
]  # fmt: skip


class EvidenceOut(BaseModel):
    """One thing that was looked at on a node."""

    what: str
    ok: bool
    found: str
    stage: Literal["", "checked", "applied", "probed", "saved", "restored"] = Field(
        "", description="Before anything was touched, once applied, by probes then, once saved, once put back"
    )


class ChangeNodeOut(BaseModel):
    """One node in a change."""

    node: str
    node_id: int
    wave: int = Field(description="0 is the canary")
    engine: EngineKind | None = Field(None, description="Null: its routing stays as it is")
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
    kind: Literal["policies", "arp", "restore", "adopt", "drill"]
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
    arp_policies: list[str] = Field(default_factory=list, description="By their fabrics")
    nodes: int
    confirmed: int
    wave: int | None = Field(description="The one in progress")
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


class ChangeIn(Body):
    """Body of `POST /changes`: plans at once.

    `policies`: deploy these. `arp`: deploy ARP policies, each on its whole fabric. `restore`: make
    the nodes run and save what is intended. `adopt`: take what the nodes run as intended.
    """

    site: str
    kind: Literal["policies", "arp", "restore", "adopt"] = "policies"
    policies: list[int] = Field(default_factory=list)
    arp_policies: list[int] = Field(default_factory=list)
    nodes: list[str] = Field(
        default_factory=list, description="For restore and adopt; with policies: only these"
    )
    wave_size: int | None = Field(
        None, ge=1, le=10_000, description="Nodes at one time at most; null: one, a tenth, then all others"
    )
    title: str = Field("", max_length=200)
    reason: Reason = ""
    ticket: Ticket = ""


class ApproveIn(Body):
    """Body of `POST /changes/{id}/approve`."""

    digest: str = Field(description="Of the plan that was read")
    comment: Reason = ""
    accept_warnings: bool = False


class ApplyIn(Body):
    """Body of `POST /changes/{id}/apply`."""

    digest: str
    timeout_s: float = Field(120.0, ge=5, le=600, description="Until the guards roll back by themselves")
    auto_confirm: bool = Field(False, description="Confirm each wave as soon as all its probes pass")


class ConfirmIn(Body):
    """Body of `POST /changes/{id}/confirm`; it may be left out."""

    wave: int | None = Field(
        None, ge=0, description="Only if this wave waits, so that two clicks confirm one"
    )


class RollBackIn(Body):
    """Body of `POST /changes/{id}/roll-back`."""

    reason: Reason = ""
