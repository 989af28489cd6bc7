"""The hold-time planner's result from measurements and the model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.blocking.schemas import (
    BlockingResult,
    HeadOfQueueLifetime,
    HippiModel,
    HippiModelQuery,
    HoldRecommendation,
    InfinibandPort,
    MeasuredGateway,
    MeasuredPort,
    ModelCurves,
    ModelParameters,
    TcpResult,
)
from backstay.api.http.urls import node_url
from backstay.core.diagnosis.blocking import CASA_TICK_S, blocking_factor_s
from backstay.core.formatting import milliseconds, share
from backstay.core.planning.blocking import evaluation, infiniband, recommendation, tcp
from backstay.core.planning.blocking.evaluation import BlockedFlow, FlowResult

if TYPE_CHECKING:
    from backstay.telemetry.selectors.blocking import (
        CongestedPort,
        GatewayMeasurement,
        HippiMeasurements,
        SwitchPortMeasurement,
    )

MOST_PORTS = 200
PAPER_RATE_PPS, PAPER_PACKET_BYTES, PAPER_BLOCKING_MS, PAPER_HOLD_MS = 10.0, 65_536, 20.0, 10.0
"""A stable case of CASA section 7; BF and h are those of its TCP experiment (7.3)."""
_BURST_BUFFER = 4 * 2**20
"""Bytes; of CASA's gateways (section 4). No object of the MIB reports it."""
LIMITS = (
    "Only one source blocks the destination, with exponential times and without pauses; arrivals are"
    " evenly spaced.",
    "A measured blocking factor is a lower bound: it is the mean wait of all packets of the gateway, also"
    " of those"
    " that found their destination free. Loss and recommended hold times computed from it are too low"
    " where few"
    " packets are blocked: compare the measured loss, and enter the blocking factor if you know it.",
    tcp.FINITE_NOTE,
    "Loss with an unlimited hold time is that of a source that flow control cannot slow down. TCP slows"
    " down.",
)


@dataclass(frozen=True, slots=True)
class PlannerInput:
    """Input of the result."""

    site: str
    now: datetime
    window_s: float
    query: HippiModelQuery
    gateway: GatewayMeasurement | None
    measured: HippiMeasurements
    congested: list[CongestedPort]


@dataclass(frozen=True, slots=True)
class _Case:
    """Parameters in force."""

    flow: BlockedFlow
    hold_ms: float | None

    @property
    def finite_ms(self) -> float:
        """h of the finite case: the paper's if h is unlimited or unknown."""
        return self.hold_ms or PAPER_HOLD_MS

    @property
    def blocking_ms(self) -> float | None:
        """The blocking factor."""
        return None if self.flow.blocking_s is None else self.flow.blocking_s * 1000


def model_out(given: PlannerInput) -> HippiModel:
    """The whole result."""
    query, case = given.query, _case(given)
    unlimited = evaluation.evaluate(case.flow, None)
    finite = evaluation.evaluate(case.flow, case.finite_ms / 1000)
    advice = recommendation.recommend(_needs(query, case))
    return HippiModel(
        site=given.site,
        at=given.now,
        headline=_headline(case, unlimited, finite),
        gateway=query.gateway or "",
        window_s=given.window_s,
        parameters=_parameters(query, case),
        unlimited=_result(unlimited, query.base_rtt_ms),
        finite=_result(finite, query.base_rtt_ms),
        curves=_curves(query, case),
        tcp=_tcp(query, case),
        recommendations=[_recommendation(item) for item in advice],
        gateways=[_gateway(given, item) for item in given.measured.gateways],
        ports=[_port(item) for item in given.measured.ports[:MOST_PORTS]],
        ports_total=len(given.measured.ports),
        infiniband=[_congested(item, query.tick_ns) for item in given.congested],
        lifetimes=[
            HeadOfQueueLifetime(
                code=item.code, lifetime_ms=_ms(item.seconds, 6), loss=item.loss, note=item.note
            )
            for item in infiniband.lifetimes(case.flow.blocking_s)
        ],
        lifetimes_source=infiniband.SOURCE,
        limits=list(LIMITS),
    )


def _case(given: PlannerInput) -> _Case:
    query, gateway = given.query, given.gateway
    flow = (
        BlockedFlow(PAPER_RATE_PPS, PAPER_PACKET_BYTES, PAPER_BLOCKING_MS / 1000, 0)
        if gateway is None
        else _measured_flow(gateway)
    )
    held = PAPER_HOLD_MS if gateway is None else _hold_ms(gateway)
    blocking_s = flow.blocking_s if query.blocking_ms is None else query.blocking_ms / 1000
    return _Case(
        BlockedFlow(
            flow.rate_pps if query.rate_pps is None else query.rate_pps,
            flow.packet_bytes if query.packet_bytes is None else query.packet_bytes,
            blocking_s,
            query.buffer_kib * 1024,
            whole_bursts=query.whole_bursts,
        ),
        held if query.hold_ms is None else query.hold_ms,
    )


def _measured_flow(gateway: GatewayMeasurement) -> BlockedFlow:
    grown, delivery = gateway.grown, gateway.delivery
    size = None if delivery is None or delivery.packet_bytes is None else round(delivery.packet_bytes)
    if grown is None:
        return BlockedFlow(None, size, None, _BURST_BUFFER)
    return BlockedFlow(
        (grown.delivered + grown.given_up) / grown.seconds, size, blocking_factor_s(grown), _BURST_BUFFER
    )


def _hold_ms(gateway: GatewayMeasurement) -> float | None:
    return None if gateway.hold_ticks is None else gateway.hold_ticks * CASA_TICK_S * 1000


def _headline(case: _Case, unlimited: FlowResult, finite: FlowResult) -> str:
    if unlimited.state == "unknown":
        return unlimited.reason
    first = (
        unlimited.reason
        if unlimited.wait_s is None
        else f"With an unlimited hold time a packet waits {milliseconds(unlimited.wait_s * 1000)} on average."
    )
    if finite.wait_s is None or finite.loss is None:
        return f"{first} With {milliseconds(case.finite_ms)}: {finite.reason or finite.state}"
    return (
        f"{first} With h = {milliseconds(case.finite_ms)} it waits {milliseconds(finite.wait_s * 1000)}, and"
        f" {share(finite.loss)} of the packets are lost."
    )


def _parameters(query: HippiModelQuery, case: _Case) -> ModelParameters:
    flow = case.flow
    known = flow.rate_pps is not None and flow.blocking_s is not None
    return ModelParameters(
        rate_pps=_rounded(flow.rate_pps),
        packet_bytes=flow.packet_bytes,
        blocking_ms=_rounded(case.blocking_ms),
        hold_ms=_rounded(case.hold_ms),
        buffer_packets=flow.packets,
        load=_rounded((flow.rate_pps or 0) * (flow.blocking_s or 0)) if known else None,
        **{
            name: getattr(query, name)
            for name in (
                "buffer_kib", "base_rtt_ms", "window_kib", "segments_per_ack", "unblocked_mbps", "duty",
                "loss_limit", "timeout_ms", "deadline_ms",
            )
        },
    )  # fmt: skip


def _needs(query: HippiModelQuery, case: _Case) -> recommendation.Needs:
    return recommendation.Needs(
        blocking_s=case.flow.blocking_s,
        window_bytes=query.window_kib * 1024,
        buffer_bytes=query.buffer_kib * 1024,
        base_rtt_s=query.base_rtt_ms / 1000,
        loss_limit=query.loss_limit,
        timeout_s=query.timeout_ms / 1000,
        deadline_s=query.deadline_ms / 1000,
    )


def _result(result: FlowResult, base_rtt_ms: float) -> BlockingResult:
    return BlockingResult(
        state=result.state,
        wait_ms=_ms(result.wait_s),
        delay_ms=_delay(result, base_rtt_ms),
        loss=_loss(result),
        fill_s=_rounded(result.fill_s),
        reason=result.reason,
        simulated=result.is_simulated,
    )


def _delay(result: FlowResult, base_rtt_ms: float) -> float | None:
    return None if result.wait_s is None else round(result.wait_s * 1000 + base_rtt_ms, 4)


def _loss(result: FlowResult) -> float | None:
    return None if result.loss is None else round(result.loss, 9)


def _curves(query: HippiModelQuery, case: _Case) -> ModelCurves:
    points, finite_s = evaluation.curve_points(), case.finite_ms / 1000
    unlimited = evaluation.curve(case.flow, points, None)
    finite = evaluation.curve(case.flow, points, finite_s)
    connection = _connection(query)

    def rates(blocked: tcp.Blocked, hold_s: float | None) -> list[float]:
        return [round(tcp.throughput(connection, blocked, at, hold_s).bps) for at in points]

    return ModelCurves(
        blocking_ms=[round(at * 1000, 3) for at in points],
        unlimited_delay_ms=[_delay(item, query.base_rtt_ms) for item in unlimited],
        unlimited_loss=[_loss(item) for item in unlimited],
        finite_delay_ms=[_delay(item, query.base_rtt_ms) for item in finite],
        finite_loss=[_loss(item) for item in finite],
        finite_hold_ms=case.finite_ms,
        acks_unlimited_bps=rates("acks", None),
        acks_finite_bps=rates("acks", finite_s),
        segments_unlimited_bps=rates("segments", None),
        segments_finite_bps=rates("segments", finite_s),
    )


def _connection(query: HippiModelQuery) -> tcp.Connection:
    return tcp.Connection(
        query.unblocked_mbps * 1e6,
        query.window_kib * 1024,
        query.segments_per_ack,
        query.base_rtt_ms / 1000,
        query.duty,
    )


def _tcp(query: HippiModelQuery, case: _Case) -> list[TcpResult]:
    found = []
    blocked: tcp.Blocked
    for blocked in ("acks", "segments"):
        for hold_s in (None, case.finite_ms / 1000):
            result = tcp.throughput(_connection(query), blocked, case.flow.blocking_s or 0.0, hold_s)
            found.append(
                TcpResult(
                    blocked=blocked,
                    hold="unlimited" if hold_s is None else "finite",
                    bps=None if case.flow.blocking_s is None else round(result.bps),
                    reproduces_paper=result.reproduces_paper,
                    note=result.note,
                )
            )
    return found


def _recommendation(advice: recommendation.HoldAdvice) -> HoldRecommendation:
    hold_ms = None if not advice.is_known else _ms(advice.hold_s) or 0.0
    return HoldRecommendation(
        traffic=advice.traffic,
        title=recommendation.TITLES[advice.traffic],
        hold=_hold_text(hold_ms),
        hold_ms=hold_ms,
        ticks=advice.ticks,
        loss=advice.loss,
        is_met=advice.is_met,
        head_of_queue_code=infiniband.code_for(advice.hold_s) if advice.is_known else None,
        reason=advice.reason,
    )


def _hold_text(hold_ms: float | None) -> str:
    if hold_ms is None:
        return "unknown"
    return milliseconds(hold_ms) if hold_ms else "unlimited"


def _gateway(given: PlannerInput, item: GatewayMeasurement) -> MeasuredGateway:
    flow, held, grown = _measured_flow(item), _hold_ms(item), item.grown
    packets = 0.0 if grown is None else grown.delivered + grown.given_up
    result = (
        FlowResult("unknown", None, None, None, "Unknown: the gateway does not report its hold time.")
        if held is None
        else evaluation.evaluate(flow, held / 1000 if held else None)
    )
    return MeasuredGateway(
        node=item.node,
        node_id=item.node_id,
        rate_pps=_rounded(flow.rate_pps),
        packet_bytes=flow.packet_bytes,
        blocking_ms=_ms(flow.blocking_s),
        given_up_ps=None if grown is None else _rounded(grown.given_up / grown.seconds),
        loss=None if grown is None or not packets else _rounded(grown.given_up / packets),
        hold=_hold_text(held),
        hold_ms=held,
        model=_result(result, given.query.base_rtt_ms),
        url=node_url(item.node_id),
    )


def _port(item: SwitchPortMeasurement) -> MeasuredPort:
    rate = None if item.requests is None else item.requests.packets_ps
    size = None if item.requests is None else item.requests.packet_bytes
    return MeasuredPort(
        node=item.node,
        node_id=item.node_id,
        port=item.port,
        rate_pps=_rounded(rate),
        packet_bytes=None if size is None else round(size),
        rejects_ps=_rounded(item.rejects_ps),
        camp_ons_ps=_rounded(item.camp_ons_ps),
        blocked_share=_blocked_share(rate, item.rejects_ps, item.camp_ons_ps),
        delivered_pps=None if item.deliveries is None else _rounded(item.deliveries.packets_ps),
        url=node_url(item.node_id),
    )


def _blocked_share(rate: float | None, rejects: float | None, camp_ons: float | None) -> float | None:
    """Rejected requests made no packet; those that waited did."""
    if rate is None or rejects is None or camp_ons is None or rate + rejects <= 0:
        return None
    return round(min((rejects + camp_ons) / (rate + rejects), 1.0), 4)


def _congested(item: CongestedPort, tick_ns: float | None) -> InfinibandPort:
    ticks, seconds = item.wait_ticks, item.seconds
    tick_s = None if tick_ns is None else tick_ns * 1e-9
    return InfinibandPort(
        node=item.node,
        node_id=item.node_id,
        port=item.port,
        wait_ticks_ps=_rounded(ticks / seconds) if ticks is not None and seconds else None,
        wait_share=None if ticks is None else _rounded(infiniband.wait_share(ticks, seconds, tick_s)),
        discards_ps=_rounded(item.discards / seconds) if item.discards is not None and seconds else None,
        url=node_url(item.node_id),
    )


def _ms(seconds: float | None, decimals: int = 4) -> float | None:
    return None if seconds is None else round(seconds * 1000, decimals)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
