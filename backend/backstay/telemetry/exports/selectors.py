"""Reads of exports."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from backstay.core.export_plan import OPEN_EXPORTS
from backstay.core.formatting import count
from backstay.inventory.models import Site
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import encoding, files

STALLED = timedelta(minutes=2)
"""An open export that no worker touched for so long says so."""


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


def status_text(row: Export, now: datetime) -> str:
    """The state as a sentence, with the reason of a delay or failure."""
    if row.state == "failed":
        return row.failure
    if row.state == "done":
        return "Complete." if not row.gap_count else f"Complete, with {count(row.gap_count, 'gap')}."
    since = row.worked_at or row.created_at
    if now - since > STALLED:
        return "No worker continued it for 2 min: is a worker running?"
    if row.failure:
        return f"Tried again: {row.failure}"
    return "Waiting for a worker." if row.state == "queued" else "Being written."


def selection_text(selection: dict[str, Any]) -> str:
    """`3 links`, `1 port`, `fabric eth0`, `whole site`."""
    for name in ("links", "ports"):
        if name in selection:
            return count(len(selection[name]), name.removesuffix("s"))
    return f"fabric {selection['fabric']}" if "fabric" in selection else "whole site"


def file_name(row: Export) -> str:
    """Name of the downloaded file."""
    return f"{row.site.name}-{row.start:%Y%m%dT%H%M}-{row.level}-{row.pk}.{row.format}"


def file_of(row: Export) -> Path:
    """The finished file, which may be missing."""
    kind: Any = row.format
    return files.path_of(row.file, encoding.SUFFIXES[kind])
