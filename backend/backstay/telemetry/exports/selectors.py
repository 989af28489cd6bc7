"""Reads of exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from backstay.core.export_plan import OPEN_EXPORTS
from backstay.inventory.models import Site
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import codec, files


def export(ident: int) -> Export | None:
    return Export.objects.select_related("site").filter(pk=ident).first()


def exports_of(site: Site, *, state: str | None = None, text: str | None = None) -> QuerySet[Export]:
    """A site's exports; `state` may be open; `text` searches people."""
    rows = Export.objects.filter(site=site).select_related("site")
    if state == "open":
        rows = rows.filter(state__in=OPEN_EXPORTS)
    elif state is not None:
        rows = rows.filter(state=state)
    return rows.filter(person__icontains=text) if text else rows


def file_of(row: Export) -> Path:
    """The finished file, which may be missing."""
    kind: Any = row.format
    return files.path_of(row.file, codec.SUFFIXES[kind])
