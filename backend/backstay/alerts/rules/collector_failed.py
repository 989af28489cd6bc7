"""Collectors that fail or time out at a node that reports otherwise: a part of what it shows is old.

One finding per node. A collector that fails at many nodes is one finding: its reason is rarely at each node.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, count_until
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, opens_after
from backstay.core.formatting import count, listing
from backstay.telemetry.models import NodeState

FAILED = ("failed", "timeout")
_TEXTS = {"failed": "fails", "timeout": "times out"}
MOST = RuleParameter(
    "nodes",
    "Shared from",
    "",
    8,
    2,
    10_000,
    "A collector that fails at so many nodes is one incident.",
    "integer",
)


@dataclass(frozen=True, slots=True)
class FailedCollector:
    """One collector of a node that fails since `since`."""

    node_id: int
    name: str
    outcome: str
    detail: str
    since: datetime

    @property
    def text(self) -> str:
        """`snmp times out: no answer`."""
        return f"{self.name} {_TEXTS[self.outcome]}" + (f": {self.detail}" if self.detail else "")


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Collectors that have failed for `after_s`; nodes that do not report are undecided."""
    failed = failed_collectors(snapshot)
    by_name: dict[str, list[FailedCollector]] = {}
    for item in failed:
        by_name.setdefault(item.name, []).append(item)
    shared = {name for name, items in by_name.items() if len(items) >= parameters["nodes"]}
    groups: dict[str, list[FailedCollector]] = {}
    for item in failed:
        key = f"name:{item.name}"[:180] if item.name in shared else str(item.node_id)
        groups.setdefault(f"collector_failed:{key}", []).append(item)
    after_s = parameters["after_s"]
    findings = [_finding(snapshot, name, items, after_s, present) for name, items in groups.items()]
    return RuleResult(tuple(findings), frozenset(_undecided(snapshot, present)))


def failed_collectors(snapshot: SiteSnapshot) -> list[FailedCollector]:
    """Of nodes that report; one query, of rows with a failing collector only."""
    rows = NodeState.objects.filter(node__site=snapshot.site, collector_outcome__in=FAILED)
    found = []
    for node, collectors in rows.order_by("node_id").values_list("node_id", "collectors"):
        if not snapshot.is_fresh(node):
            continue
        known: dict[str, dict[str, Any]] = collectors
        for name, run in sorted(known.items()):
            if run["outcome"] in FAILED:
                since = datetime.fromisoformat(run["since"] or run["at"])
                found.append(FailedCollector(node, name, run["outcome"], run["detail"], since))
    return found


def _undecided(snapshot: SiteSnapshot, present: Present) -> set[str]:
    return {
        name
        for name, incident in present.items()
        if incident.node_id is not None and not snapshot.is_fresh(incident.node_id)
    }


def _finding(
    snapshot: SiteSnapshot, fingerprint: str, items: list[FailedCollector], after_s: float, present: Present
) -> Finding:
    nodes = sorted({snapshot.topology.nodes[item.node_id].name for item in items})
    since = min(item.since for item in items)
    is_shared = fingerprint.startswith("collector_failed:name:")
    subject = items[0].name if is_shared else nodes[0]
    title = (
        f"Collector {items[0].name} fails at {count(len(nodes), 'node')}"
        if is_shared
        else f"{nodes[0]}: collector {items[0].text}"
    )
    more = f" Also: {listing([item.name for item in items[1:]])}." if len(items) > 1 and not is_shared else ""
    return Finding(
        fingerprint=fingerprint,
        subject=subject[:300],
        title=title[:300],
        detail=(f"{listing(nodes)}. " if is_shared else "")
        + f"What it collects is not current.{more} `backstay devices inspect` shows what the device answers.",
        since=since,
        node_id=None if is_shared else items[0].node_id,
        value=float(len(items)),
        count=count_until(after_s, snapshot.now - since, present.get(fingerprint)),
        evidence=tuple(
            observed(snapshot, item.node_id, item.text, item.since) for item in items[:MAX_EVIDENCE]
        ),
    )


RULE = Rule(
    kind="collector_failed",
    title="Collector failed",
    severity="warning",
    evaluate=evaluate,
    group="monitoring",
    about="node",
    summary="A collector of a node that reports otherwise fails or times out.",
    parameters=(opens_after(180.0), MOST),
    cause_rank=CauseRank.EFFECT,
    runbook="collector-failed",
)
