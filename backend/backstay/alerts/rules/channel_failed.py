"""A channel that does not deliver messages: its incident goes out through the others (`notify.audience`)."""

from __future__ import annotations

from backstay.alerts.models import Channel
from backstay.alerts.notify.audience import CHANNEL_FAILED
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, no_objects
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """One finding per enabled channel whose newest deliveries failed; a delivery that succeeds ends it."""
    rows = Channel.objects.filter(site=snapshot.site, enabled=True, failing_since__isnull=False)
    return RuleResult(tuple(_finding(row) for row in rows.order_by("pk")))


def _finding(channel: Channel) -> Finding:
    assert channel.failing_since is not None
    return Finding(
        fingerprint=f"{CHANNEL_FAILED}:{channel.pk}",
        subject=channel.name,
        title=f"The channel {channel.name} does not deliver messages"[:300],
        detail=f"{channel.failure} Waiting messages are tried again for half an hour; the deliveries list"
        " what was lost. Send a test message after the repair: it ends this incident.",
        since=channel.failing_since,
    )


RULE = Rule(
    kind=CHANNEL_FAILED,
    title="Channel does not deliver",
    severity="critical",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    scope=no_objects,
    runbook="channel-failed",
)
