"""Throughput tests: plans, runs, cells, verdicts, grids. Rates bit/s, lengths octets, times seconds."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body
from backstay.api.test_runs.schemas import (
    MatrixModel,
    Most,
    NodeName,
    Shape,
    TestRunOut,
)


class TestPlanIn(Body):
    """Body of `POST /test-plans` and `PUT /test-plans/{id}`."""

    site: str
    name: str = Field(min_length=1, max_length=50, pattern=r"^[a-zA-Z0-9][-a-zA-Z0-9_]*$")
    shape: Shape = "pair"
    senders: list[NodeName] = Field(min_length=1, max_length=Most)
    receivers: list[NodeName] = Field(
        default_factory=list, max_length=Most, description="None of n_way and mesh: every end does both"
    )
    fabric: str = Field("", max_length=50, description="Whose addresses are used; empty: the first shared")
    matrix: MatrixModel
    repeats: int = Field(1, ge=1, le=20)
    schedule: str = Field(
        "", max_length=100, description="Five fields of crontab(5), UTC; empty: when asked for"
    )
    priority: int = Field(5, ge=0, le=9, description="The greatest first")
    quiet_percent: float | None = Field(
        None, ge=0, le=100, description="Others' traffic, of usable: above it a test waits or is broken off"
    )
    budget_bytes: int | None = Field(None, ge=1, lt=2**62, description="A day, UTC")
    budget_s: int | None = Field(None, ge=1, le=86400, description="Seconds of test a day, UTC")
    enabled: bool = Field(True, description="Whether its timetable holds")
    note: str = Field("", max_length=2000)


class TestPlanOut(BaseModel):
    """A plan, and how far its newest run is."""

    id: int
    name: str
    kind: Literal["test-plan"] = "test-plan"
    site: str
    state: Literal["idle", "queued", "waiting", "running", "disabled"]
    state_text: str
    since: datetime = Field(description="Of a run that is not over, or else of the plan's last change")
    age_s: float
    shape: Shape
    senders: list[str]
    receivers: list[str]
    fabric: str
    matrix: MatrixModel
    repeats: int
    schedule: str
    next_at: datetime | None
    priority: int
    quiet_percent: float | None
    budget_bytes: int | None
    budget_s: int | None
    enabled: bool
    note: str
    author: str
    created_at: datetime
    cells: int = Field(description="Of one run")
    runs: int
    last_run: TestRunOut | None
    may_run: bool
    url: str
