"""From findings to incidents: one rule of one site, judged and brought into line, all at once.

Idempotent: judging the same situation twice changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from django.db.models import Q

from backstay.alerts import incidents
from backstay.alerts.evaluators import EVALUATORS
from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Phase, Rule, RuleKind
from backstay.alerts.selectors.situation import Situation
from backstay.core.alerting.explain import Trouble, explain
from backstay.inventory.models import Node, Site

UNRESOLVED = ~Q(phase=Phase.RESOLVED)


def judge(site: Site, kinds: Iterable[RuleKind], now: datetime) -> None:
    """Judge these kinds of rule at a site, each in its own short transaction, then link causes."""
    moved = False
    for rule in Rule.objects.filter(site=site, kind__in=list(kinds)).order_by("pk"):
        rule.site = site
        with incidents.exclusive(site):
            moved |= _judge_rule(rule, Situation(site, now))
    if moved:
        with incidents.exclusive(site):
            link_causes(Situation(site, now))


def _judge_rule(rule: Rule, situation: Situation) -> bool:
    """Whether an incident opened or was resolved."""
    rows = Incident.objects.filter(UNRESOLVED, rule=rule).select_related("site", "rule")
    present = {incident.fingerprint: incident for incident in rows}
    evaluate = EVALUATORS[RuleKind(rule.kind)]
    verdict = evaluate(situation, rule, present) if rule.enabled else Verdict()
    return _reconcile(rule, verdict, present, situation.now)


def _reconcile(rule: Rule, verdict: Verdict, present: dict[str, Incident], now: datetime) -> bool:
    news: list[incidents.News] = []
    followed: list[tuple[Incident, Finding]] = []
    for finding in verdict.findings:
        incident = present.get(finding.fingerprint)
        if incident is None or (incident.phase == Phase.PENDING and not finding.pending):
            news.append((incident, finding))
        else:
            followed.append((incident, finding))
    kept = {finding.fingerprint for finding in verdict.findings} | verdict.undecided
    gone = [incident for fingerprint, incident in present.items() if fingerprint not in kept]
    opened = incidents.raise_all(rule, news, now)
    incidents.follow_all(rule.site, followed, now)
    incidents.drop_all([incident for incident in gone if incident.phase == Phase.PENDING])
    shown = [incident for incident in gone if incident.phase != Phase.PENDING]
    resolved = incidents.resolve_all(rule.site, shown, now)
    return opened or resolved


def link_causes(situation: Situation) -> None:
    """Say of every unresolved incident which other one explains it."""
    rows = list(
        Incident.objects.filter(UNRESOLVED, site=situation.site)
        .exclude(phase=Phase.PENDING)
        .select_related("rule")
    )
    gateways = frozenset(node for policy in situation.policies.values() for node in policy.gateways)
    watchers = dict(
        Node.objects.filter(site=situation.site, watcher__isnull=False).values_list("pk", "watcher_id")
    )
    causes = explain([_trouble(situation, row) for row in rows], gateways, watchers)
    effects: dict[int | None, list[int]] = {}
    for row in rows:
        if row.cause_id != causes[row.pk]:
            effects.setdefault(causes[row.pk], []).append(row.pk)
    for cause, explained in effects.items():
        Incident.objects.filter(pk__in=explained).update(cause_id=cause)


def _trouble(situation: Situation, incident: Incident) -> Trouble:
    touched = _TOUCHED.get(RuleKind(incident.rule.kind), _its_node)
    return Trouble(incident.pk, incident.rule.kind, incident.opened_at, touched(situation, incident))


def _its_node(situation: Situation, incident: Incident) -> frozenset[int]:
    return frozenset() if incident.node_id is None else frozenset({incident.node_id})


def _link_nodes(situation: Situation, incident: Incident) -> frozenset[int]:
    link = situation.topology.links.get(incident.link_id or 0)
    if link is None:
        return frozenset()
    return frozenset(ident for kind, ident in situation.topology.ends(link) if kind == "node")


def _policy_gateways(situation: Situation, incident: Incident) -> frozenset[int]:
    policy = situation.policies.get(int(incident.fingerprint.split(":")[1]))
    return frozenset() if policy is None else frozenset(policy.gateways)


_TOUCHED: dict[RuleKind, Callable[[Situation, Incident], frozenset[int]]] = {
    RuleKind.PORT_DOWN: _link_nodes,
    RuleKind.PATH_DEAD: _policy_gateways,
}
