"""`manage.py storage`: disk use of history by level and site, its prediction, and when the disks are full."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from backstay.core.formatting import byte_size
from backstay.retention.storage import DiskReport, LevelReport, storage_report

OK, WARNING = 0, 1
SOON = timedelta(days=30)
LINE = "{:<20} {:<8} {:>12} {:>12} {:>12} {:>12}"
HEADINGS = ("Site", "Level", "Days kept", "Now", "A day", "Predicted")


class Command(BaseCommand):
    """Prints one line per site and level, and one per disk; ends with 1 if a disk is full within 30 days."""

    help = "Show and predict the disk use of history. Exit code 1: a disk is full within 30 days."

    def handle(self, *_: Any, **__: Any) -> None:
        """Print it; the exit code by SystemExit."""
        now = timezone.now()
        report = storage_report(now)
        self.stdout.write(LINE.format(*HEADINGS))
        for level in report.levels:
            self.stdout.write(_line(level))
        self.stdout.write(f"Database: {byte_size(report.database_bytes)} with all other tables")
        for disk in report.disks:
            self.stdout.write(_disk_line(disk))
        raise SystemExit(WARNING if any(_is_soon(disk, now) for disk in report.disks) else OK)


def _line(report: LevelReport) -> str:
    use = report.use
    daily = byte_size(use.daily_bytes) if use.is_measured else "not known"
    predicted = "no limit" if use.predicted_bytes is None else byte_size(use.predicted_bytes)
    if not use.is_measured:
        predicted = daily
    days = f"{report.days or 'for ever'}{' (site)' if report.is_own else ''}"
    return LINE.format(report.site, report.level, days, byte_size(use.bytes), daily, predicted)


def _disk_line(disk: DiskReport) -> str:
    if disk.free_bytes is None:
        return f"Disk of {disk.name}: free space unknown ({disk.why_unknown})"
    return f"Disk of {disk.name}: {byte_size(disk.free_bytes)} free, full {_day_of(disk)}"


def _day_of(disk: DiskReport) -> str:
    """When it is full: `2031-05-01`, `not within 100 years`, or why that is unknown."""
    if disk.why_unknown:
        return f"unknown ({disk.why_unknown})"
    return "not within 100 years" if disk.full_at is None else f"{disk.full_at.astimezone(UTC):%Y-%m-%d}"


def _is_soon(disk: DiskReport, now: datetime) -> bool:
    return disk.full_at is not None and disk.full_at - now < SOON
