"""Tables of reported values and the ranges of the sources' readings. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backstay_lab.verify.api_samples import ApiSamples
from backstay_lab.verify.checks import CheckRow, CheckTable, compare_growth, compare_value
from backstay_lab.verify.series import Grown, Key, Series, Slack, growth

NOTHING = Series()
SMALL = {"octets": 131_072, "packets": 24}
"""Largest amount that a burst of a few packets between two readings may add; smaller amounts always count as
proven."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of one source."""

    series: Mapping[Key, Series]
    slack: Slack

    def growth(self, key: Key, start: float, end: float) -> Grown | None:
        """A counter's growth; None when it was not read around both moments."""
        return growth(self.series.get(key, NOTHING), start, end, self.slack)


def spelt(key: Key) -> str:
    """`sp01:css0 in octets`."""
    node, part, quantity = key
    return f"{node}:{part} {quantity}" if part else f"{node} {quantity}"


def growths(title: str, samples: ApiSamples, source: Readings, keys: Iterable[Key]) -> CheckTable:
    """Counters: growth over the newest intervals of the API within the source's readings."""
    rows: list[CheckRow] = []
    for key in sorted(keys):
        growth = samples.growth(key)
        if growth is None:
            continue
        allowed = source.growth(key, growth.start, growth.end)
        what = f"{spelt(key)} in {growth.end - growth.start:.1f} s"
        small = SMALL.get(key[2].rpartition(" ")[2], 4)
        rows.append(compare_growth(what, growth.amount, allowed, rounding=growth.rounding, small=small))
    return CheckTable(title, rows)


def sums(title: str, samples: ApiSamples, source: Readings, keys: Iterable[Key], clock: str) -> CheckTable:
    """Counters that the API reports only on change, over the time of the port's quantity `clock`, which it
    always reports. Counters constant in both are one row.
    """
    rows: list[CheckRow] = []
    still = 0
    for key in sorted(keys):
        growth = samples.growth((key[0], key[1], clock))
        if growth is None:
            continue
        known = samples.growths.get(key, {})
        amount = sum(item.amount for at, item in known.items() if growth.start + 0.1 < at <= growth.end + 0.1)
        allowed = source.growth(key, growth.start, growth.end)
        if amount == 0 and allowed is not None and allowed.most == 0:
            still += 1
            continue
        what = f"{spelt(key)} in {growth.end - growth.start:.1f} s"
        rows.append(compare_growth(what, amount, allowed))
    return CheckTable(
        title, [*rows, compare_value("counters without growth", still, [still])] if still else rows
    )


def levels(title: str, samples: ApiSamples, source: Readings, keys: Iterable[Key]) -> CheckTable:
    """Levels: the newest within the source's readings. States are reported on change, and a port is
    connected for milliseconds: they are compared with all readings of the source.
    """
    rows: list[CheckRow] = []
    for key in sorted(keys):
        series, state, newest = source.series.get(key, NOTHING), samples.state(key), samples.level(key)
        if state is not None:
            rows.append(compare_value(spelt(key), state, series.values))
        elif newest is not None:
            at, value = newest
            rows.append(compare_value(spelt(key), value, series.at(at, source.slack)))
    return CheckTable(title, rows)


Loads = Mapping[tuple[str, str], Mapping[float, int]]
"""(link's name, direction) to the reported loads, bit/s, by the end of their interval."""


def loads(
    samples: ApiSamples,
    links: Iterable[Mapping[str, Any]],
    growth: Loads,
    reading_of: Callable[[Key], Readings | None],
) -> CheckTable:
    """The load on the map: the source's octets in the same interval, times 8, divided by its length."""
    rows: list[CheckRow] = []
    for link in links:
        for direction, ends in (("forward", _ends(link, "out", "in")), ("back", _ends(link, "in", "out"))):
            by_time = growth.get((link["name"], direction), {})
            row = _load(f"{link['name']} {direction}", by_time, ends, samples, reading_of)
            if row is not None:
                rows.append(row)
    return CheckTable("Load on the map and bytes x 8 / interval of the same source", rows)


def _ends(link: Mapping[str, Any], at_source: str, at_target: str) -> list[Key]:
    """The counters from which a direction may be computed, the preferred one first."""
    keys = [(link["ends"][0], link["source_port"], f"{at_source} octets")]
    if link["target_port"]:
        keys.append((link["ends"][1], link["target_port"], f"{at_target} octets"))
    return keys


def _load(
    what: str,
    by_time: Mapping[float, int],
    keys: Sequence[Key],
    samples: ApiSamples,
    reading_of: Callable[[Key], Readings | None],
) -> CheckRow | None:
    for at in sorted(by_time, reverse=True):
        rate, unlike = by_time[at], list[float]()
        for key in keys:  # Either end may have reported it.
            interval = samples.growths.get(key, {}).get(at)
            if interval is None or not samples.counts(interval):
                continue
            octets = round(rate * interval.seconds / 8)
            if abs(octets - interval.amount) > interval.rounding:
                unlike.append(8 * interval.amount / interval.seconds)
                continue
            if (source := reading_of(key)) is None:
                return None  # The reporting end was not read.
            # The port's bytes are proven over a longer time; a single interval may be too short.
            allowed = source.growth(key, at - interval.seconds, at)
            shown = f"{what}: {rate / 1e6:,.3f} Mb/s x {interval.seconds:.2f} s"
            return compare_growth(shown, octets, allowed, rounding=interval.rounding, small=octets * 4)
        if unlike:
            return compare_value(f"{what}: bit/s by its ports' bytes", rate, unlike)
    return None
