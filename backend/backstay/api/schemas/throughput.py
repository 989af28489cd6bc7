"""Throughput tests: plans, runs, cells, verdicts, grids. Rates bit/s, lengths octets, times seconds."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from backstay.api.schemas.body import Body
from backstay.api.schemas.throughput_cell import (
    CellStateOut,
    Direction,
    EndsOut,
    ParametersOut,
    TestCellOut,
    VerdictOut,
)

Shape = Literal["pair", "n_pairs", "many_to_one", "one_to_many", "n_way", "mesh"]
TestKind = Literal["tcp", "udp", "request_ack", "ping", "rdma"]
RunState = Literal["queued", "waiting", "running", "done", "cancelled", "failed"]
Source = Literal["lab", "live", "paper"]
Most = 64
_Values = Field(min_length=1, max_length=Most)
Whole = Annotated[list[Annotated[int, Field(ge=0, lt=2**62)]], _Values]
Numbers = Annotated[list[Annotated[float, Field(ge=0, lt=2**62)]], _Values]
NodeName = Annotated[str, Field(min_length=1, max_length=128)]


class MatrixModel(Body):
    """What is varied (lists: a cell for every combination) and what is not. What a kind lacks is refused."""

    kind: TestKind = "tcp"
    streams: Whole | None = None
    buffer: Whole | None = Field(None, description="tcp: octets of one write")
    window: Whole | None = Field(None, description="Octets of the socket buffers; null: the system's")
    direction: Annotated[list[Direction], _Values] | None = None
    size: Whole | None = Field(None, description="Octets of a datagram, block, echo or message")
    rate: Numbers | None = Field(None, description="tcp, udp: bit/s of each stream; ping: echoes per second")
    nodelay: Annotated[list[bool], _Values] | None = None
    ack_delay: Annotated[list[Literal["system", "quick", "delayed"]], _Values] | None = None
    mss: Whole | None = None
    congestion: Annotated[list[Annotated[str, Field(max_length=16)]], _Values] | None = None
    queue_pairs: Whole | None = None
    program: Annotated[list[Literal["ib_write_bw", "ib_send_lat"]], _Values] | None = None
    device: str | None = Field(None, max_length=64)
    header: int | None = Field(None, ge=0)
    ack: int | None = Field(None, ge=0)
    duration_s: float | None = Field(None, gt=0)
    omit_s: int | None = Field(None, ge=0)
    amount: int | None = Field(None, ge=1, lt=2**62)
    count: int | None = Field(None, ge=1)
    wait_s: float | None = Field(None, gt=0)


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


class RegressionOut(BaseModel):
    """A run against the plan's earlier ones."""

    outcome: Literal["too_few", "usual", "slower", "faster"]
    usual: float
    change: float = Field(description="Newest over usual, less one")
    deviations: float
    sentence: str
    cells: int
    slower_cells: int
    runs: int
    least: int = Field(description="Fewer earlier runs than this tell nothing")


class TestRunOut(BaseModel):
    """One time that a plan was carried out, or a paper's table."""

    id: str = Field(description="A number; of a paper's table its name, cern96.fig4")
    name: str
    kind: Literal["test-run"] = "test-run"
    site: str
    plan: str
    plan_id: int | None
    shape: Shape | Literal[""] = Field(description="Empty: a paper's table")
    source: Source
    state: RunState
    state_text: str
    since: datetime | None
    age_s: float
    waits_for: str
    person: str = Field(description="Empty: the timetable")
    asked_at: datetime | None
    began_at: datetime | None
    ended_at: datetime | None
    cells_total: int
    cells_over: int
    cells_bad: int = Field(description="Over, and not done")
    progress: float = Field(description="0..1")
    remaining_s: float | None = Field(
        description="About, once it runs: no waiting is in it; null: it is over"
    )
    verdict: VerdictOut | None
    used: str = Field(description="In words: the best cell's share of usable")
    regression: RegressionOut | None
    may_cancel: bool
    url: str


class NamedVerdict(BaseModel):
    """One cause, and the cells that it was named in."""

    name: str
    cells: list[int]
    sentence: str = Field(description="Of its surest cell")


class ConclusionOut(BaseModel):
    """What a paper concluded from some cells of its table, beside what we say."""

    row: str
    paper: str
    expected: str
    verdict: str
    confidence: str
    sentence: str
    agrees: bool
    why_not: str


class CitationOut(BaseModel):
    """Where a reference run is from."""

    title: str
    cite: str
    figure: str
    about: str


class TestRunDetail(TestRunOut):
    """A run with all of its cells."""

    asked: dict[str, Any] = Field(description="The plan as it was")
    outcome: str
    cells: list[TestCellOut]
    verdicts: list[NamedVerdict] = Field(description="Most cells first")
    citation: CitationOut | None
    conclusions: list[ConclusionOut]


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


class PointOut(ParametersOut):
    """What makes cells of two runs the same cell."""

    flows: list[EndsOut] = Field(default_factory=list, description="Empty: a paper's table")


class CellDifference(BaseModel):
    """One cell in both runs."""

    flows: list[EndsOut] = Field(
        default_factory=list, description="As of the run before; empty: a paper's table"
    )
    parameters: ParametersOut
    before: float
    after: float
    change: float = Field(description="After over before, less one")
    outcome: Literal["faster", "slower", "same"]


class ComparisonOut(BaseModel):
    """A run (after) against another (before)."""

    before: TestRunOut
    after: TestRunOut
    outcome: Literal["faster", "slower", "same"]
    change: float
    sentence: str
    differences: list[CellDifference]
    only_before: list[PointOut]
    only_after: list[PointOut]


class GridCellOut(BaseModel):
    """From one end to another."""

    sender: str
    receiver: str
    rate: float | None = Field(description="The best of its cells; null: none is done")
    cells: list[int]
    states: list[CellStateOut]
    verdict: str = Field(description="Of its best cell, or why none is done; empty: none yet")


class SuspectOut(BaseModel):
    """What the pattern points at."""

    host: str
    side: Literal["sends", "receives", "both", "path"]
    rate: float
    peer: str
    sentence: str


class TestGridOut(BaseModel):
    """Every end to every other, both ways: the newest run of a mesh plan that has measured anything."""

    id: int
    name: str
    kind: Literal["test-grid"] = "test-grid"
    site: str
    state: RunState
    since: datetime
    age_s: float
    plan_id: int
    run: str
    hosts: list[str]
    cells: list[GridCellOut]
    usual: float
    sentence: str
    suspects: list[SuspectOut]
    url: str
