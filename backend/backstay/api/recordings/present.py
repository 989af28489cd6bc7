"""Recordings of devices, as pages show them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from backstay.api.recordings.schemas import RecordingOut
from backstay.telemetry.recordings import outcome

if TYPE_CHECKING:
    from backstay.telemetry.recording_models import DeviceRecording

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def recording_out(row: DeviceRecording, now: datetime, *, days: int) -> RecordingOut:
    """`row` has its node loaded; `days`: how long recordings of the site are kept."""
    state: Any
    state, text = outcome(row, now)
    return RecordingOut(
        id=row.pk,
        device=row.node.name,
        node_id=row.node_id,
        state=state,
        text=text,
        by=row.person,
        asked_at=row.asked_at,
        ended_at=row.ended_at,
        expires_at=row.asked_at + timedelta(days=days),
        objects=row.objects_read,
        bytes=row.size,
        filename=file_name(row),
        download=f"/api/v1/recordings/{row.pk}/download" if state == "recorded" else None,
    )


def file_name(row: DeviceRecording) -> str:
    """Name of the downloaded file. The device's name stays here; the file itself does not have it."""
    return f"{_UNSAFE.sub('-', row.node.name)}-{row.pk}.snmprec"
