"""Plans: differences, checks, and the impact of each failure."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.arp.schemas import ArpPlanOut
from backstay.api.http.schemas import Body, FileDiffOut, Reason, Ticket
from backstay.core.model.change import Kind, NodeState, RequestedKind
from backstay.core.model.change import State as ChangeState
from backstay.core.model.plan import FailureKind, ImpactVerdict, Level
from backstay.core.model.routing import EngineKind
from backstay.rollout.changes.rules import Action


class CheckOut(BaseModel):
    """One check of a plan."""

    check: str
    level: Level
    text: str
    nodes: list[str] = Field(default_factory=list)
    nodes_omitted: int = Field(
        default_factory=int, description="Further nodes, which a large plan does not list"
    )


class PlanCheckOut(CheckOut):
    """One check of a plan; `nodes` may have only the first."""

    node_count: int


class DifferenceOut(BaseModel):
    """One prefix before and after, best hop first."""

    prefix: str
    before: list[str]
    after: list[str]


class ShapeOut(BaseModel):
    """Nodes with identical changes, represented by one of them."""

    nodes: list[str]
    node_count: int = Field(description="Number of nodes, also where `nodes` has only the first")
    engine: EngineKind
    differences: list[DifferenceOut]
    files: list[FileDiffOut]
    files_omitted: int = Field(
        default_factory=int, description="Files that change too, whose texts a large plan leaves out"
    )


class ImpactLink(BaseModel):
    """A link's load under a failure."""

    link_id: int
    name: str
    bps: int
    utilisation: float


class ImpactOmitted(BaseModel):
    """How many entries of an impact's lists are not listed; only plans over thousands of nodes omit any."""

    cut_off: int = 0
    looping: int = 0
    moved: int = 0
    links: int = Field(0, description="Less loaded than those that are listed")


class ImpactOut(BaseModel):
    """Impact of one single failure once the plan is deployed."""

    failure: str
    kind: FailureKind
    id: int
    verdict: ImpactVerdict
    text: str
    cut_off: list[str]
    looping: list[str]
    moved: list[str]
    links: list[ImpactLink] = Field(description="Links whose load changes, the fullest first")
    omitted: ImpactOmitted = ImpactOmitted()
    seconds: float | None = Field(description="Time to failover: failure detection and the engine's switch")


class PlanCounts(BaseModel):
    """How many entries the lists of a plan have, also where only the first are listed."""

    shapes: int
    failures: dict[ImpactVerdict, int] = Field(description="Single failures by their verdict")
    waves: list[int] = Field(description="Nodes of each wave")


class PlanOut(BaseModel):
    """A frozen plan.

    In `GET /changes/{id}` its lists have only their first entries (`is_whole` is false) if it is long;
    `GET /changes/{id}/plan` has all.
    """

    is_whole: bool = Field(description="False: lists have only their first entries; `counts` has all")
    counts: PlanCounts
    made_at: datetime
    digest: str = Field(description="SHA-256 over inputs and outcome; approve and apply refer to it")
    stale: bool = Field(description="Whether its inputs have changed since it was made; if so, plan again")
    stale_because: str = ""
    blocked: bool
    summary: str = Field(description="`8 nodes, 2 shapes; 14 checks passed, 1 warning`")
    shapes: list[ShapeOut]
    checks: list[PlanCheckOut]
    impacts: list[ImpactOut]
    impacts_omitted: int = Field(
        default_factory=int,
        description="Further failures, none more severe, which a large plan does not list",
    )
    arp: ArpPlanOut | None = Field(None, description="ARP changes; null: none")
    reminders: list[str] = Field(
        default_factory=list,
        description="Manual steps: what to save on devices that Backstay does not change",
    )
    waves: list[list[str]]


EvidenceStage = Literal["", "checked", "applied", "probed", "verified", "saved", "restored"]
"""Before the change, after apply, by probes, before save, after save, after rollback."""


class EvidenceOut(BaseModel):
    """One check of a node's state."""

    what: str
    ok: bool
    found: str
    stage: EvidenceStage = Field(
        "", description="Before the change, after apply, by probes, before save, after save, after rollback"
    )


class StageChecksOut(BaseModel):
    """Number of checks of one stage."""

    stage: EvidenceStage
    good: int
    total: int


class ChangeNodeOut(BaseModel):
    """One node in a change, in brief."""

    node: str
    node_id: int
    wave: int = Field(description="Number of the wave; 0 is the canary")
    engine: EngineKind | None = Field(None, description="Routing engine; null: the routing does not change")
    state: NodeState
    since: datetime
    reason: str
    by: Literal["agent", "guard", ""]
    checks: list[StageChecksOut] = Field(
        description="Checks by stage; each: `GET /changes/{id}/nodes/{node_id}`"
    )
    failed: list[EvidenceOut] = Field(description="Checks that failed")
    as_before: bool = Field(description="Whether the last reported state equals the state before the change")
    guard_until: datetime | None


class ChangeNodeDetail(ChangeNodeOut):
    """One node in a change, with its evidence: `GET /changes/{id}/nodes/{node_id}`."""

    evidence: list[EvidenceOut]
    before: str = Field(description="The node's managed state before the change; empty: not reported")
    after: str = Field(description="The last reported state; empty: not reported")


class ApprovalOut(BaseModel):
    """One approval."""

    person: str
    at: datetime
    digest: str
    comment: str


class ChangeStep(BaseModel):
    """One line of a change's history."""

    at: datetime
    person: str = Field(description="Person who took the step; empty: Backstay")
    text: str


class ChangeOut(BaseModel):
    """A change: proposal, plan, approval, application, outcome."""

    id: int
    name: str = Field(description="`#42`")
    kind: Kind
    title: str
    reason: str
    ticket: str
    state: ChangeState
    state_text: str
    stale: bool = Field(
        False,
        description="Whether its plan is stale: nobody can approve or start it before it is planned again",
    )
    since: datetime
    age_s: float
    author: str
    site: str
    policies: list[str]
    arp_policies: list[str] = Field(default_factory=list, description="Identified by their fabrics")
    nodes: int
    confirmed: int
    wave: int | None = Field(description="The wave in progress")
    waves: int
    confirm_by: datetime | None = Field(
        description="When the guards roll back; null: no wave awaits confirmation"
    )
    may: list[Action] = Field(
        description="Actions that this user may take now; `undo` in `GET /changes/{id}` only"
    )
    may_not: dict[str, str] = Field(
        default_factory=dict, description="Action -> why it is unavailable, for expected actions"
    )
    undoes: int | None = Field(None, description="The change that it undoes, of kind undo")
    url: str


class WaveOut(BaseModel):
    """One wave of a change that has started."""

    wave: int = Field(description="Number of the wave; 0 is the canary")
    nodes: int
    states: dict[NodeState, int] = Field(description="Nodes by state")


class RestoredOut(BaseModel):
    """What became of the nodes of a change that did not end as done."""

    touched: int = Field(description="Nodes that ran the new state, or may have")
    verified: int = Field(description="Of those, rolled back with every item verified as restored")
    node_id: int | None = Field(description="A node whose reason is that of the change; null: none")
    node: str = Field(description="Its name; empty: none")


class ChangeDetail(ChangeOut):
    """One change with all details: `GET /changes/{id}`."""

    plan: PlanOut | None
    approvals: list[ApprovalOut]
    members: list[ChangeNodeOut] = Field(description="The first 100 nodes by wave and name")
    has_all_members: bool = Field(
        description="Whether `members` has all nodes; `GET /changes/{id}/nodes` lists them in pages"
    )
    progress: list[WaveOut] = Field(description="All nodes, counted by wave; empty: it has not started")
    restored: RestoredOut | None = Field(description="Null unless it ended in a state other than done")
    history: list[ChangeStep]


class ChangeIn(Body):
    """Body of `POST /changes`: plans at once.

    `policies`: deploy these. `arp`: deploy ARP policies, each on its whole fabric. `restore`: restore the
    intended state on the nodes. `adopt`: adopt the nodes' running state as intended.
    """

    site: str
    kind: RequestedKind = "policies"
    policies: list[int] = Field(default_factory=list)
    arp_policies: list[int] = Field(default_factory=list)
    nodes: list[str] = Field(
        default_factory=list,
        description="Nodes of kinds restore and adopt; for policies: deploy only to these",
    )
    wave_size: int | None = Field(
        None,
        ge=1,
        le=10_000,
        description="Maximum nodes per wave; null: first one node, then a tenth, then the rest",
    )
    title: str = Field("", max_length=200)
    reason: Reason = ""
    ticket: Ticket = ""


class ApproveIn(Body):
    """Body of `POST /changes/{id}/approve`."""

    digest: str = Field(description="Digest of the reviewed plan")
    comment: Reason = ""
    accept_warnings: bool = False


class ApplyIn(Body):
    """Body of `POST /changes/{id}/apply`."""

    digest: str
    timeout_s: float = Field(120.0, ge=5, le=600, description="Time until the guards roll back automatically")
    auto_confirm: bool = Field(False, description="Confirm each wave as soon as all its probes pass")


class ConfirmIn(Body):
    """Optional body of `POST /changes/{id}/confirm`."""

    wave: int | None = Field(
        None, ge=0, description="Confirm only this wave, so that a double click confirms one"
    )


class RollBackIn(Body):
    """Body of `POST /changes/{id}/roll-back`."""

    reason: Reason = ""


class UndoIn(Body):
    """Optional body of `POST /changes/{id}/undo`."""

    reason: Reason = ""
