"""The settings of a site's rule, and its evaluation with the overrides for parts of the site.

A rule with `by_object` reads the parameters of each object as arrays. Any other rule is pure, so it is
evaluated once for each distinct set of parameters, and of each evaluation those findings are kept whose
object has that set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from backstay.alerts.rule import Finding, Present, Rule, RuleResult, Severity
from backstay.core.alerting.link_rates import Floats
from backstay.core.alerting.overrides import RuleObject, ScopedOverride, TargetIndex, effective_settings
from backstay.core.alerting.rule_parameters import ordered

if TYPE_CHECKING:
    from backstay.alerts.models import Incident, SiteRule
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot

_SEVERITIES: Mapping[str, Severity] = {"warning": "warning", "critical": "critical"}


class RuleSettings(Mapping[str, float]):
    """The parameters of a site's rule: as a mapping those of the site, by `of_objects` those of each
    object."""

    def __init__(
        self, spec: Rule, overrides: Sequence[ScopedOverride], targets: Callable[[], TargetIndex]
    ) -> None:
        self._spec, self._targets = spec, targets
        self.overrides = overrides
        site = next((item.parameters for item in overrides if item.scope == "site"), {})
        self._site = {**spec.defaults, **site}

    def __getitem__(self, name: str) -> float:
        return self._site[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._site)

    def __len__(self) -> int:
        return len(self._site)

    def of_objects(self, kind: RuleObject, name: str) -> Floats:
        """One parameter of every link, port or node, in the topology's order.

        Overrides of different scopes may put a clearing limit above the raising one; then they count as
        equal.
        """
        found = self._of_objects(kind, name)
        below = next((item.below for item in self._spec.parameters if item.name == name), "")
        return np.minimum(found, self._of_objects(kind, below)) if below else found

    def _of_objects(self, kind: RuleObject, name: str) -> Floats:
        parts = [item for item in self.overrides if item.scope != "site" and name in item.parameters]
        targets = self._targets()
        if not parts:
            return np.full(len(targets.ids[kind]), self[name], np.float64)
        return targets.values(kind, parts, name, self[name])

    @property
    def is_enabled_somewhere(self) -> bool:
        """Whether the rule has to be evaluated at all."""
        site = next((item.enabled for item in self.overrides if item.scope == "site"), None)
        wanted = self._spec.enabled if site is None else site
        return wanted or any(item.enabled for item in self.overrides)

    @property
    def differs_by_object(self) -> bool:
        """Whether a part of the site has other parameters."""
        return any(item.scope != "site" and item.parameters for item in self.overrides)


def as_settings(parameters: Mapping[str, Any]) -> RuleSettings:
    """The parameters of a rule with `by_object`."""
    if not isinstance(parameters, RuleSettings):
        raise TypeError("a rule with by_object is evaluated with RuleSettings")
    return parameters


def site_override(spec: Rule, rule: SiteRule) -> ScopedOverride | None:
    """What a site's row of a rule overrides; None: nothing."""
    enabled = None if rule.enabled == spec.enabled else rule.enabled
    if enabled is None and not rule.severity and not rule.parameters:
        return None
    known = {name: value for name, value in rule.parameters.items() if name in spec.defaults}
    return ScopedOverride("site", "", enabled, rule.severity or None, known)


def overrides_of(spec: Rule, rule: SiteRule, parts: Sequence[ScopedOverride]) -> list[ScopedOverride]:
    """All overrides of a site's rule; `parts`: those of parts of the site."""
    own = site_override(spec, rule)
    return [*parts] if own is None else [own, *parts]


def settings_at(spec: Rule, rule: SiteRule, snapshot: SiteSnapshot) -> RuleSettings:
    """The settings of a site's rule."""
    overrides = overrides_of(spec, rule, snapshot.rule_overrides.get(rule.pk, ()))
    return RuleSettings(spec, overrides, lambda: snapshot.override_targets)


def evaluate_with_overrides(
    spec: Rule, rule: SiteRule, snapshot: SiteSnapshot, present: Present
) -> RuleResult:
    """The findings of a rule at a site, each with the settings of its own object."""
    settings = settings_at(spec, rule, snapshot)
    overrides = settings.overrides
    if not settings.is_enabled_somewhere:
        return RuleResult()
    if spec.by_object or not settings.differs_by_object:
        result = spec.evaluate(snapshot, settings, present)
    else:
        result = _evaluate_sets(spec, settings, snapshot, present)
    if any(item.severity is not None or item.enabled is not None for item in overrides):
        result = _judged(spec, settings, snapshot.override_targets, result, present)
    return result


def _evaluate_sets(
    spec: Rule, settings: RuleSettings, snapshot: SiteSnapshot, present: Present
) -> RuleResult:
    targets = snapshot.override_targets
    sets, places = targets.settings(spec.about, spec.without_overrides, settings.overrides)
    site = dict(settings)
    if site not in sets:
        sets.append(site)

    def number_of(item: Finding | Incident) -> int:
        ident = object_of(spec.about, item)
        place = None if ident is None else targets.place[spec.about].get(ident)
        return sets.index(site) if place is None else int(places[place])

    findings: list[Finding] = []
    undecided: set[str] = set()
    for number, values in enumerate(sets):
        found = spec.evaluate(snapshot, ordered(spec.parameters, values), present)
        findings += [item for item in found.findings if number_of(item) == number]
        known = found.undecided & present.keys()
        undecided |= {name for name in known if number_of(present[name]) == number}
    return RuleResult(tuple(findings), frozenset(undecided))


def object_of(about: RuleObject, item: Finding | Incident) -> int | None:
    """Id of the object by which overrides apply to a finding or incident; None: only those of the site do.

    Fingerprints of rules about ports are `kind:port id`, with or without a direction.
    """
    if about == "link":
        return item.link_id
    if about == "node":
        return item.node_id
    if about == "port":
        port = item.fingerprint.split(":")[1]
        return int(port) if port.isdecimal() else None
    return None


def _judged(
    spec: Rule, settings: RuleSettings, targets: TargetIndex, result: RuleResult, present: Present
) -> RuleResult:
    """The result without objects for which the rule is disabled, and with overridden severities."""

    def settled(item: Finding | Incident) -> tuple[bool, Severity | None]:
        target = targets.target(spec.about, object_of(spec.about, item))
        found = effective_settings(spec.without_overrides, settings.overrides, target)
        own = found.severity.source is not None
        return bool(found.enabled.value), _SEVERITIES[str(found.severity.value)] if own else None

    findings = []
    for finding in result.findings:
        is_enabled, severity = settled(finding)
        if is_enabled:
            findings.append(finding if severity is None else replace(finding, severity=severity))
    disabled = {name for name in result.undecided & present.keys() if not settled(present[name])[0]}
    return RuleResult(tuple(findings), result.undecided - disabled)
