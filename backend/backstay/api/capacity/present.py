"""Capacity for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.api.capacity.schemas import (
    CapacityStatus,
    FailureDetail,
    FailureListed,
    FailureOut,
    VerdictCounts,
    WhatIf,
)
from backstay.api.http.urls import capacity_url
from backstay.core.planning.whatif.fallback_verdict import sentence

if TYPE_CHECKING:
    from datetime import datetime

    from backstay.api.http.schemas import State
    from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome
    from backstay.inventory.models import Site
    from backstay.policy.capacity_models import CapacityFailure
    from backstay.policy.capacity_results import FallbackSummary
    from backstay.rollout.capacity.evaluation import SiteCapacity
    from backstay.rollout.capacity.records import Recorder

MOST_MEMBERS = 20
_STATES: dict[str, State] = {"holds": "ok", "would_not_hold": "warning", "unknown": "unknown"}


def verdict_counts(counts: dict[str, int]) -> VerdictCounts:
    """Numbers and their total."""
    known = {name: counts.get(name, 0) for name in ("holds", "would_not_hold", "unknown")}
    return VerdictCounts(total=sum(known.values()), **known)


def summary_state(summary: FallbackSummary) -> State:
    """Of the tile and the page: stale or without a result is unknown."""
    if summary.is_stale:
        return "unknown"
    if summary.number("would_not_hold"):
        return "warning"
    return "unknown" if summary.number("unknown") else "ok"


def status_out(site: Site, summary: FallbackSummary) -> CapacityStatus:
    """The stored study."""
    result = summary.result
    carried = 0 if result is None else result.carried_bps
    unattributed = 0 if result is None else result.unattributed_bps
    return CapacityStatus(
        site=site.name,
        headline=summary.headline,
        state=summary_state(summary),
        computed_at=None if result is None else result.computed_at,
        checked_at=None if result is None else result.checked_at,
        age_s=summary.age_s,
        is_stale=summary.is_stale,
        error="" if result is None else result.error,
        failing_since=None if result is None else result.failing_since,
        method="none" if result is None else result.method,
        fallbacks=verdict_counts({} if result is None else result.counts.get("fallbacks", {})),
        failures=verdict_counts({} if result is None else result.counts.get("failures", {})),
        single_attached=0 if result is None else result.counts.get("single_attached", 0),
        unknown_nodes=0 if result is None else result.unknown_nodes,
        carried_bps=carried,
        unattributed_bps=unattributed,
        unattributed_share=_share(unattributed, carried),
        cpu_ms=0.0 if result is None else round(result.cpu_ms, 1),
    )


def failure_listed(row: CapacityFailure, *, is_stale: bool) -> FailureListed:
    """A line of the list; a stale result says nothing about the present."""
    worst = next((lane for lane in row.detail["links"] if lane["link"] == row.worst_link), None)
    members = [item["name"] for item in row.detail["failed"]] if row.is_shared_risk else []
    return FailureListed(
        id=row.pk,
        name=row.name,
        kind=row.kind,
        key=row.key,
        members=members[:MOST_MEMBERS],
        members_total=len(members),
        verdict=row.verdict,
        state="unknown" if is_stale else _STATES[row.verdict],
        since=row.since,
        reason=row.reason,
        sentence=sentence(row.name, row.reason),
        has_fallback=row.has_fallback,
        worst=worst,
        worst_utilisation=row.worst_utilisation,
        worst_gateway=next(iter(row.detail.get("gateways", ())), None),
        worst_packet_share=row.worst_packet_share,
        moved_nodes=row.moved_nodes,
        moved_bps=row.moved_bps,
        cut_off_nodes=row.cut_off_nodes,
        cut_off_bps=row.cut_off_bps,
        redundancy_lost=row.redundancy_lost,
        growth_percent=row.growth_percent,
        url=capacity_url(row.pk),
    )


def failure_out(row: CapacityFailure, *, computed_at: datetime | None, is_stale: bool) -> FailureOut:
    """A stored failure in full."""
    return FailureOut(
        id=row.pk,
        name=row.name,
        kind=row.kind,
        key=row.key,
        since=row.since,
        computed_at=computed_at,
        is_stale=is_stale,
        verdict=row.verdict,
        state="unknown" if is_stale else _STATES[row.verdict],
        reason=row.reason,
        sentence=sentence(row.name, row.reason),
        has_fallback=row.has_fallback,
        growth_percent=row.growth_percent,
        cut_off_nodes=row.cut_off_nodes,
        cut_off_bps=row.cut_off_bps,
        redundancy_lost_nodes=row.redundancy_lost,
        **{"gateways": [], "gateways_total": 0, **row.detail},  # of an earlier release: without packets
    )


def failure_detail(recorder: Recorder, outcome: FallbackOutcome) -> FailureDetail:
    """A failure that was computed for this request."""
    return FailureDetail(
        verdict=outcome.verdict,
        state=_STATES[outcome.verdict],
        reason=outcome.reason,
        sentence=sentence(recorder.name(outcome.failed), outcome.reason),
        has_fallback=outcome.has_fallback,
        growth_percent=outcome.growth_percent,
        cut_off_nodes=len(outcome.cut_off),
        cut_off_bps=outcome.cut_off_bps,
        redundancy_lost_nodes=len(outcome.redundancy_lost),
        **recorder.detail(outcome),
    )


def what_if_out(
    site: Site, found: SiteCapacity, recorder: Recorder, outcome: FallbackOutcome, growth_percent: float
) -> WhatIf:
    """The failure beside the present state."""
    unattributed, carried = found.unattributed()
    return WhatIf(
        site=site.name,
        at=found.inputs.at,
        load=found.inputs.statistic,
        growth_percent=growth_percent,
        method=found.method,
        failure=failure_detail(recorder, outcome),
        intact=failure_detail(recorder, found.intact()),
        unknown_nodes=len(found.unknown_nodes),
        carried_bps=carried,
        unattributed_bps=unattributed,
        unattributed_share=_share(unattributed, carried),
    )


def _share(part: int, whole: int) -> float | None:
    return round(min(part / whole, 1.0), 4) if whole else None
