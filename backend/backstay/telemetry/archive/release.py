"""Whether the partitions of a day may be dropped: only when the archive has all of its samples."""

from __future__ import annotations

import logging
from datetime import date

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from backstay.telemetry.archive.partition import row_count, table_of
from backstay.telemetry.archive.schema import SAMPLES
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart

log = logging.getLogger(__name__)


class ChangedDayError(Exception):
    """The partition is not what was archived: samples arrived since."""


def permits(day: date) -> bool:
    """Whether the day is verified, or nothing is archived; what keeps it is logged."""
    if not settings.ARCHIVE:
        return True
    known = ArchiveDay.objects.filter(day=day).first()
    if known is not None and known.verified_at is not None:
        return True
    reason = known.failure if known is not None and known.failure else "it is not archived yet"
    log.error("the samples of %s are expired but kept on the database's disk: %s", day, reason)
    return False


def confirm(day: date) -> None:
    """Release the day's parts in the transaction that drops its partitions. Raises ChangedDayError.

    Nothing is added between the count and the drop. The parent is locked only afterwards, by the drop.
    """
    known = ArchiveDay.objects.filter(day=day, verified_at__isnull=False).first()
    if known is None and not settings.ARCHIVE:
        return
    _stop_inserts(day)
    parts = ArchivePart.objects.filter(day=known, released_at__isnull=True)
    archived = parts.filter(table=SAMPLES).aggregate(rows=Sum("source_rows", default=0))["rows"]
    if known is None or row_count(day) != archived + known.unreadable_rows:
        if not settings.ARCHIVE:
            return
        raise ChangedDayError(str(day))
    parts.update(released_at=timezone.now())
    ArchiveDay.objects.filter(pk=known.pk).update(unreadable_rows=0)  # They were the partition's.


def _stop_inserts(day: date) -> None:
    """Stop inserts into the partition until the transaction ends; the caller has set a lock timeout."""
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table_of(day)} IN SHARE MODE")


def reopen(day: date) -> None:
    """Have a changed day archived again."""
    log.warning("samples of %s arrived after it was archived; it is archived again before it is dropped", day)
    ArchiveDay.objects.filter(day=day).update(planned_at=None, verified_at=None)
