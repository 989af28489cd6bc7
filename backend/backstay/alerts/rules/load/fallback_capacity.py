"""Fallbacks that could not carry the traffic that a failure would move to them: known before the failure.

One finding for each link that would be too full, whatever fails. Nodes that a failure would cut off are no
matter of load: the page of capacity lists them. Reads the stored study (`rollout.capacity`) alone; a stale or
unknown result opens and resolves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    count_until,
    is_shown,
    no_objects,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_after, opens_at, resolves_below
from backstay.core.alerting.saturation import Count
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import listing, rate
from backstay.core.planning.whatif.fallback_verdict import sentence
from backstay.policy.capacity_models import CapacityFailure
from backstay.policy.capacity_results import capacity_failures, fallback_summary

KIND = "fallback_would_not_hold"
MOST_FAILURES = 500
MOST_EVIDENCE = 8


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """The newest study's fallbacks that would not hold; two queries."""
    summary = fallback_summary(snapshot.site, snapshot.now)
    if summary.is_stale:
        return RuleResult((), frozenset(present))
    opens, clears = float(parameters["raise_at"]), float(parameters["clear_at"])
    full = capacity_failures(snapshot.site, has_fallback=True).exclude(verdict="unknown")
    rows = full.filter(worst_utilisation__gte=min(opens, clears))
    groups: dict[str, list[CapacityFailure]] = {}
    for row in rows.order_by("rank", "-worst_utilisation", "pk")[:MOST_FAILURES]:
        name = f"{KIND}:{row.worst_link}"
        limit = clears if is_shown(present.get(name)) else opens
        if (row.worst_utilisation or 0.0) >= limit:
            groups.setdefault(name, []).append(row)
    findings = []
    for name, found in groups.items():
        pending = _count(snapshot, found, parameters, present.get(name))
        findings.append(_finding(snapshot, name, found, summary.checked_at, pending))
    undecided = present.keys() - groups.keys() if summary.number("unknown") else ()
    return RuleResult(tuple(findings), frozenset(undecided))


def _finding(
    snapshot: SiteSnapshot,
    fingerprint: str,
    rows: Sequence[CapacityFailure],
    at: datetime | None,
    pending: Count | None,
) -> Finding:
    worst = rows[0]
    return Finding(
        fingerprint=fingerprint,
        subject=worst.name,
        title=sentence(worst.name, worst.reason).removesuffix(".")[:300],
        detail=_detail(rows)[:2000],
        since=_since(rows),
        link_id=worst.worst_link if worst.worst_link in snapshot.topology.links else None,
        value=worst.worst_utilisation,
        threshold=1.0,
        count=pending,
        evidence=tuple(
            FaultEvidence("report", sentence(row.name, row.reason), at, snapshot.site.name)
            for row in rows[:MOST_EVIDENCE]
        ),
    )


def _since(rows: Sequence[CapacityFailure]) -> datetime:
    return min(row.since for row in rows)


def _count(
    snapshot: SiteSnapshot,
    rows: Sequence[CapacityFailure],
    parameters: Parameters,
    incident: Incident | None,
) -> Count | None:
    return count_until(float(parameters["after_s"]), snapshot.now - _since(rows), incident)


def _detail(rows: Sequence[CapacityFailure]) -> str:
    worst = rows[0]
    parts = []
    if worst.moved_nodes:
        parts.append(f"{worst.moved_nodes} nodes with {rate(worst.moved_bps)} would move.")
    if len(rows) > 1:
        parts.append(f"The same if one of these fails: {listing([row.name for row in rows[1:]])}.")
    if worst.growth_percent is not None and worst.growth_percent < 0:
        parts.append(f"The fallback holds only with {-worst.growth_percent:.0f} % less traffic.")
    parts.append("The page of capacity shows who moves where, and the load of each link.")
    return " ".join(parts)


RULE = Rule(
    kind=KIND,
    title="Fallback would not hold",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="site",
    summary="If a gateway, link or switch fails, the traffic that moves is more than the fallback can carry.",
    parameters=(
        opens_at(1.0, "Share of the usable rate of the fullest link after the failure", 10.0),
        resolves_below(0.95, "Share of the usable rate of the fullest link after the failure", 10.0),
        opens_after(120.0),
    ),
    cause_rank=CauseRank.INDEPENDENT,
    scope=no_objects,
    source="report",
    runbook="fallback-would-not-hold",
)
