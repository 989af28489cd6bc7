"""Timelines of paths: gateways, outages, and the periods that no report covers, which stay unknown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from backstay.core.model.outage import Outage, known_until, max_silence
from backstay.policy.models import Path, PathGap, PathOutage, PathSwitch
from backstay.policy.path_history import outage_of

MAX_ROWS = 10_000
"""Switches, and outages, of all paths of one request; the newest ones are read."""


@dataclass(frozen=True, slots=True)
class SwitchRecord:
    """One recorded switch of a path."""

    at: datetime
    from_gateway: str
    to_gateway: str
    outage_ms: float | None


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to `end`."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Segment:
    """A period on one gateway; empty: no route."""

    gateway: str
    start: datetime
    end: datetime
    outage_ms: float | None = None
    """Of the switch at its start; None: not measured, or no switch."""
    is_known: bool = True
    """False: the node did not report the path."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """One path from `start` to `end`: contiguous segments, switches and outages, oldest first."""

    path: Path
    start: datetime
    end: datetime
    segments: Sequence[Segment]
    switches: Sequence[SwitchRecord]
    outages: Sequence[tuple[PathOutage, Outage]]


def timelines(paths: Collection[Path], start: datetime, end: datetime, now: datetime) -> list[Timeline]:
    """Timelines of these paths, in this order; three queries. `paths` have their policies and
    sites loaded."""
    idents = [path.pk for path in paths]
    switches = _switches(idents, start)
    gaps: dict[int, list[Period]] = {}
    for gap in PathGap.objects.filter(path__in=idents, end__gt=start, start__lt=end):
        gaps.setdefault(gap.path_id, []).append(Period(gap.start, gap.end))
    outages = _outages(idents, start, end)
    return [
        Timeline(
            path=path,
            start=start,
            end=end,
            segments=build_segments(
                switches.get(path.pk, []),
                path.active_text,
                _unknown(path, gaps.get(path.pk, []), Period(start, end), now),
                Period(start, end),
            ),
            switches=[item for item in switches.get(path.pk, []) if item.at <= end],
            outages=[
                (row, outage_of(row, path.at, now, path.policy.site.interval_s))
                for row in outages.get(path.pk, [])
            ],
        )
        for path in paths
    ]


def _switches(paths: Collection[int], start: datetime) -> dict[int, list[SwitchRecord]]:
    rows = PathSwitch.objects.filter(path__in=paths, at__gt=start).order_by("-at", "-pk")
    found: dict[int, list[SwitchRecord]] = {}
    for row in rows[:MAX_ROWS]:
        record = SwitchRecord(row.at, row.from_gateway, row.to_gateway, row.outage_ms)
        found.setdefault(row.path_id, []).insert(0, record)
    return found


def _outages(paths: Collection[int], start: datetime, end: datetime) -> dict[int, list[PathOutage]]:
    """The last row of each outage that overlaps the range, oldest first."""
    begun = Q(start__lt=end) | Q(earlier_start__lt=end)
    rows = PathOutage.objects.filter(Q(end=None) | Q(end__gt=start), begun, path__in=paths)
    found: dict[int, list[PathOutage]] = {}
    seen: set[tuple[int, datetime]] = set()
    for row in rows.order_by("-start", "-pk")[:MAX_ROWS]:
        whole = (row.path_id, row.earlier_start or row.start)
        if whole not in seen:
            seen.add(whole)
            found.setdefault(row.path_id, []).insert(0, row)
    return found


def _unknown(path: Path, gaps: Iterable[Period], around: Period, now: datetime) -> list[Period]:
    """The periods without reports: before the first, the gaps, and after the newest once it is too old."""
    policy = path.policy
    until = known_until(path.at, max_silence(policy.probe_interval_ms, policy.site.interval_s), now)
    if path.observed_from is None or until is None:
        return [around]
    return [Period(around.start, path.observed_from), *gaps, Period(until, around.end)]


def build_segments(
    switches: Sequence[SwitchRecord], active: str, unknown: Iterable[Period], around: Period
) -> list[Segment]:
    """Contiguous segments of `around`. `switches`: all since its start, oldest first; `active`: the gateway
    after the last of them."""
    used = _used(switches, active, around)
    found: list[Segment] = []
    at = around.start
    for period in sorted(unknown, key=lambda item: item.start):
        start, end = max(period.start, at), min(period.end, around.end)
        if start < end:
            found += _within(used, Period(at, start))
            found.append(Segment("", start, end, is_known=False))
            at = end
    return [*found, *_within(used, Period(at, around.end))]


def _used(switches: Sequence[SwitchRecord], active: str, around: Period) -> list[Segment]:
    """The gateways in use, as far as the switches say."""
    bounds = [around.start, *(switch.at for switch in switches), max(around.end, around.start)]
    first = switches[0].from_gateway if switches else active
    found = [Segment(first, bounds[0], bounds[1])]
    for place, switch in enumerate(switches, start=1):
        end = max(bounds[place + 1], switch.at)
        found.append(Segment(switch.to_gateway, switch.at, end, switch.outage_ms))
    return found


def _within(used: Iterable[Segment], period: Period) -> list[Segment]:
    found = []
    for item in used:
        start, end = max(item.start, period.start), min(item.end, period.end)
        if start < end:
            outage = item.outage_ms if start == item.start else None
            found.append(Segment(item.gateway, start, end, outage))
    return found
