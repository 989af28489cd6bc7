"""Archives closed days: plans their parts, writes and verifies one after the other, removes what is too old.

Each step leaves a state from which the next run continues, so a process may be killed at any time. One
process works at a time (`LockClass.ARCHIVE`), a few seconds a run.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from backstay.inventory.read_transaction import read_transaction
from backstay.telemetry import partitions
from backstay.telemetry.archive import codec, partition
from backstay.telemetry.archive.partition import SourceCount
from backstay.telemetry.archive.schema import PORTS, SAMPLES, TOTALLED, folder, part_path
from backstay.telemetry.archive.store import Store, open_store
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart, ArchiveState
from backstay.telemetry.level_retention import archive_days_by_site

log = logging.getLogger(__name__)
CLOSED_AFTER = timedelta(hours=3)
"""After the end of a day, so that late reports are in the first copy; others are found before the drop."""
PART_ROWS = 4_000_000
"""Port rows of a part, about 50 MB: it is built in memory, and is the least that a run does."""
RUN_S = 5.0


class UnequalError(Exception):
    """What the store returned is not what was archived; the message says where they differ."""


def run(now: datetime, *, run_s: float = RUN_S) -> None:
    """Archive for about `run_s` seconds, the oldest day first. A failing day stops no other."""
    try:
        store = open_store(settings.ARCHIVE)
        if store is None:
            return
        failure = _run(store, now, run_s)
    except Exception as problem:
        _record(None, _text(problem))
        raise
    _record(store, failure)


def _run(store: Store, now: datetime, run_s: float) -> str:
    """Why a day or the expiry failed; empty: nothing did."""
    end = time.monotonic() + run_s
    for day in due_days(now):
        if time.monotonic() >= end:
            break
        archive_day(store, day, lambda: time.monotonic() < end)
    else:
        try:
            expire(store, now)
        except OSError as problem:
            log.exception("expiry of the archive failed")
            return _text(problem)
    failing = ArchiveDay.objects.filter(failing_since__isnull=False).order_by("day").first()
    return failing.failure if failing is not None else ""


def _record(store: Store | None, failure: str) -> None:
    """Store the outcome, so that health checks need not ask the store."""
    state = ArchiveState.objects.filter(pk=1).first() or ArchiveState()
    state.ran_at, state.failure = timezone.now(), failure
    if not failure:
        state.succeeded_at = state.ran_at
    try:
        state.free_bytes = None if store is None else store.free_bytes()
    except OSError:
        state.free_bytes = None
    state.save()


def due_days(now: datetime) -> list[date]:
    """Closed days with a partition that is not archived, oldest first."""
    done = set(ArchiveDay.objects.filter(verified_at__isnull=False).values_list("day", flat=True))
    return [day for day in partitions.days() if day not in done and _end(day) + CLOSED_AFTER <= now]


def archive_day(store: Store, day: date, has_time: Callable[[], bool]) -> None:
    """Plan the day, if it is not, and archive its parts while there is time; failures are recorded."""
    row, _ = ArchiveDay.objects.get_or_create(day=day)
    try:
        if row.planned_at is None:
            plan(store, row)
        for part in unverified(row):
            if not has_time():
                return
            archive_part(store, part)
        sweep(store, day)
    except Exception as problem:
        log.exception("archiving %s failed; its partition is kept", day)
        row.failing_since = row.failing_since or timezone.now()
        row.failure = _text(problem)
        row.save(update_fields=["failing_since", "failure"])
        return
    row.verified_at, row.failing_since, row.failure = timezone.now(), None, ""
    row.save(update_fields=["verified_at", "failing_since", "failure"])
    log.info("archived %s", day)


def unverified(row: ArchiveDay) -> QuerySet[ArchivePart]:
    """Parts that still have to be written, in order."""
    return row.parts.filter(verified_at=None).order_by("site", "number", "table")


def plan(store: Store, row: ArchiveDay) -> None:
    """Divide the partition by nodes. Parts of the same partition are replaced; released ones stay.

    A day has both if its partition was dropped and created again, as after a step of the clock.
    """
    with transaction.atomic():
        partition.limit_statements()
        counts = partition.source_counts(row.day)
        row.unreadable_rows = max(0, partition.row_count(row.day) - sum(count.rows for count in counts))
        row.parts.filter(released_at=None).delete()
        taken = dict(row.parts.order_by().values_list("site").annotate(last=Max("number")))
        for site in dict.fromkeys(count.site for count in counts):
            of_site = [count for count in counts if count.site == site]
            ArchivePart.objects.bulk_create(_parts(row, site, of_site, taken.get(site, -1) + 1))
        row.planned_at, row.verified_at = timezone.now(), None
        row.save()
    if row.unreadable_rows:
        log.warning("%s has %d rows of removed devices, which are not archived", row.day, row.unreadable_rows)
    sweep(store, row.day)


def archive_part(store: Store, part: ArchivePart) -> None:
    """Write a part, read it back and compare it. Raises OSError, UnequalError."""
    with read_transaction():
        partition.limit_statements()
        content = _port_names(part) if part.table == PORTS else _samples(part)
    part.sha256, part.bytes = codec.sha256(content), content.size
    store.put(part.path, content)
    part.written_at = timezone.now()
    part.save()
    del content  # What is compared is what the store returns.
    verify(store, part)


def verify(store: Store, part: ArchivePart) -> None:
    """Read a part back, compare it with the manifest, record the result. Raises OSError, UnequalError.

    If the partition still exists, a file that is not right is written again before that is dropped.
    """
    try:
        _compare(store, part)
    except Exception as problem:
        part.failure = _text(problem)
        if part.released_at is None:
            part.verified_at = None
            ArchiveDay.objects.filter(pk=part.day_id).update(verified_at=None)
        part.save(update_fields=["failure", "verified_at"])
        raise
    part.verified_at, part.failure = timezone.now(), ""
    part.save(update_fields=["verified_at", "failure"])


def sweep(store: Store, day: date) -> None:
    """Remove files of the day that the manifest does not have: of killed writes and of earlier plans."""
    kept = set(
        ArchivePart.objects.filter(day__day=day, written_at__isnull=False).values_list("path", flat=True)
    )
    for table in (SAMPLES, PORTS):
        for site in store.list(table):
            of_day = folder(table, site.rpartition("site=")[2], day)
            for path in store.list(of_day):
                if path not in kept:
                    store.delete(path)


def expire(store: Store, now: datetime) -> int:
    """Remove what is older than each site's days, files first; the number of days of a site."""
    today = now.astimezone(UTC).date()
    stored, own = partitions.days(), archive_days_by_site()
    touched = 0
    for site in ArchivePart.objects.order_by().values_list("site", flat=True).distinct():
        kept = own.get(site, settings.ARCHIVE_DAYS)
        if not kept:
            continue
        old = ArchivePart.objects.filter(site=site, day__day__lt=today - timedelta(days=kept))
        for day in sorted(set(old.exclude(day__day__in=stored).values_list("day__day", flat=True))):
            parts = old.filter(day__day=day)
            for path in parts.values_list("path", flat=True):
                store.delete(path)
            parts.delete()
            touched += 1
            log.info("removed %s of %s from the archive", day, site)
    ArchiveDay.objects.filter(parts=None).exclude(day__in=stored).delete()
    return touched


def _parts(row: ArchiveDay, site: str, counts: list[SourceCount], number: int) -> list[ArchivePart]:
    """Parts of whole nodes, of about PART_ROWS port rows, numbered from `number`."""
    made: list[ArchivePart] = []
    first, size = None, 0
    for at, count in enumerate(counts):
        first = count.node if first is None else first
        size += count.port_rows
        is_last = at + 1 == len(counts)
        if is_last or (size >= PART_ROWS and counts[at + 1].node != count.node):
            made += [
                ArchivePart(
                    day=row,
                    table=table,
                    site=site,
                    number=number,
                    path=part_path(table, site, row.day, number),
                    first_node=first,
                    last_node=count.node,
                )
                for table in (SAMPLES, PORTS)
            ]
            number, first, size = number + 1, None, 0
    return made


def _port_names(part: ArchivePart) -> Any:
    names = partition.port_names(part.site, part.first_node, part.last_node)
    part.rows, part.totals = len(names), {"port_id": sum(name[1] for name in names)}
    return codec.ports_file(names)


def _samples(part: ArchivePart) -> Any:
    counts = partition.source_counts(part.day.day, part.site, part.first_node, part.last_node)
    source = partition.source(part.day.day, counts)
    content = codec.samples_file(partition.sample_groups(source))
    part.source_rows, part.rows = source.rows, source.port_rows
    part.totals = partition.totals(source)
    return content


def _compare(store: Store, part: ArchivePart) -> None:
    content = store.get(part.path)
    if content.size != part.bytes:
        raise UnequalError(f"{part.path} has {content.size} octets instead of {part.bytes}")
    if codec.sha256(content) != part.sha256:
        raise UnequalError(f"{part.path} has another checksum")
    columns = TOTALLED if part.table == SAMPLES else ("port_id",)
    rows, sums = codec.file_totals(content, columns)
    if rows != part.rows:
        raise UnequalError(f"{part.path} has {rows} rows instead of {part.rows}")
    if unequal := [name for name in columns if sums[name] != int(part.totals[name])]:
        raise UnequalError(f"{part.path} has other sums of {', '.join(unequal)}")


def _text(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}".strip()[:300]


def _end(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
