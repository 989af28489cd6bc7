"""A neighbour table that is nearly full: one finding per device and family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backstay.alerts.evidence import observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, MetricSeries, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_at, resolves_below
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.diagnosis.neighbours import CRITICAL, TableLimits, filling_up
from backstay.core.formatting import count, share
from backstay.core.thresholds import TABLE_CLEARS_BELOW, TABLE_NEARLY_FULL
from backstay.telemetry.selectors.metrics import metrics_now
from backstay.telemetry.selectors.neighbours import WatchNow, watches
from backstay.telemetry.states.neighbour_watch import FAMILIES

MAX_PORTS = 4
"""Ports that the evidence lists."""
TABLES = {"ipv4": "ARP", "ipv6": "IPv6 neighbour"}


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Tables above `raise_at` of their capacity until below `clear_at`; undecided without fresh data."""
    limits = TableLimits(
        raise_at=float(parameters["raise_at"]),
        clear_at=float(parameters["clear_at"]),
    )
    findings, undecided = [], set()
    for watch in watches(snapshot.site, nodes_of(present)):
        for family in FAMILIES:
            fingerprint = f"neighbour_table:{watch.node_id}:{family}"
            used = sum(getattr(table, family) for table in watch.tables.values())
            if not snapshot.is_fresh(watch.node_id):
                undecided.add(fingerprint)
            elif filling_up(used, watch.capacity.get(family), limits, firing=fingerprint in present):
                found = _finding(fingerprint, watch, (family, used), limits)
                findings.append(replace(found, evidence=tuple(_evidence(snapshot, watch, family))))
    return RuleResult(tuple(findings), frozenset(undecided))


def nodes_of(present: Present) -> list[int]:
    """The nodes with an incident: they are evaluated until it resolves."""
    return [incident.node_id for incident in present.values() if incident.node_id is not None]


def _evidence(snapshot: SiteSnapshot, watch: WatchNow, family: str) -> Iterator[FaultEvidence]:
    """The ports with most entries, and the entries that were refused."""
    used = {port: getattr(table, family) for port, table in watch.tables.items()}
    for port in sorted(used, key=lambda port: (-used[port], port))[:MAX_PORTS]:
        if used[port]:
            text = f"{count(used[port], 'entry', 'entries')} at {port}"
            yield observed(snapshot, watch.node_id, text, watch.at, source="neighbours")
    if refused := watch.overflows.get(family, 0):
        text = f"{count(refused, 'entry', 'entries')} refused in the last interval"
        yield observed(snapshot, watch.node_id, text, watch.at, source="neighbours")


def _finding(fingerprint: str, watch: WatchNow, of: tuple[str, int], limits: TableLimits) -> Finding:
    family, used = of
    capacity = watch.capacity[family]
    filled = used / capacity
    port, table = max(watch.tables.items(), key=lambda item: getattr(item[1], family))
    refused = watch.overflows.get(family, 0)
    lost = f" {refused:,} more were refused in the last interval." if refused else ""
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if filled >= CRITICAL or refused else "warning",
        subject=watch.node,
        title=f"{watch.node}: {TABLES[family]} table {share(filled)} full, {used:,} of {capacity:,} entries",
        detail=f"{getattr(table, family):,} of them at {port}.{lost} When it is full, new addresses are"
        f" unreachable. Clears below {share(limits.clear_at)}.",
        since=watch.at,
        node_id=watch.node_id,
        value=filled,
        threshold=limits.raise_at,
    )


def series(snapshot: SiteSnapshot, incident: Incident) -> list[MetricSeries]:
    """The entries of each port, the most first; one query."""
    _, node, family = incident.fingerprint.split(":", 2)
    rows = metrics_now(snapshot.site, (int(node),), (entries_metric(family),))
    rows.sort(key=lambda row: -(row.reading.number or 0.0))
    return [MetricSeries(row.node_id, row.metric, row.subject) for row in rows]


def entries_metric(family: str) -> str:
    """The metric that counts a port's learned entries of `ipv4` or `ipv6`."""
    return f"neigh.{family}_entries"


RULE = Rule(
    kind="neighbour_table",
    title="Neighbour table nearly full",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="addresses",
    about="node",
    summary="An ARP or IPv6 neighbour table is nearly full.",
    parameters=(
        opens_at(TABLE_NEARLY_FULL, "Share of the capacity"),
        resolves_below(TABLE_CLEARS_BELOW, "Share of the capacity"),
    ),
    series=series,
    runbook="neighbour-table",
)
