"""Roll-ups of port samples: the levels, when their bins are complete, and which of them a chart reads. Pure.

All times are Unix seconds; bins are aligned to multiples of their width, in UTC.

A row holds one device's bins of `row_s` seconds, so that a small device's row is large enough to be
compressed and a port's week is 168 rows instead of 2,016. It is written once its time is over: an hour of
5-minute bins at a time, and a day of the coarser levels.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

HOUR_S, DAY_S = 3600, 86_400
GRACE_S = 600.0
"""Reports that arrive later than this after their row's end make it be computed again."""
MARGIN_S = 60.0
"""More than the ingest takes to commit a request, and than the clocks of two servers differ."""
LEAST_S = 0.001
"""Shorter samples count as so long: Unix seconds as a double are exact to 0.2 us."""
LONGEST_S = float(DAY_S)
"""Of a longer sample, such as after an outage of days, only the last day is rolled up."""
MOST_DAYS = 36_500
MOST_SAMPLES = 400_000
"""Most samples of a chart; one that would need more is drawn from the first level."""
Period = Literal["month", "year"]
LevelName = Literal["5m", "1h", "1d"]
SourceName = Literal["samples", "5m", "1h", "1d"]


@dataclass(frozen=True, slots=True)
class Level:
    """One level of roll-ups."""

    name: LevelName
    width_s: int
    row_s: int
    """Time that one row covers."""
    parent: SourceName
    """From which it is computed; p95 of a coarser bin is the nearest rank over 5-minute means."""
    period: Period
    """Of one partition, which is dropped as a whole."""
    days: int
    """How long it is kept by default, beyond the end of its partition."""

    @property
    def bins(self) -> int:
        """Bins of a row."""
        return self.row_s // self.width_s

    @property
    def table(self) -> str:
        """Of ports."""
        return f"telemetry_rollup_{self.name}"

    @property
    def metric_table(self) -> str:
        """Of device metrics."""
        return f"telemetry_metricrollup_{self.name}"


FINE = Level("5m", 300, HOUR_S, "samples", "month", 62)
HOURLY = Level("1h", HOUR_S, DAY_S, "5m", "month", 400)
DAILY = Level("1d", DAY_S, DAY_S, "5m", "year", 3650)
LEVELS = (FINE, HOURLY, DAILY)
COARSE = (HOURLY, DAILY)


def closed_until(now: float, row_s: int) -> float:
    """The end of the newest rows that are complete."""
    return math.floor((now - GRACE_S) / row_s) * row_s


def late_before(received: float) -> float:
    """A sample received now that begins before this may belong to a row that is written already."""
    return closed_until(received + MARGIN_S, FINE.row_s)


def parse_days(parts: Collection[str], hot_days: int) -> dict[str, int]:
    """Level -> days, from `5m=62`; ValueError with what is expected."""
    found: dict[str, int] = {level.name: level.days for level in LEVELS}
    for part in parts:
        name, _, days = part.partition("=")
        if name not in found or not days.isascii() or not days.isdigit():
            raise ValueError(f"a level and its days, such as 5m={FINE.days}, instead of {part}")
        found[name] = int(days)
    # Late samples of the whole hot window, and the day around them, are rolled up from 5-minute rows.
    least = hot_days + 2
    if not least <= found["5m"] <= found["1h"] <= found["1d"] <= MOST_DAYS:
        raise ValueError(f"{least} to {MOST_DAYS} days, and a coarser level for at least as long")
    return found


@dataclass(frozen=True, slots=True)
class Source:
    """What is stored of one device: its samples, or one level."""

    name: SourceName
    width_s: int
    """0: samples."""
    since: float
    """When the first sample in it began, or later; not before the hour in which the device has its first."""
    until: float
    """math.inf: up to now."""
    kept_since: float = -math.inf
    """Nothing newer was dropped: from here to `since`, there never was anything."""


@dataclass(frozen=True, slots=True)
class LevelSegment:
    """A part of a range, and the source that it is read from."""

    source: Source
    start: float
    end: float


def segments(
    sources: Sequence[Source], start: float, end: float, points: int, interval_s: float
) -> list[LevelSegment]:
    """Consecutive segments, oldest first; `sources`: from samples to the coarsest level.

    The coarsest level that is no wider than a bin; newer than it, finer ones; older, coarser ones, if they
    have anything: a level that only exists there would make every bin as wide as its own.
    """
    at = _preferred(sources, start, end, points, interval_s)
    newer: list[LevelSegment] = []
    cursor = max(start, min(first_bin(sources[at]), end))
    oldest = cursor
    for source in reversed(sources[: at + 1]):
        low, high = max(cursor, first_bin(source)), min(end, source.until)
        if low < high:
            newer.append(LevelSegment(source, low, high))
            cursor = high
    older: list[LevelSegment] = []
    for source in sources[at + 1 :]:
        high = min(oldest, source.until)
        if max(start, source.since) < high:
            oldest = max(start, first_bin(source))
            older.append(LevelSegment(source, oldest, high))
    return [*reversed(older), *newer]


def first_bin(source: Source) -> float:
    """The start of the bin with the first sample."""
    since, width = source.since, source.width_s
    return math.floor(since / width) * width if width and math.isfinite(since) else since


def _preferred(sources: Sequence[Source], start: float, end: float, points: int, interval_s: float) -> int:
    width = (end - start) / points
    at = max(number for number, source in enumerate(sources) if source.width_s <= width)
    stored_s = end - max(start, sources[0].since)
    return max(at, 1) if stored_s / interval_s > MOST_SAMPLES and len(sources) > 1 else at


def step_of(found: Sequence[LevelSegment], start: float, end: float, points: int, interval_s: float) -> float:
    """Width of a chart's bins, s: whole bins of its coarsest level, or whole sampling intervals."""
    widest = max((segment.source.width_s for segment in found), default=0)
    unit = math.ceil(interval_s / widest) * widest if widest else interval_s
    return max(math.ceil((end - start) / points / unit - 1e-9), 1) * unit


def coarsest(found: Sequence[LevelSegment]) -> SourceName:
    """The level that a chart's resolution is that of."""
    return max(found, key=lambda item: item.source.width_s).source.name if found else "samples"


@dataclass(frozen=True, slots=True)
class DeviceMark:
    """Up to where one device is rolled up."""

    since: float
    fine_until: float
    coarse_until: float


def sources(samples_since: float, mark: DeviceMark | None, kept_from: Mapping[str, float]) -> list[Source]:
    """What is stored of a device; `kept_from`: level -> start of its oldest partition."""
    found = [Source("samples", 0, samples_since, math.inf, samples_since)]
    if mark is not None:
        for level in LEVELS:
            first_row = math.floor(mark.since / level.row_s) * level.row_s
            kept_since = max(first_row, kept_from.get(level.name, math.inf))
            until = mark.fine_until if level is FINE else mark.coarse_until
            found.append(Source(level.name, level.width_s, max(mark.since, kept_since), until, kept_since))
    return found
