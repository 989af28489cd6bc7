"""Removes expired rows: some seconds a round, a small transaction a batch, the longest waiting table first.

Nothing else waits for it: a batch skips locked rows and gives up when a lock or a statement takes too long. A
killed round loses at most one batch; the next round continues, because rows say themselves that they expired.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Max, Model, QuerySet
from psycopg.errors import LockNotAvailable, QueryCanceled

from backstay.core.retention import RULES, Rule, Table
from backstay.inventory.models import Site
from backstay.policy.observation import forget_history
from backstay.retention.conditions import CONDITIONS
from backstay.retention.models import RetentionRun

ROUND_S = 5.0
"""Time of one round. A worker has few processes, and the others are needed for rules and changes."""
TABLE_S = 2.0
"""Time of one table in a round, so that a large backlog does not stop the others."""
STATEMENT_S, LOCK_S = 3, 1
SMALLER = 5
"""A batch that takes too long is repeated with a fifth of the rows."""
_PATH_HISTORY = frozenset(("policy.PathSwitch", "policy.PathOutage", "policy.PathGap"))
"""Without these rows, a path's timeline before them is unknown."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Expired:
    """Sites that share a number of days (None: rows without a site); rows before the cutoff go."""

    days: int
    cutoff: datetime
    sites: frozenset[int] | None


def remove_expired(
    now: datetime, *, round_s: float = ROUND_S, table_s: float = TABLE_S, rules: Collection[Rule] = RULES
) -> dict[str, int]:
    """Run the tables until the time is over; model -> rows removed. A failing table stops no other."""
    end = time.monotonic() + round_s
    last = dict(RetentionRun.objects.values_list("table", "at"))
    waiting = [(rule, table) for rule in rules for table in rule.tables]
    waiting.sort(key=lambda item: (item[1].model in last, last.get(item[1].model, now)))
    done: dict[str, int] = {}
    for rule, table in waiting:
        left_s = end - time.monotonic()
        if left_s <= 0:
            break
        done[table.model] = _run(rule, table, now, min(left_s, table_s))
    return done


def expired(rule: Rule, now: datetime) -> list[Expired]:
    """Groups of sites by the days that apply to them; archived sites too."""
    usual = settings.RETENTION_DAYS.get(rule.name, rule.days)
    if not rule.tables[0].site:
        return [Expired(usual, now - timedelta(days=usual), None)]
    groups: dict[int, set[int]] = {}
    for site, days in Site.objects.values_list("pk", "retention"):
        groups.setdefault(days.get(rule.name, usual), set()).add(site)
    return [
        Expired(days, now - timedelta(days=days), frozenset(sites)) for days, sites in sorted(groups.items())
    ]


def expired_rows(table: Table, group: Expired) -> QuerySet[Model]:
    """The rows that may go, in no order: ordering them would read all before the first batch."""
    rows = model_of(table)._default_manager.filter(**{f"{table.age}__lt": group.cutoff})
    if group.sites is not None:
        rows = rows.filter(**{f"{table.site}__in": sorted(group.sites)})
    condition = CONDITIONS.get(table.model)
    return rows if condition is None else rows.filter(condition(group.cutoff))


def model_of(table: Table) -> type[Model]:
    """The table's model; the API's cannot be imported here."""
    model: type[Model] = apps.get_model(table.model)
    return model


@dataclass(slots=True)
class _Progress:
    removed: int = 0
    is_complete: bool = False
    failure: str = ""


def _run(rule: Rule, table: Table, now: datetime, seconds: float) -> int:
    """Remove what has expired of one table and record it; the number of rows."""
    progress = _Progress()
    try:
        _clear(progress, rule, table, now, time.monotonic() + seconds)
    except Exception as problem:
        log.exception("retention of %s failed", table.model)
        progress.failure = f"{type(problem).__name__}: {problem}".strip()[:300]
    if progress.removed:
        log.info("retention removed %d rows of %s", progress.removed, table.model)
    _record(table, now, progress)
    return progress.removed


def _clear(progress: _Progress, rule: Rule, table: Table, now: datetime, end: float) -> None:
    """Remove batches until one finds nothing or `end` (monotonic seconds) has passed.

    A small batch is not the last one: a row may wait for another, as a cause for its effects.
    """
    for group in expired(rule, now):
        size, taken = table.batch, 1
        while taken:
            if progress.removed and time.monotonic() >= end:
                return
            try:
                taken = remove_batch(table, group, size)
            except OperationalError as problem:
                if size == 1 or not isinstance(problem.__cause__, LockNotAvailable | QueryCanceled):
                    raise
                size = max(1, size // SMALLER)
                continue
            progress.removed += taken
    progress.is_complete = True


def remove_batch(table: Table, group: Expired, size: int) -> int:
    """Remove at most `size` expired rows, and what depends on them, in one transaction; their number."""
    with transaction.atomic():
        limit_statements()
        rows = expired_rows(table, group).select_for_update(skip_locked=True, of=("self",))
        keys = [row.pk for row in rows.only("pk")[:size]]
        if keys:
            chosen = model_of(table)._default_manager.filter(pk__in=keys)
            if table.model in _PATH_HISTORY:
                known = chosen.order_by().values_list("path").annotate(last=Max(table.age))
                forget_history(dict(known))
            chosen.delete()
    return len(keys)


def limit_statements() -> None:
    """Limit the statements of this transaction, and let them use indexes.

    If much has expired, PostgreSQL prefers to read the table from its start; each batch would then read what
    the earlier ones removed, because only vacuum frees it.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_S}s'")
        cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_S}s'")
        cursor.execute("SET LOCAL enable_seqscan = off")


def _record(table: Table, now: datetime, progress: _Progress) -> None:
    row = RetentionRun.objects.filter(table=table.model).first() or RetentionRun(table=table.model)
    row.at, row.removed, row.failure = now, progress.removed, progress.failure
    row.removed_total += progress.removed
    row.behind_since = None if progress.is_complete else row.behind_since or now
    row.failing_since = (row.failing_since or now) if progress.failure else None
    row.save()
