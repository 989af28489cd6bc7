"""A rule and its findings. One file in `rules/` defines one rule; `rules/__init__.py` registers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from backstay.alerts.models import Incident
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.overrides import RuleDefaults, RuleObject
from backstay.core.alerting.root_causes import NOTHING, CauseRank, Scope
from backstay.core.alerting.rule_parameters import RuleParameter, Values, defaults
from backstay.core.alerting.saturation import Count
from backstay.core.diagnosis.faults.fault import EvidenceSource, Fault, FaultEvidence
from backstay.core.model.progress import Phase
from backstay.telemetry.facts import Facts

Severity = Literal["warning", "critical"]
RuleGroup = Literal["load", "errors", "reachability", "paths", "devices", "addresses", "monitoring"]
GROUPS: Mapping[RuleGroup, str] = {
    "load": "Load",
    "errors": "Errors and discards",
    "reachability": "Reachability",
    "paths": "Paths and gateways",
    "devices": "Devices",
    "addresses": "Addresses and neighbours",
    "monitoring": "Monitoring itself",
}
"""In the order of pages."""
Parameters = Mapping[str, Any]
"""The rule's defaults, overridden by those of the site, or of a part of it. Of a rule with `by_object`:
those of the site, as `rule_settings.RuleSettings`, which has those of each object as well."""
Present = Mapping[str, Incident]
"""The rule's unresolved incidents by fingerprint."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of one object; the fingerprint identifies both."""

    fingerprint: str
    subject: str
    title: str
    detail: str
    since: datetime
    severity: Severity | None = None
    """None: the rule's."""
    direction: str = ""
    node_id: int | None = None
    link_id: int | None = None
    path_ids: tuple[int, ...] = ()
    value: float | None = None
    threshold: float | None = None
    count: Count | None = None
    """Only for rules that count samples; without `firing` the finding is stored and not shown."""
    fault: Fault | None = None
    """The root cause that the finding shows, with the objects that it affects."""
    evidence: tuple[FaultEvidence, ...] = ()

    @property
    def is_pending(self) -> bool:
        """Whether the finding only counts towards an incident."""
        return self.count is not None and not self.count.firing


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """An object that a rule cannot evaluate: it never opens an incident for it, and lists it."""

    name: str
    reason: str
    """`its usable rate is unknown`."""
    node_id: int | None = None
    link_id: int | None = None


@dataclass(frozen=True, slots=True)
class MetricSeries:
    """A device metric whose history shows what an incident is about."""

    node_id: int
    metric: str
    subject: str
    """Part of the device; "": the device."""
    threshold: float | None = None
    """In the metric's unit; of a counter per second."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """Everything one rule finds. What is neither found nor undecided is resolved."""

    findings: tuple[Finding, ...] = ()
    undecided: frozenset[str] = field(default_factory=frozenset)
    """Fingerprints without recent data: their incidents neither open nor resolve."""


def own_node(_: SiteSnapshot, incident: Incident) -> Scope:
    """The node that the incident is about."""
    return NOTHING if incident.node_id is None else Scope(nodes=frozenset({incident.node_id}))


def own_link(_: SiteSnapshot, incident: Incident) -> Scope:
    """The link that the incident is about."""
    return NOTHING if incident.link_id is None else Scope(links=frozenset({incident.link_id}))


def no_series(_: SiteSnapshot, __: Incident) -> list[MetricSeries]:
    """The incident is about no device metric."""
    return []


def no_objects(_: SiteSnapshot, __: Incident) -> Scope:
    """The incident explains nothing, or nothing explains it."""
    return NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A condition that is evaluated at every site."""

    kind: str
    """Stored in `SiteRule.kind` and sent to clients; fingerprints begin with it."""
    title: str
    """Label on pages."""
    severity: Severity
    """Of findings that set none."""
    evaluate: Callable[[SiteSnapshot, Parameters, Present], RuleResult]
    parameters: tuple[RuleParameter, ...] = ()
    """What a site may change. `*_s` are seconds: `after_s` is how long a condition lasts before an incident
    opens, since shorter interruptions already have events; `clear_s` is how long it is over before the
    incident resolves."""
    group: RuleGroup = "monitoring"
    summary: str = ""
    """When it opens an incident, in one sentence."""
    about: RuleObject = "site"
    """Overrides for a part of a site apply to findings by this object."""
    enabled: bool = True
    """Unless an override says otherwise."""
    unmeasured: Callable[[SiteSnapshot, Parameters], list[Unmeasured]] | None = None
    """Objects whose capacity or value is unknown; None: the rule has none, or its undecided ones are
    stale."""
    by_object: bool = False
    """Whether `evaluate` looks up the parameters of each object itself. Other rules are evaluated once for
    each set of parameters, and the findings of the objects that it applies to are kept."""
    triggers: Callable[[Facts], object] | None = None
    """True for a batch after which the rule is evaluated at once; None: only in rounds."""
    waits_for_changes: bool = False
    """Only in rounds while a change is in progress: each of its nodes reports its routing with each step."""
    cause_rank: CauseRank
    scope: Callable[[SiteSnapshot, Incident], Scope] = own_node
    """The objects that an incident is about."""
    covers: Callable[[SiteSnapshot, Incident], Scope] = no_objects
    """The objects whose incidents it explains."""
    series: Callable[[SiteSnapshot, Incident], list[MetricSeries]] = no_series
    is_about_a_clock: bool = False
    """Whether its incidents draw the last offsets of their node's clock."""
    """The device metrics that an incident is about, the worst first."""
    source: EvidenceSource = "report"
    """Of the evidence of findings that list none."""
    reads_faults: bool = False
    """Whether it is evaluated on the same snapshot as all rules about faults, and depends on the inputs of
    the search for them alone (`selectors.evaluation_inputs`)."""
    reads_samples: bool = False
    """Whether it depends on the newest samples and the states of linked ports alone."""
    waits_unseen: bool = False
    """Whether a condition that has lasted less than `after_s` has no pending finding."""
    is_steady: bool = False
    """Whether a shown incident of it says the same until these inputs change: no age, no newest report."""
    runbook: str
    """Name of its file below docs/runbooks, without the ending; rules may share one."""

    @property
    def defaults(self) -> Values:
        """Parameter -> default."""
        return defaults(self.parameters)

    @property
    def without_overrides(self) -> RuleDefaults:
        """What applies to every object without overrides."""
        return RuleDefaults(self.parameters, self.severity, self.enabled)


def is_shown(incident: Incident | None) -> bool:
    """Whether an incident exists and is not pending."""
    return incident is not None and incident.phase != Phase.PENDING


def count_until(after_s: float, age: timedelta, incident: Incident | None) -> Count | None:
    """None, which opens an incident, once the condition has lasted `after_s` or its incident is shown."""
    return None if age.total_seconds() >= after_s or is_shown(incident) else Count(bad=1)


def held_for(after_s: float, now: datetime, incident: Incident | None) -> Count | None:
    """None, which opens an incident, once it was found for `after_s` or is shown.

    For conditions that may be what is left of a wider fault: they did not begin when their values changed.
    """
    if is_shown(incident):
        return None
    first = incident.judged_at if incident is not None and incident.judged_at is not None else now
    return None if (now - first).total_seconds() >= after_s else Count(bad=1, judged_at=first)
