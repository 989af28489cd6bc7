"""Rules about the alerting itself: a part of the site's rounds, or a channel, that fails at every attempt.

The rule `evaluation_late` is opened from outside the rounds (`alerts.heartbeat`). Without these, rules that
fail, or messages that are lost, would look like a site without problems.
"""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.models import Channel, EvaluationFailure
from backstay.alerts.notify.audience import CHANNEL_FAILED_KIND
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, count_until, no_objects
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.formatting import count, duration

STEPS = {
    "freshness": (
        "Detection of unreachable nodes",
        "Nodes do not become unreachable or reachable.",
    ),
    "wiring": ("Links from evidence", "Links keep the state of the last evidence that was applied."),
    "root_causes": ("Root causes", "Incidents are not grouped below their root causes."),
}
"""Part of a round that is no rule -> its name, and what its failure means."""
NOT_EVALUATED = "Its incidents neither open nor resolve meanwhile."


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Every part that fails now; an incident once it has failed for `after_s`."""
    rows = EvaluationFailure.objects.filter(site=snapshot.site).order_by("part")
    return RuleResult(tuple(_finding(snapshot, row, float(parameters["after_s"]), present) for row in rows))


def _finding(snapshot: SiteSnapshot, row: EvaluationFailure, after_s: float, present: Present) -> Finding:
    name, effect = STEPS.get(row.part, (f'Rule "{row.part.replace("_", " ")}"', NOT_EVALUATED))
    fingerprint = f"rule_failed:{row.part}"
    return Finding(
        fingerprint=fingerprint,
        subject=row.part,
        title=f"{name} fails: {row.text}"[:300],
        detail=f"{effect} Failed {count(row.failures, 'time')} in a row; tried again at least every minute."
        " The other rules are evaluated. The log of the worker has the error.",
        since=row.since,
        count=count_until(after_s, snapshot.now - row.since, present.get(fingerprint)),
    )


RULE = Rule(
    kind="rule_failed",
    title="Rule failed",
    severity="critical",
    evaluate=evaluate,
    defaults={"after_s": 4.0},
    cause_rank=CauseRank.INDEPENDENT,
    scope=no_objects,
    runbook="evaluation",
)


LATE = "evaluation_late"


def evaluate_late(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Nothing: a round that evaluates this proves that rounds run; it resolves the incident."""
    return RuleResult()


def late_finding(site: str, evaluated_at: datetime, now: datetime) -> Finding:
    """The rules of a site were evaluated last at `evaluated_at`."""
    age = duration((now - evaluated_at).total_seconds())
    return Finding(
        fingerprint=LATE,
        subject=site,
        title=f"The alert rules of {site} are not evaluated: the last round ended {age} ago"[:300],
        detail="Incidents neither open nor resolve, and nodes that stop reporting are not detected. Check"
        " that a worker and beat run and reach PostgreSQL and Redis;"
        " `manage.py check_rounds` shows every site.",
        since=evaluated_at,
    )


EVALUATION_LATE = Rule(
    kind="evaluation_late",
    title="Rules not evaluated",
    severity="critical",
    evaluate=evaluate_late,
    cause_rank=CauseRank.INDEPENDENT,
    scope=no_objects,
    runbook="evaluation",
)


def evaluate_channels(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """One finding per enabled channel whose newest deliveries failed; a delivery that succeeds ends it.

    Its messages go out through the other channels (`notify.audience`).
    """
    rows = Channel.objects.filter(site=snapshot.site, enabled=True, failing_since__isnull=False)
    return RuleResult(tuple(_failed_channel(row) for row in rows.order_by("pk")))


def _failed_channel(channel: Channel) -> Finding:
    assert channel.failing_since is not None
    return Finding(
        fingerprint=f"{CHANNEL_FAILED_KIND}:{channel.pk}",
        subject=channel.name,
        title=f"The channel {channel.name} does not deliver messages"[:300],
        detail=f"{channel.failure} Waiting messages are tried again for half an hour; the deliveries list"
        " what was lost. Send a test message after the repair: it ends this incident.",
        since=channel.failing_since,
    )


CHANNEL_FAILED = Rule(
    kind=CHANNEL_FAILED_KIND,
    title="Channel does not deliver",
    severity="critical",
    evaluate=evaluate_channels,
    cause_rank=CauseRank.INDEPENDENT,
    scope=no_objects,
    runbook="channel-failed",
)
