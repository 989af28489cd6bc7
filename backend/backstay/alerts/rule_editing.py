"""Writes of rules' overrides and of metric limits, checked against the rule's spec and the site's inventory.

What the site file declares is owned by it: here it is refused, and an import replaces it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from backstay.accounts.models import User
from backstay.alerts.models import SiteRule
from backstay.alerts.rule import Rule
from backstay.alerts.rule_models import MetricLimit, RuleOverride
from backstay.alerts.rules import RULES
from backstay.core.alerting.metric_limits import MOST_LIMITS, MOST_OVERRIDES, MetricLimitSpec, wrong_limit
from backstay.core.alerting.overrides import MATCHES, OVERRIDE_SCOPES, SEVERITIES, ScopedOverride
from backstay.core.alerting.rule_parameters import wrong_pairs, wrong_values
from backstay.core.errors import NotFound, Refused
from backstay.core.model.topology import Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Port, Site
from backstay.live import publish
from backstay.telemetry import catalogue

NOUNS = frozenset({"rules"})
FILE, OPERATOR = "file", "operator"


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes something; an import without a person has none."""

    person: User | None
    origin: str = OPERATOR


def spec_of(kind: str) -> Rule:
    """The rule of this kind; NotFound if there is none."""
    if kind not in RULES:
        raise NotFound(f"There is no rule {kind!r}: see GET /rules.")
    return RULES[kind]


def wrong_override(spec: Rule, site: Site, override: ScopedOverride, topology: Topology) -> dict[str, str]:
    """Field -> what is expected, of every field of an override that is not acceptable."""
    found = {
        f"parameters.{name}": text
        for name, text in wrong_values(spec.parameters, override.parameters).items()
    }
    if override.scope != "site":
        found |= {
            f"parameters.{item.name}": "no value: it can be set for the whole site only"
            for item in spec.parameters
            if item.whole_site and item.name in override.parameters
        }
    if override.severity not in {None, *SEVERITIES}:
        found["severity"] = f"one of {', '.join(SEVERITIES)}"
    if override.scope not in OVERRIDE_SCOPES:
        found["scope"] = f"one of {', '.join(OVERRIDE_SCOPES)}"
    elif override.scope != "site" and spec.about == "site":
        found["scope"] = "site: the incidents of this rule are about no single link, port or node"
    elif override.scope == "site" and override.match:
        found["match"] = MATCHES["site"]
    elif override.scope != "site" and not _exists(topology, site, override):
        found["match"] = f"{MATCHES[override.scope]} of this site"
    return found


def _exists(topology: Topology, site: Site, override: ScopedOverride) -> bool:
    if override.scope == "fabric":
        return any(fabric.name == override.match for fabric in topology.fabrics.values())
    if override.scope == "role":
        return any(node.role == override.match for node in topology.nodes.values())
    if override.scope == "label":
        name, _, value = override.match.partition("=")
        return any((name, value) in node.labels for node in topology.nodes.values())
    node_name, _, port = override.match.partition(":")
    return Port.objects.filter(node__site=site, node__name=node_name, name=port).exists()


def _refuse(wrong: Mapping[str, str]) -> None:
    if wrong:
        texts = "; ".join(f"{name}: expected {text}" for name, text in wrong.items())
        raise Refused(f"The settings are not acceptable: {texts}.", fields=dict(wrong))


def _refuse_wrong_pairs(spec: Rule, site_values: Mapping[str, float], override: ScopedOverride) -> None:
    """A clearing limit must not exceed the raising one, with the less specific values of the site."""
    wrong = wrong_pairs(spec.parameters, {**spec.defaults, **site_values, **override.parameters})
    _refuse({f"parameters.{name}": text for name, text in wrong.items()})


def check_override(site: Site, spec: Rule, wanted: ScopedOverride) -> None:
    """Refused with every field that is not acceptable."""
    _refuse(wrong_override(spec, site, wanted, snapshot.load(site)))
    stored = {} if wanted.scope == "site" else SiteRule.objects.get(site=site, kind=spec.kind).parameters
    _refuse_wrong_pairs(spec, stored, wanted)


def unsaved_limit(site: Site, wanted: MetricLimitSpec) -> MetricLimit:
    """A metric limit that is not stored; Refused with every field that is not acceptable."""
    _refuse(wrong_metric_limit(wanted))
    return MetricLimit(site=site, **asdict(wanted))


@transaction.atomic
def set_site_rule(
    site: Site,
    kind: str,
    wanted: ScopedOverride,
    author: Author,
    now: datetime,
    *,
    topology: Topology | None = None,
) -> SiteRule:
    """Replace a rule's settings for the whole site; Refused with every field that is not acceptable."""
    spec = spec_of(kind)
    _refuse(wrong_override(spec, site, wanted, topology or snapshot.load(site)))
    _refuse_wrong_pairs(spec, {}, wanted)
    row = SiteRule.objects.select_for_update().get(site=site, kind=kind)
    if row.origin == FILE and author.origin != FILE:
        raise _owned_by_file(f"the site's settings of {kind}")
    row.enabled = spec.enabled if wanted.enabled is None else wanted.enabled
    row.severity, row.parameters = wanted.severity or "", dict(wanted.parameters)
    row.origin, row.changed_by, row.changed_at = author.origin, author.person, now
    row.save()
    publish.changed(site.name, NOUNS)
    return row


@transaction.atomic
def set_override(
    site: Site,
    kind: str,
    wanted: ScopedOverride,
    author: Author,
    now: datetime,
    *,
    topology: Topology | None = None,
) -> tuple[RuleOverride, bool]:
    """Create or replace a rule's override for a part of a site; (override, whether it is new).

    `topology`: of an import that is not committed yet.
    """
    spec = spec_of(kind)
    _refuse(wrong_override(spec, site, wanted, topology or snapshot.load(site)))
    if wanted.enabled is None and wanted.severity is None and not wanted.parameters:
        _refuse({"parameters": "a parameter, a severity, or whether the rule is enabled"})
    rule = SiteRule.objects.select_for_update().get(site=site, kind=kind)
    _refuse_wrong_pairs(spec, rule.parameters, wanted)
    row = rule.overrides.filter(scope=wanted.scope, match=wanted.match).first()
    if row is not None and row.origin == FILE and author.origin != FILE:
        raise _owned_by_file(f"the override for {wanted.name}")
    if row is None and rule.overrides.count() >= MOST_OVERRIDES:
        raise Refused(f"A rule has at most {MOST_OVERRIDES} overrides: delete some, or use roles or labels.")
    is_new = row is None
    row = row or RuleOverride(rule=rule, scope=wanted.scope, match=wanted.match)
    row.enabled, row.severity, row.parameters = (
        wanted.enabled,
        wanted.severity or "",
        dict(wanted.parameters),
    )
    row.origin, row.changed_by, row.changed_at = author.origin, author.person, now
    row.save()
    publish.changed(site.name, NOUNS)
    return row, is_new


@transaction.atomic
def delete_override(row: RuleOverride) -> None:
    """Delete an operator's override; Refused if the site file owns it."""
    if row.origin == FILE:
        raise _owned_by_file(f"the override for {row.value().name}")
    site = row.rule.site
    row.delete()
    publish.changed(site.name, NOUNS)


@transaction.atomic
def set_limit(
    site: Site, wanted: MetricLimitSpec, author: Author, now: datetime, row: MetricLimit | None = None
) -> MetricLimit:
    """Create or replace a metric limit; Refused with every field that is not acceptable."""
    _refuse(wrong_metric_limit(wanted))
    others = MetricLimit.objects.filter(site=site)
    if row is None and others.count() >= MOST_LIMITS:
        raise Refused(f"A site has at most {MOST_LIMITS} metric limits: delete some, or use patterns.")
    if others.filter(name=wanted.name).exclude(pk=0 if row is None else row.pk).exists():
        _refuse({"name": "a name that no other metric limit of this site has"})
    if row is not None and row.origin == FILE and author.origin != FILE:
        raise _owned_by_file(f"the metric limit {row.name}")
    row = row or MetricLimit(site=site)
    for name, value in asdict(wanted).items():
        setattr(row, name, value)
    row.origin, row.changed_by, row.changed_at = author.origin, author.person, now
    row.save()
    publish.changed(site.name, NOUNS)
    return row


def wrong_metric_limit(wanted: MetricLimitSpec) -> dict[str, str]:
    """Field -> what is expected, of every field of a metric limit that is not acceptable."""
    found = wrong_limit(wanted, catalogue.metric(wanted.metric))
    if wanted.severity not in SEVERITIES:
        found["severity"] = f"one of {', '.join(SEVERITIES)}"
    return found


@transaction.atomic
def delete_limit(row: MetricLimit) -> None:
    """Delete an operator's metric limit; its incidents resolve. Refused if the site file owns it."""
    if row.origin == FILE:
        raise _owned_by_file(f"the metric limit {row.name}")
    row.delete()
    publish.changed(row.site.name, NOUNS)


def delete_unlisted(site: Site, overrides: Collection[tuple[str, str, str]], limits: Collection[str]) -> int:
    """Delete what the site file owned and no longer declares; how many. `overrides`: (kind, scope, match)."""
    rows: QuerySet[RuleOverride] = RuleOverride.objects.filter(rule__site=site, origin=FILE)
    gone = [
        row.pk
        for row in rows.select_related("rule")
        if (row.rule.kind, row.scope, row.match) not in overrides
    ]
    RuleOverride.objects.filter(pk__in=gone).delete()
    listed = {kind for kind, scope, _ in overrides if scope == "site"}
    owned = SiteRule.objects.filter(site=site, origin=FILE).exclude(kind__in=listed)
    reset = list(owned)
    for row in reset:
        row.enabled = RULES[row.kind].enabled if row.kind in RULES else row.enabled
        row.severity, row.parameters, row.origin = "", {}, OPERATOR
    SiteRule.objects.bulk_update(reset, ["enabled", "severity", "parameters", "origin"])
    removed, _ = MetricLimit.objects.filter(site=site, origin=FILE).exclude(name__in=limits).delete()
    return len(gone) + len(reset) + removed


def _owned_by_file(what: str) -> Refused:
    return Refused(f"The site file owns {what}: edit the file and import it.")
