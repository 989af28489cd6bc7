"""Results of recordings of devices, and their files.

A result of an unknown request, or a second one, changes nothing.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from datetime import datetime

from backstay.live import publish
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.clock import Correction
from backstay.telemetry.recording_models import DeviceRecording
from backstay_wire import RecordingReport

MOST_BYTES = 16 * 1024 * 1024
"""Of a file: as much as `backstay-agent read` takes."""
_GZIP = 31
"""zlib's `wbits` for the format of RFC 1952."""


def apply_recordings(
    reports: Sequence[tuple[int, RecordingReport]], correction: Correction, facts: Facts
) -> None:
    """Store results: (node id, report)."""
    sent = {(node, report.recording): report for node, report in reports if report.recording.isdecimal()}
    idents = [int(recording) for _, recording in sent if len(recording) < 19]
    rows = DeviceRecording.objects.select_for_update().filter(pk__in=idents, state="asked")
    done = []
    for row in rows.select_related("node__site").order_by("pk"):
        if (report := sent.get((row.node_id, str(row.pk)))) is not None:
            _finish(row, report, facts.received)
            done.append(row)
    DeviceRecording.objects.bulk_update(done, ["state", "detail", "ended_at", "objects_read", "size", "data"])
    for site in {row.node.site.name for row in done}:
        publish.changed(site, {"recordings"})


def _finish(row: DeviceRecording, report: RecordingReport, received: datetime | None) -> None:
    row.ended_at = received or row.asked_at
    row.state, row.detail = report.state, report.detail
    if report.state == "failed":
        return
    try:
        packed = base64.b64decode(report.data, validate=True)
        row.size = len(unpacked(packed))
    except (binascii.Error, zlib.error, ValueError):
        row.state, row.detail = "failed", "the agent sent a damaged recording"
        return
    row.data, row.objects_read = packed, report.objects


def unpacked(packed: bytes) -> bytes:
    """The file of a recording. Raises zlib.error, and ValueError if it is too large or cut off."""
    reader = zlib.decompressobj(_GZIP)
    data = reader.decompress(packed, MOST_BYTES)
    if not reader.eof:
        raise ValueError("too large, or cut off")
    return data
