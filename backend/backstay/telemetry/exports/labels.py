"""Texts about an export; nothing is read."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from backstay.core.formatting import count

if TYPE_CHECKING:
    from backstay.telemetry.export_models import Export

STALLED = timedelta(minutes=2)
"""An open export that no worker touched for so long says so."""


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
