"""One cell of a throughput test: what was asked for, what was measured, by whom, and the verdict."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from backstay.core.model.throughput import CellState

Direction = Literal["forward", "reverse", "both"]
CellStateOut = Literal["queued", "running", CellState]
DutyStateOut = Literal["asked", "accepted", "running", CellState]


class VerdictEvidence(BaseModel):
    """One finding that a verdict rests on, or that speaks against it."""

    said: str
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

    kind: Literal["tcp", "udp", "request_ack", "ping", "rdma", "file"]
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
    senders: int
    receivers: int


class NodeCpuOut(BaseModel):
    """How busy one node was during a cell."""

    node: str
    role: Literal["endpoint_sender", "endpoint_receiver", "gateway"]
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
    """What came of a cell; null is not told."""

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
    """One link on the way."""

    name: str
    usable: float | None
    mtu: int | None
    packet_limit: float | None
    production: float | None = Field(description="Others' traffic beside the cell; null: nobody saw it")


class MediumOut(BaseModel):
    """What the way between the ends can carry."""

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

    way: list[str] = Field(description="Nodes and shared media; empty: not known")


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


class TestDutyOut(BaseModel):
    """One node's part in a cell."""

    assignment: int
    node: str
    node_id: int
    role: Literal["server", "client", "observer"]
    flow: int
    state: DutyStateOut
    detail: str
    told_at: datetime | None
    started: datetime | None
    ended: datetime | None
    late_ms: float | None = Field(description="After the common start, by a clock put right")
    program: str
    command: str
    host: dict[str, Any] | None = Field(description="Processors over the test, per cent")
    ports: list[dict[str, Any]] = Field(description="Counters' growth over the test")
    result: dict[str, Any] | None = Field(description="As the agent tells it")


class TestCellDetail(TestCellOut):
    """With each node's own words."""

    duties: list[TestDutyOut]
