"""`manage.py archive_sites --but NAME...`: put away the sites that nobody watches any more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from backstay.inventory.services import archive_sites


class Command(BaseCommand):
    """They keep their past; importing a site's file brings it back."""

    help = "Archive every site but those named: neither listed nor judged, until its file is imported again."

    def add_arguments(self, parser: CommandParser) -> None:
        """--but NAME...: the sites that are watched."""
        parser.add_argument("--but", nargs="+", required=True, metavar="NAME")

    def handle(self, *args: Any, but: list[str], **options: Any) -> None:
        """Do it and say which."""
        archived = archive_sites(but, timezone.now())
        self.stdout.write(f"Archived: {', '.join(archived) or 'none'}.")
