"""Recordings of devices: to report one that is read wrongly."""

import zlib

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.api.http.auth import Lookup, require_operator
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.recordings.present import file_name, recording_out
from backstay.api.recordings.schemas import RecordingOut
from backstay.core.errors import Conflict
from backstay.inventory import selectors
from backstay.retention.selectors import days_at
from backstay.telemetry import recordings
from backstay.telemetry.recording_models import DeviceRecording
from backstay.telemetry.states.recordings import unpacked

router = Router(tags=["recordings"])
_node = Lookup("node", selectors.node)
_recording = Lookup("recording", recordings.recording, lambda row: row.node.site)
RULE = "recordings"
"""Of `core.retention`."""
SORTS = {"asked": Column("asked_at"), "by": Column("person", natural=True), "bytes": Column("size")}
_FILE = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


@router.get(
    "/nodes/{id}/recordings", response={200: Page[RecordingOut], **READ}, operation_id="list_recordings"
)
def list_recordings(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    query: Query[ListQuery],
) -> Page[RecordingOut]:
    """The recordings of a device, newest first. `q` searches people."""
    node, now = _node(request, id), timezone.now()
    rows = recordings.recordings_of(node)
    rows = rows.filter(person__icontains=query.q) if query.q else rows
    shown, following = query.rows(rows, SORTS, "-asked")
    days = days_at(node.site, RULE)
    return Page(items=[recording_out(row, now, days=days) for row in shown], next=following)


@router.post("/nodes/{id}/recordings", response={201: RecordingOut, **WRITE}, operation_id="record_device")
@idempotent
def record_device(request: HttpRequest, id: Id) -> Status[RecordingOut]:  # noqa: A002
    """Ask the device's agent for a recording of what the device returns. Needs operator at the site.

    The agent replaces names and addresses before it sends the file. Only devices that are read by SNMP; one
    recording of a device at a time, and the newest 10 are kept.
    """
    node = _node(request, id)
    person, now = require_operator(request, node.site), timezone.now()
    return Status(201, _out(recordings.ask(node, person, now)))


@router.get("/recordings/{id}", response={200: RecordingOut, **READ}, operation_id="get_recording")
def get_recording(request: HttpRequest, id: Id) -> RecordingOut:  # noqa: A002  (the name in the path)
    """One recording with its state."""
    return _out(_recording(request, id))


@router.get(
    "/recordings/{id}/download",
    response={200: None, **READ, 409: READ[404]},
    operation_id="download_recording",
    openapi_extra={"responses": {200: {"description": "OK", "content": _FILE}}},
)
def download_recording(request: HttpRequest, id: Id) -> HttpResponse:  # noqa: A002
    """The file, in snmpsim's format: `backstay-agent read` replays it."""
    row = _recording(request, id)
    state, text = recordings.outcome(row, timezone.now())
    if state != "recorded":
        raise Conflict(f"There is no recording to download. {text}")
    try:
        data = unpacked(bytes(row.data))
    except (zlib.error, ValueError):
        raise Conflict("The stored recording is damaged: record the device again.") from None
    response = HttpResponse(data, content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{file_name(row)}"'
    response["Cache-Control"] = "private, no-store"
    return response


def _out(row: DeviceRecording) -> RecordingOut:
    return recording_out(row, timezone.now(), days=days_at(row.node.site, RULE))
