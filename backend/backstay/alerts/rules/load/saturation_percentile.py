"""A link that is nearly full for most of several hours: p95 of its 5-minute means, from roll-ups.

Roll-ups of an hour are complete some minutes after it, so the window ends up to 70 minutes ago.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, own_link
from backstay.alerts.rule_settings import as_settings
from backstay.alerts.rules.load.sample_count import direction_name
from backstay.alerts.selectors.cadence import is_due
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.link_rates import DIRECTIONS, Floats
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, evaluated_every, opens_at, resolves_below
from backstay.core.formatting import clock_time, rate, share
from backstay.core.rollups.levels import HOUR_S, closed_until
from backstay.telemetry.rollups.store import moment
from backstay.telemetry.selectors.site_history import direction_percentiles

KIND = "saturation_p95"
WINDOW = RuleParameter(
    "window_h",
    "Window",
    "h",
    6,
    1,
    24,
    "p95 of the 5-minute means of so many complete hours.",
    "integer",
    whole_site=True,
)


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every direction whose p95 is above `raise_at`, until below `clear_at`; undecided between
    two readings, and where half of the window was not observed."""
    settings = as_settings(parameters)
    if not is_due(KIND, snapshot.site.pk, snapshot.now, settings["every_s"]):
        return RuleResult(undecided=frozenset(present))
    end = closed_until(snapshot.now.timestamp(), HOUR_S)
    start = end - settings["window_h"] * HOUR_S
    rates = direction_percentiles(snapshot.site, snapshot.link_table, start, end)
    usable = np.where(snapshot.link_table.usable > 0, snapshot.link_table.usable, np.nan)
    used = rates / usable
    limits = {name: settings.of_objects("link", name) for name in ("raise_at", "clear_at")}
    return _result(snapshot, present, used, limits, (start, end))


def _result(
    snapshot: SiteSnapshot,
    present: Present,
    used: Floats,
    limits: Mapping[str, Floats],
    window: tuple[float, float],
) -> RuleResult:
    places = snapshot.override_targets.place["link"]
    over = {(int(a), int(b)) for a, b in zip(*np.nonzero(used >= limits["raise_at"]), strict=True)}
    undecided = set()
    for name in present:
        _, link, direction = name.split(":")
        if (place := places.get(int(link))) is None:
            continue
        at = (DIRECTIONS.index(direction), place)
        if np.isnan(used[at]):
            undecided.add(name)
        elif used[at] >= limits["clear_at"][place]:
            over.add(at)
    findings = [
        _finding(snapshot, at, float(used[at]), float(limits["raise_at"][at[1]]), window)
        for at in sorted(over)
    ]
    return RuleResult(tuple(findings), frozenset(undecided))


def _finding(
    snapshot: SiteSnapshot, at: tuple[int, int], used: float, limit: float, window: tuple[float, float]
) -> Finding:
    link = snapshot.topology.links[int(snapshot.link_table.id[at[1]])]
    direction, usable = DIRECTIONS[at[0]], snapshot.topology.fabrics[link.fabric_id].usable_rate
    start, end = moment(window[0]), moment(window[1])
    hours = f"from {clock_time(start, snapshot.now)} to {clock_time(end, snapshot.now)}"
    return Finding(
        fingerprint=f"{KIND}:{link.id}:{direction}",
        subject=snapshot.link_name(link),
        title=f"{direction_name(snapshot, link, direction)}: p95 at {share(used)} of {rate(usable)}",
        detail=f"p95 of the 5-minute means {hours} is {rate(used * usable)}: over {share(limit)} of"
        f" {rate(usable)} usable. Move traffic, or plan more capacity.",
        since=end,
        direction=direction,
        link_id=link.id,
        value=used,
        threshold=limit,
    )


RULE = Rule(
    kind=KIND,
    title="Saturation over hours (p95)",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="link",
    summary="p95 of a link direction's 5-minute means over several hours is near its usable rate.",
    parameters=(
        opens_at(0.8, "Share of the usable rate"),
        resolves_below(0.7, "Share of the usable rate"),
        WINDOW,
        evaluated_every(300.0, "Roll-ups"),
    ),
    enabled=False,  # It lasts hours longer than what it is about: for capacity planning.
    by_object=True,
    cause_rank=CauseRank.INDEPENDENT,
    scope=own_link,
    runbook="saturation",
)
