"""InfiniBand cables to replace because of their error counters: one finding per cable.

Degraded width or speed and a cable in the wrong port are states, which the rule `device_state` reports. When
many cables of a fabric fail at once, one finding covers the fabric.
"""

from __future__ import annotations

from backstay.alerts.evidence import observed
from backstay.alerts.models import SiteRule
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.rule_settings import RuleSettings, as_settings, settings_at
from backstay.alerts.selectors.cables import BadCable, LimitsOf, bad_cables
from backstay.alerts.selectors.cadence import is_due
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, evaluated_every
from backstay.core.diagnosis.cables import STANDARD, CableLimits
from backstay.core.formatting import count, listing
from backstay.core.model.topology import Link

MAX_CABLES = 12
"""Incidents per fabric."""


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Bad cables; undecided between two readings of the counters' history, and without reports."""
    if not is_due(RULE.kind, snapshot.site.pk, snapshot.now, float(parameters["every_s"])):
        return RuleResult(undecided=frozenset(present))
    by_fabric: dict[int, list[BadCable]] = {}
    for cable in bad_cables(snapshot, _limits_of(snapshot, as_settings(parameters))):
        by_fabric.setdefault(cable.fabric.id, []).append(cable)
    findings = [
        finding
        for cables in by_fabric.values()
        for finding in (
            [_many(snapshot, cables)]
            if len(cables) > MAX_CABLES
            else [_finding(snapshot, cable, present) for cable in cables]
        )
    ]
    unread = {
        name
        for name, incident in present.items()
        if incident.node_id is not None and not snapshot.is_fresh(incident.node_id)
    }
    return RuleResult(tuple(findings), frozenset(unread))


def limits_of(snapshot: SiteSnapshot) -> LimitsOf:
    """The limits of each cable, as the rounds apply them; one query, and one for overrides."""
    row = SiteRule.objects.get(site=snapshot.site, kind=RULE.kind)
    return _limits_of(snapshot, settings_at(RULE, row, snapshot))


def _limits_of(snapshot: SiteSnapshot, settings: RuleSettings) -> LimitsOf:
    values = [settings.of_objects("link", item.name) for item in LIMITS]
    site = CableLimits(*(settings[item.name] for item in LIMITS))
    places = snapshot.override_targets.place["link"]

    def limits(link: Link | None) -> CableLimits:
        place = None if link is None else places.get(link.id)
        return site if place is None else CableLimits(*(float(column[place]) for column in values))

    return limits


def _finding(snapshot: SiteSnapshot, cable: BadCable, present: Present) -> Finding:
    key = f"link:{cable.link.id}" if cable.link is not None else f"port:{cable.port.id}"
    fingerprint = f"cable:{key}"
    incident = present.get(fingerprint)
    return Finding(
        fingerprint=fingerprint,
        subject=cable.name,
        title=f"{cable.name}: bad InfiniBand cable"[:300],
        detail=f"{'; '.join(cable.verdict.reasons)}. Replace the cable."[:2000],
        since=snapshot.now if incident is None else incident.opened_at,
        node_id=cable.port.node_id,
        link_id=None if cable.link is None else cable.link.id,
        evidence=tuple(observed(snapshot, cable.port.node_id, text) for text in cable.verdict.reasons),
    )


def _many(snapshot: SiteSnapshot, cables: list[BadCable]) -> Finding:
    fabric = cables[0].fabric
    return Finding(
        fingerprint=f"cable:fabric:{fabric.id}",
        subject=fabric.name,
        title=f"{fabric.name}: {count(len(cables), 'bad InfiniBand cable')}",
        detail=f"{listing([cable.name for cable in cables], MAX_CABLES)}."[:2000],
        since=snapshot.now,
        value=float(len(cables)),
    )


LIMITS = (
    RuleParameter(
        "bit_errors",
        "Bit errors in 10^12 bits",
        "errors",
        STANDARD.bit_errors,
        0.001,
        1_000_000,
        "More symbol errors for the rate of the link, within 125 minutes, mean a bad cable.",
    ),
    RuleParameter(
        "least",
        "Least errors",
        "errors",
        STANDARD.least,
        0,
        1_000_000,
        "So many symbol errors are random at any rate.",
        "integer",
    ),
    RuleParameter(
        "retrained",
        "Recoveries or failures of the link",
        "errors",
        STANDARD.retrained,
        1,
        1_000_000,
        "So many within 125 minutes mean a bad cable.",
        "integer",
    ),
)
"""In the order of the fields of `CableLimits`."""
RULE = Rule(
    kind="cable",
    title="Bad InfiniBand cable",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="errors",
    about="link",
    summary="The error counters of an InfiniBand cable exceed its limit: one bit error in 10^12 bits.",
    parameters=(*LIMITS, evaluated_every(20.0, "Counters")),
    by_object=True,
    runbook="infiniband-cable",
)
