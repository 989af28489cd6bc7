"""Removes rows of roll-ups of sites that keep them for fewer days than others.

Partitions are shared by all sites and dropped once no site keeps them (`telemetry.rollups.partitions`); the
rows of the other sites go before, in small statements by the primary key.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable, QueryCanceled

from backstay.core.rollups.levels import LEVELS, Level
from backstay.inventory.models import Node, Site
from backstay.inventory.sql import fetch_rows
from backstay.retention.services import limit_statements
from backstay.telemetry.level_retention import cutoff, longest_rollup_days, rollup_days_at
from backstay.telemetry.rollups.store import moment

log = logging.getLogger(__name__)
RUN_S = 3.0
NODES, ROWS = 200, 2000
"""Devices of a statement, and about its most rows."""
_OLDEST = """
    SELECT min(first.at) FROM unnest(%(nodes)s::bigint[]) AS device (id), LATERAL (
        SELECT at FROM {table} WHERE node_id = device.id AND at < %(until)s ORDER BY at LIMIT 1
    ) AS first
"""
_DELETE = "DELETE FROM {table} WHERE node_id = ANY (%(nodes)s) AND at >= %(oldest)s AND at < %(until)s"


@dataclass(frozen=True, slots=True)
class _Batch:
    """Devices whose rows of a table of a level before `until`, Unix seconds, go."""

    level: Level
    table: str
    nodes: list[int]
    until: float


def remove_expired_bins(now: datetime, *, run_s: float = RUN_S) -> int:
    """Remove expired rows for about `run_s` seconds; their number. Any order: each run begins elsewhere."""
    end = time.monotonic() + run_s
    batches = list(_batches(now))
    random.shuffle(batches)
    removed = 0
    for batch in batches:
        if time.monotonic() >= end:
            break
        try:
            removed += _remove(batch, end)
        except OperationalError as problem:
            if not isinstance(problem.__cause__, LockNotAvailable | QueryCanceled):
                raise
            log.warning("rows of %s are locked; they are removed later", batch.table)
    if removed:
        log.info("retention removed %d rows of roll-ups", removed)
    return removed


def _batches(now: datetime) -> Iterator[_Batch]:
    longest = longest_rollup_days()
    for site, own in Site.objects.values_list("pk", "retention"):
        days = rollup_days_at(own)
        shorter = [level for level in LEVELS if days[level.name] < longest[level.name]]
        if not shorter:
            continue
        nodes = list(Node.objects.filter(site=site).order_by("pk").values_list("pk", flat=True))
        for first in range(0, len(nodes), NODES):
            for level in shorter:
                part = nodes[first : first + NODES]
                until = cutoff(level, days[level.name], now)
                for table in (level.table, level.metric_table):
                    yield _Batch(level, table, part, until)


def _remove(batch: _Batch, end: float) -> int:
    """Remove from the oldest row on until nothing is left or `end` (monotonic seconds) has passed."""
    removed = 0
    step = max(ROWS // len(batch.nodes), 1) * batch.level.row_s
    values = {"nodes": batch.nodes, "until": moment(batch.until)}
    while time.monotonic() < end:
        with transaction.atomic():
            limit_statements()
            ((oldest,),) = fetch_rows(_OLDEST.format(table=batch.table), values)
            if oldest is None:
                break
            until = min(oldest.timestamp() + step, batch.until)
            with connection.cursor() as cursor:
                cursor.execute(
                    _DELETE.format(table=batch.table),
                    {"nodes": batch.nodes, "oldest": oldest, "until": moment(until)},
                )
                removed += cursor.rowcount
    return removed
