"""Exports, as pages show them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from backstay.api.exports.schemas import ExportOut
from backstay.api.links.schemas import HistoryGapOut
from backstay.telemetry.exports.labels import file_name, selection_text, status_text

if TYPE_CHECKING:
    from backstay.telemetry.export_models import Export


def export_out(row: Export, now: datetime, *, days: int, can_delete: bool) -> ExportOut:
    """`row` has its site loaded; `days`: how long ended exports of the site are kept."""
    state: Any = row.state
    kind: Any = row.format
    level: Any = row.level
    return ExportOut(
        id=row.pk,
        site=row.site.name,
        by=row.person,
        format=kind,
        level=level,
        start=row.start,
        end=row.end,
        selection=selection_text(row.selection),
        state=state,
        text=status_text(row, now),
        created_at=row.created_at,
        ended_at=row.ended_at,
        expires_at=None if row.ended_at is None else row.ended_at + timedelta(days=days),
        progress=row.progress,
        rows=row.rows,
        bytes=row.bytes,
        gaps=[HistoryGapOut(**gap) for gap in row.gaps],
        gap_count=row.gap_count,
        filename=file_name(row),
        download=f"/api/v1/exports/{row.pk}/download" if row.state == "done" else None,
        can_delete=can_delete,
    )
