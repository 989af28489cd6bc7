"""A node whose running or saved routing differs from the intended one: one finding per node."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import Q

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.planning.arp.drift import KINDS
from backstay.rollout.drift import headline, unintended
from backstay.rollout.models import Drift
from backstay.telemetry.models import ArpState, RoutingState

MAX_TEXT = 1850
"""Maximum characters; an incident's detail holds 2000."""


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """All nodes with drift, in one query; unreachable nodes count with their last known drift."""
    rows = Drift.objects.filter(Q(running_differs=True) | Q(saved_differs=True), node__site=snapshot.site)
    drifts = list(rows.select_related("node").order_by("node_id"))
    nodes = [row.node_id for row in drifts]
    reported = _Reported(_times(RoutingState, nodes), _times(ArpState, nodes))
    return RuleResult(tuple(_finding(row, _evidence(snapshot, row, reported)) for row in drifts))


@dataclass(frozen=True, slots=True)
class _Reported:
    """Node id -> its newest report of each part."""

    routing: Mapping[int, datetime]
    arp: Mapping[int, datetime]


def _times(model: type[RoutingState | ArpState], nodes: Collection[int]) -> dict[int, datetime]:
    return dict(model.objects.filter(node__in=nodes).values_list("node_id", "at")) if nodes else {}


def _evidence(snapshot: SiteSnapshot, row: Drift, reported: _Reported) -> tuple[FaultEvidence, ...]:
    """The running and saved value of each item, from the report that it was compared with."""
    found = []
    for item in unintended(row.items)[:MAX_EVIDENCE]:
        times = reported.arp if item["kind"] in KINDS else reported.routing
        found.append(observed(snapshot, row.node_id, item["text"], times.get(row.node_id)))
    return tuple(found)


def _finding(row: Drift, evidence: tuple[FaultEvidence, ...]) -> Finding:
    name = row.node.name
    copies = {
        (True, True): "running and saved configuration differ",
        (True, False): "running configuration differs",
        (False, True): "saved configuration differs",
    }[row.running_differs, row.saved_differs]
    texts = " ".join(item["text"] for item in unintended(row.items))
    return Finding(
        fingerprint=f"drift:{row.node_id}",
        subject=name,
        title=f"{name}: {copies} from the intended one for {headline(row)}"[:300],
        detail=f"{texts[:MAX_TEXT]} Plan a change that restores the intended state, or adopt the other.",
        since=row.since,
        node_id=row.node_id,
        evidence=evidence,
    )


RULE = Rule(
    kind="drift",
    title="Configuration drift",
    severity="warning",
    evaluate=evaluate,
    triggers=attrgetter("routings"),
    waits_for_changes=True,
    cause_rank=CauseRank.EFFECT,
    group="devices",
    about="node",
    summary="The configuration of a node is not the intended one.",
    runbook="drift",
)
