"""Changes: a plan on its way to the nodes, wave by wave."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.schemas.body import Body
from backstay.api.schemas.engine import EngineName
from backstay.api.schemas.plan import PlanOut
from backstay.api.schemas.reason import Reason, Ticket

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
    stage: Literal["", "checked", "applied", "probed", "saved", "restored"] = Field(
        "", description="Before anything was touched, once applied, by probes then, once saved, once put back"
    )


class ChangeNodeOut(BaseModel):
    """One node in a change."""

    node: str
    node_id: int
    wave: int = Field(description="0 is the canary")
    engine: EngineName | None = Field(None, description="Null: its routing stays as it is")
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


class ChangeIn(Body):
    """Body of `POST /changes`: plans at once.

    `policies`: bring these about. `arp`: bring ARP policies about, each on all of its fabric. `restore`: make
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
