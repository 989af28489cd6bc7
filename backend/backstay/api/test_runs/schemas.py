"""One cell of a throughput test: what was asked for, what was measured, by whom, and the verdict."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, Field

from backstay.core.model.throughput import CellState, Direction
from backstay.core.model.throughput import Role as NodeRole
from backstay.core.model.throughput_kinds import Kind, Shape

CellStateOut = Literal["queued", "running", CellState]
AssignmentStateOut = Literal["asked", "accepted", "running", CellState]


class VerdictEvidence(BaseModel):
    """One finding that a verdict rests on, or that speaks against it."""

    # Verdicts stored by older releases have `said`.
    text: Annotated[str, Field(validation_alias=AliasChoices("text", "said"))]
    supports: bool


class VerdictOut(BaseModel):
    """The named bottleneck of a cell or a run."""

    name: str
    confidence: Literal["high", "medium", "low"]
    sentence: str
    remedy: str = Field(description="What to do; of inconclusive: what to measure")
    evidence: list[VerdictEvidence]
    numbers: dict[str, float]
    suspect: str = Field(description="The node or hop it names")


class CellVerdictOut(VerdictOut):
    """With what else was considered, most likely first."""

    others: list[VerdictOut]


class ParametersOut(BaseModel):
    """One point of the matrix."""

    kind: Kind
    streams: int
    buffer: int | None
    window: int | None
    send_buffer: int | None
    direction: Direction
    size: int | None
    program: str = Field("", description="Of an RDMA test; else empty")
    offered_rate: float | None
    offered_pps: float | None
    mtu: int | None
    mss: int | None
    no_delay: bool | None
    quick_ack: bool | None
    congestion: str
    other: str = Field("", description="Varied parameters that have no field here; else empty")
    senders: int
    receivers: int


class NodeCpuOut(BaseModel):
    """How busy one node was during a cell."""

    node: str
    role: NodeRole
    busy: float = Field(description="Processors' worth")
    cores: int
    busiest: float | None = Field(description="Share of the busiest, 0..1")
    softirq: float | None


class StallsOut(BaseModel):
    """Pauses between a block and its acknowledgement."""

    count: int
    out_of: int
    typical_s: float


class MeasuredOut(BaseModel):
    """The result of a cell; null: not reported."""

    rate: float
    per_stream: list[float]
    seconds: list[float] = Field(description="Sum of each whole second")
    duration_s: float | None
    retransmits: int | None
    segments: int | None
    loss: float | None
    pps: float | None
    rtt_s: float | None
    rtt_least_s: float | None
    cwnd: int | None
    cwnd_least: int | None
    peer_window: int | None
    path_mtu: int | None
    cpu: list[NodeCpuOut]
    stalls: StallsOut | None


class MediumHop(BaseModel):
    """One link of the path."""

    name: str
    usable: float | None
    mtu: int | None
    packet_limit: float | None
    production: float | None = Field(description="Traffic besides the cell's own; null: not measured")


class MediumOut(BaseModel):
    """Capacity of the path between the ends."""

    usable: float | None
    hops: list[MediumHop]
    rtt_s: float | None
    production: float | None


class EndsOut(BaseModel):
    """Who sends to whom."""

    sender: str
    receiver: str


class FlowOut(EndsOut):
    """Who sends to whom, and over what."""

    path: list[str] = Field(description="Nodes and shared media; empty: not known")


class TestCellOut(BaseModel):
    """One point of a run's matrix, and what came of it."""

    index: int
    key: str
    flows: list[FlowOut]
    parameters: ParametersOut
    state: CellStateOut
    detail: str
    start_at: datetime | None
    ended_at: datetime | None
    expected_s: float | None
    rate: float | None
    used: float | None = Field(description="Of what there was for it, 0..1")
    measured: MeasuredOut | None
    medium: MediumOut
    verdict: CellVerdictOut | None


class TestAssignmentOut(BaseModel):
    """One node's part in a cell."""

    id: int
    node: str
    node_id: int
    role: Literal["server", "client", "observer"]
    flow: int
    state: AssignmentStateOut
    detail: str
    reported_at: datetime | None
    started: datetime | None
    ended: datetime | None
    late_ms: float | None = Field(description="After the common start, by a clock put right")
    program: str
    command: str
    host: dict[str, Any] | None = Field(description="Processors over the test, per cent")
    ports: list[dict[str, Any]] = Field(description="Counters' growth over the test")
    result: dict[str, Any] | None = Field(description="As the agent reports it")


class TestCellDetail(TestCellOut):
    """With each node's own report."""

    assignments: list[TestAssignmentOut]


RunState = Literal["queued", "waiting", "running", "done", "cancelled", "failed"]
Source = Literal["lab", "live", "paper"]


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
    least: int = Field(description="Minimum of earlier runs for a comparison")


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
    used: str = Field(description="Text: the best cell's share of the usable rate")
    regression: RegressionOut | None
    may_cancel: bool
    url: str


class NamedVerdict(BaseModel):
    """One cause, and the cells that it was named in."""

    name: str
    cells: list[int]
    sentence: str = Field(description="Of its surest cell")


class ConclusionOut(BaseModel):
    """A paper's conclusion from some cells of its table, and ours."""

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
    """Every end to every other, in both directions: the newest run of a mesh plan with results."""

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
