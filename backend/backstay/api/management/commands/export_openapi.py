"""`manage.py export_openapi [FILE]`: write the OpenAPI document, from which clients are generated."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from backstay.api.public import api


class Command(BaseCommand):
    """The output is deterministic."""

    help = "Write the OpenAPI document of the public API (default: to backend/openapi.json)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("file", nargs="?", default=str(settings.BASE_DIR / "openapi.json"))

    def handle(self, *args: object, file: str, **options: object) -> None:
        """Write it."""
        document = json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), indent=1)
        Path(file).write_text(document + "\n", encoding="utf-8")
        self.stdout.write(f"wrote {file}")
