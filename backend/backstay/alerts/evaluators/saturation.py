"""A link's direction at 90 % of its usable rate for three samples: in and out are judged apart."""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Phase, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.alerting.saturation import Count, Thresholds, judge
from backstay.core.formatting import count as counted
from backstay.core.formatting import rate, share
from backstay.core.model.load import Load
from backstay.core.model.topology import Link

DIRECTIONS = ("forward", "back")


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Findings for every direction that is over the mark, or was and has not cleared."""
    thresholds = _thresholds(rule)
    findings, undecided = [], set()
    for link in situation.topology.links.values():
        for direction, load in zip(DIRECTIONS, situation.loads[link.id], strict=True):
            fingerprint = f"saturation:{link.id}:{direction}"
            incident = present.get(fingerprint)
            if load is None or not load.fresh:
                undecided.add(fingerprint)
                continue
            if incident is None and load.utilisation < thresholds.raise_at:
                continue  # what `judge` would say of nearly every direction, without asking it
            count = judge(_count(incident), load, thresholds, situation.site.interval_s)
            if count.firing or count.bad:
                findings.append(_finding(situation, (link, direction), load, count, thresholds))
    return Verdict(tuple(findings), frozenset(undecided))


def _thresholds(rule: Rule) -> Thresholds:
    known = rule.parameters
    default = Thresholds()
    return Thresholds(
        raise_at=float(known.get("raise_at", default.raise_at)),
        clear_at=float(known.get("clear_at", default.clear_at)),
        samples=int(known.get("samples", default.samples)),
    )


def _count(incident: Incident | None) -> Count:
    if incident is None:
        return Count()
    firing = incident.phase != Phase.PENDING
    return Count(firing=firing, bad=incident.bad, good=incident.good, judged_at=incident.judged_at)


def _finding(
    situation: Situation, of: tuple[Link, str], load: Load, count: Count, thresholds: Thresholds
) -> Finding:
    link, direction = of
    a, b = situation.end_names(link)
    sender, receiver = (a, b) if direction == "forward" else (b, a)
    usable = rate(situation.topology.fabrics[link.fabric_id].usable_rate)
    over = share(thresholds.raise_at)
    return Finding(
        fingerprint=f"saturation:{link.id}:{direction}",
        severity="warning",
        subject=situation.link_name(link),
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
    )
