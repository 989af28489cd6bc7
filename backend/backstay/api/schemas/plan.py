"""Plans: what would be different, what was checked, what each failure would do."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.schemas.arp import ArpPlanOut
from backstay.api.schemas.engine import EngineName
from backstay.api.schemas.file import FileDiffOut


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
    arp: ArpPlanOut | None = Field(None, description="What would differ of ARP; null: it is left alone")
    reminders: list[str] = Field(
        default_factory=list, description="What a person has to save on devices that Backstay does not change"
    )
    waves: list[list[str]]
