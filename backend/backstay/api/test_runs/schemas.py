"""Throughput test runs: cells, measurements, verdicts and comparisons."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, Field

from backstay.core.diagnosis.throughput.compare import Outcome, Trend
from backstay.core.diagnosis.throughput.grid import Side
from backstay.core.model.progress import AssignmentState, RunSource, RunState
from backstay.core.model.throughput import CellProgress, Confidence
from backstay.core.model.throughput import Role as NodeRole
from backstay.core.model.throughput_kinds import Direction, Kind, Shape


class VerdictEvidence(BaseModel):
    """One finding for or against a verdict."""

    # Verdicts of older releases use `said`.
    text: Annotated[str, Field(validation_alias=AliasChoices("text", "said"))]
    supports: bool


class VerdictOut(BaseModel):
    """The named bottleneck of a cell or a run."""

    name: str
    confidence: Confidence
    sentence: str
    remedy: str = Field(description="What to do; if inconclusive: what to measure")
    evidence: list[VerdictEvidence]
    numbers: dict[str, float]
    suspect: str = Field(description="The suspected node or hop")


class CellVerdictOut(VerdictOut):
    """A verdict with its alternatives, most likely first."""

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
    program: str = Field("", description="Program of an RDMA test; else empty")
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
    """CPU load of one node during a cell."""

    node: str
    role: NodeRole
    busy: float = Field(description="Load in processors: 1 is one fully used processor")
    cores: int
    busiest: float | None = Field(description="Load of the busiest CPU, 0..1")
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
    seconds: list[float] = Field(description="Total of each whole second")
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
    production: float | None = Field(description="Cross traffic; null: not measured")


class MediumOut(BaseModel):
    """Capacity of the path between the ends."""

    usable: float | None
    hops: list[MediumHop]
    rtt_s: float | None
    production: float | None


class EndsOut(BaseModel):
    """Sender and receiver."""

    sender: str
    receiver: str


class FlowOut(EndsOut):
    """Sender, receiver and path."""

    path: list[str] = Field(description="Nodes and shared media; empty: unknown")


class TestCellOut(BaseModel):
    """One point of a run's matrix and its result."""

    index: int
    key: str
    flows: list[FlowOut]
    parameters: ParametersOut
    state: CellProgress
    detail: str
    start_at: datetime | None
    ended_at: datetime | None
    expected_s: float | None
    rate: float | None
    used: float | None = Field(description="Share of the available rate, 0..1")
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
    state: AssignmentState
    detail: str
    reported_at: datetime | None
    started: datetime | None
    ended: datetime | None
    late_ms: float | None = Field(description="Delay after the common start time, by the corrected clock")
    program: str
    command: str
    host: dict[str, Any] | None = Field(description="CPU load over the test, percent")
    ports: list[dict[str, Any]] = Field(description="Counter growth over the test")
    result: dict[str, Any] | None = Field(description="Result as reported by the agent")


class TestCellDetail(TestCellOut):
    """A cell with the report of each node."""

    assignments: list[TestAssignmentOut]


class RegressionOut(BaseModel):
    """A run compared with the plan's earlier runs."""

    outcome: Trend
    usual: float
    change: float = Field(description="Relative change: latest / usual - 1")
    deviations: float
    sentence: str
    cells: int
    slower_cells: int
    runs: int
    least: int = Field(description="Minimum number of earlier runs for a comparison")


class TestRunOut(BaseModel):
    """One execution of a plan, or a paper's table."""

    id: str = Field(description="A number, or a paper table's name such as cern96.fig4")
    name: str
    kind: Literal["test-run"] = "test-run"
    site: str
    plan: str
    plan_id: int | None
    shape: Shape | Literal[""] = Field(description="Empty: a paper's table")
    source: RunSource
    state: RunState
    state_text: str
    since: datetime | None
    age_s: float
    waits_for: str
    person: str = Field(description="Empty: started by the schedule")
    asked_at: datetime | None
    began_at: datetime | None
    ended_at: datetime | None
    cells_total: int
    cells_over: int
    cells_bad: int = Field(description="Cells that ended without result")
    progress: float = Field(description="Fraction done, 0..1")
    remaining_s: float | None = Field(
        description="Estimated remaining run time, without waiting; null: ended"
    )
    verdict: VerdictOut | None
    used: str = Field(description="Share of the usable rate in the best cell, as text")
    regression: RegressionOut | None
    may_cancel: bool
    url: str


class NamedVerdict(BaseModel):
    """One cause and the cells with it."""

    name: str
    cells: list[int]
    sentence: str = Field(description="Sentence of the cell with the highest confidence")


class ConclusionOut(BaseModel):
    """A paper's conclusion from cells of its table, and Backstay's."""

    row: str
    paper: str
    expected: str
    verdict: str
    confidence: str
    sentence: str
    agrees: bool
    why_not: str


class CitationOut(BaseModel):
    """Source of a reference run."""

    title: str
    cite: str
    figure: str
    about: str


class TestRunDetail(TestRunOut):
    """A run with all cells."""

    asked: dict[str, Any] = Field(description="The plan at the time of the run")
    outcome: str
    cells: list[TestCellOut]
    verdicts: list[NamedVerdict] = Field(description="Verdicts, most cells first")
    citation: CitationOut | None
    conclusions: list[ConclusionOut]


class PointOut(ParametersOut):
    """Identity of a cell across runs."""

    flows: list[EndsOut] = Field(default_factory=list, description="Empty: a paper's table")


class CellDifference(BaseModel):
    """One cell in both runs."""

    flows: list[EndsOut] = Field(
        default_factory=list, description="Ends in the earlier run; empty: a paper's table"
    )
    parameters: ParametersOut
    before: float
    after: float
    change: float = Field(description="After / before - 1")
    outcome: Outcome


class ComparisonOut(BaseModel):
    """A run (after) against another (before)."""

    before: TestRunOut
    after: TestRunOut
    outcome: Outcome
    change: float
    sentence: str
    differences: list[CellDifference]
    only_before: list[PointOut]
    only_after: list[PointOut]


class GridCellOut(BaseModel):
    """The result from one end to another."""

    sender: str
    receiver: str
    rate: float | None = Field(description="Rate of its best cell; null: none is done")
    cells: list[int]
    states: list[CellProgress]
    verdict: str = Field(description="Verdict of its best cell, or why none is done; empty: not run yet")


class SuspectOut(BaseModel):
    """The suspect indicated by the pattern."""

    host: str
    side: Side
    rate: float
    peer: str
    sentence: str


class TestGridOut(BaseModel):
    """Rates between all ends in both directions, from the latest run with results of a mesh plan."""

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
