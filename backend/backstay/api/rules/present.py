"""Rules and metric limits as the API shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.alerts.rule import GROUPS
from backstay.alerts.rule_preview import PREVIEWED
from backstay.api.http.urls import link_url, node_url
from backstay.api.rules.schemas import (
    EffectiveRuleOut,
    EffectiveValueOut,
    MetricLimitOut,
    RuleOut,
    RuleOverrideOut,
    RuleParameterOut,
    RulePreviewCount,
    RulePreviewOut,
    UnmeasuredOut,
)
from backstay.core.alerting.overrides import OVERRIDE_SCOPES
from backstay.telemetry import catalogue

if TYPE_CHECKING:
    from backstay.accounts.models import User
    from backstay.alerts.rule import Unmeasured
    from backstay.alerts.rule_models import MetricLimit, RuleOverride
    from backstay.alerts.rule_preview import Preview
    from backstay.alerts.selectors.rules import RuleAtSite
    from backstay.core.alerting.overrides import EffectiveSettings, EffectiveValue


def rule_out(rule: RuleAtSite) -> RuleOut:
    """A rule with its settings at the site."""
    spec, row = rule.spec, rule.row
    values = {**spec.defaults, **row.parameters}
    parameters = [
        RuleParameterOut(
            name=item.name,
            label=item.label,
            unit=item.unit,
            type=item.type,
            minimum=item.minimum,
            maximum=item.maximum,
            default=item.default,
            value=values[item.name],
            help=item.help,
            whole_site=item.whole_site,
            below=item.below,
        )
        for item in spec.parameters
    ]
    return RuleOut.model_validate(
        {
            "kind": spec.kind,
            "name": spec.title,
            "group": spec.group,
            "group_title": GROUPS[spec.group],
            "summary": spec.summary,
            "about": spec.about,
            "enabled": row.enabled,
            "enabled_by_default": spec.enabled,
            "severity": row.severity or spec.severity,
            "has_own_severity": bool(row.severity),
            "parameters": parameters,
            "scopes": [scope for scope in OVERRIDE_SCOPES if scope == "site" or spec.about != "site"],
            "overrides": len(rule.overrides),
            "open_incidents": rule.open_incidents,
            "has_preview": spec.kind in PREVIEWED,
            "lists_unmeasured": spec.unmeasured is not None,
            "runbook": f"docs/runbooks/{spec.runbook}.md",
            "origin": row.origin,
            "changed_by": _name(row.changed_by),
            "changed_at": row.changed_at,
        }
    )


def override_out(row: RuleOverride, kind: str) -> RuleOverrideOut:
    """One override."""
    return RuleOverrideOut.model_validate(
        {
            "id": row.pk,
            "kind": kind,
            "scope": row.scope,
            "match": row.match,
            "name": row.value().name,
            "enabled": row.enabled,
            "severity": row.severity or None,
            "parameters": row.parameters,
            "origin": row.origin,
            "changed_by": _name(row.changed_by),
            "changed_at": row.changed_at,
        }
    )


def effective_out(rule: RuleAtSite, found: EffectiveSettings) -> EffectiveRuleOut:
    """What applies to a port."""
    spec = rule.spec
    settings = [
        _value_out("enabled", ("Enabled", ""), found.enabled),
        _value_out("severity", ("Severity", ""), found.severity),
        *(
            _value_out(item.name, (item.label, item.unit), found.parameters[item.name])
            for item in spec.parameters
        ),
    ]
    return EffectiveRuleOut(
        kind=spec.kind,
        name=spec.title,
        about=spec.about,
        enabled=bool(found.enabled.value),
        severity=str(found.severity.value),
        settings=settings,
    )


def _value_out(name: str, label: tuple[str, str], value: EffectiveValue) -> EffectiveValueOut:
    return EffectiveValueOut(
        name=name,
        label=label[0],
        value=value.value,
        unit=label[1],
        source="default" if value.source is None else value.source.name,
        ties=[item.name for item in value.ties],
    )


def unmeasured_out(item: Unmeasured) -> UnmeasuredOut:
    """An object that a rule cannot evaluate."""
    url = None
    if item.link_id is not None:
        url = link_url(item.link_id)
    elif item.node_id is not None:
        url = node_url(item.node_id)
    return UnmeasuredOut(name=item.name, reason=item.reason, url=url)


def preview_out(preview: Preview) -> RulePreviewOut:
    """The result of a preview."""
    return RulePreviewOut(
        start=preview.start,
        end=preview.end,
        incidents=preview.total,
        objects=preview.objects,
        read=preview.read,
        worst=[RulePreviewCount(name=name, incidents=number) for name, number in preview.worst],
        notes=preview.notes,
    )


def limit_out(row: MetricLimit) -> MetricLimitOut:
    """A metric limit with the meaning of its metric."""
    known = catalogue.metric(row.metric)
    unit = "" if known is None else f"{known.unit}/s" if known.kind == "growth" else known.unit
    return MetricLimitOut.model_validate(
        {
            "id": row.pk,
            "title": row.metric if known is None else known.title,
            "unit": unit,
            "changed_by": _name(row.changed_by),
            **{
                name: getattr(row, name)
                for name in MetricLimitOut.model_fields
                if name not in {"id", "title", "unit", "changed_by"}
            },
        }
    )


def _name(person: User | None) -> str | None:
    return None if person is None else person.get_username()
