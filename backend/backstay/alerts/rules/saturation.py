"""A link at 90 % of its usable rate for three samples: each direction is evaluated separately."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from backstay.alerts.evidence import observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, is_shown
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.saturation import Count, Thresholds, judge
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count as counted
from backstay.core.formatting import rate, share
from backstay.core.model.load import Load
from backstay.core.model.topology import Link

DIRECTIONS = ("forward", "back")


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every direction above `raise_at`, until below `clear_at`."""
    thresholds = Thresholds(
        raise_at=float(parameters["raise_at"]),
        clear_at=float(parameters["clear_at"]),
        samples=int(parameters["samples"]),
    )
    findings, undecided = [], set()
    for link in snapshot.topology.links.values():
        for direction, load in zip(DIRECTIONS, snapshot.loads[link.id], strict=True):
            fingerprint = f"saturation:{link.id}:{direction}"
            incident = present.get(fingerprint)
            if load is None or not load.fresh:
                undecided.add(fingerprint)
                continue
            if incident is None and load.utilisation < thresholds.raise_at:
                continue  # fast path: the result of `judge` for nearly every direction
            count = judge(_count(incident), load, thresholds, snapshot.site.interval_s)
            if count.firing or count.bad:
                findings.append(_finding(snapshot, (link, direction), load, count, thresholds))
    return RuleResult(tuple(findings), frozenset(undecided))


def _count(incident: Incident | None) -> Count:
    if incident is None:
        return Count()
    return Count(
        firing=is_shown(incident), bad=incident.bad, good=incident.good, judged_at=incident.judged_at
    )


def _finding(
    snapshot: SiteSnapshot, of: tuple[Link, str], load: Load, count: Count, thresholds: Thresholds
) -> Finding:
    link, direction = of
    a, b = snapshot.end_names(link)
    sender, receiver = (a, b) if direction == "forward" else (b, a)
    usable = rate(snapshot.topology.fabrics[link.fabric_id].usable_rate)
    over = share(thresholds.raise_at)
    return Finding(
        fingerprint=f"saturation:{link.id}:{direction}",
        subject=snapshot.link_name(link),
        title=f"{sender} -> {receiver} is at {share(load.utilisation)} of {usable}",
        detail=(
            f"{rate(load.bps)} of {usable} usable: over {over} for"
            f" {counted(thresholds.samples, 'sample')} in a row. Clears below {share(thresholds.clear_at)}."
        ),
        since=load.at,
        direction=direction,
        link_id=link.id,
        value=load.utilisation,
        threshold=thresholds.raise_at,
        count=count,
        evidence=tuple(_evidence(snapshot, link, direction, thresholds)),
    )


def _evidence(
    snapshot: SiteSnapshot, link: Link, direction: str, thresholds: Thresholds
) -> Iterator[FaultEvidence]:
    """The rate at each end that measures it; one below the clearing limit contradicts."""
    usable = snapshot.topology.fabrics[link.fabric_id].usable_rate
    for port, is_sender in ((link.a, direction == "forward"), (link.b, direction == "back")):
        end = None if port is None else snapshot.ends.get(port)
        if port is None or end is None or end.reading is None:
            continue
        bps = end.reading.out_bps if is_sender else end.reading.in_bps
        if bps is None:
            continue
        used = bps / usable if usable else 0.0
        verb = "sends" if is_sender else "receives"
        yield observed(
            snapshot,
            snapshot.topology.ports[port].node_id,
            f"{snapshot.port_name(port)} {verb} {rate(bps)}, {share(used)} of the usable rate",
            end.reading.at,
            supports=used >= thresholds.clear_at,
        )


RULE = Rule(
    kind="saturation",
    title="Saturation",
    severity="warning",
    evaluate=evaluate,
    defaults=asdict(Thresholds()),
    cause_rank=CauseRank.INDEPENDENT,
    runbook="saturation",
)
