"""Rolls up what is complete: whole hours, then whole days, and hours for which a sample came late.

One process at a time runs a round (advisory lock). A batch is one transaction: it replaces the rows of some
devices and moves their watermark, so that after a kill at any moment each sample is in each level once.

The order of a late batch matters: its entries are deleted before the samples are read. An entry that is
committed later stays, and one that is deleted has its sample committed with it.
"""

from __future__ import annotations

import logging
import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import Min

from backstay.core.rollups.levels import DAY_S, FINE, HOUR_S, closed_until
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.sql import fetch_rows
from backstay.telemetry import partitions
from backstay.telemetry.rollups.kinds import KINDS, RollupKind
from backstay.telemetry.rollups.partitions import ensure_rollups
from backstay.telemetry.rollups.store import moment

log = logging.getLogger(__name__)
BUDGET_S = 20.0
"""Of one round; the next one goes on."""
BATCH_S = 60.0
"""Longest batch, after which the lock is given up."""
SAMPLES_OF_A_BATCH = 4000
"""About so many sample rows are in memory at once."""
LATE_HOURS = 24
"""Hours that one batch computes again."""
_ADD = """
    INSERT INTO {marks} (node_id, since, fine_until, coarse_until)
    SELECT node.id, first.hour, first.hour, date_trunc('day', first.hour, 'UTC')
    FROM inventory_node AS node
    CROSS JOIN LATERAL (
        SELECT least(%s, date_trunc('hour', (
            SELECT {begin} FROM {source} AS sample WHERE sample.node_id = node.id ORDER BY ts LIMIT 1
        ), 'UTC')) AS hour
    ) AS first
    WHERE NOT EXISTS (SELECT FROM {marks} AS mark WHERE mark.node_id = node.id)
    ON CONFLICT DO NOTHING
"""
_OPEN_HOUR = """
    SELECT mark.node_id, mark.fine_until, site.interval_s
    FROM {marks} AS mark
    JOIN inventory_node AS node ON node.id = mark.node_id
    JOIN inventory_site AS site ON site.id = node.site_id
    WHERE mark.fine_until = (SELECT min(fine_until) FROM {marks})
      AND mark.fine_until < %s
    ORDER BY mark.node_id LIMIT %s
"""
_OPEN_DAY = """
    SELECT mark.node_id, mark.coarse_until FROM {marks} AS mark
    WHERE mark.coarse_until = (
        SELECT min(coarse_until) FROM {marks}
        WHERE fine_until >= coarse_until + interval '1 day' AND coarse_until < %(closed)s
    ) AND mark.fine_until >= mark.coarse_until + interval '1 day'
    ORDER BY mark.node_id LIMIT %(most)s
"""
_PENDING = "SELECT DISTINCT hour FROM {late} ORDER BY hour LIMIT 1000"
_TAKE_LATE = """
    WITH chosen AS (
        SELECT DISTINCT node_id, hour FROM {late} ORDER BY node_id, hour LIMIT %s
    )
    DELETE FROM {late} AS late USING chosen
    WHERE late.node_id = chosen.node_id AND late.hour = chosen.hour
    RETURNING late.node_id, late.hour
"""
_MOST_NODES = 256


def run_round(now: datetime, budget_s: float = BUDGET_S) -> int:
    """Roll up what is complete by `now`, for at most `budget_s` and a batch; returns the number of batches.

    0 too if another process does.
    """
    done = 0

    def work() -> None:
        nonlocal done
        done = _batches(now, budget_s)

    run_in_one_process(LockClass.ROLLUPS, work, longest_s=budget_s + BATCH_S)
    return done


def _batches(now: datetime, budget_s: float) -> int:
    ends_at, done = time.monotonic() + budget_s, 0
    add_marks(now)
    steps: Sequence[Callable[[RollupKind, datetime], bool]] = (roll_up_late, roll_up_hours, roll_up_days)
    while sum(step(kind, now) for kind in KINDS for step in steps):
        done += 1
        if time.monotonic() > ends_at:
            break
    return done


def add_marks(now: datetime) -> None:
    """Watermarks of devices without one: the hour of their first sample; else every later one comes late.

    No sample is older than the oldest stored day: an hour before it is rolled up from nothing.
    """
    closed = moment(closed_until(now.timestamp(), FINE.row_s))
    if (stored := partitions.stored_from()) <= now:
        closed = max(closed, stored)
    with connection.cursor() as cursor:
        for kind in KINDS:
            cursor.execute(_sql(_ADD, kind), [closed])


def _sql(statement: str, kind: RollupKind) -> str:
    """With the kind's tables."""
    marks = kind.marks._meta.db_table
    return statement.format(marks=marks, late=kind.late, source=kind.source, begin=kind.begin)


def roll_up_hours(kind: RollupKind, now: datetime) -> bool:
    """One hour of some devices that is complete; whether there was one."""
    closed = moment(closed_until(now.timestamp(), FINE.row_s))
    found = fetch_rows(_sql(_OPEN_HOUR, kind), [closed, _MOST_NODES])
    if not found:
        return False
    nodes = _within_batch(kind, found)
    start = found[0][1].timestamp()
    _ensure(start)
    try:
        _roll_up_hour(kind, nodes, start)
    except OperationalError:
        raise
    except Exception:
        log.exception("%d devices at %s failed; each is tried alone", len(nodes), moment(start))
        _roll_up_alone(kind, nodes, start)
    return True


def _roll_up_hour(kind: RollupKind, nodes: Collection[int], start: float) -> None:
    with transaction.atomic():
        kind.write_hours(nodes, start)
        kind.marks.objects.filter(node__in=nodes).update(fine_until=moment(start + HOUR_S))


def _roll_up_alone(kind: RollupKind, nodes: Collection[int], start: float) -> None:
    """A device whose samples cannot be rolled up loses this hour, and stops neither itself nor others."""
    for node in nodes:
        try:
            _roll_up_hour(kind, [node], start)
        except OperationalError:
            raise
        except Exception:
            log.exception("the hour from %s of device %d is not rolled up", moment(start), node)
            kind.marks.objects.filter(node=node).update(fine_until=moment(start + HOUR_S))


def _within_batch(kind: RollupKind, found: list[tuple[Any, ...]]) -> list[int]:
    nodes: list[int] = []
    samples = 0.0
    for node, _, interval_s in found:
        samples += kind.rows_per_interval * HOUR_S / interval_s
        if nodes and samples > SAMPLES_OF_A_BATCH:
            break
        nodes.append(node)
    return nodes


def roll_up_days(kind: RollupKind, now: datetime) -> bool:
    """One day of some devices, of which all hours are rolled up; whether there was one."""
    closed = moment(closed_until(now.timestamp(), DAY_S))
    most = SAMPLES_OF_A_BATCH // FINE.bins // 8
    found = fetch_rows(_sql(_OPEN_DAY, kind), {"closed": closed, "most": most})
    if not found:
        return False
    nodes, start = [node for node, _ in found], found[0][1].timestamp()
    _ensure(start)
    with transaction.atomic():
        kind.write_days(nodes, start)
        kind.marks.objects.filter(node__in=nodes).update(coarse_until=moment(start + DAY_S))
    return True


def roll_up_late(kind: RollupKind, now: datetime) -> bool:
    """Some hours for which samples came late, and their days; whether there was one."""
    pending = fetch_rows(_sql(_PENDING, kind), [])
    for day in {math.floor(hour.timestamp() / DAY_S) for (hour,) in pending}:
        _ensure(day * DAY_S)
    stored = partitions.stored_from()
    with transaction.atomic():
        taken = set(fetch_rows(_sql(_TAKE_LATE, kind), [LATE_HOURS]))
        marks = kind.marks.objects.in_bulk({node for node, _ in taken})
        again: dict[datetime, list[int]] = defaultdict(list)
        days: dict[float, set[int]] = defaultdict(set)
        for node, hour in sorted(taken):
            # Without samples of the hour before it is dropped, the row would lose what it has.
            if node not in marks or hour >= marks[node].fine_until or hour < stored:
                continue
            again[hour].append(node)
            day = math.floor(hour.timestamp() / DAY_S) * DAY_S
            if moment(day) < marks[node].coarse_until:
                days[day].add(node)
        for hour, nodes in again.items():
            kind.write_hours(nodes, hour.timestamp())
            # An hour before the first one of a device begins its history, and that of its day.
            kind.marks.objects.filter(node__in=nodes, since__gt=hour).update(since=hour)
        for day, of_day in days.items():
            kind.write_days(sorted(of_day), day)
    return bool(taken)


def _ensure(start: float) -> None:
    ensure_rollups(moment(start).date())


def behind_by(now: datetime) -> timedelta:
    """How much older than the newest complete hour the slowest device's watermark is."""
    found = [kind.marks.objects.aggregate(until=Min("fine_until"))["until"] for kind in KINDS]
    oldest = min((until for until in found if until is not None), default=None)
    closed = moment(closed_until(now.timestamp(), FINE.row_s))
    return timedelta() if oldest is None else max(closed - oldest, timedelta())
