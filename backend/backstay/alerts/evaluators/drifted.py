"""A node runs or has saved a routing that nobody intended: one finding a node."""

from __future__ import annotations

from django.db.models import Q

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.rollout.drift import headline, unintended
from backstay.rollout.models import Drift

MOST_TEXT = 1850
"""Of an incident's detail, which holds 2000."""


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """All nodes that differ, in one query; a silent node's drift counts as it was last known."""
    rows = Drift.objects.filter(Q(running_differs=True) | Q(saved_differs=True), node__site=situation.site)
    return Verdict(tuple(_finding(row) for row in rows.select_related("node").order_by("node_id")))


def _finding(row: Drift) -> Finding:
    name = row.node.name
    what = {
        (True, True): "runs and has saved",
        (True, False): "runs",
        (False, True): "has saved",
    }[row.running_differs, row.saved_differs]
    texts = " ".join(item["text"] for item in unintended(row.items))
    return Finding(
        fingerprint=f"drift:{row.node_id}",
        severity="warning",
        subject=name,
        title=f"{name} {what} what nobody intended for {headline(row)}"[:300],
        detail=f"{texts[:MOST_TEXT]} Plan a change that restores what is intended, or adopts what runs.",
        since=row.since,
        node_id=row.node_id,
    )
