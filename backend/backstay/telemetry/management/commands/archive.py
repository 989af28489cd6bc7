"""`manage.py archive`: the archive's state; archive closed days now; verify a day's files."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pyarrow as pa
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backstay.core.formatting import count
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.telemetry.archive import writer
from backstay.telemetry.archive.status import ArchiveStatus, archive_status
from backstay.telemetry.archive.store import SettingError, Store, open_store
from backstay.telemetry.archive.writer import UnequalError
from backstay.telemetry.archive_models import ArchivePart

OK, WARNING = 0, 1


class Command(BaseCommand):
    """Ends with 0, or with 1 if a day fails, is late or is damaged."""

    help = "Show the archive of samples. Exit code 1: a day fails, is late, or has a damaged file."

    def add_arguments(self, parser: CommandParser) -> None:
        """status (default), run, or verify DAY."""
        commands = parser.add_subparsers(dest="action")
        commands.add_parser("status", help="show days, octets and problems (default)")
        commands.add_parser("run", help="archive all closed days now")
        verify = commands.add_parser(
            "verify", help="read all files of a day and compare them with the manifest"
        )
        verify.add_argument("day", type=date.fromisoformat, help="YYYY-MM-DD")

    def handle(self, *_: Any, action: str | None = None, day: date | None = None, **__: Any) -> None:
        """Do it; the exit code by SystemExit."""
        try:
            store = open_store(settings.ARCHIVE)
        except SettingError as problem:
            raise CommandError(str(problem)) from None
        if store is None:
            raise CommandError("BACKSTAY_ARCHIVE is not set: closed days are dropped without a copy.")
        if day is not None:
            raise SystemExit(self._verify(store, day))
        if action == "run" and not run_in_one_process(LockClass.ARCHIVE, _run_all, longest_s=None):
            self.stdout.write("A worker is archiving now: try again in a moment.")
            raise SystemExit(WARNING)
        status = archive_status(store, timezone.now())
        for line in _lines(status):
            self.stdout.write(line)
        raise SystemExit(WARNING if status.problems else OK)

    def _verify(self, store: Store, day: date) -> int:
        parts = list(ArchivePart.objects.filter(day__day=day, written_at__isnull=False).order_by("path"))
        if not parts:
            raise CommandError(f"{day} is not archived.")
        result = OK
        for part in parts:
            try:
                writer.verify(store, part)
            except (OSError, pa.ArrowException, UnequalError) as problem:
                self.stdout.write(f"{part.path}: {problem}")
                result = WARNING
            else:
                self.stdout.write(f"{part.path}: {count(part.rows, 'row')}, {part.bytes} octets, verified")
        return result


def _run_all() -> None:
    writer.run(timezone.now(), run_s=math.inf)


def _lines(status: ArchiveStatus) -> list[str]:
    per_row = status.bytes / status.port_rows if status.port_rows else 0.0
    lines = [
        f"Archived: {count(status.days, 'day')}, {status.bytes} octets, {per_row:.1f} per port-row",
        f"Waiting:  {count(status.waiting, 'closed day')}",
        f"A day:    {status.daily_bytes:.0f} octets",
    ]
    if status.free_bytes is not None:
        when = "not within 100 years" if status.full_at is None else f"{status.full_at:%Y-%m-%d}"
        lines.append(f"Disk:     {status.free_bytes} octets free, full {when}")
    return [*lines, *(f"PROBLEM:  {problem}" for problem in status.problems)]
