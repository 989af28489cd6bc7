"""Rules that count samples of link directions above a share of the usable rate: evaluated as arrays.

Only directions above the limit, and those with an incident, become Python objects.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from backstay.alerts.rule import Finding, Present, RuleResult, Unmeasured, is_shown
from backstay.core.alerting.link_rates import DIRECTIONS, Floats
from backstay.core.alerting.saturation import Count, Thresholds, judge

if TYPE_CHECKING:
    from backstay.alerts.models import Incident
    from backstay.alerts.rule_settings import RuleSettings
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot
    from backstay.core.model.load import Load
    from backstay.core.model.topology import Link


@dataclass(frozen=True, slots=True)
class LinkDirection:
    """One direction of a link that a rule looks at."""

    link: Link
    direction: str
    load: Load
    thresholds: Thresholds
    count: Count


@dataclass(frozen=True, slots=True)
class CountedShare:
    """What a rule counts."""

    kind: str
    used: Floats
    """Share of the usable rate, (2, links)."""
    describe: Callable[[SiteSnapshot, LinkDirection, str], Finding]
    """The finding of a direction with this fingerprint."""


def count_directions(
    snapshot: SiteSnapshot, settings: RuleSettings, present: Present, counted: CountedShare
) -> RuleResult:
    """Findings of every direction whose share counts towards an incident, or has one."""
    used = counted.used
    rates, links = snapshot.link_rates, snapshot.link_table.id
    limits = {name: settings.of_objects("link", name) for name in ("raise_at", "clear_at", "samples")}
    over = rates.fresh & (used >= limits["raise_at"])
    places = {(int(direction), int(place)) for direction, place in zip(*np.nonzero(over), strict=True)}
    known = {name: _place(snapshot, name) for name in present}
    places |= {place for place in known.values() if place is not None}
    findings, undecided = [], set()
    for direction, place in sorted(places):
        fingerprint = f"{counted.kind}:{links[place]}:{DIRECTIONS[direction]}"
        load, share = rates.load(direction, place), float(used[direction, place])
        if load is None or not load.fresh or np.isnan(share):
            undecided.add(fingerprint)
            continue
        thresholds = Thresholds(
            float(limits["raise_at"][place]), float(limits["clear_at"][place]), int(limits["samples"][place])
        )
        shared = replace(load, utilisation=share)
        count = judge(count_of(present.get(fingerprint)), shared, thresholds, snapshot.site.interval_s)
        if count.firing or count.bad:
            link = snapshot.topology.links[int(links[place])]
            of = LinkDirection(link, DIRECTIONS[direction], shared, thresholds, count)
            findings.append(counted.describe(snapshot, of, fingerprint))
    return RuleResult(tuple(findings), frozenset(undecided))


def _place(snapshot: SiteSnapshot, fingerprint: str) -> tuple[int, int] | None:
    """Direction and position of a link that still exists."""
    _, link, direction = fingerprint.split(":")
    place = snapshot.override_targets.place["link"].get(int(link))
    return None if place is None else (DIRECTIONS.index(direction), place)


def count_of(incident: Incident | None) -> Count:
    """What an incident has counted so far."""
    if incident is None:
        return Count()
    return Count(
        firing=is_shown(incident), bad=incident.bad, good=incident.good, judged_at=incident.judged_at
    )


def direction_name(snapshot: SiteSnapshot, link: Link, direction: str) -> str:
    """`grf1:ga030 -> origin1:at0`."""
    a, b = snapshot.end_names(link)
    sender, receiver = (a, b) if direction == "forward" else (b, a)
    return f"{sender} -> {receiver}"


def links_without(snapshot: SiteSnapshot, used: Floats, reason: str) -> list[Unmeasured]:
    """Links of which neither direction has a value, with the reason; or whose usable rate is unknown."""
    found = []
    missing = np.isnan(used).all(axis=0)
    for place in np.nonzero(missing)[0].tolist():
        link = snapshot.topology.links[int(snapshot.link_table.id[place])]
        why = reason if snapshot.link_rates.has_capacity[place] else "its usable rate is unknown"
        found.append(Unmeasured(snapshot.link_name(link), why, link_id=link.id))
    return found
