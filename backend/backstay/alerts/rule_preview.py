"""How often a rule would have opened incidents in the last days with given settings, from roll-ups.

Whole hours are read, as 5-minute means, so the newest hour is missing and shorter bursts do not count.
Devices are read in groups until the time is over; the result names what was not read. Nothing is stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db import transaction

from backstay.alerts.budget import Stopwatch
from backstay.alerts.models import SiteRule
from backstay.alerts.rule import Rule
from backstay.alerts.rule_models import MetricLimit
from backstay.alerts.rule_settings import RuleSettings, overrides_of
from backstay.alerts.rules.load.load_baseline import KIND as BELOW_USUAL
from backstay.alerts.rules.load.port_losses import DISCARDS, ERRORS
from backstay.alerts.rules.load.saturation import KIND as SATURATION
from backstay.alerts.rules.load.saturation_peak import KIND as SATURATION_PEAK
from backstay.alerts.rules.metric_limit import matches_node, matches_subject
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.link_rates import NO_PORT, Flags, Floats, Ints
from backstay.core.alerting.overrides import RuleObject, ScopedOverride
from backstay.core.alerting.previews import OpeningCounter
from backstay.core.errors import TooMany
from backstay.core.rollups.baselines import MOST_WEEKS, WEEK_S, are_below, weekly_baseline
from backstay.core.rollups.levels import DAY_S, FINE, HOUR_S, closed_until
from backstay.inventory.advisory_locks import LockClass, try_lock_until_commit
from backstay.inventory.models import Site
from backstay.telemetry.models import MetricLayout
from backstay.telemetry.rollup_models import MetricRollupMark, RollupMark
from backstay.telemetry.rollups.metric_store import read_fine_metrics
from backstay.telemetry.rollups.store import moment
from backstay.telemetry.selectors.site_history import PortBins, hourly_totals, port_bins

DAYS = 7
PREVIEW_S = 8.0
NODES, HISTORY_NODES = 100, 20
"""Devices that are read at once; with the history of nine weeks."""
MOST_LISTED = 10
_LOSSES = {ERRORS.kind: "errors", DISCARDS.kind: "discards"}
PREVIEWED = frozenset({SATURATION, SATURATION_PEAK, BELOW_USUAL, *_LOSSES})


@dataclass(slots=True)
class Preview:
    """What a rule would have done; `opened`: object -> incidents."""

    start: datetime
    end: datetime
    opened: dict[str, int] = field(default_factory=dict)
    read: int = 0
    """Objects with any value in the time."""
    objects: int = 0
    """Objects that the settings apply to."""
    notes: list[str] = field(default_factory=list)
    """What could not be read, or differs from the rounds."""

    @property
    def total(self) -> int:
        """Incidents."""
        return sum(self.opened.values())

    @property
    def worst(self) -> list[tuple[str, int]]:
        """The objects with most incidents, most first."""
        return sorted(self.opened.items(), key=lambda item: (-item[1], item[0]))[:MOST_LISTED]


@contextmanager
def preview_slot(site: Site) -> Iterator[None]:
    """Within, no other preview of the site runs; raises TooMany if one does.

    Each keeps a processor of the database busy for `PREVIEW_S`, however many people click.
    """
    with transaction.atomic():
        if not try_lock_until_commit(LockClass.PREVIEWS, site):
            raise TooMany(
                f"Another preview runs at {site.name}: try again in some seconds.", retry_after_s=PREVIEW_S
            )
        yield


def preview_rule(snapshot: SiteSnapshot, spec: Rule, proposed: ScopedOverride) -> Preview:
    """A rule with a proposed override in the place of the stored one, for the objects that it applies to."""
    row = SiteRule.objects.get(site=snapshot.site, kind=spec.kind)
    known = overrides_of(spec, row, snapshot.rule_overrides.get(row.pk, ()))
    others = [item for item in known if item.key != proposed.key]
    settings = RuleSettings(spec, [*others, proposed], lambda: snapshot.override_targets)
    applies = np.zeros(len(snapshot.override_targets.ids[spec.about]), np.bool_)
    applies[snapshot.override_targets.places(spec.about, proposed)] = True
    if spec.kind == BELOW_USUAL:
        return _PortPreview(snapshot, settings, spec.kind, applies).below_usual()
    return _PortPreview(snapshot, settings, spec.kind, applies).counted()


@dataclass(frozen=True, slots=True)
class _Series:
    """Directions of links or ports, and the ports that measure them: parallel arrays."""

    place: Ints
    """Position of the link or port in the topology."""
    port: Ints
    inward: Flags
    """Whether the port receives the direction."""
    name: Callable[[int], str]
    """Of one position in these arrays."""


class _PortPreview:
    """The preview of one rule about links or ports."""

    def __init__(self, snapshot: SiteSnapshot, settings: RuleSettings, kind: str, applies: Flags) -> None:
        self._snapshot, self._settings, self._kind = snapshot, settings, kind
        self._about: RuleObject = "port" if kind in _LOSSES else "link"
        self._end = closed_until(snapshot.now.timestamp(), HOUR_S)
        self._start = self._end - DAYS * DAY_S
        self._result = Preview(moment(self._start), moment(self._end))
        self._watch = Stopwatch(PREVIEW_S)
        known = RollupMark.objects.filter(node__site=snapshot.site).values_list("node_id", flat=True)
        self._marked = frozenset(known)
        self._series = self._of_ports(applies) if self._about == "port" else self._of_links(applies)
        self._result.objects = int(np.count_nonzero(applies))

    def _of_links(self, applies: Flags) -> _Series:
        """Each direction of each link, as the end measures it that is rolled up, `a` first."""
        table, ports = self._snapshot.link_table, self._snapshot.topology.ports
        place = np.nonzero(applies)[0]
        nodes = [
            np.array(
                [0 if port == NO_PORT else ports[port].node_id for port in end[place].tolist()], np.int64
            )
            for end in (table.a, table.b)
        ]
        marked = np.array(sorted(self._marked), np.int64)
        takes_b = ~np.isin(nodes[0], marked) & np.isin(nodes[1], marked)
        port = np.where(takes_b, table.b[place], table.a[place])
        # Forward is out of a and into b.
        inward = np.concatenate([takes_b, ~takes_b])
        names = self._snapshot
        return _Series(
            np.concatenate([place, place]),
            np.concatenate([port, port]),
            inward,
            lambda at: names.link_name(names.topology.links[int(table.id[place[at % len(place)]])]),
        )

    def _of_ports(self, applies: Flags) -> _Series:
        place = np.nonzero(applies)[0]
        port = self._snapshot.override_targets.ids["port"][place]
        return _Series(
            np.concatenate([place, place]),
            np.concatenate([port, port]),
            np.concatenate([np.ones(len(place), np.bool_), np.zeros(len(place), np.bool_)]),
            lambda at: self._snapshot.port_name(int(port[at % len(port)])),
        )

    def _limit(self, name: str) -> Floats:
        return self._settings.of_objects(self._about, name)[self._series.place]

    def _groups(self, size: int) -> Iterator[tuple[list[int], Ints]]:
        """Devices, and the positions of the series that they measure, while there is time."""
        ports, series = self._snapshot.topology.ports, self._series
        nodes = np.array([ports[port].node_id for port in series.port.tolist()], np.int64)
        wanted = [node for node in np.unique(nodes).tolist() if node in self._marked]
        for start in range(0, len(wanted), size):
            group = wanted[start : start + size]
            if self._watch.left <= 0:
                left = int(np.isin(nodes, np.array(wanted[start:], np.int64)).sum()) // 2
                self._result.notes.append(
                    f"{left} objects were not read: the time of {PREVIEW_S:g} s was over."
                )
                return
            yield group, np.nonzero(np.isin(nodes, np.array(group, np.int64)))[0]

    def counted(self) -> Preview:
        """Rules that count samples: a bin stands for the samples that end in it."""
        interval_s = self._snapshot.site.interval_s
        raise_at, clear_at = self._limit("raise_at"), self._limit("clear_at")
        needed = np.maximum(np.ceil(self._limit("samples") * interval_s / FINE.width_s), 1).astype(np.int64)
        for nodes, at in self._groups(NODES):
            counter = OpeningCounter(raise_at[at], clear_at[at], needed[at])
            seen = np.zeros(len(at), np.bool_)
            for day in range(DAYS):
                start = self._start + day * DAY_S
                values = self._values(nodes, at, start, start + DAY_S)
                seen |= ~np.isnan(values).all(axis=-1)
                counter.add(values)
            self._take(at, counter.opened, seen)
        self._result.notes.append(
            "Evaluated on 5-minute means: shorter bursts open incidents that are not counted."
        )
        return self._finished()

    def _values(self, nodes: Sequence[int], at: Ints, start: float, end: float) -> Floats:
        """What the rule compares, (series, bins); NaN: no value."""
        series = self._series
        bins = round((end - start) / FINE.width_s)
        found = np.full((len(at), bins), np.nan)
        order = np.argsort(series.port[at], kind="stable")
        ordered = series.port[at][order]
        for part in port_bins(nodes, start, end, self._columns()):
            for inward in (True, False):
                values = self._compared(part, "in" if inward else "out")
                ports = part.ports.ravel()
                low, high = np.searchsorted(ordered, ports), np.searchsorted(ordered, ports, side="right")
                for row in np.nonzero(high > low)[0].tolist():
                    for place in order[low[row] : high[row]].tolist():
                        if series.inward[at[place]] == inward:
                            # A device that changed its ports has several layouts: each bin has one value.
                            found[place] = np.where(np.isnan(values[row]), found[place], values[row])
        return self._relative(found, at)

    def _columns(self) -> tuple[str, ...]:
        if self._kind == SATURATION_PEAK:
            return ("in_peak", "out_peak")
        lost = _LOSSES.get(self._kind)
        return (
            ()
            if lost is None
            else tuple(f"{direction}_{name}" for name in ("packets", lost) for direction in ("in", "out"))
        )

    def _compared(self, part: PortBins, direction: str) -> Floats:
        """bit/s, or for losses the share of the packets."""
        rows = part.rows
        if self._kind == SATURATION_PEAK:
            peak = rows.arrays.get(f"{direction}_peak")
            shape = rows.array(f"{direction}_octets").shape
            return part.of_ports(np.full(shape, np.nan) if peak is None else peak)
        means = part.of_ports(rows.means(direction))
        lost = _LOSSES.get(self._kind)
        if lost is None:
            return means
        zero = np.zeros(rows.array(f"{direction}_octets").shape)
        gone, packets = (
            part.of_ports(
                zero if rows.arrays.get(f"{direction}_{name}") is None else rows.arrays[f"{direction}_{name}"]
            )
            for name in (lost, "packets")
        )
        whole = gone + packets
        share = np.where(whole > 0, gone / np.where(whole > 0, whole, 1.0), 0.0)
        # The rule's minimum is per sample, and a bin has the losses of several.
        least = self._settings["least"] * FINE.width_s / self._snapshot.site.interval_s
        return np.asarray(np.where(np.isnan(means), np.nan, np.where(gone >= least, share, 0.0)))

    def _relative(self, values: Floats, at: Ints) -> Floats:
        """As a share of the usable rate, for links."""
        if self._about == "port":
            return values
        usable = self._snapshot.link_table.usable[self._series.place[at]]
        return np.asarray(values / np.where(usable > 0, usable, np.nan)[:, None])

    def below_usual(self) -> Preview:
        """Each whole hour of the time against the same hours of the weeks before it."""
        hours = int(self._settings["hours"])
        share, least = self._limit("share"), self._limit("least")
        usable = self._snapshot.link_table.usable[self._series.place]
        span, windows = hours * HOUR_S, DAYS * 24
        for nodes, at in self._groups(HISTORY_NODES):
            start = self._start - MOST_WEEKS * WEEK_S - span
            octets, seconds = hourly_totals(
                nodes, self._series.port[at], self._series.inward[at], start, self._end
            )
            sums = [np.cumsum(np.pad(part, ((0, 0), (1, 0))), axis=1) for part in (octets, seconds)]
            windowed = [part[:, hours:] - part[:, :-hours] for part in sums]
            weeks = [
                [
                    part[:, part.shape[1] - windows - week * 168 : part.shape[1] - week * 168]
                    for part in windowed
                ]
                for week in range(MOST_WEEKS + 1)
            ]
            now = np.where(weeks[0][1] >= span / 2, weeks[0][0] * 8 / np.maximum(weeks[0][1], 1.0), np.nan)
            usual = weekly_baseline(
                np.stack([week[0] for week in weeks[1:]]), np.stack([week[1] for week in weeks[1:]]), span
            )
            below = are_below(now, usual) & (now < share[at][:, None] * usual.median)
            below &= usual.median >= (least[at] * usable[at])[:, None]
            known = ~np.isnan(now) & ~np.isnan(usual.median)
            values = np.where(known, below.astype(np.float64), np.nan)
            ones = np.ones(len(at))
            counter = OpeningCounter(0.5 * ones, 0.5 * ones, ones.astype(np.int64))
            counter.add(values)
            self._take(at, counter.opened, np.asarray(known.any(axis=-1)))
        return self._finished()

    def _take(self, at: Ints, opened: Ints, seen: Flags) -> None:
        self._result.read += len(np.unique(self._series.place[at[seen]]))
        for place in np.nonzero(opened)[0].tolist():
            name = self._series.name(int(at[place]))
            self._result.opened[name] = self._result.opened.get(name, 0) + int(opened[place])

    def _finished(self) -> Preview:
        missing = self._result.objects - self._result.read
        if missing:
            self._result.notes.append(
                f"{missing} of {self._result.objects} objects have no values in this time."
            )
        return self._result


def preview_limit(snapshot: SiteSnapshot, limit: MetricLimit) -> Preview:
    """A metric limit on the 5-minute means of the last days; the row need not be stored."""
    end = closed_until(snapshot.now.timestamp(), HOUR_S)
    result = Preview(moment(end - DAYS * DAY_S), moment(end))
    marked = MetricRollupMark.objects.filter(node__site=snapshot.site).values_list("node_id", flat=True)
    known = frozenset(marked)
    names = {node.id: node.name for node in snapshot.topology.nodes.values() if matches_node(limit, node)}
    layouts = MetricLayout.objects.filter(node__in=names, metrics__contains=[limit.metric])
    nodes = sorted(set(layouts.values_list("node_id", flat=True)) & known)
    watch, needed = Stopwatch(PREVIEW_S), max(math.ceil(limit.for_s / FINE.width_s), 1)
    for start in range(0, len(nodes), HISTORY_NODES):
        if watch.left <= 0:
            left = len(nodes) - start
            result.notes.append(f"{left} devices were not read: the time of {PREVIEW_S:g} s was over.")
            break
        _count_limit(result, limit, nodes[start : start + HISTORY_NODES], names, needed)
    result.objects = max(result.objects, result.read)
    result.notes.append("Evaluated on 5-minute means: shorter times beyond the limit are not counted.")
    if unread := len(set(names) - known):
        result.notes.append(f"{unread} devices have no roll-ups of metrics.")
    return result


def _count_limit(
    result: Preview, limit: MetricLimit, nodes: Sequence[int], names: dict[int, str], needed: int
) -> None:
    """One group of devices; parts that report in several layouts are counted in each."""
    found = read_fine_metrics(nodes, result.start.timestamp(), result.end.timestamp())
    series = found.series
    layouts = MetricLayout.objects.in_bulk({layout for _, layout in series})
    rows, places = found.rows, []
    labels = []
    for slot, (number, place) in enumerate(zip(rows.series.tolist(), rows.place.tolist(), strict=True)):
        node, layout = series[number][0], layouts[series[number][1]]
        subject = layout.subjects[place - 1]
        if layout.metrics[place - 1] == limit.metric and matches_subject(limit, subject):
            places.append(slot)
            labels.append(f"{names[node]}:{subject}" if subject else names[node])
    if not places:
        return
    ones = np.ones(len(places))
    counter = OpeningCounter(
        limit.raise_at * ones, limit.clear_at * ones, np.full(len(places), needed), above=limit.above
    )
    counter.add(rows.means()[np.array(places)])
    result.read += len(places)
    for name, opened in zip(labels, counter.opened.tolist(), strict=True):
        if opened:
            result.opened[name] = result.opened.get(name, 0) + opened
