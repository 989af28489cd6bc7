"""Fallbacks that could not carry the traffic that a failure would move to them: known before the failure.

One finding for each link that would be too full, and for each gateway that would have to forward more packets
than it can, whatever fails. Nodes that a failure would cut off are no matter of load: the page of capacity
lists them. Reads the stored study (`rollout.capacity`) alone; a stale or unknown result opens and resolves
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    held_for,
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
from backstay.core.planning.whatif.packet_rates import packets_sentence
from backstay.policy.capacity_models import CapacityFailure
from backstay.policy.capacity_results import capacity_failures, fallback_summary

KIND = "fallback_would_not_hold"
MOST_FAILURES = 500
MOST_EVIDENCE = 8
_SHARE = "Share of the usable rate of the fullest link, or of a gateway's limit of packets, after the failure"


@dataclass(frozen=True, slots=True)
class _Excess:
    """A failure, and the link or gateway that it would load most."""

    row: CapacityFailure
    share: float
    """Of the link's usable rate, or of the gateway's limit of packets."""
    reason: str
    link_id: int | None = None
    node_id: int | None = None

    @property
    def fingerprint(self) -> str:
        """Of one incident for the link or gateway, whatever fails."""
        return f"{KIND}:{self.link_id}" if self.node_id is None else f"{KIND}:gateway:{self.node_id}"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """The newest study's fallbacks that would not hold; two queries."""
    summary = fallback_summary(snapshot.site, snapshot.now)
    if summary.is_stale:
        return RuleResult((), frozenset(present))
    opens, clears = float(parameters["raise_at"]), float(parameters["clear_at"])
    least = min(opens, clears)
    rows = (
        capacity_failures(snapshot.site, has_fallback=True)
        .exclude(verdict="unknown")
        .filter(Q(worst_utilisation__gte=least) | Q(worst_packet_share__gte=least))
        .order_by("rank", "-worst_utilisation", "pk")
    )
    groups: dict[str, list[_Excess]] = {}
    for excess in (item for row in rows[:MOST_FAILURES] for item in _excesses(row)):
        name = excess.fingerprint
        if excess.share >= (clears if is_shown(present.get(name)) else opens):
            groups.setdefault(name, []).append(excess)
    findings = []
    for name, found in groups.items():
        incident = present.get(name)
        # A failure's verdict may have another, older reason than this load.
        since = summary.checked_at or snapshot.now if incident is None else incident.opened_at
        pending = held_for(float(parameters["after_s"]), snapshot.now, incident)
        findings.append(_finding(snapshot, found, (summary.checked_at, since), pending))
    undecided = present.keys() - groups.keys() if summary.number("unknown") else ()
    return RuleResult(tuple(findings), frozenset(undecided))


def _excesses(row: CapacityFailure) -> Iterator[_Excess]:
    if row.worst_link is not None:
        yield _Excess(row, row.worst_utilisation or 0.0, row.reason, link_id=row.worst_link)
    if row.worst_packet_share is not None:
        gateway = row.detail["gateways"][0]
        reason = packets_sentence(gateway["name"], gateway["after_pps"], gateway["limit_pps"])
        yield _Excess(row, row.worst_packet_share, reason, node_id=row.worst_gateway)


def _finding(
    snapshot: SiteSnapshot,
    found: Sequence[_Excess],
    times: tuple[datetime | None, datetime],
    pending: Count | None,
) -> Finding:
    """`times`: of the study, and since when there would be too much."""
    worst, rows, (at, since) = found[0], [item.row for item in found], times
    return Finding(
        fingerprint=worst.fingerprint,
        subject=worst.row.name,
        title=sentence(worst.row.name, worst.reason).removesuffix(".")[:300],
        detail=_detail(rows)[:2000],
        since=since,
        link_id=worst.link_id if worst.link_id in snapshot.topology.links else None,
        node_id=worst.node_id if worst.node_id in snapshot.topology.nodes else None,
        value=worst.share,
        threshold=1.0,
        count=pending,
        evidence=tuple(
            FaultEvidence("report", sentence(row.name, row.reason), at, snapshot.site.name)
            for row in rows[:MOST_EVIDENCE]
        ),
    )


def _detail(rows: Sequence[CapacityFailure]) -> str:
    worst = rows[0]
    parts = []
    if worst.moved_nodes:
        parts.append(f"{worst.moved_nodes} nodes with {rate(worst.moved_bps)} would move.")
    if len(rows) > 1:
        parts.append(f"The same if one of these fails: {listing([row.name for row in rows[1:]])}.")
    if worst.growth_percent is not None and worst.growth_percent < 0:
        parts.append(f"The fallback holds only with {-worst.growth_percent:.0f} % less traffic.")
    parts.append("The page of capacity shows who moves where, and the load of each link and gateway.")
    return " ".join(parts)


RULE = Rule(
    kind=KIND,
    title="Fallback would not hold",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="site",
    summary="If a gateway, link or switch fails, the traffic that moves is more than the fallback can carry:"
    " bits of a link, or packets of a gateway.",
    parameters=(
        opens_at(1.0, _SHARE, 10.0),
        resolves_below(0.95, _SHARE, 10.0),
        opens_after(120.0),
    ),
    cause_rank=CauseRank.INDEPENDENT,
    scope=no_objects,
    source="report",
    runbook="fallback-would-not-hold",
)
