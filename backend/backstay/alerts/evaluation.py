"""From findings to incidents: evaluates the rules of one site and reconciles its incidents with the findings.

Idempotent: evaluating the same snapshot twice changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from backstay.alerts import incidents
from backstay.alerts.models import Incident, Phase, SiteRule
from backstay.alerts.rule import Finding, Present, RuleResult
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import Trouble, explain
from backstay.inventory.models import Node, Site

UNRESOLVED = ~Q(phase=Phase.RESOLVED)


def evaluate_rules(site: Site, kinds: Iterable[str], now: datetime) -> None:
    """Evaluate these kinds of rules at a site, each in its own short transaction, then link root causes."""
    has_moved = False
    for rule in SiteRule.objects.filter(site=site, kind__in=list(kinds)).order_by("pk"):
        rule.site = site
        with incidents.exclusive(site):
            has_moved |= _evaluate(rule, SiteSnapshot(site, now))
    if has_moved:
        with incidents.exclusive(site):
            link_causes(SiteSnapshot(site, now))


def _evaluate(rule: SiteRule, snapshot: SiteSnapshot) -> bool:
    """Whether an incident opened or was resolved."""
    rows = Incident.objects.filter(UNRESOLVED, rule=rule).select_related("site", "rule")
    present = {incident.fingerprint: incident for incident in rows}
    spec = RULES[rule.kind]
    result = RuleResult()
    if rule.enabled:
        result = spec.evaluate(snapshot, {**spec.defaults, **rule.parameters}, present)
    return _reconcile(rule, result, present, snapshot.now)


def _reconcile(rule: SiteRule, result: RuleResult, present: Present, now: datetime) -> bool:
    new: list[incidents.NewFinding] = []
    followed: list[tuple[Incident, Finding]] = []
    for finding in result.findings:
        incident = present.get(finding.fingerprint)
        if incident is None or (incident.phase == Phase.PENDING and not finding.is_pending):
            new.append((incident, finding))
        else:
            followed.append((incident, finding))
    kept = {finding.fingerprint for finding in result.findings} | result.undecided
    gone = [incident for fingerprint, incident in present.items() if fingerprint not in kept]
    has_opened = incidents.raise_all(rule, new, now)
    incidents.follow_all(rule, followed, now)
    incidents.drop_all([incident for incident in gone if incident.phase == Phase.PENDING])
    shown = [incident for incident in gone if incident.phase != Phase.PENDING]
    has_resolved = incidents.resolve_all(rule.site, shown, now)
    return has_opened or has_resolved


def link_causes(snapshot: SiteSnapshot) -> None:
    """Set the root cause of every unresolved incident."""
    rows = list(
        Incident.objects.filter(UNRESOLVED, site=snapshot.site)
        .exclude(phase=Phase.PENDING)
        .select_related("rule")
    )
    gateways = frozenset(node for policy in snapshot.policies.values() for node in policy.gateways)
    watchers = dict(
        Node.objects.filter(site=snapshot.site, watcher__isnull=False).values_list("pk", "watcher_id")
    )
    causes = explain([_trouble(snapshot, row) for row in rows], gateways, watchers)
    effects: dict[int | None, list[int]] = {}
    for row in rows:
        if row.cause_id != causes[row.pk]:
            effects.setdefault(causes[row.pk], []).append(row.pk)
    for cause, explained in effects.items():
        Incident.objects.filter(pk__in=explained).update(cause_id=cause)


def _trouble(snapshot: SiteSnapshot, incident: Incident) -> Trouble:
    rule = RULES[incident.rule.kind]
    return Trouble(incident.pk, rule.cause_rank, incident.opened_at, rule.nodes(snapshot, incident))
