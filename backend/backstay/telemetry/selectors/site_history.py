"""History of all ports of a site at once, from roll-ups: percentiles, baselines, and 5-minute bins.

Devices are read in groups, so that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import numpy as np

from backstay.core.alerting.link_rates import NO_PORT, Flags, Floats, Ints, LinkTable
from backstay.core.model.history import P95_BIN_S
from backstay.core.model.load import PortRates
from backstay.core.rollups.baselines import (
    LEAST_WEEKS,
    MOST_WEEKS,
    WEEK_S,
    Baseline,
    covered_rates,
    weekly_baseline,
)
from backstay.core.rollups.bins import Rows, fine_rows, nearest_ranks
from backstay.core.rollups.levels import DAY_S, HOUR_S
from backstay.inventory.models import Node, Site
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups.arrays import Kind, decoded, fetch_columns, integers, length
from backstay.telemetry.rollups.store import KINDS, moment, read_fine, read_samples

NODES = 500
"""Devices that are read at once."""
LEAST_BINS = 0.5
"""Part of a window's bins that a percentile needs."""
LoadStatistic = Literal["mean", "p95", "peak"]
"""Of a moment: the mean of its 5 minutes, the p95 of the 5-minute means of the last whole hour before, the
busiest second of its 5 minutes."""
PacketsPerBit = tuple[float | None, float | None]
"""Of what a port received and sent; None: nothing was, or no packets are counted."""
_ROLLED_UP_AFTER_S = 900.0
"""An hour that ended so long ago is rolled up."""
_LAYOUTS = "SELECT id, ports FROM telemetry_portlayout WHERE id = ANY (%s)"
_PEAKS = ("in_peak", "out_peak", "in_max", "out_max")
_OCTETS = ("in_missing", "in_octets", "out_missing", "out_octets")
# Arrays of roll-ups are [slot][bin]: only some hours of each day are sent.
_HOURS = """
    SELECT past.layout_id, past.seconds[%(first)s:%(last)s],
           past.in_missing[1:2147483647][%(first)s:%(last)s],
           past.in_octets[1:2147483647][%(first)s:%(last)s],
           past.out_missing[1:2147483647][%(first)s:%(last)s],
           past.out_octets[1:2147483647][%(first)s:%(last)s] FROM telemetry_rollup_1h AS past WHERE
           past.node_id = ANY (%(nodes)s) AND past.at = %(day)s
"""


@dataclass(frozen=True, slots=True)
class PortBins:
    """5-minute bins of some ports: `rows` of series, and the ports of each series."""

    ports: Ints
    """(series, ports)"""
    rows: Rows

    def of_ports(self, values: Any) -> Floats:
        """(series, ports, bins) as (ports, bins), in the order of `ports.ravel()`."""
        return np.asarray(values, np.float64).reshape(self.ports.size, -1)


def node_groups(site: Site, nodes: Collection[int] | None = None) -> Iterator[list[int]]:
    """Ids of the site's devices, or of these, in groups."""
    if nodes is None:
        nodes = Node.objects.filter(site=site).order_by("pk").values_list("pk", flat=True)
    known = list(nodes)
    for start in range(0, len(known), NODES):
        yield known[start : start + NODES]


def port_bins(nodes: Sequence[int], start: float, end: float, names: Collection[str]) -> Iterator[PortBins]:
    """Bins of all ports of some devices, whole hours; `names`: columns of roll-ups other than octets."""
    kinds: Mapping[str, Kind] = {name: kind for name, kind in KINDS.items() if name in {*_OCTETS, *names}}
    for group in read_fine(nodes, start, end, kinds):
        yield _named(group.series, group.rows)


def _named(series: Sequence[tuple[int, int]], rows: Rows) -> PortBins:
    """Rows of (node, layout) with the ports of each layout."""
    wanted = np.array([layout for _, layout in series], np.int64)
    idents, ports = fetch_columns(_LAYOUTS, [np.unique(wanted).tolist()])
    known = integers(idents)
    order = np.argsort(known)
    named = decoded([ports[place] for place in order.tolist()], length(ports[0]), "int8", 0)
    return PortBins(named[np.searchsorted(known[order], wanted)].astype(np.int64), rows)


def direction_percentiles(site: Site, table: LinkTable, start: float, end: float) -> Floats:
    """p95 of the 5-minute means of every link direction, bit/s, (2, links); NaN: half of it was not
    observed."""
    ports = linked_ports(table)
    found = np.full((2, len(ports)), np.nan)
    for nodes in node_groups(site):
        for bins in port_bins(nodes, start, end, ()):
            place = np.searchsorted(ports, bins.ports.ravel())
            place = np.minimum(place, max(len(ports) - 1, 0))
            known = ports[place] == bins.ports.ravel() if len(ports) else np.zeros(bins.ports.size, np.bool_)
            for number, direction in enumerate(("in", "out")):
                means = bins.of_ports(bins.rows.means(direction))[known]
                ranks = nearest_ranks(means)
                enough = (~np.isnan(means)).mean(axis=-1) >= LEAST_BINS
                found[number, place[known]] = np.fmax(
                    found[number, place[known]], np.where(enough, ranks, np.nan)
                )
    return of_directions(table, ports, found)


@dataclass(frozen=True, slots=True)
class KnownRates:
    """Rates of the ports that have any, ascending by port: parallel arrays, bit/s; NaN: no value."""

    port: Ints
    inward: Floats
    outward: Floats


def known_rates(
    site: Site,
    at: datetime,
    statistic: LoadStatistic,
    now: datetime,
    nodes: Collection[int] | None = None,
) -> KnownRates:
    """Of the ports of these or all devices at a moment."""
    ports, rates = [np.zeros(0, np.int64)], [np.zeros((2, 0))]
    names = _PEAKS if statistic == "peak" else ()
    for bins, place in _bins_at(site, at, statistic, now, names, nodes):
        ports.append(bins.ports.ravel())
        rates.append(np.stack([_statistic(bins, direction, place, statistic) for direction in ("in", "out")]))
    port, both = np.concatenate(ports), np.concatenate(rates, axis=1)
    known = np.flatnonzero(~np.isnan(both).all(axis=0))
    # Of a port with several layouts, the last that was read counts.
    kept, places = np.unique(port[known][::-1], return_index=True)
    chosen = known[::-1][places]
    return KnownRates(kept, both[0, chosen], both[1, chosen])


def rates_at(
    site: Site,
    at: datetime,
    statistic: LoadStatistic,
    now: datetime,
    nodes: Collection[int] | None = None,
) -> dict[int, PortRates]:
    """Port id -> rates of the ports of these or all devices at a moment; without a value it is missing."""
    return port_rates(known_rates(site, at, statistic, now, nodes), at)


def port_rates(found: KnownRates, at: datetime) -> dict[int, PortRates]:
    """Port id -> its rates."""
    inward, outward = (
        [None if rate != rate else int(rate) for rate in rates.tolist()]  # noqa: PLR0124 - NaN
        for rates in (found.inward, found.outward)
    )
    return {
        port: PortRates(at, *both) for port, *both in zip(found.port.tolist(), inward, outward, strict=True)
    }


def packets_per_bit_at(
    site: Site, at: datetime, statistic: LoadStatistic, now: datetime
) -> dict[int, PacketsPerBit]:
    """Port id -> packets per bit of the 5 minutes of a moment, of a p95 those of its hour."""
    found: dict[int, PacketsPerBit] = {}
    for bins, place in _bins_at(site, at, statistic, now, ("in_packets", "out_packets")):
        ratios = [
            _packets_per_bit(bins, direction, None if statistic == "p95" else place)
            for direction in ("in", "out")
        ]
        found.update(
            (port, (inward, outward))
            for port, inward, outward in zip(bins.ports.ravel().tolist(), *ratios, strict=True)
            if inward is not None or outward is not None
        )
    return found


def _packets_per_bit(bins: PortBins, direction: str, place: int | None) -> list[float | None]:
    """Of each port; a port with octets counts packets, or they are unknown."""
    packets = bins.rows.arrays[f"{direction}_packets"]
    if packets is None:
        return [None] * bins.ports.size
    counted, octets = bins.of_ports(packets), bins.of_ports(bins.rows.array(f"{direction}_octets"))
    chosen = slice(None) if place is None else slice(place, place + 1)
    pairs = zip(counted[:, chosen].sum(axis=-1), octets[:, chosen].sum(axis=-1), strict=True)
    return [float(number / (8 * size)) if number > 0 and size > 0 else None for number, size in pairs]


def _bins_at(  # noqa: PLR0917 - of one call each
    site: Site,
    at: datetime,
    statistic: LoadStatistic,
    now: datetime,
    names: Collection[str],
    only: Collection[int] | None = None,
) -> Iterator[tuple[PortBins, int]]:
    """The bins that hold a moment's statistic, and the place of the moment's own bin; `names`: columns of
    roll-ups other than octets. `only`: of these devices.
    """
    hour = at.timestamp() // HOUR_S * HOUR_S
    place = int((at.timestamp() - hour) // P95_BIN_S)
    for nodes in node_groups(site, only):
        if statistic == "p95":
            groups = port_bins(nodes, hour - HOUR_S, hour, names)
        elif hour + HOUR_S + _ROLLED_UP_AFTER_S <= now.timestamp():
            groups = port_bins(nodes, hour, hour + HOUR_S, names)
        else:
            groups = _sample_bins(nodes, hour, place, names)
        for bins in groups:
            yield bins, place


def _sample_bins(nodes: Sequence[int], hour: float, place: int, names: Collection[str]) -> Iterator[PortBins]:
    """One bin of an hour that may not be rolled up, from samples; the hour's other bins are incomplete."""
    start = hour + place * P95_BIN_S
    for series, samples in read_samples(nodes, start, start + P95_BIN_S, {*_OCTETS, *names}):
        yield _named(series, fine_rows(samples, hour, len(series)))


def _statistic(bins: PortBins, direction: str, place: int, statistic: LoadStatistic) -> Floats:
    """Of each port, bit/s."""
    means = bins.of_ports(bins.rows.means(direction))
    values = means[:, place]
    if statistic == "p95":
        is_enough = (~np.isnan(means)).mean(axis=-1) >= LEAST_BINS
        values = np.where(is_enough, nearest_ranks(means), np.nan)
    elif statistic == "peak":
        for name in ("max", "peak"):
            top = bins.rows.arrays.get(f"{direction}_{name}")
            if top is not None:
                values = np.fmax(values, bins.of_ports(top)[:, place])
    return np.asarray(np.rint(values))


def linked_ports(table: LinkTable) -> Ints:
    """Ids of all ports of links, ascending."""
    both = np.concatenate([table.a, table.b])
    return np.unique(both[both != NO_PORT])


def of_directions(table: LinkTable, ports: Ints, values: Floats) -> Floats:
    """Values of link directions from those of ports, (2, ports) in and out: what `a` measures, else `b`.

    Forward is out of `a` and into `b`.
    """
    places = [_places(ports, end) for end in (table.a, table.b)]
    (a_in, a_out), (b_in, b_out) = (
        [np.where(place >= 0, values[number][place], np.nan) for number in range(2)] for place in places
    )
    return np.stack([np.where(np.isnan(a_out), b_in, a_out), np.where(np.isnan(a_in), b_out, a_in)])


def _places(ports: Ints, wanted: Ints) -> Ints:
    found = np.minimum(np.searchsorted(ports, wanted), len(ports) - 1)
    return np.where(ports[found] == wanted, found, NO_PORT)


@dataclass(frozen=True, slots=True)
class DirectionBaselines:
    """Loads of all link directions in some hours, and their usual ones: arrays of (2, links)."""

    end: float
    bps: Floats
    """NaN: unknown."""
    usual: Baseline


def direction_baselines(site: Site, table: LinkTable, end: float, hours: int) -> DirectionBaselines:
    """The load of the `hours` before `end`, a whole hour, and of the same hours of the weeks before."""
    ports, start = linked_ports(table), end - hours * HOUR_S
    totals = _Totals(ports, 1 + MOST_WEEKS)
    # Younger devices have no baseline yet.
    old = RollupMark.objects.filter(node__site=site, since__lte=moment(start - LEAST_WEEKS * WEEK_S))
    for nodes in node_groups(site, old.order_by("node").values_list("node_id", flat=True)):
        for bins in port_bins(nodes, start, end, ()):
            totals.add_bins(0, bins)
        for week in range(1, MOST_WEEKS + 1):
            for day, first, last in _days(start - week * WEEK_S, end - week * WEEK_S):
                totals.add_hours(week, nodes, day, first, last)
    rates = covered_rates(totals.octets[0], totals.seconds[0], hours * HOUR_S)
    usual = weekly_baseline(totals.octets[1:], totals.seconds[1:], hours * HOUR_S)
    median, low, high = (of_directions(table, ports, part) for part in (usual.median, usual.low, usual.high))
    weeks = np.nan_to_num(of_directions(table, ports, usual.weeks.astype(np.float64))).astype(np.int64)
    return DirectionBaselines(end, of_directions(table, ports, rates), Baseline(median, low, high, weeks))


def _days(start: float, end: float) -> Iterator[tuple[float, int, int]]:
    """Days of a range of hours, with the first and last hour of it in each, counted from 1."""
    day = start // DAY_S * DAY_S
    while day < end:
        yield day, round((max(start, day) - day) / HOUR_S) + 1, round((min(end, day + DAY_S) - day) / HOUR_S)
        day += DAY_S


class _Totals:
    """Octets and observed seconds of ports in several weeks: (weeks, 2, ports)."""

    def __init__(self, ports: Ints, weeks: int) -> None:
        self._ports = ports
        self.octets = np.zeros((weeks, 2, len(ports)))
        self.seconds = np.zeros((weeks, 2, len(ports)))

    def _add(self, week: int, number: int, ports: Ints, octets: Floats, seconds: Floats) -> None:
        place = _places(self._ports, ports) if len(self._ports) else np.full(len(ports), NO_PORT)
        known = place != NO_PORT
        np.add.at(self.octets[week, number], place[known], octets[known])
        np.add.at(self.seconds[week, number], place[known], seconds[known])

    def add_bins(self, week: int, bins: PortBins) -> None:
        """5-minute bins."""
        for number, direction in enumerate(("in", "out")):
            octets = bins.of_ports(bins.rows.array(f"{direction}_octets")).sum(axis=-1)
            seconds = bins.of_ports(bins.rows.known_seconds(direction)).sum(axis=-1)
            self._add(week, number, bins.ports.ravel(), octets, seconds)

    def add_hours(self, week: int, nodes: Sequence[int], day: float, first: int, last: int) -> None:
        """Some hours of a day."""
        values = {"nodes": list(nodes), "day": moment(day), "first": first, "last": last}
        columns = fetch_columns(_HOURS, values)
        layouts = integers(columns[0]).tolist()
        ports = dict(PortLayout.objects.filter(pk__in=set(layouts)).values_list("pk", "ports"))
        by_width: dict[int, list[int]] = {}
        for row, field in enumerate(columns[3]):
            if width := length(field):
                by_width.setdefault(width, []).append(row)
        hours = last - first + 1
        for width, rows in by_width.items():
            taken = [[column[row] for row in rows] for column in columns]
            seconds = decoded(taken[1], hours, "double", 0).reshape(len(rows), 1, hours)
            named = np.array([ports[layouts[row]] for row in rows], np.int64)
            for number in range(2):
                missing = decoded(taken[2 + 2 * number], width * hours, "real", 0)
                octets = decoded(taken[3 + 2 * number], width * hours, "int8", 0).astype(np.float64)
                observed = np.maximum(seconds - missing.reshape(len(rows), width, hours), 0.0)
                self._add(
                    week,
                    number,
                    named.ravel(),
                    octets.reshape(len(rows) * width, hours).sum(axis=-1),
                    observed.reshape(len(rows) * width, hours).sum(axis=-1),
                )


def hourly_totals(
    nodes: Sequence[int], ports: Ints, inward: Flags, start: float, end: float
) -> tuple[Floats, Floats]:
    """Octets and observed seconds of one direction of some ports, (ports, hours) from `start`, a whole hour.

    From the hourly level; hours of which it has no row yet come from 5-minute bins.
    """
    hours = round((end - start) / HOUR_S)
    octets, seconds = np.zeros((len(ports), hours)), np.zeros((len(ports), hours))
    order = np.argsort(ports, kind="stable")
    first_day, rolled = start // DAY_S * DAY_S, start
    for day in np.arange(first_day, end, DAY_S).tolist():
        has_rows = False
        for named, parts in _day_totals(nodes, day):
            has_rows = True
            for place, row in _matches(ports, order, named):
                of, lasted = parts[0 if inward[place] else 1]
                low, high = (
                    round((max(start, day) - day) / HOUR_S),
                    round((min(end, day + DAY_S) - day) / HOUR_S),
                )
                at = round((day - start) / HOUR_S)
                octets[place, at + low : at + high] += of[row, low:high]
                seconds[place, at + low : at + high] += lasted[row, low:high]
        if has_rows:
            rolled = min(day + DAY_S, end)
    if rolled < end:
        for bins in port_bins(nodes, rolled, end, ()):
            at = round((rolled - start) / HOUR_S)
            for place, row in _matches(ports, order, bins.ports.ravel()):
                direction = "in" if inward[place] else "out"
                of, lasted = (
                    bins.of_ports(part)[row].reshape(-1, HOUR_S // 300).sum(axis=-1)
                    for part in (bins.rows.array(f"{direction}_octets"), bins.rows.known_seconds(direction))
                )
                octets[place, at:] += of
                seconds[place, at:] += lasted
    return octets, seconds


def _matches(ports: Ints, order: Ints, named: Ints) -> Iterator[tuple[int, int]]:
    """(position in `ports`, position in `named`) of equal ports; `order` sorts `ports`."""
    ordered = ports[order]
    low, high = np.searchsorted(ordered, named), np.searchsorted(ordered, named, side="right")
    for row in np.nonzero(high > low)[0].tolist():
        for place in order[low[row] : high[row]].tolist():
            yield place, row


def _day_totals(nodes: Sequence[int], day: float) -> Iterator[tuple[Ints, list[tuple[Floats, Floats]]]]:
    """Ports, and octets and observed seconds of each hour of a day, (ports, 24), in and out."""
    hours = DAY_S // HOUR_S
    columns = fetch_columns(_HOURS, {"nodes": list(nodes), "day": moment(day), "first": 1, "last": hours})
    layouts = integers(columns[0]).tolist()
    ports = dict(PortLayout.objects.filter(pk__in=set(layouts)).values_list("pk", "ports"))
    for row, layout in enumerate(layouts):
        width = length(columns[3][row])
        if not width:
            continue
        lasted = decoded([columns[1][row]], hours, "double", 0)
        found = []
        for number in range(2):
            missing = decoded([columns[2 + 2 * number][row]], width * hours, "real", 0).reshape(width, hours)
            octets = decoded([columns[3 + 2 * number][row]], width * hours, "int8", 0).reshape(width, hours)
            found.append((octets.astype(np.float64), np.maximum(lasted - missing, 0.0)))
        yield np.array(ports[layout], np.int64), found
