"""A link at 90 % of its usable rate for three samples: each direction is evaluated separately."""

from __future__ import annotations

from collections.abc import Iterator

from backstay.alerts.evidence import observed
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
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count, rate, share
from backstay.core.thresholds import SATURATED, SATURATION_CLEARS_BELOW, SATURATION_SAMPLES

KIND = "saturation"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every direction above `raise_at`, until below `clear_at`."""
    counted = CountedShare(KIND, snapshot.link_rates.used, _finding)
    return count_directions(snapshot, as_settings(parameters), present, counted)


def unmeasured(snapshot: SiteSnapshot, _: Parameters) -> list[Unmeasured]:
    """Links that never saturate for this rule."""
    return links_without(snapshot, snapshot.link_rates.used, "neither end reports its rates")


def _finding(snapshot: SiteSnapshot, of: LinkDirection, fingerprint: str) -> Finding:
    load, thresholds = of.load, of.thresholds
    usable = rate(snapshot.topology.fabrics[of.link.fabric_id].usable_rate)
    name = direction_name(snapshot, of.link, of.direction)
    over = share(thresholds.raise_at)
    return Finding(
        fingerprint=fingerprint,
        subject=snapshot.link_name(of.link),
        title=f"{name} is at {share(load.utilisation)} of {usable}",
        detail=(
            f"{rate(load.bps)} of {usable} usable: over {over} for"
            f" {count(thresholds.samples, 'sample')} in a row. Clears below {share(thresholds.clear_at)}."
        ),
        since=load.at,
        direction=of.direction,
        link_id=of.link.id,
        value=load.utilisation,
        threshold=thresholds.raise_at,
        count=of.count,
        evidence=tuple(_evidence(snapshot, of)),
    )


def _evidence(snapshot: SiteSnapshot, of: LinkDirection) -> Iterator[FaultEvidence]:
    """The rate at each end that measures it; one below the clearing limit contradicts."""
    link, usable = of.link, snapshot.topology.fabrics[of.link.fabric_id].usable_rate
    for port, is_sender in ((link.a, of.direction == "forward"), (link.b, of.direction == "back")):
        measured = None if port is None else snapshot.newest_samples.rate(port, "out" if is_sender else "in")
        if port is None or measured is None:
            continue
        bps, at = measured
        used = bps / usable if usable else 0.0
        verb = "sends" if is_sender else "receives"
        yield observed(
            snapshot,
            snapshot.topology.ports[port].node_id,
            f"{snapshot.port_name(port)} {verb} {rate(bps)}, {share(used)} of the usable rate",
            at,
            supports=used >= of.thresholds.clear_at,
        )


RULE = Rule(
    kind=KIND,
    title="Saturation",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="link",
    summary="A direction of a link stays near its usable rate.",
    parameters=(
        opens_at(SATURATED, "Share of the usable rate"),
        resolves_below(SATURATION_CLEARS_BELOW, "Share of the usable rate"),
        sample_count(SATURATION_SAMPLES),
    ),
    by_object=True,
    reads_samples=True,
    unmeasured=unmeasured,
    cause_rank=CauseRank.INDEPENDENT,
    scope=own_link,
    runbook="saturation",
)
