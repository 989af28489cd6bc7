"""Outages of paths, one row each, whatever the order in which reports of them arrive.

The node measures an outage and reports it under one id: while it lasts, and with its duration at its end. The
longest duration reported for an id counts. An outage whose end no agent reported, because its agent stopped,
ends with the first report after it in which the path works, or with the start of the next outage; its
duration is then an estimate (`measured_by` reports). A measurement replaces an estimate whenever it arrives.

An agent that restarts within an outage reports the rest under a new id. A row whose predecessor ends with an
estimate at or after its start continues it (`earlier_start`): both are one outage everywhere else.

The caller holds the lock of each path, so that reports of one path are processed one after the other.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q

from backstay.core.model.outage import OutageCause, OutageMeasure, prevailing
from backstay.policy.models import Path, PathOutage
from backstay.telemetry.facts import OutageSeen, PathSeen, SwitchSeen

_INFERRED = uuid.UUID("0c6a3a52-5c64-5b0a-9a52-6d5a0f3fb3f1")
"""UUID namespace (RFC 9562, version 5) of outages that no agent measured."""
_ESTIMATED = Q(end=None) | Q(measured_by=OutageMeasure.REPORTS)
_JOIN = """
    WITH near AS (
        SELECT *, measured_by = %(estimated)s AND "end" IS NOT NULL AS is_estimated
        FROM policy_pathoutage
        WHERE path_id = %(path)s AND start >= coalesce((
            SELECT coalesce(earlier_start, start) FROM policy_pathoutage
            WHERE path_id = %(path)s AND start < %(start)s ORDER BY start DESC, id DESC LIMIT 1), %(start)s)),
    parted AS (
        SELECT *, sum(is_first::int) OVER line AS part
        FROM (SELECT *, NOT coalesce(lag(is_estimated) OVER line AND lag("end") OVER line >= start, false)
                        AS is_first
              FROM near WINDOW line AS (ORDER BY start, id)) AS pairs
        WINDOW line AS (ORDER BY start, id)),
    joined AS (
        SELECT id, CASE WHEN row_number() OVER earlier > 1 THEN min(start) OVER earlier END AS start,
               coalesce((%(causes)s::text[])[max(array_position(%(causes)s::text[], cause::text)) OVER (
                   earlier ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)], '') AS cause
        FROM parted WINDOW earlier AS (PARTITION BY part ORDER BY start, id))
    UPDATE policy_pathoutage AS outage SET earlier_start = joined.start, earlier_cause = joined.cause
    FROM joined
    WHERE joined.id = outage.id
      AND (outage.earlier_start, outage.earlier_cause) IS DISTINCT FROM (joined.start, joined.cause)
    RETURNING outage.id, outage.earlier_start, outage.earlier_cause
"""
"""Which rows of a path continue others, from the row before `start` on."""


class OutageRecorder:
    """Records the outages of one batch's paths."""

    def __init__(self, paths: Collection[int]) -> None:
        ongoing = PathOutage.objects.filter(path__in=paths, end=None)
        self._ongoing = set(ongoing.values_list("path_id", flat=True))
        """Ids of paths with an ongoing outage."""
        self.continued = set(
            ongoing.exclude(earlier_start=None).values_list("path_id", flat=True) if self._ongoing else ()
        )
        """Ids of paths whose ongoing outage began before their agent restarted."""

    def observe(self, path: Path, seen: PathSeen) -> PathOutage | None:
        """Record what a report says about outages; `path` as before it.

        Returns the row whose duration this report determined.
        """
        is_newest = path.at is None or seen.at >= path.at
        measured = None
        if (outage := _reported(seen)) is not None:
            measured = self._store(path, outage, seen.at)
        elif seen.target_alive is False and is_newest and seen.active:
            self._infer(path, seen)
        ended = self._end(path, seen, is_newest=is_newest)
        return measured or ended

    def _store(self, path: Path, outage: OutageSeen, at: datetime) -> PathOutage | None:
        row, created = PathOutage.objects.get_or_create(uid=outage.uid, defaults=_columns(path, outage, at))
        if row.path_id != path.pk:
            return None
        before = None if created else _extent(row)
        if not created and not _merge(row, outage, at):
            return None
        if row.end is None:
            self._ongoing.add(path.pk)
            _bound(path, row)
        if created:
            _bound_earlier(row)
        row.save()
        if before != _extent(row):
            self._join(row, row.start if before is None else min(row.start, before[0]))
        return row if row.end is not None else None

    def _infer(self, path: Path, seen: PathSeen) -> None:
        """The target of an agent that does not measure outages is unreachable."""
        if path.pk in self._ongoing:
            PathOutage.objects.filter(path=path, end=None, at__lt=seen.at).update(at=seen.at)
            return
        uid = uuid.uuid5(_INFERRED, f"{path.pk} {seen.at.isoformat()}")
        interval = path.policy.probe_interval_ms
        outage = OutageSeen(uid, seen.at, None, OutageCause.TARGET_DEAD, None, interval)
        columns = {**_columns(path, outage, seen.at), "measured_by": OutageMeasure.REPORTS}
        PathOutage.objects.get_or_create(uid=uid, defaults=columns)
        self._ongoing.add(path.pk)

    def _end(self, path: Path, seen: PathSeen, *, is_newest: bool) -> PathOutage | None:
        """The path works in this report: outages whose end is not measured end here at the latest."""
        if seen.target_alive is not True and not seen.active:
            return None
        if is_newest and path.pk not in self._ongoing:
            return None
        rows = PathOutage.objects.filter(_ESTIMATED, path=path, at__lt=seen.at)
        rows = rows.filter(Q(end=None) | Q(end__gt=seen.at)).order_by("start")
        found = [row for row in rows if _works(row, seen)]
        for row in found:
            _estimate(row, seen.at)
            row.save()
        if found:
            self._join(found[-1], found[0].start)
        if found and is_newest:
            self._ongoing.discard(path.pk)
        return found[-1] if found else None

    def _join(self, row: PathOutage, start: datetime) -> None:
        """Decide which rows continue others after rows from `start` on have changed; updates `row`."""
        values: dict[str, Any] = {
            "path": row.path_id,
            "start": start,
            "causes": [cause.value for cause in OutageCause],
            "estimated": OutageMeasure.REPORTS.value,
        }
        with connection.cursor() as cursor:
            cursor.execute(_JOIN, values)
            known = {ident: found for ident, *found in cursor.fetchall()}
        if row.pk in known:
            row.earlier_start, row.earlier_cause = known[row.pk]
        if row.end is None and row.earlier_start is not None:
            self.continued.add(row.path_id)
        else:
            self.continued.discard(row.path_id)


def _reported(seen: PathSeen) -> OutageSeen | None:
    """The outage of a report; that of its switch if the agent reports only switches."""
    if seen.outage is not None or seen.switch is None or not seen.switch.outage_ms:
        return seen.outage
    return _of_switch(seen.switch, seen.switch.outage_ms)


def _of_switch(switch: SwitchSeen, outage_ms: float) -> OutageSeen:
    """Its start is not reported: the route moved when the outage was noticed, or the outage began with it."""
    before = timedelta() if not switch.to_gateway else timedelta(milliseconds=outage_ms)
    cause = OutageCause.SWITCH if switch.from_gateway and switch.to_gateway else OutageCause.NO_ROUTE
    lost = switch.lost_probes or 0
    return OutageSeen(switch.uid, switch.at - before, outage_ms, cause, lost, switch.probe_interval_ms)


def _columns(path: Path, outage: OutageSeen, at: datetime) -> dict[str, object]:
    end = _end_of(outage)
    return {
        "path": path,
        "start": outage.since,
        "end": end,
        "duration_ms": outage.duration_ms,
        "cause": outage.cause,
        "measured_by": _measure(outage),
        "probe_interval_ms": outage.probe_interval_ms,
        "lost_probes": outage.lost_probes,
        "at": end or max(at, outage.since),
    }


def _extent(row: PathOutage) -> tuple[datetime, datetime | None, str, str]:
    """What decides whether it continues another row, or another continues it."""
    return row.start, row.end, row.measured_by, row.cause


def _measure(outage: OutageSeen) -> OutageMeasure:
    return OutageMeasure.ROUTE if outage.lost_probes is None else OutageMeasure.PROBES


def _end_of(outage: OutageSeen) -> datetime | None:
    if outage.duration_ms is None:
        return None
    return outage.since + timedelta(milliseconds=outage.duration_ms)


def _merge(row: PathOutage, outage: OutageSeen, at: datetime) -> bool:
    """Add a report to a stored outage; whether that changed it."""
    before = (row.cause, row.end, row.duration_ms, row.at, row.start, row.measured_by)
    row.cause = prevailing(row.cause, outage.cause)
    is_measured = row.end is not None and row.measured_by != OutageMeasure.REPORTS
    if outage.duration_ms is not None:
        if not is_measured or outage.duration_ms > (row.duration_ms or 0):
            row.start, row.end, row.duration_ms = outage.since, _end_of(outage), outage.duration_ms
            row.measured_by, row.lost_probes = _measure(outage), outage.lost_probes
            row.at = row.end or at
    elif not is_measured:
        row.start, row.at = min(row.start, outage.since), max(row.at, at)
        if row.end is not None and row.end <= row.at:
            row.end, row.duration_ms, row.measured_by = None, None, _measure(outage)
        elif row.end is not None:
            _estimate(row, row.end)
    return before != (row.cause, row.end, row.duration_ms, row.at, row.start, row.measured_by)


def _estimate(row: PathOutage, end: datetime) -> None:
    row.end, row.measured_by = end, OutageMeasure.REPORTS
    row.duration_ms = max((end - row.start).total_seconds() * 1000, 0.0)


def _works(row: PathOutage, seen: PathSeen) -> bool:
    """Whether the report shows that this outage is over."""
    return bool(seen.active) if row.measured_by == OutageMeasure.ROUTE else seen.target_alive is True


def _bound(path: Path, row: PathOutage) -> None:
    """End an outage that is reported late: newer reports of the path, or of its outages, are known."""
    works, since = path.target_alive is True, path.target_since
    if row.measured_by == OutageMeasure.ROUTE:
        works, since = bool(path.active_text), path.since
    ends = list(
        PathOutage.objects.filter(path=path, start__gt=row.at)
        .order_by("start")
        .values_list("start", flat=True)[:1]
    )
    if works and path.at is not None and path.at > row.at:
        ends.append(since if since is not None and since > row.at else path.at)
    if ends:
        _estimate(row, min(ends))


def _bound_earlier(row: PathOutage) -> None:
    """Outages before this one whose end is not measured are over at its start."""
    earlier = PathOutage.objects.filter(_ESTIMATED, path=row.path_id, start__lt=row.start, at__lte=row.start)
    for other in earlier.filter(Q(end=None) | Q(end__gt=row.start)).exclude(pk=row.pk):
        _estimate(other, row.start)
        other.save()
