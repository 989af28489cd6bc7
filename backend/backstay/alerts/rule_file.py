"""Rules and metric limits of the site file: import, and export as the same YAML.

An import owns what the file declares and removes what it no longer declares; what operators set in addition
stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import yaml

from backstay.accounts.models import User
from backstay.alerts import rule_editing
from backstay.alerts.models import SiteRule
from backstay.alerts.rule_editing import FILE, Author
from backstay.alerts.rule_models import MetricLimit, RuleOverride
from backstay.alerts.rule_settings import site_override
from backstay.alerts.rules import RULES
from backstay.core.alerting.metric_limits import MetricLimitSpec
from backstay.core.alerting.overrides import OverrideScope, ScopedOverride
from backstay.core.alerting.rule_parameters import wrong_pairs
from backstay.core.model.topology import Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.inventory.site_file.errors import InvalidSiteFile, SiteFileError
from backstay.inventory.site_file.rules import MetricLimitItem, RuleItem
from backstay.inventory.site_file.values import SiteFile

_SCOPES: Mapping[str, OverrideScope] = {
    "site": "site",
    "fabric": "fabric",
    "role": "role",
    "label": "label",
    "port": "port",
}


def apply_rules(site: Site, file: SiteFile, now: datetime, person: User | None) -> int:
    """Reconcile the site's settings of rules with the file; how many rows changed.

    The inventory of the file is stored already. InvalidSiteFile with all errors of these sections.
    """
    topology = snapshot.read(site) if file.rules else None
    overrides = {index: _override(item) for index, item in file.rules.items()}
    limits = {index: _limit(item) for index, item in file.metric_limits.items()}
    errors = [*_wrong_rules(site, file, overrides, topology), *_wrong_limits(file, limits)]
    if errors:
        raise InvalidSiteFile(errors)
    before, author = _stored(site), Author(person, FILE)
    for index, override in sorted(overrides.items(), key=lambda pair: pair[1].scope != "site"):
        kind = file.rules[index].rule
        if before.get((kind, override.scope, override.match)) == (override, FILE):
            continue
        if override.scope == "site":
            rule_editing.set_site_rule(site, kind, override, author, now, topology=topology)
        else:
            rule_editing.set_override(site, kind, override, author, now, topology=topology)
    rows = {row.name: row for row in MetricLimit.objects.filter(site=site)}
    for limit in limits.values():
        row = rows.get(limit.name)
        if row is None or (_limit_of(row), row.origin) != (limit, FILE):
            rule_editing.set_limit(site, limit, author, now, row)
    listed = {(file.rules[index].rule, item.scope, item.match) for index, item in overrides.items()}
    removed = rule_editing.delete_unlisted(site, listed, [limit.name for limit in limits.values()])
    return removed + _changes(before, _stored(site)) if overrides or removed or limits else 0


Stored = dict[tuple[str, str, str], tuple[ScopedOverride | MetricLimitSpec, str]]


def _stored(site: Site) -> Stored:
    """(kind, scope, match) or ("", "limit", name) -> value and origin."""
    found: Stored = {}
    for row in SiteRule.objects.filter(site=site):
        if row.kind in RULES and (value := site_override(RULES[row.kind], row)) is not None:
            found[row.kind, "site", ""] = (value, row.origin)
    for part in RuleOverride.objects.filter(rule__site=site).select_related("rule"):
        found[part.rule.kind, part.scope, part.match] = (part.value(), part.origin)
    for limit in MetricLimit.objects.filter(site=site):
        found["", "limit", limit.name] = (_limit_of(limit), limit.origin)
    return found


def _changes(before: Stored, after: Stored) -> int:
    return sum(before.get(key) != value for key, value in after.items())


def _override(item: RuleItem) -> ScopedOverride:
    scope, match = item.scope
    return ScopedOverride(_SCOPES[scope], match, item.enabled, item.severity, dict(item.parameters))


def _limit(item: MetricLimitItem) -> MetricLimitSpec:
    raise_at = item.above if item.above is not None else item.below or 0.0
    return MetricLimitSpec(
        name=item.name,
        metric=item.metric,
        above=item.above is not None,
        raise_at=raise_at,
        clear_at=raise_at if item.clear is None else item.clear,
        subject=item.subject,
        role=item.role or "",
        labels=dict(item.labels),
        for_s=item.for_s,
        severity=item.severity,
        enabled=item.enabled,
    )


def _limit_of(row: MetricLimit) -> MetricLimitSpec:
    return MetricLimitSpec(
        row.name,
        row.metric,
        row.above,
        row.raise_at,
        row.clear_at,
        row.subject,
        row.role,
        row.labels,
        row.for_s,
        row.severity,
        row.enabled,
    )


def _wrong_rules(
    site: Site, file: SiteFile, overrides: Mapping[int, ScopedOverride], topology: Topology | None
) -> Iterable[SiteFileError]:
    seen: set[tuple[str, str, str]] = set()
    of_site = {file.rules[index].rule: item for index, item in overrides.items() if item.scope == "site"}
    for index, override in overrides.items():
        kind, at = file.rules[index].rule, ("rules", index)
        if kind not in RULES:
            yield file.located.error((*at, "rule"), f"one of {', '.join(RULES)}")
            continue
        if (kind, *override.key[1:], override.scope) in seen:
            yield file.located.error(at, "each rule once for each part of the site")
        seen.add((kind, *override.key[1:], override.scope))
        spec = RULES[kind]
        wrong = {} if topology is None else rule_editing.wrong_override(spec, site, override, topology)
        if not wrong:
            site_values = of_site[kind].parameters if kind in of_site else {}
            values = {**spec.defaults, **site_values, **override.parameters}
            wrong = {
                f"parameters.{name}": text for name, text in wrong_pairs(spec.parameters, values).items()
            }
        for name, text in wrong.items():
            key = override.scope if name in {"match", "scope"} else name
            yield file.located.error((*at, *key.split(".")), text)


def _wrong_limits(file: SiteFile, limits: Mapping[int, MetricLimitSpec]) -> Iterable[SiteFileError]:
    names = [limit.name for limit in limits.values()]
    for index, limit in limits.items():
        side = "above" if limit.above else "below"
        keys = {"raise_at": side, "clear_at": "clear"}
        for name, text in rule_editing.wrong_metric_limit(limit).items():
            expected = text.replace("raise_at", side)
            yield file.located.error(("metric_limits", index, keys.get(name, name)), expected)
        if names.count(limit.name) > 1:
            yield file.located.error(("metric_limits", index, "name"), "each name once")


def exported(site: Site) -> str:
    """Everything that is set at a site, as the sections `rules` and `metric_limits` of its file."""
    order = {kind: place for place, kind in enumerate(RULES)}
    stored = sorted(_stored(site).items(), key=lambda pair: (order.get(pair[0][0], -1), pair[0]))
    rules = [
        _rule_item(kind, value) for (kind, _, _), (value, _) in stored if isinstance(value, ScopedOverride)
    ]
    limits = [_limit_item(value) for _, (value, _) in stored if isinstance(value, MetricLimitSpec)]
    text = yaml.safe_dump({"rules": rules, "metric_limits": limits}, sort_keys=False, allow_unicode=True)
    return str(text)


def _rule_item(kind: str, value: ScopedOverride) -> dict[str, Any]:
    item: dict[str, Any] = {"rule": kind}
    if value.scope != "site":
        item[value.scope] = value.match
    if value.enabled is not None:
        item["enabled"] = value.enabled
    if value.severity is not None:
        item["severity"] = value.severity
    return item | ({"parameters": dict(value.parameters)} if value.parameters else {})


def _limit_item(value: MetricLimitSpec) -> dict[str, Any]:
    item: dict[str, Any] = {"name": value.name, "metric": value.metric}
    item |= {name: given for name in ("subject", "role") if (given := getattr(value, name))}
    if value.labels:
        item["labels"] = dict(value.labels)
    item |= {
        "above" if value.above else "below": value.raise_at,
        "clear": value.clear_at,
        "for_s": value.for_s,
    }
    return item | {"severity": value.severity} | ({} if value.enabled else {"enabled": False})
