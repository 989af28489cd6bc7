"""Limits that people set on device metrics: one finding for each part of a device beyond a limit.

A limit on a counter is a limit on its growth per second. Values that are not fresh, or unknown, are
undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    MetricSeries,
    Parameters,
    Present,
    Rule,
    RuleResult,
    Severity,
    held_for,
    is_shown,
)
from backstay.alerts.rule_models import MetricLimit
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.storms import split
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.formatting import digits, duration, listing
from backstay.core.model.device_metric import MetricReading, is_fresh, per_second
from backstay.core.model.topology import Node
from backstay.core.thresholds import INCIDENTS_PER_DEVICE
from backstay.telemetry import catalogue
from backstay.telemetry.selectors.metrics import MetricNow, metrics_now

_SEVERITIES: dict[str, Severity] = {"warning": "warning", "critical": "critical"}


@dataclass(frozen=True, slots=True)
class LimitedValue:
    """A value that a limit applies to."""

    limit: MetricLimit
    metric: MetricNow
    value: float

    @property
    def fingerprint(self) -> str:
        """Of its own incident."""
        return f"{self.shared}:{self.metric.subject}"[:200]

    @property
    def shared(self) -> str:
        """Of the incident that many parts of its device share."""
        return f"metric_limit:{self.limit.pk}:{self.metric.node_id}"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Values beyond their limit for its `for_s`, until on the other side of `clear_at`; two queries."""
    limits = list(MetricLimit.objects.filter(site=snapshot.site, enabled=True).order_by("name"))
    if not limits:
        return RuleResult()
    found, undecided = [], set()
    for limit, metric in limited_metrics(snapshot, limits):
        value = value_of(metric.reading, metric.metric)
        item = LimitedValue(limit, metric, value if value is not None else 0.0)
        known = is_fresh(metric.reading, snapshot.now, snapshot.site.interval_s) and snapshot.is_fresh(
            metric.node_id
        )
        if value is None or not known:
            undecided |= {item.fingerprint, f"{item.shared}:*"}
        elif is_beyond(limit, value, is_open=is_shown(present.get(item.fingerprint))):
            found.append(item)
    return RuleResult(tuple(_findings(snapshot, found, present)), frozenset(undecided))


def limited_metrics(
    snapshot: SiteSnapshot, limits: Iterable[MetricLimit]
) -> list[tuple[MetricLimit, MetricNow]]:
    """Every newest metric with every limit that applies to it; one query."""
    known = list(limits)
    nodes = {limit.pk: _nodes(snapshot, limit) for limit in known}
    wanted = frozenset().union(*nodes.values())
    rows = metrics_now(snapshot.site, wanted, {limit.metric for limit in known})
    by_metric: dict[str, list[MetricLimit]] = {}
    for limit in known:
        by_metric.setdefault(limit.metric, []).append(limit)
    return [
        (limit, row)
        for row in rows
        for limit in by_metric[row.metric]
        if row.node_id in nodes[limit.pk] and matches_subject(limit, row.subject)
    ]


def _nodes(snapshot: SiteSnapshot, limit: MetricLimit) -> frozenset[int]:
    return frozenset(node.id for node in snapshot.topology.nodes.values() if matches_node(limit, node))


def matches_node(limit: MetricLimit, node: Node) -> bool:
    """Whether a limit applies to a node."""
    return (not limit.role or node.role == limit.role) and limit.labels.items() <= dict(node.labels).items()


def matches_subject(limit: MetricLimit, subject: str) -> bool:
    """Whether a limit applies to a part of a node."""
    return not limit.subject or fnmatchcase(subject, limit.subject)


def value_of(reading: MetricReading, metric: str) -> float | None:
    """The value that a limit compares: of a counter its growth per second."""
    known = catalogue.metric(metric)
    return per_second(reading) if known is not None and known.kind == "growth" else reading.number


def is_beyond(limit: MetricLimit, value: float, *, is_open: bool) -> bool:
    """Whether a value opens an incident, or keeps it open."""
    threshold = limit.clear_at if is_open else limit.raise_at
    return value > threshold if limit.above else value < threshold


def _findings(snapshot: SiteSnapshot, found: list[LimitedValue], present: Present) -> list[Finding]:
    own, shared = split(
        found, present, INCIDENTS_PER_DEVICE, lambda item: (item.fingerprint, f"{item.shared}:*")
    )
    groups = {item.fingerprint: [item] for item in own} | shared
    return [_finding(snapshot, name, items, present.get(name)) for name, items in groups.items()]


def _finding(
    snapshot: SiteSnapshot, fingerprint: str, items: list[LimitedValue], incident: Incident | None
) -> Finding:
    limit = items[0].limit
    worst = (max if limit.above else min)(items, key=lambda item: item.value)
    metric, known = worst.metric, catalogue.metric(worst.metric.metric)
    subject = f"{metric.node}:{metric.subject}" if metric.subject and len(items) == 1 else metric.node
    title, unit = (known.title, _unit(limit)) if known is not None else (metric.metric, "")
    side = "above" if limit.above else "below"
    more = f", {len(items) - 1} more" if len(items) > 1 else ""
    parts = listing([item.metric.subject for item in items]) if len(items) > 1 else ""
    return Finding(
        fingerprint=fingerprint,
        severity=_SEVERITIES[limit.severity],
        subject=subject[:300],
        title=f"{subject}: {title} is {digits(worst.value)}{unit}{more}",
        detail=f"{side.title()} {digits(limit.raise_at)}{unit} for {duration(limit.for_s)} (limit"
        f" {limit.name}). Clears {'below' if limit.above else 'above'} {digits(limit.clear_at)}{unit}."
        + (f" Parts: {parts}." if parts else "")
        + (f" {known.sentence}" if known is not None else ""),
        since=metric.reading.at if incident is None else incident.opened_at,
        node_id=metric.node_id,
        value=worst.value,
        threshold=limit.raise_at,
        count=held_for(limit.for_s, snapshot.now, incident),
        evidence=tuple(
            observed(
                snapshot,
                item.metric.node_id,
                f"{item.metric.subject} {title} {digits(item.value)}{unit}".strip(),
                item.metric.reading.at,
            )
            for item in items[:MAX_EVIDENCE]
        ),
    )


def _unit(limit: MetricLimit) -> str:
    known = catalogue.metric(limit.metric)
    if known is None or (not known.unit and known.kind != "growth"):
        return ""
    return f" {known.unit}" + ("/s" if known.kind == "growth" else "")


def series(snapshot: SiteSnapshot, incident: Incident) -> list[MetricSeries]:
    """The metric of the part, or of every part that shares the incident, the worst first; two queries."""
    _, limit_id, node, _ = incident.fingerprint.split(":", 3)
    limit = MetricLimit.objects.filter(pk=int(limit_id)).first()
    if limit is None:
        return []
    sign = -1 if limit.above else 1
    rows = [
        row
        for row in metrics_now(snapshot.site, (int(node),), (limit.metric,))
        if f"{RULE.kind}:{limit_id}:{node}:{row.subject}"[:200] == incident.fingerprint
        or (incident.fingerprint.endswith(":*") and matches_subject(limit, row.subject))
    ]
    rows.sort(key=lambda row: sign * (value_of(row.reading, row.metric) or 0.0))
    return [MetricSeries(row.node_id, row.metric, row.subject, limit.raise_at) for row in rows]


RULE = Rule(
    kind="metric_limit",
    title="Limit on a device metric",
    severity="warning",
    evaluate=evaluate,
    group="devices",
    about="node",
    summary="A device metric is beyond a limit that somebody set (metric limits).",
    series=series,
    cause_rank=CauseRank.INDEPENDENT,
    runbook="metric-limit",
)
