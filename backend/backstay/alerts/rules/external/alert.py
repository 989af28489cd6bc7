"""An alert that another system sent: it opens and resolves when Alertmanager says so (`alerts.external`).

The rounds only look after what was received: they show an alert that waited for its root cause, and end one
that its sender has not repeated for so long that it must be taken for gone.
"""

from __future__ import annotations

from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter
from backstay.core.model.progress import Phase

KIND = "external_alert"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """What waits is found again; what is shown stays while it is not too old."""
    limit = float(parameters["expires_s"])
    waiting = [item for item in present.values() if item.phase == Phase.PENDING]
    kept = (name for name, item in present.items() if (snapshot.now - item.last_seen).total_seconds() < limit)
    return RuleResult(tuple(_again(item) for item in waiting), frozenset(kept))


def _again(incident: Incident) -> Finding:
    return Finding(
        fingerprint=incident.fingerprint,
        severity="critical" if incident.own_severity == "critical" else "warning",
        subject=incident.subject,
        title=incident.title,
        detail=incident.detail,
        since=incident.opened_at,
        node_id=incident.node_id,
    )


# Alertmanager repeats a lasting alert after `repeat_interval`: 4 h unless set, seldom over a day.
EXPIRES = RuleParameter(
    "expires_s",
    "Expires after",
    "s",
    90_000.0,
    60,
    604_800,
    "Time without repetition after which it is over.",
)
RULE = Rule(
    kind=KIND,
    title="External alert",
    severity="warning",
    evaluate=evaluate,
    parameters=(EXPIRES,),
    group="monitoring",
    summary="Alertmanager sent an alert.",
    cause_rank=CauseRank.EFFECT,
    source="external",
    runbook="external-alert",
)
