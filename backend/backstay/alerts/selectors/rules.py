"""Reads of a site's rules: settings, overrides, open incidents, and what applies to one port."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Count, Q, QuerySet

from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rule import Rule
from backstay.alerts.rule_models import MetricLimit, RuleOverride
from backstay.alerts.rule_settings import overrides_of
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.incidents import CURRENT
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.overrides import EffectiveSettings, RuleObject, effective_settings
from backstay.inventory.models import Port, Site


@dataclass(frozen=True, slots=True)
class RuleAtSite:
    """A rule, its row, and its overrides for parts of the site."""

    spec: Rule
    row: SiteRule
    overrides: list[RuleOverride] = field(default_factory=list)
    open_incidents: int = 0


def rules_at(site: Site, kinds: Collection[str] | None = None) -> list[RuleAtSite]:
    """The site's rules in the order of the registry; three queries."""
    rows = SiteRule.objects.filter(site=site).select_related("changed_by")
    rows = rows if kinds is None else rows.filter(kind__in=kinds)
    by_kind = {row.kind: row for row in rows}
    overrides: dict[int, list[RuleOverride]] = {}
    for item in RuleOverride.objects.filter(rule__in=by_kind.values()).select_related("changed_by"):
        overrides.setdefault(item.rule_id, []).append(item)
    counted = Incident.objects.filter(CURRENT, rule__in=by_kind.values()).order_by().values("rule")
    incidents = dict(counted.annotate(number=Count("pk")).values_list("rule", "number"))
    return [
        RuleAtSite(
            spec,
            by_kind[kind],
            sorted(overrides.get(by_kind[kind].pk, ()), key=lambda row: row.value().key),
            incidents.get(by_kind[kind].pk, 0),
        )
        for kind, spec in RULES.items()
        if kind in by_kind
    ]


def override(ident: int) -> RuleOverride | None:
    """One override with its rule and site."""
    return RuleOverride.objects.select_related("rule__site", "changed_by").filter(pk=ident).first()


def metric_limit(ident: int) -> MetricLimit | None:
    """One metric limit with its site."""
    return MetricLimit.objects.select_related("site", "changed_by").filter(pk=ident).first()


def metric_limits(site: Site, text: str | None = None) -> QuerySet[MetricLimit]:
    """A site's metric limits; `text` looks into names and metrics."""
    rows = MetricLimit.objects.filter(site=site).select_related("changed_by")
    return rows.filter(Q(name__icontains=text) | Q(metric__icontains=text)) if text else rows


def port_settings(snapshot: SiteSnapshot, port: Port) -> list[tuple[RuleAtSite, EffectiveSettings]]:
    """What applies to a port, of every rule: to its link, to itself, to its node, or to the site."""
    link = snapshot.topology.link_of_port.get(port.pk)
    idents: dict[RuleObject, int | None] = {
        "link": None if link is None else link.id,
        "port": port.pk,
        "node": port.node_id,
        "site": None,
    }
    found = []
    for rule in rules_at(snapshot.site):
        overrides = overrides_of(rule.spec, rule.row, [item.value() for item in rule.overrides])
        target = snapshot.override_targets.target(rule.spec.about, idents[rule.spec.about])
        found.append((rule, effective_settings(rule.spec.without_overrides, overrides, target)))
    return found
