"""Capacity of a small site, in which the ATM gateway cannot carry what the GigaRouter does."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from backstay.api.capacity.schemas import (
    CapacityFailures,
    CapacityStatus,
    FailedComponent,
    FailureDetail,
    FailureListed,
    GatewayPacketsOut,
    LaneLoadOut,
    TrafficMove,
    VerdictCounts,
    WhatIf,
)
from backstay.api.forecasts.schemas import (
    ForecastCounts,
    ForecastListed,
    ForecastOut,
    Forecasts,
    ForecastStatus,
)
from backstay.api.overview.schemas import FallbacksOut
from backstay.api.track_record.schemas import (
    ComparedLoad,
    PredictionCheckOut,
    TrackRecord,
    TrackRecordStatus,
)
from backstay_testing.cli.fake_server import AT

REASON = "atmgw:at0 would carry 142 % of 134.5 Mb/s."
SENTENCE = f"If grf1 fails, {REASON}"
GRF1 = FailedComponent(kind="node", id=5, name="grf1")
ATMGW = FailedComponent(kind="node", id=6, name="atmgw")


def fallbacks() -> FallbacksOut:
    """The tile of the overview."""
    return FallbacksOut(
        headline="1 of 4 fallbacks would not hold",
        state="warning",
        total=4,
        holds=3,
        would_not_hold=1,
        unknown=0,
        items=[],
        as_of=AT,
        age_s=20.0,
        is_stale=False,
        error="",
        url="/capacity",
    )


def lane() -> LaneLoadOut:
    """The OC-3 behind the ATM gateway."""
    return LaneLoadOut(
        link=4,
        name="atmgw:at0-router:at1",
        direction="forward",
        start="atmgw",
        end="router",
        before_bps=0,
        after_bps=190_990_000,
        carried_bps=134_500_000,
        usable_rate=134_500_000,
        utilisation=1.42,
        is_measured=True,
    )


def packets() -> GatewayPacketsOut:
    """The ATM gateway takes over the GigaRouter's packets."""
    return GatewayPacketsOut(
        node=6,
        name="atmgw",
        before_pps=1_000,
        after_pps=131_000,
        limit_pps=100_000,
        share=1.31,
        is_known=True,
    )


def single_failures(error: str = "") -> CapacityFailures:
    """`GET /capacity/n-1`."""
    return CapacityFailures(items=[_listed()], next=None, status=_status(error))


def _status(error: str) -> CapacityStatus:
    return CapacityStatus(
        site="argonne",
        headline="1 of 4 fallbacks would not hold",
        state="warning",
        computed_at=AT,
        checked_at=AT,
        age_s=20.0,
        is_stale=False,
        error=error,
        failing_since=AT if error else None,
        method="policies",
        fallbacks=VerdictCounts(total=4, holds=3, would_not_hold=1, unknown=0),
        failures=VerdictCounts(total=10, holds=9, would_not_hold=1, unknown=0),
        single_attached=8,
        unknown_nodes=2,
        carried_bps=400_000_000,
        unattributed_bps=40_000_000,
        unattributed_share=0.1,
        cpu_ms=18.0,
    )


def _listed() -> FailureListed:
    return FailureListed(
        id=1,
        name="grf1",
        kind="node",
        key="node:5",
        members=[],
        members_total=0,
        verdict="would_not_hold",
        state="warning",
        since=AT,
        reason=REASON,
        sentence=SENTENCE,
        has_fallback=True,
        worst=lane(),
        worst_utilisation=1.42,
        worst_gateway=packets(),
        worst_packet_share=1.31,
        moved_nodes=8,
        moved_bps=190_990_000,
        cut_off_nodes=1,
        cut_off_bps=1_000_000,
        redundancy_lost=8,
        growth_percent=-29.6,
        url="/capacity/1",
    )


def _failure(
    verdict: Literal["holds", "would_not_hold", "unknown"], reason: str, failed: list[FailedComponent]
) -> FailureDetail:
    move = TrafficMove(
        policy="sp-default",
        prefix="0.0.0.0/0",
        from_gateway=GRF1,
        to_gateway=ATMGW,
        outcome="moved",
        nodes=8,
        names=["sp01"],
        out_bps=190_990_000,
        in_bps=12_000_000,
        unknown_nodes=0,
    )
    return FailureDetail(
        failed=failed,
        verdict=verdict,
        state="ok" if verdict == "holds" else "warning",
        reason=reason,
        sentence=f"If grf1 fails, {reason}",
        has_fallback=bool(failed),
        growth_percent=-29.6 if failed else None,
        moves=[move] if failed else [],
        moves_total=len(failed),
        links=[lane()] if failed else [],
        links_total=21 * len(failed),
        gateways=[packets()] if failed else [],
        gateways_total=len(failed),
        cut_off=["onyx1"] if failed else [],
        cut_off_nodes=len(failed),
        cut_off_bps=1_000_000 * len(failed),
        loops=[],
        redundancy_lost=["sp01"] if failed else [],
        redundancy_lost_nodes=8 * len(failed),
        recovers_in_s=0.3 if failed else None,
        unattributed_bps=0,
    )


def what_if(verdict: Literal["holds", "would_not_hold", "unknown"] = "would_not_hold") -> WhatIf:
    """`GET /capacity/what-if` of the GigaRouter."""
    return WhatIf(
        site="argonne",
        at=AT,
        load="mean",
        growth_percent=0.0,
        method="policies",
        failure=_failure(verdict, REASON, [GRF1]),
        intact=_failure("holds", "It moves no traffic.", []),
        unknown_nodes=0,
        carried_bps=400_000_000,
        unattributed_bps=0,
        unattributed_share=0.0,
    )


def track_record() -> TrackRecord:
    """`GET /capacity/track-record`: a drill that was measured, and a failover that was too short."""
    load = ComparedLoad(
        **lane().model_dump(), measured_bps=200_000_000, error_share=0.067, error_relative=0.0472
    )
    drill = PredictionCheckOut(
        id=2,
        gateway="grf1",
        cause="drill",
        drill=7,
        started_at=AT,
        last_switch_at=AT,
        ended_at=None,
        moved_nodes=8,
        predicted_at=AT,
        verdict="would_not_hold",
        state="measured",
        reason="",
        measured_at=AT,
        median_error=0.02,
        worst_error=0.067,
        worst=load,
        links=[load],
    )
    short = drill.model_copy(
        update={
            "id": 1,
            "cause": "failover",
            "drill": None,
            "ended_at": AT,
            "state": "not_measured",
            "reason": "It lasted 12 s: too short to measure.",
            "measured_at": None,
            "median_error": None,
            "worst_error": None,
            "worst": None,
        }
    )
    status = TrackRecordStatus(
        site="argonne",
        headline="1 failover measured: median error 2 %, worst 7 % of the usable rate; 1 not measured",
        measured=1,
        not_measured=1,
        pending=0,
        median_error=0.02,
        worst_error=0.067,
    )
    return TrackRecord(items=[drill, short], next=None, status=status)


def forecasts() -> Forecasts:
    """`GET /capacity/forecast`: a link that fills, and one whose fit is poor."""
    day = AT.date()
    fills = ForecastListed(
        id=1,
        link=7,
        name="atmgw:at0-router:at1",
        is_back=False,
        start="atmgw",
        end="router",
        day=day,
        is_stale=False,
        forecast="within_year",
        state="warning",
        reason="",
        current_bps=84_000_000,
        usable_rate=134_500_000,
        utilisation=0.6245,
        full_on=day + timedelta(days=92),
        earliest=day + timedelta(days=83),
        latest=day + timedelta(days=104),
        error=0.031,
        naive_error=0.087,
        url="/capacity/forecast/1",
    )
    poor = fills.model_copy(
        update={
            "id": 2,
            "is_back": True,
            "start": "router",
            "end": "atmgw",
            "forecast": "unknown",
            "state": "unknown",
            "reason": "A forecast of the last 45 days was off by 83 %.",
            "full_on": None,
            "earliest": None,
            "latest": None,
            "error": None,
            "naive_error": None,
            "url": "/capacity/forecast/2",
        }
    )
    status = ForecastStatus(
        site="argonne",
        headline="1 of 2 link directions will be full within a year, 1 without a forecast",
        day=day,
        computed_at=AT,
        is_stale=False,
        error="",
        failing_since=None,
        counts=ForecastCounts(saturated=0, within_year=1, not_within_year=0, unknown=1),
    )
    return Forecasts(items=[fills, poor], next=None, status=status)


def forecast_chart(number: int) -> ForecastOut:
    """`GET /capacity/forecast/{id}`: two days, and the year ahead of the one that fills."""
    item = forecasts().items[number]
    ahead = 365 if item.forecast == "within_year" else 0
    rates: list[int | None] = [83_000_000 + 500_000 * day if ahead else None for day in range(2 + ahead)]
    return ForecastOut(
        **item.model_dump(),
        days=[item.day + timedelta(days=day - 1) for day in range(2 + ahead)],
        values=[83_000_000, 84_000_000] + [None] * ahead,
        trend=rates,
        low=rates,
        high=rates,
    )
