"""`manage.py archive_sites --but NAME...`: archive sites that are no longer monitored."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from backstay.inventory.services import archive_sites


class Command(BaseCommand):
    """Archived sites keep their history; importing the site file restores them."""

    help = "Archive all sites except those named. They are not listed or evaluated until imported again."

    def add_arguments(self, parser: CommandParser) -> None:
        """--but NAME...: the sites to keep."""
        parser.add_argument("--but", nargs="+", required=True, metavar="NAME")

    def handle(self, *args: Any, but: list[str], **options: Any) -> None:
        archived = archive_sites(but, timezone.now())
        self.stdout.write(f"Archived: {', '.join(archived) or 'none'}.")
