"""From findings to incidents: evaluates the rules of one site and reconciles its incidents with the findings.

Idempotent: evaluating the same snapshot twice changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Q

from backstay.alerts import incidents
from backstay.alerts.models import Incident, Phase, SiteRule
from backstay.alerts.rule import Finding, Present, RuleResult, Severity
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank, Trouble, explain, group_severities
from backstay.inventory.models import Node, Site
from backstay.live import publish

UNRESOLVED = ~Q(phase=Phase.RESOLVED)
MIN_TOLERANCE = timedelta(seconds=60)
TOLERANCE_INTERVALS = 4
"""How much earlier than its root cause an effect may be noticed."""


def evaluate_rules(site: Site, kinds: Iterable[str], now: datetime) -> None:
    """Evaluate these kinds of rules at a site, in short transactions, then link root causes.

    All rules about faults read one snapshot in one transaction, so that they agree; the others have one each.
    """
    has_moved = False
    for rules in _together(SiteRule.objects.filter(site=site, kind__in=list(kinds)).order_by("pk")):
        with incidents.exclusive(site):
            snapshot = SiteSnapshot(site, now)
            for rule in rules:
                rule.site = site
                has_moved |= _evaluate(rule, snapshot)
    if has_moved:
        with incidents.exclusive(site):
            link_causes(SiteSnapshot(site, now))


def _together(rules: Iterable[SiteRule]) -> list[list[SiteRule]]:
    """Rules that share a snapshot, those about faults first."""
    known = [rule for rule in rules if rule.kind in RULES]
    of_faults = [rule for rule in known if RULES[rule.kind].reads_faults]
    others = [[rule] for rule in known if not RULES[rule.kind].reads_faults]
    return [of_faults, *others] if of_faults else others


def _evaluate(rule: SiteRule, snapshot: SiteSnapshot) -> bool:
    """Whether an incident opened, was resolved, or affects other objects."""
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
    has_changed = incidents.follow_all(rule, followed, now)
    incidents.drop_all([incident for incident in gone if incident.phase == Phase.PENDING])
    shown = [incident for incident in gone if incident.phase != Phase.PENDING]
    has_resolved = incidents.resolve_all(rule.site, shown, now)
    return has_opened or has_resolved or has_changed


def link_causes(snapshot: SiteSnapshot) -> None:
    """Set the root cause of every unresolved incident, and the severity of each root cause.

    An effect that outlasts its root cause keeps it.
    """
    rows = list(
        Incident.objects.filter(UNRESOLVED, site=snapshot.site)
        .exclude(phase=Phase.PENDING)
        .select_related("rule")
        .order_by("pk")
    )
    watchers = dict(
        Node.objects.filter(site=snapshot.site, watcher__isnull=False).values_list("pk", "watcher_id")
    )
    tolerance = max(MIN_TOLERANCE, timedelta(seconds=TOLERANCE_INTERVALS * snapshot.site.interval_s))
    paths = _paths({row.pk for row in rows if RULES[row.rule.kind].cause_rank in _OF_PATHS})
    causes = explain([_trouble(snapshot, row, paths) for row in rows], watchers, tolerance)
    unresolved = {row.pk for row in rows}
    severities = group_severities(causes, {row.pk: _own_severity(row) for row in rows})
    moved = [row for row in rows if row.cause_id != causes[row.pk] and _is_moved(row, causes, unresolved)]
    changed = [row for row in rows if row.severity != severities[row.pk]]
    for row in moved:
        row.cause_id = causes[row.pk]
    for row in changed:
        row.severity = severities[row.pk]
    Incident.objects.bulk_update(moved, ["cause"], batch_size=incidents.BATCH)
    Incident.objects.bulk_update(changed, ["severity"], batch_size=incidents.BATCH)
    if moved or changed:
        publish.changed(snapshot.site.name, incidents.NOUNS)


def _is_moved(row: Incident, causes: Mapping[int, int | None], unresolved: Collection[int]) -> bool:
    return causes[row.pk] is not None or row.cause_id in unresolved


def _own_severity(incident: Incident) -> Severity:
    return "critical" if incident.own_severity == "critical" else "warning"


_OF_PATHS = frozenset({CauseRank.FAILED_OVER, CauseRank.EFFECT})
"""Ranks of incidents whose root cause may be found by their paths."""


def _paths(rows: Collection[int]) -> dict[int, frozenset[int]]:
    """Incident id -> its paths; one query."""
    found: dict[int, set[int]] = {}
    known = Incident.paths.through.objects.filter(incident_id__in=rows) if rows else ()
    for item in known:
        found.setdefault(item.incident_id, set()).add(item.path_id)
    return {incident: frozenset(paths) for incident, paths in found.items()}


def _trouble(snapshot: SiteSnapshot, incident: Incident, paths: Mapping[int, frozenset[int]]) -> Trouble:
    rule = RULES[incident.rule.kind]
    scope = rule.scope(snapshot, incident)
    return Trouble(
        id=incident.pk,
        name=incident.fingerprint,
        rank=rule.cause_rank,
        since=incident.opened_at,
        scope=replace(scope, paths=paths.get(incident.pk, scope.paths)),
        covers=rule.covers(snapshot, incident),
    )
