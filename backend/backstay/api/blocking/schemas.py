"""The hold-time planner: parameters, curves, measured gateways and ports, recommendations."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backstay.api.http.list_query import Text
from backstay.core.planning.blocking.evaluation import QueueState
from backstay.core.planning.blocking.recommendation import TrafficClass

Share = Annotated[float, Field(gt=0, lt=1)]


class HippiModelQuery(BaseModel):
    """Parameters of the model. With `gateway`, its measured values take the place of those not given."""

    site: Text | None = Field(None, description="Name of the site; default: the first site that you may see")
    gateway: Text | None = Field(
        None, description="Name of a HIPPI-SONET gateway: what was not measured there is unknown"
    )
    rate_pps: float | None = Field(None, gt=0, le=1e6, description="Packets per second; default: 10")
    packet_bytes: int | None = Field(None, ge=64, le=2**24, description="Default: 65536")
    blocking_ms: float | None = Field(
        None, ge=0.001, le=60_000, description="Blocking factor BF; default: 20"
    )
    hold_ms: float | None = Field(
        None, ge=0, le=60_000, description="Hold time h; 0: unlimited; default: 10, the paper's finite value"
    )
    buffer_kib: int = Field(4096, ge=64, le=2**20, description="Burst buffer of the gateway")
    whole_bursts: bool = Field(False, description="A packet occupies whole bursts of 1 KiB of the buffer")
    base_rtt_ms: float = Field(6, ge=0, le=10_000, description="Round trip without blocking")
    window_kib: int = Field(400, ge=64, le=2**20, description="Window of the TCP connection")
    segments_per_ack: int = Field(3, ge=1, le=16, description="Segments that one acknowledgement covers")
    unblocked_mbps: float = Field(314.4, gt=0, le=1e5, description="TCP throughput without blocking, Mb/s")
    duty: float = Field(
        1, gt=0, le=1, description="Share of TCP's connection attempts that find the destination busy"
    )
    loss_limit: Share = Field(0.01, description="Share of lost packets that requests and datagrams tolerate")
    timeout_ms: float = Field(500, gt=0, le=600_000, description="A request is repeated after this time")
    deadline_ms: float = Field(50, gt=0, le=600_000, description="A datagram is useless after this time")
    tick_ns: float | None = Field(
        None, gt=0, le=1e9, description="Length of a tick of PortXmitWait; without it shares are unknown"
    )


class ModelParameters(BaseModel):
    """Parameters in force; null: not measured at the gateway."""

    rate_pps: float | None
    packet_bytes: int | None
    blocking_ms: float | None
    hold_ms: float | None = Field(description="0: unlimited; null: not reported by the gateway")
    buffer_kib: int
    buffer_packets: int | None = Field(description="Packets that the buffer holds; null: size unknown")
    load: float | None = Field(description="Packet rate x blocking factor; from 1 on the queue is unstable")
    base_rtt_ms: float
    window_kib: int
    segments_per_ack: int
    unblocked_mbps: float
    duty: float
    loss_limit: float
    timeout_ms: float
    deadline_ms: float


class BlockingResult(BaseModel):
    """Delay and loss at one point. An unstable queue has no delay, only the time until the buffer is full."""

    state: QueueState
    wait_ms: float | None = Field(description="Mean delay of delivered packets by blocking; null: no value")
    delay_ms: float | None = Field(description="The same with the round trip without blocking")
    loss: float | None = Field(description="Share of packets lost (0..1); null: unknown")
    fill_s: float | None = Field(description="Time until the empty buffer is full, if unstable")
    reason: str = Field(description="Why a value is missing; empty: none is")
    simulated: bool = Field(
        description="From a seeded simulation, because packets queue within the hold time"
    )


class ModelCurves(BaseModel):
    """Values over the blocking factor; null: unstable or unknown."""

    blocking_ms: list[float]
    unlimited_delay_ms: list[float | None]
    unlimited_loss: list[float | None]
    finite_delay_ms: list[float | None]
    finite_loss: list[float | None]
    finite_hold_ms: float = Field(description="h of the finite curves: the parameter, or the paper's 10 ms")
    acks_unlimited_bps: list[float]
    acks_finite_bps: list[float]
    segments_unlimited_bps: list[float]
    segments_finite_bps: list[float]


class TcpResult(BaseModel):
    """TCP throughput at the parameters."""

    blocked: Literal["acks", "segments"]
    hold: Literal["unlimited", "finite"]
    bps: float | None = Field(description="null: the blocking factor is unknown")
    reproduces_paper: bool | None = Field(description="null: the paper has no value to compare with")
    note: str


class HoldRecommendation(BaseModel):
    """Recommended hold time of a traffic class."""

    traffic: TrafficClass
    title: str
    hold: str = Field(description="h as text: `unlimited`, `92.1 ms`, `unknown`")
    hold_ms: float | None = Field(description="0: unlimited; null: unknown")
    ticks: int | None = Field(description="In ticks of 20 us; 0: unlimited; null: unknown")
    loss: float | None
    is_met: bool | None = Field(description="Whether the class's limits are met; null: unknown")
    head_of_queue_code: int | None = Field(description="Smallest HOQLife code of InfiniBand not below h")
    reason: str


class MeasuredGateway(BaseModel):
    """One HIPPI-SONET gateway in the window; null: not measured."""

    node: str
    node_id: int
    rate_pps: float | None = Field(
        description="Packets for its LAN: delivered, and one per expired hold time; a lower bound"
    )
    packet_bytes: int | None = Field(description="Mean size of the delivered packets")
    blocking_ms: float | None = Field(
        description="Lower bound of the blocking factor: the mean wait of a packet"
    )
    given_up_ps: float | None = Field(description="Expired hold times per second; each discards a queue")
    loss: float | None = Field(
        description="Lower bound of the share of packets lost: one per expired hold time"
    )
    hold: str
    hold_ms: float | None = Field(description="0: unlimited; null: not reported")
    model: BlockingResult = Field(description="What the model computes from these values")
    url: str


class MeasuredPort(BaseModel):
    """One HIPPI switch port in the window; null: not measured."""

    node: str
    node_id: int
    port: str
    rate_pps: float | None = Field(description="Connections that the source at this port made")
    packet_bytes: int | None
    rejects_ps: float | None
    camp_ons_ps: float | None
    blocked_share: float | None = Field(
        description="Share of its requests that were rejected or had to wait (0..1)"
    )
    delivered_pps: float | None = Field(description="Packets to the destination at this port")
    url: str


class InfinibandPort(BaseModel):
    """An InfiniBand port that waited for credits or discarded packets in its newest interval."""

    node: str
    node_id: int
    port: str
    wait_ticks_ps: float | None = Field(description="PortXmitWait per second")
    wait_share: float | None = Field(description="Share of time (0..1); null: length of a tick unknown")
    discards_ps: float | None = Field(description="PortXmitDiscards per second")
    url: str


class HeadOfQueueLifetime(BaseModel):
    """One HOQLife code."""

    code: int
    lifetime_ms: float | None = Field(description="null: no limit")
    loss: float | None = Field(description="Share of blocked packets discarded at the blocking factor")
    note: str


class HippiModel(BaseModel):
    """The hold-time planner's result."""

    site: str
    at: datetime
    headline: str
    gateway: str = Field(description="Gateway whose measured values were used; empty: none")
    window_s: float = Field(description="Length of the window of measured HIPPI rates")
    parameters: ModelParameters
    unlimited: BlockingResult
    finite: BlockingResult
    curves: ModelCurves
    tcp: list[TcpResult]
    recommendations: list[HoldRecommendation]
    gateways: list[MeasuredGateway]
    ports: list[MeasuredPort] = Field(description="At most 200, the most blocked first")
    ports_total: int
    infiniband: list[InfinibandPort] = Field(description="Those that wait or discard most, at most 100")
    lifetimes: list[HeadOfQueueLifetime]
    lifetimes_source: str
    limits: list[str] = Field(description="Where the model is known not to hold")
