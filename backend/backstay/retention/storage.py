"""Measured and predicted disk use of history by level and site, and when the disks are full.

Sizes of levels are those of their tables, which all sites share: they are divided by the sites' numbers of
ports. Those of the archive are each site's own, from its manifest. Free space is known of a disk that this
process can ask: BACKSTAY_DB_DISK, or PostgreSQL's folder if the server is on this machine and reports it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Count, Min

from backstay.core.disk_forecast import LevelUse, bytes_per_day, daily_growth, full_at
from backstay.core.rollups.levels import LEVELS, Level
from backstay.inventory.models import Port, Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry import partitions
from backstay.telemetry.archive.status import site_uses
from backstay.telemetry.archive_models import ArchiveState
from backstay.telemetry.level_retention import longest_rollup_days, rollup_days_at
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions

HistoryLevel = Literal["samples", "5m", "1h", "1d", "archive"]
_DAY_S = 86_400.0
_PERIOD_DAYS = {"month": 31, "year": 366}
_STATEMENT_S = 5
_SIZES = """
    SELECT relid::regclass::text, pg_total_relation_size(relid)
    FROM unnest(%s::regclass[]) AS parent, LATERAL pg_partition_tree(parent) WHERE isleaf
"""


@dataclass(frozen=True, slots=True)
class LevelReport:
    """One level at one site."""

    level: HistoryLevel
    site: str
    days: int
    """Configured; 0: for ever."""
    is_own: bool
    """Set by the site's file."""
    use: LevelUse


@dataclass(frozen=True, slots=True)
class DiskReport:
    """A disk with the levels on it."""

    name: Literal["database", "archive", "database and archive"]
    free_bytes: int | None
    """None: unknown."""
    why_unknown: str
    full_at: datetime | None
    """None: never, not within a century, or unknown."""


@dataclass(frozen=True, slots=True)
class StorageReport:
    """Everything, at one time."""

    levels: tuple[LevelReport, ...]
    disks: tuple[DiskReport, ...]
    database_bytes: int
    """Of the whole database, with all other tables."""


@dataclass(frozen=True, slots=True)
class _FreeSpace:
    free: int | None
    device: int | None
    why_unknown: str = ""


def storage_report(now: datetime) -> StorageReport:
    """Measure and predict; about ten queries, whatever the number of sites and devices."""
    with transaction.atomic():
        fetch_rows("SELECT set_config('statement_timeout', %s, true)", [f"{_STATEMENT_S}s"])
        levels = [*_database_levels(now), *_archive_levels()]
        ((size,),) = fetch_rows("SELECT pg_database_size(current_database())", [])
    return StorageReport(tuple(levels), tuple(_disks(now, levels)), int(size))


def _database_levels(now: datetime) -> Iterator[LevelReport]:
    sites = list(Site.objects.order_by("name").values_list("name", "retention"))
    shares = _shares([name for name, _ in sites])
    longest = longest_rollup_days()
    hot = _hot_use(now)
    coarse = {level.name: _rollup_use(level, now) for level in LEVELS}
    for name, own in sites:
        share = shares[name]
        yield LevelReport("samples", name, settings.HOT_DAYS, False, _part(hot, share, hot.kept_days))
        days = rollup_days_at(own)
        for level in LEVELS:
            # What all sites keep goes with whole partitions.
            slack = _PERIOD_DAYS[level.period] if days[level.name] == longest[level.name] else 1
            use = _part(coarse[level.name], share, float(days[level.name] + slack))
            yield LevelReport(level.name, name, days[level.name], f"rollup_{level.name}" in own, use)


def _part(whole: LevelUse, share: float, kept_days: float | None) -> LevelUse:
    return LevelUse(whole.bytes * share, whole.daily_bytes * share, whole.stored_days, kept_days)


def _shares(sites: Sequence[str]) -> dict[str, float]:
    """Site -> its fraction of all ports."""
    counts = dict(Port.objects.values_list("node__site__name").annotate(number=Count("pk")).order_by())
    whole = sum(counts.values())
    return {name: counts.get(name, 0) / whole if whole else 1 / len(sites) for name in sites}


def _hot_use(now: datetime) -> LevelUse:
    """Days of samples, metric history and neighbour history; those that are over have their final size."""
    sizes = _sizes(partitions.TABLES)
    by_day: dict[date, int] = {}
    for name, size in sizes.items():
        day = datetime.strptime(name.rpartition("_")[2], "%Y%m%d").replace(tzinfo=UTC).date()
        by_day[day] = by_day.get(day, 0) + size
    today = now.astimezone(UTC).date()
    over = [by_day[day] for day in sorted(by_day) if day < today]
    # One day more than HOT_DAYS: that in which the window begins.
    kept = float(settings.HOT_DAYS + 1)
    return LevelUse(sum(by_day.values()), bytes_per_day(over), float(len(over)), kept)


def _rollup_use(level: Level, now: datetime) -> LevelUse:
    sizes = list(_sizes([level.table, level.metric_table]).values())
    since = RollupMark.objects.aggregate(since=Min("since"))["since"]
    oldest = rollup_partitions.kept_from().get(level.name)
    if since is None or oldest is None:
        return LevelUse(sum(sizes), 0.0, 0.0, None)
    days = max((now.timestamp() - max(since.timestamp(), oldest)) / _DAY_S, 0.0)
    return LevelUse(sum(sizes), daily_growth(sizes, days) if days >= 1 else 0.0, days, None)


def _sizes(tables: Sequence[str]) -> dict[str, int]:
    """Partition -> octets with indexes and TOAST."""
    return {name: int(size) for name, size in fetch_rows(_SIZES, [list(tables)])}


def _archive_levels() -> Iterator[LevelReport]:
    if not settings.ARCHIVE:
        return
    own = _own_archive_days()
    for site, (use, days) in site_uses().items():
        yield LevelReport("archive", site, days, site in own, use)


def _own_archive_days() -> set[str]:
    return set(Site.objects.filter(retention__has_key="archive").values_list("name", flat=True))


def _disks(now: datetime, levels: Sequence[LevelReport]) -> Iterator[DiskReport]:
    database = [report.use for report in levels if report.level != "archive"]
    archive = [report.use for report in levels if report.level == "archive"]
    disk, other = _database_disk(), _archive_disk()
    if other is not None and disk.device is not None and disk.device == other.device:
        yield _disk("database and archive", disk, [*database, *archive], now)
        return
    yield _disk("database", disk, database, now)
    if other is not None:
        yield _disk("archive", other, archive, now)


def _disk(
    name: Literal["database", "archive", "database and archive"],
    space: _FreeSpace,
    uses: Sequence[LevelUse],
    now: datetime,
) -> DiskReport:
    if space.free is None:
        return DiskReport(name, None, space.why_unknown, None)
    if not any(use.is_measured for use in uses):
        return DiskReport(name, space.free, "growth is measured from the first whole day on", None)
    return DiskReport(name, space.free, "", full_at(now, uses, space.free))


def _database_disk() -> _FreeSpace:
    if settings.DB_DISK:
        return _space_of(Path(settings.DB_DISK))
    host = str(settings.DATABASES["default"]["HOST"])
    if not (host.startswith("/") or host in {"", "localhost", "127.0.0.1", "::1"}):
        return _FreeSpace(
            None, None, "the database is on another host: set BACKSTAY_DB_DISK if it is mounted"
        )
    try:
        with transaction.atomic():
            ((folder,),) = fetch_rows("SELECT current_setting('data_directory')", [])
    except DatabaseError:  # Only superusers and members of pg_read_all_settings may ask.
        return _FreeSpace(
            None, None, "PostgreSQL does not report its folder to this role: set BACKSTAY_DB_DISK"
        )
    return _space_of(Path(folder))


def _archive_disk() -> _FreeSpace | None:
    """As the worker's last run reported; the device only if this process sees the folder too."""
    if not settings.ARCHIVE:
        return None
    if "://" in settings.ARCHIVE:
        return _FreeSpace(None, None, "a bucket has no limit that can be read")
    free = ArchiveState.objects.filter(pk=1).values_list("free_bytes", flat=True).first()
    seen = _space_of(Path(settings.ARCHIVE))
    why = "" if free is not None else "no run of the archive has reported it: is a worker running?"
    return _FreeSpace(free, seen.device, why)


def _space_of(folder: Path) -> _FreeSpace:
    try:
        return _FreeSpace(shutil.disk_usage(folder).free, folder.stat().st_dev)
    except OSError as problem:
        return _FreeSpace(None, None, f"its folder cannot be read on this machine: {problem.strerror}")


def totals(reports: Sequence[LevelReport]) -> Mapping[HistoryLevel, tuple[float, float, float | None]]:
    """Level -> bytes, daily growth and predicted bytes (None: without limit) of all sites."""
    found: dict[HistoryLevel, tuple[float, float, float | None]] = {}
    for report in reports:
        size, daily, predicted = found.get(report.level, (0.0, 0.0, 0.0))
        added = report.use.predicted_bytes
        whole = None if predicted is None or added is None else predicted + added
        found[report.level] = (size + report.use.bytes, daily + report.use.daily_bytes, whole)
    return found
