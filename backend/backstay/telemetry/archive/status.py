"""State of the archive: its days, what fails, and how long the disk lasts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min, Q, Sum

from backstay.core.disk_forecast import LevelUse, bytes_per_day, full_at
from backstay.core.formatting import count
from backstay.telemetry.archive.schema import SAMPLES
from backstay.telemetry.archive.store import Store
from backstay.telemetry.archive.writer import due_days
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart, ArchiveState
from backstay.telemetry.level_retention import archive_days_by_site

LATE = timedelta(days=1)
"""A day that is not archived for so long after it was due is a problem."""


NOT_RUN = timedelta(minutes=15)
"""A run is due each minute."""


@dataclass(frozen=True, slots=True)
class ArchiveHealth:
    """The archive by its manifest and its last run; nothing here names a site."""

    days: int
    """Verified days."""
    bytes: int
    waiting: int
    """Closed days that are not archived yet."""
    oldest_waiting: date | None
    succeeded_at: datetime | None
    """End of the last run without a failure."""
    free_bytes: int | None
    """Of a folder's disk, at the last run."""
    problems: list[str]
    """What an operator has to look at, as predicates: `has failed to archive 2 days since ...`."""


def archive_health(now: datetime) -> ArchiveHealth | None:
    """The state without asking the store; None: nothing is archived. Eight queries."""
    if not settings.ARCHIVE:
        return None
    state = ArchiveState.objects.filter(pk=1).first()
    waiting = due_days(now)
    sizes = _day_sizes()
    return ArchiveHealth(
        days=len(sizes),
        bytes=sum(sizes),
        waiting=len(waiting),
        oldest_waiting=min(waiting, default=None),
        succeeded_at=None if state is None else state.succeeded_at,
        free_bytes=None if state is None else state.free_bytes,
        problems=list(_predicates(state, now)),
    )


def _predicates(state: ArchiveState | None, now: datetime) -> Iterator[str]:
    if state is None or now - state.ran_at > NOT_RUN:
        yield "was not run for 15 min: is a worker running?"
    failing = ArchiveDay.objects.filter(failing_since__isnull=False).aggregate(
        number=Count("pk"), oldest=Min("day"), since=Min("failing_since")
    )
    if failing["number"]:
        days, since = count(failing["number"], "day"), failing["since"]
        yield f"has failed to archive {days} since {since:%Y-%m-%d %H:%M}Z, from {failing['oldest']} on"
    elif state is not None and state.failure:
        yield "failed in its last run: see manage.py archive"
    else:
        late = due_days(now - LATE)
        if late:
            yield f"is late with {count(len(late), 'day')}, from {late[0]} on"
    damaged = ArchivePart.objects.filter(~Q(failure=""), day__failing_since=None).count()
    if damaged:
        yield f"has {count(damaged, 'damaged file')}: see manage.py archive"


@dataclass(frozen=True, slots=True)
class ArchiveStatus:
    """Octets and times of what the manifest has."""

    days: int
    bytes: int
    port_rows: int
    daily_bytes: float
    """Predicted octets of a coming day."""
    free_bytes: int | None
    """None: a bucket."""
    full_at: datetime | None
    """When the archive's disk is full if nothing else is written to it; None: not foreseeable."""
    waiting: int
    """Closed days that are not archived yet."""
    problems: list[str]
    """What an operator has to look at."""


def archive_status(store: Store, now: datetime) -> ArchiveStatus:
    """Read the manifest, and the free space of a folder."""
    sizes = _day_sizes()
    rows = ArchivePart.objects.filter(table=SAMPLES).aggregate(rows=Sum("rows", default=0))["rows"]
    daily, free, waiting = bytes_per_day(sizes), store.free_bytes(), due_days(now)
    uses = [use for use, _ in site_uses().values()]
    return ArchiveStatus(
        days=len(sizes),
        bytes=sum(sizes),
        port_rows=rows,
        daily_bytes=daily,
        free_bytes=free,
        full_at=None if free is None else full_at(now, uses, free),
        waiting=len(waiting),
        problems=_problems(now),
    )


def site_uses() -> dict[str, tuple[LevelUse, int]]:
    """Site -> what its files take, and its days (0: for ever); sites that are removed too."""
    days = archive_days_by_site()
    sizes: dict[str, list[int]] = {name: [] for name in days}
    verified = ArchivePart.objects.filter(day__verified_at__isnull=False).order_by("site", "day__day")
    for site, _, size in verified.values_list("site", "day__day").annotate(size=Sum("bytes")):
        sizes.setdefault(site, []).append(int(size))
    return {
        site: (_use(known, days.get(site, settings.ARCHIVE_DAYS)), days.get(site, settings.ARCHIVE_DAYS))
        for site, known in sizes.items()
    }


def _use(sizes: list[int], days: int) -> LevelUse:
    kept = float(days) if days else None
    return LevelUse(sum(sizes), bytes_per_day(sizes), float(len(sizes)), kept)


def _day_sizes() -> list[int]:
    """Octets of each verified day, in order."""
    days = ArchiveDay.objects.filter(verified_at__isnull=False).order_by("day")
    return list(days.annotate(size=Sum("parts__bytes", default=0)).values_list("size", flat=True))


def _problems(now: datetime) -> list[str]:
    failing = ArchiveDay.objects.filter(failing_since__isnull=False).order_by("day")
    found = [f"{row.day} fails since {row.failing_since:%Y-%m-%d %H:%M}Z: {row.failure}" for row in failing]
    late = [day for day in due_days(now - LATE) if day not in {row.day for row in failing}]
    found += [f"{day} is not archived yet: is a worker running?" for day in late]
    broken = ArchivePart.objects.filter(~Q(failure=""), day__failing_since=None).order_by("path")
    return found + [f"{part.path}: {part.failure}" for part in broken]
