"""A link whose busiest second fills it, sample after sample: bursts that a mean hides.

Only hosts whose agent samples every second report the busiest second. Other links are listed, and never
alarm.
"""

from __future__ import annotations

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, Unmeasured, own_link
from backstay.alerts.rule_settings import as_settings
from backstay.alerts.rules.load.sample_count import (
    CountedShare,
    LinkDirection,
    count_directions,
    direction_name,
    links_without,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_at, resolves_below, sample_count
from backstay.core.formatting import count, rate, share

KIND = "saturation_peak"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every direction whose busiest second is above `raise_at`, until below `clear_at`."""
    counted = CountedShare(KIND, snapshot.link_rates.used_peak, _finding)
    return count_directions(snapshot, as_settings(parameters), present, counted)


def unmeasured(snapshot: SiteSnapshot, _: Parameters) -> list[Unmeasured]:
    """Links whose busiest second is unknown."""
    return links_without(snapshot, snapshot.link_rates.used_peak, "neither end reports its busiest second")


def _finding(snapshot: SiteSnapshot, of: LinkDirection, fingerprint: str) -> Finding:
    load, thresholds = of.load, of.thresholds
    usable = rate(snapshot.topology.fabrics[of.link.fabric_id].usable_rate)
    name = direction_name(snapshot, of.link, of.direction)
    return Finding(
        fingerprint=fingerprint,
        subject=snapshot.link_name(of.link),
        title=f"{name}: busiest second at {share(load.utilisation)} of {usable}",
        detail=(
            f"{rate(load.peak_bps or 0)} in the busiest second, {rate(load.bps)} on average: over"
            f" {share(thresholds.raise_at)} in {count(thresholds.samples, 'sample')} in a row."
            f" Clears below {share(thresholds.clear_at)}."
        ),
        since=load.at,
        direction=of.direction,
        link_id=of.link.id,
        value=load.utilisation,
        threshold=thresholds.raise_at,
        count=of.count,
    )


RULE = Rule(
    kind=KIND,
    title="Saturation in the busiest second",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="link",
    summary="The busiest second of a link's direction fills it in several samples in a row.",
    parameters=(
        opens_at(0.98, "Share of the usable rate in the busiest second"),
        resolves_below(0.9, "Share of the usable rate in the busiest second"),
        sample_count(3),
    ),
    enabled=False,  # Any transfer at full speed has such seconds: for links that carry time-critical traffic.
    by_object=True,
    reads_samples=True,
    unmeasured=unmeasured,
    cause_rank=CauseRank.INDEPENDENT,
    scope=own_link,
    runbook="saturation",
)
