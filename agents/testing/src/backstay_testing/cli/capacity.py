"""Capacity of a small site, in which the ATM gateway cannot carry what the GigaRouter does."""

from __future__ import annotations

from typing import Literal

from backstay.api.capacity.schemas import (
    CapacityFailures,
    CapacityStatus,
    FailedComponent,
    FailureDetail,
    FailureListed,
    LaneLoadOut,
    TrafficMove,
    VerdictCounts,
    WhatIf,
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
        usable_rate=134_500_000,
        utilisation=1.42,
        is_measured=True,
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
        verdict="would_not_hold",
        state="warning",
        since=AT,
        reason=REASON,
        sentence=SENTENCE,
        has_fallback=True,
        worst=lane(),
        worst_utilisation=1.42,
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
