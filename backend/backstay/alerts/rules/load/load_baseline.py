"""A link that carries far less than usual at this hour of the week: its clients, servers or routes have a
fault.

The usual load is the baseline of `core.rollups.baselines`, from the hourly roll-ups of eight weeks. Three
weeks of history are needed; other links are listed, and never alarm.
"""

from __future__ import annotations

import numpy as np

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, own_link
from backstay.alerts.rule_settings import as_settings
from backstay.alerts.rules.load.sample_count import direction_name
from backstay.alerts.selectors.cadence import is_due
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.link_rates import DIRECTIONS
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, evaluated_every
from backstay.core.formatting import clock_time, count, rate
from backstay.core.rollups.baselines import are_below
from backstay.core.rollups.levels import HOUR_S, closed_until
from backstay.telemetry.rollups.store import moment
from backstay.telemetry.selectors.site_history import DirectionBaselines, direction_baselines

KIND = "load_below_usual"
HOURS = RuleParameter(
    "hours", "Hours", "h", 3, 1, 24, "So many complete hours are compared.", "integer", whole_site=True
)
SHARE = RuleParameter(
    "share", "Opens below", "share", 0.5, 0.01, 1.0, "Share of the usual load (median) below which it opens."
)
LEAST = RuleParameter(
    "least",
    "Minimum usual load",
    "share",
    0.05,
    0.0,
    1.0,
    "Links that usually use less of their rate never alarm.",
)


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every direction below its own history in the last hours; undecided between two readings,
    and where the load or the baseline is unknown."""
    settings = as_settings(parameters)
    if not is_due(KIND, snapshot.site.pk, snapshot.now, settings["every_s"]):
        return RuleResult(undecided=frozenset(present))
    end = closed_until(snapshot.now.timestamp(), HOUR_S)
    known = direction_baselines(snapshot.site, snapshot.link_table, end, int(settings["hours"]))
    limits = {name: settings.of_objects("link", name) for name in ("share", "least")}
    below = are_below(known.bps, known.usual) & (known.bps < limits["share"] * known.usual.median)
    usable = np.where(snapshot.link_table.usable > 0, snapshot.link_table.usable, np.nan)
    below &= known.usual.median >= limits["least"] * usable
    findings = [
        _finding(snapshot, (int(direction), int(place)), known, int(settings["hours"]))
        for direction, place in zip(*np.nonzero(below), strict=True)
    ]
    unknown = np.isnan(known.bps) | np.isnan(known.usual.median)
    return RuleResult(tuple(findings), frozenset(_undecided(snapshot, present, unknown)))


def _undecided(snapshot: SiteSnapshot, present: Present, unknown: np.ndarray) -> set[str]:
    places = snapshot.override_targets.place["link"]
    found = set()
    for name in present:
        _, link, direction = name.split(":")
        place = places.get(int(link))
        if place is not None and unknown[DIRECTIONS.index(direction), place]:
            found.add(name)
    return found


def _finding(snapshot: SiteSnapshot, at: tuple[int, int], known: DirectionBaselines, hours: int) -> Finding:
    link = snapshot.topology.links[int(snapshot.link_table.id[at[1]])]
    direction, bps, usual = DIRECTIONS[at[0]], float(known.bps[at]), float(known.usual.median[at])
    until = clock_time(moment(known.end), snapshot.now)
    return Finding(
        fingerprint=f"{KIND}:{link.id}:{direction}",
        subject=snapshot.link_name(link),
        title=f"{direction_name(snapshot, link, direction)} carries {rate(bps)}, usually {rate(usual)}",
        detail=f"Mean of {count(hours, 'hour')} until {until}. The usual load is the median of the same"
        f" hours in {count(int(known.usual.weeks[at]), 'week')} before, p10"
        f" {rate(float(known.usual.low[at]))}."
        " Check whether its clients and servers work, and whether traffic takes another path.",
        since=moment(known.end - hours * HOUR_S),
        direction=direction,
        link_id=link.id,
        value=bps / usual if usual else 0.0,
    )


RULE = Rule(
    kind=KIND,
    title="Load below its own history",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="link",
    summary="A link direction carries far less than in the same hours of the weeks before.",
    parameters=(HOURS, SHARE, LEAST, evaluated_every(600.0, "Roll-ups")),
    by_object=True,
    cause_rank=CauseRank.EFFECT,
    scope=own_link,
    runbook="load-below-usual",
)
