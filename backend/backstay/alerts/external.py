"""Incidents from alerts of another system, as it sends them: opened, updated and resolved at once.

The incidents are the only record: the same alert twice finds its incident by the alert's fingerprint,
whichever sender repeats it. The number of open ones is limited: whoever has a token can send any number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from backstay.alerts import incidents
from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rule import Finding
from backstay.alerts.rules.external.alert import KIND
from backstay.alerts.services import ensure_rules
from backstay.core.alerting.external_alert import ExternalAlert
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count
from backstay.core.model.progress import Phase
from backstay.inventory.models import Node, Site

MAX_OPEN = 1_000
"""Unresolved alerts of a site that have an incident of their own."""
OVERFLOW = f"{KIND}:*"


@dataclass(frozen=True, slots=True)
class Received:
    """What became of the alerts of one request."""

    opened: int
    updated: int
    resolved: int
    ignored: int
    """Sent by Backstay itself, above the limit, or while the rule is off; also unknown ones that resolved."""


def receive(site: Site, alerts: Iterable[ExternalAlert], now: datetime) -> Received:
    """Apply alerts; the last of several with one fingerprint counts."""
    given = list(alerts)
    newest = {f"{KIND}:{alert.fingerprint}": alert for alert in given if not alert.is_own}
    nodes = _nodes(site, newest.values())
    with incidents.exclusive(site):
        rule = _rule(site)
        if not rule.enabled:
            return Received(0, 0, 0, len(given))
        present = _present(rule)
        firing = {name: alert for name, alert in newest.items() if alert.is_firing}
        unknown = [name for name in firing if name not in present]
        space = max(MAX_OPEN - len(present.keys() - {OVERFLOW}), 0)
        findings = {name: _finding(name, alert, nodes, now) for name, alert in firing.items()}
        known = [(present[name], findings[name]) for name in firing if name in present]
        waiting = [pair for pair in known if pair[0].phase == Phase.PENDING]
        lasting = [pair for pair in known if pair[0].phase != Phase.PENDING]
        new: list[incidents.NewFinding] = [(None, findings[name]) for name in unknown[:space]]
        incidents.raise_all(rule, [*new, *waiting], now)
        incidents.follow_all(rule, lasting, now)
        resolved = _end(
            rule, [present[name] for name in newest if name in present and name not in firing], now
        )
        _count_overflow(
            rule, present.get(OVERFLOW), len(unknown) - len(new), space - len(new) + resolved, now
        )
    done = len(new) + len(known) + resolved
    return Received(len(new), len(known), resolved, len(given) - done)


def _rule(site: Site) -> SiteRule:
    rules = SiteRule.objects.select_related("site").filter(site=site, kind=KIND)
    found = rules.first()
    if found is None:
        ensure_rules(site)
        found = rules.get()
    return found


def _present(rule: SiteRule) -> dict[str, Incident]:
    rows = Incident.objects.filter(rule=rule).exclude(phase=Phase.RESOLVED).select_related("site", "rule")
    return {incident.fingerprint: incident for incident in rows}


def _nodes(site: Site, alerts: Iterable[ExternalAlert]) -> dict[str, int]:
    """Name -> id of the nodes that the alerts may be about; one query."""
    names = {name for alert in alerts for name in alert.node_names}
    rows = Node.objects.filter(site=site, name__in=names) if names else Node.objects.none()
    return dict(rows.values_list("name", "pk"))


def _finding(fingerprint: str, alert: ExternalAlert, nodes: Mapping[str, int], now: datetime) -> Finding:
    node = next((name for name in alert.node_names if name in nodes), "")
    evidence = FaultEvidence("external", alert.detail[:500], now, "Alertmanager")
    return Finding(
        fingerprint=fingerprint,
        severity=alert.severity,
        subject=(node or alert.machine or alert.name)[:300],
        title=alert.title,
        detail=alert.detail[:2000],
        since=alert.since,
        node_id=nodes.get(node),
        evidence=(evidence,),
    )


def _end(rule: SiteRule, ended: list[Incident], now: datetime) -> int:
    incidents.drop_all([item for item in ended if item.phase == Phase.PENDING])
    incidents.resolve_all(rule.site, [item for item in ended if item.phase != Phase.PENDING], now)
    return len(ended)


def _count_overflow(rule: SiteRule, known: Incident | None, more: int, space: int, now: datetime) -> None:
    """One incident stands for the alerts above the limit, until there is space again."""
    if more:
        title = f"More than {count(MAX_OPEN, 'alert')} of Alertmanager are open: {more} are not shown"
        detail = "Backstay ignores further alerts of this site. Group or silence alerts in Alertmanager."
        found = Finding(
            fingerprint=OVERFLOW,
            subject=rule.site.name,
            title=title,
            detail=detail,
            since=now,
            severity="warning",
        )
        if known is None or known.phase == Phase.PENDING:
            incidents.raise_all(rule, [(known, found)], now)
        else:
            incidents.follow_all(rule, [(known, found)], now)
    elif known is not None and space > 0:
        _end(rule, [known], now)
