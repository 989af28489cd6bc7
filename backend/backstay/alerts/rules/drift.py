"""A node whose running or saved routing differs from the intended one: one finding per node."""

from __future__ import annotations

from operator import attrgetter

from django.db.models import Q

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank
from backstay.rollout.drift import headline, unintended
from backstay.rollout.models import Drift

MAX_TEXT = 1850
"""Maximum characters; an incident's detail holds 2000."""


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """All nodes with drift, in one query; unreachable nodes count with their last known drift."""
    rows = Drift.objects.filter(Q(running_differs=True) | Q(saved_differs=True), node__site=snapshot.site)
    return RuleResult(tuple(_finding(row) for row in rows.select_related("node").order_by("node_id")))


def _finding(row: Drift) -> Finding:
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
    )


RULE = Rule(
    kind="drift",
    title="Configuration drift",
    severity="warning",
    evaluate=evaluate,
    triggers=attrgetter("routings"),
    waits_for_changes=True,
    cause_rank=CauseRank.EFFECT,
)
