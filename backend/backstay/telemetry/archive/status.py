"""State of the archive: its days, what fails, and how long the disk lasts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, Sum

from backstay.core.archive import bytes_per_day, full_at
from backstay.telemetry.archive.schema import SAMPLES
from backstay.telemetry.archive.store import Store
from backstay.telemetry.archive.writer import due_days
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart

LATE = timedelta(days=1)
"""A day that is not archived for so long after it was due is a problem."""


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
    is_limited = 0 < settings.ARCHIVE_DAYS <= len(sizes)
    removed = sizes[0] if is_limited else 0.0
    return ArchiveStatus(
        days=len(sizes),
        bytes=sum(sizes),
        port_rows=rows,
        daily_bytes=daily,
        free_bytes=free,
        full_at=None if free is None else full_at(now, free, daily, removed),
        waiting=len(waiting),
        problems=_problems(now),
    )


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
