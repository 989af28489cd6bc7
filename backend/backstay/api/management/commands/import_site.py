"""`manage.py import_site FILE`: reconcile the inventory with a site file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backstay.intake.site_files import import_text
from backstay.inventory.site_file.errors import InvalidSiteFile


class Command(BaseCommand):
    """Prints the result in one line, or every error of the file as `file:line: key: expected ...`."""

    help = "Reconcile the inventory with a site file (docs/site-file.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE and --dry-run."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="report the differences and store nothing")

    def handle(self, *args: Any, file: Path, dry_run: bool, **options: Any) -> None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise CommandError(f"{file} cannot be read: {problem}") from None
        try:
            done = import_text(text, file.name, timezone.now(), dry_run=dry_run)
        except InvalidSiteFile as problem:
            raise CommandError("\n".join([*map(str, problem.errors), "Nothing was imported."])) from None
        self.stdout.write(f"Site {done.site}{' (dry run)' if dry_run else ''}: {done}")
