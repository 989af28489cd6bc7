"""Which stored level an export reads for which part of its range, and in which steps. Pure; Unix seconds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from backstay.core.rollups.levels import DAY_S, LEVELS, Source, SourceName, first_bin, segments

ExportLevel = Literal["auto", "samples", "5m", "1h", "1d"]
ExportFormat = Literal["csv", "jsonl", "parquet"]
ExportState = Literal["queued", "running", "done", "failed"]
OPEN_EXPORTS: tuple[ExportState, ...] = ("queued", "running")

AUTO_POINTS = 2000
"""`auto` reads the coarsest level with at least so many bins in the range: 5 min for a week."""
SLAB_S: Mapping[SourceName, int] = {
    "samples": DAY_S,
    "5m": DAY_S,
    "1h": 31 * DAY_S,
    "1d": 366 * DAY_S,
}
"""Longest time of one step. Samples: a day, as a partition and as a file of the archive."""
STEP_ROWS = 200_000
"""About so many rows of the export are in memory at once: 40 MB."""


@dataclass(frozen=True, slots=True)
class ExportSpan:
    """A part of the range, and the level that it is read from."""

    level: SourceName
    start: float
    end: float
    is_cut: bool = False
    """Samples: the part before `start` is in the previous span, so the first sample counts from there."""


@dataclass(frozen=True, slots=True)
class MissingTime:
    """Time of which the level has no data for any device, as a sentence."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What is read, oldest first, and what cannot be."""

    spans: tuple[ExportSpan, ...]
    missing: tuple[MissingTime, ...]


def export_plan(
    level: ExportLevel, sources: Sequence[Source], start: float, end: float, interval_s: float
) -> ExportPlan:
    """The spans of a range; `sources`: from samples to the coarsest level, as `levels.sources` gives them."""
    if level == "auto":
        found = segments(sources, start, end, AUTO_POINTS, interval_s)
        spans = [ExportSpan(item.source.name, item.start, item.end) for item in found]
    else:
        spans = [
            ExportSpan(level, max(start, first_bin(source)), min(end, source.until))
            for source in sources
            if source.name == level
        ]
        spans = [span for span in spans if span.start < span.end]
    spans = [
        ExportSpan(span.level, _aligned(span, start), span.end, is_cut=span.level == "samples" and at > 0)
        for at, span in enumerate(spans)
    ]
    return ExportPlan(tuple(spans), tuple(_missing(level, sources, spans, start, end)))


def _aligned(span: ExportSpan, start: float) -> float:
    """Bins are whole: the one in which the range begins is read as well."""
    width = next((level.width_s for level in LEVELS if level.name == span.level), 0)
    return span.start // width * width if width and span.start == start else span.start


def _missing(
    level: ExportLevel, sources: Sequence[Source], spans: Sequence[ExportSpan], start: float, end: float
) -> Iterator[MissingTime]:
    what = "data" if level == "auto" else "samples" if level == "samples" else f"bins of {level}"
    if not spans:
        yield MissingTime(start, end, f"No {what} of this time are stored.")
        return
    kept = min(source.kept_since for source in sources if level in {"auto", source.name})
    if start < (first := min(spans[0].start, kept)):
        yield MissingTime(start, first, f"No {what} of this time are stored any more.")
    if spans[-1].end < end:
        yield MissingTime(spans[-1].end, end, f"The {what} of this time are not computed yet.")


def slabs(span: ExportSpan) -> Iterator[tuple[float, float]]:
    """Consecutive times of at most SLAB_S, aligned in UTC."""
    step = SLAB_S[span.level]
    at = span.start
    while at < span.end:
        following = min((math.floor(at / step) + 1) * step, span.end)
        yield at, following
        at = following


def progress_of(spans: Sequence[ExportSpan], at: float, share: float) -> float:
    """Finished fraction of the time, 0..1: up to `at`, and `share` of the slab that begins there."""
    whole = sum(span.end - span.start for span in spans)
    if not whole:
        return 1.0
    done = sum(min(max(at - span.start, 0.0), span.end - span.start) for span in spans)
    current = next((span for span in spans if span.start <= at < span.end), None)
    length = 0.0 if current is None else next(stop - begin for begin, stop in slabs(current) if stop > at)
    return min((done + length * share) / whole, 1.0)
