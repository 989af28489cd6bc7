"""Throughput tests: plans, runs with their cells and verdicts, two runs beside each other, meshes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from backstay_cli.shapes.base import Shape


class VerdictEvidence(Shape):
    """One finding for a verdict, or against it."""

    text: str
    supports: bool


class VerdictOut(Shape):
    """A named bottleneck."""

    name: str
    confidence: str
    sentence: str
    remedy: str
    evidence: list[VerdictEvidence]


class CellVerdictOut(VerdictOut):
    """Of a cell: with what else was considered."""

    others: list[VerdictOut]


class RegressionOut(Shape):
    """A run against the plan's earlier ones."""

    outcome: str
    sentence: str


class ParametersOut(Shape):
    """One point of a matrix."""

    kind: str
    program: str = ""
    streams: int
    buffer: int | None
    window: int | None
    send_buffer: int | None
    direction: str
    size: int | None
    offered_rate: float | None
    offered_pps: float | None
    mtu: int | None
    mss: int | None
    no_delay: bool | None
    quick_ack: bool | None
    congestion: str
    senders: int
    receivers: int


class EndsOut(Shape):
    """Who sends to whom."""

    sender: str
    receiver: str


class FlowOut(EndsOut):
    """And over what."""

    path: list[str]


class PointOut(ParametersOut):
    """A point of a matrix between its ends; of a paper's table nobody told these."""

    flows: list[EndsOut] = []


class MeasuredOut(Shape):
    """What came of a cell."""

    retransmits: int | None
    loss: float | None
    pps: float | None
    rtt_s: float | None


class TestCellOut(Shape):
    """One point of a run's matrix, and what came of it."""

    __test__ = False
    index: int
    key: str
    flows: list[FlowOut]
    parameters: ParametersOut
    state: str
    detail: str
    rate: float | None
    used: float | None
    measured: MeasuredOut | None
    verdict: CellVerdictOut | None


class TestAssignmentOut(Shape):
    """One node's part in a cell."""

    __test__ = False
    node: str
    role: str
    state: str
    detail: str
    late_ms: float | None
    command: str


class TestCellDetail(TestCellOut):
    """A cell with its nodes' parts."""

    assignments: list[TestAssignmentOut]


class TestRunOut(Shape):
    """A run, or a paper's table, as a line of a list."""

    __test__ = False
    id: str
    name: str
    plan: str
    plan_id: int | None
    shape: str
    source: str
    state: str
    state_text: str
    age_s: float
    waits_for: str
    person: str
    asked_at: datetime | None
    began_at: datetime | None
    ended_at: datetime | None
    cells_total: int
    cells_over: int
    cells_bad: int
    remaining_s: float | None
    verdict: VerdictOut | None
    used: str
    regression: RegressionOut | None
    may_cancel: bool


class NamedVerdict(Shape):
    """One cause, and the cells that it was named in."""

    name: str
    cells: list[int]
    sentence: str


class CitationOut(Shape):
    """Where a paper's table is from."""

    cite: str
    figure: str
    about: str


class ConclusionOut(Shape):
    """What a paper concluded, beside our verdict."""

    row: str
    paper: str
    verdict: str
    agrees: bool


class TestRunDetail(TestRunOut):
    """A run whole."""

    outcome: str
    cells: list[TestCellOut]
    verdicts: list[NamedVerdict]
    citation: CitationOut | None
    conclusions: list[ConclusionOut]


class TestPlanOut(Shape):
    """A plan, and its newest run."""

    __test__ = False
    id: int
    name: str
    site: str
    state: str
    state_text: str
    shape: str
    senders: list[str]
    receivers: list[str]
    fabric: str
    matrix: dict[str, Any]
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
    cells: int
    runs: int
    last_run: TestRunOut | None
    may_run: bool


class CellDifference(Shape):
    """One cell in both runs."""

    flows: list[EndsOut] = []
    parameters: ParametersOut
    before: float
    after: float
    change: float
    outcome: str


class ComparisonOut(Shape):
    """A run against another."""

    before: TestRunOut
    after: TestRunOut
    outcome: str
    sentence: str
    differences: list[CellDifference]
    only_before: list[PointOut]
    only_after: list[PointOut]


class SuspectOut(Shape):
    """What a mesh's pattern points at."""

    host: str
    side: str
    peer: str
    sentence: str


class TestGridOut(Shape):
    """A mesh as its newest run found it."""

    __test__ = False
    run: str
    sentence: str
    suspects: list[SuspectOut]
