"""Exports: history of links and ports as files, written by a worker."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.api.exports.present import export_out
from backstay.api.exports.schemas import ExportIn, ExportOut
from backstay.api.http.auth import Lookup, is_operator, principal, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import Conflict, NotFound
from backstay.core.export_plan import ExportState
from backstay.core.roles import Role
from backstay.core.timerange import span
from backstay.retention.selectors import days_at
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import codec, selectors, services
from backstay.telemetry.exports.labels import file_name, status_text

router = Router(tags=["exports"])
_export = Lookup("export", selectors.export)
CHUNK = 1024 * 1024
SORTS = {
    "created": Column("created_at"),
    "ended": Column("ended_at", nullable=True),
    "by": Column("person", natural=True),
    "state": Column("state"),
    "rows": Column("rows"),
    "bytes": Column("bytes"),
}
_FILE = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in codec.CONTENT_TYPES.values()}


class ExportQuery(ListQuery):
    """Filters of `list_exports`."""

    state: Literal["open"] | ExportState | None = None


@router.get("/exports", response={200: Page[ExportOut], **READ}, operation_id="list_exports")
def list_exports(request: HttpRequest, query: Query[ExportQuery]) -> Page[ExportOut]:
    """A site's exports, newest first; `state=open`: not ended. `q` searches people."""
    rows = selectors.exports_of(site_of(request, query.site), state=query.state, text=query.q)
    shown, following = query.rows(rows, SORTS, "-created")
    return Page(items=[_out(request, row) for row in shown], next=following)


@router.post("/exports", response={201: ExportOut, **WRITE}, operation_id="create_export")
@idempotent
def create_export(request: HttpRequest, body: ExportIn) -> Status[ExportOut]:
    """Export history as a file; a worker writes it. Whoever may see the site may export its history.

    Limits: 3 exports in progress and 100 in all for each user, and the rows and bytes of docs/exports.md.
    """
    site, now = site_of(request, body.site), timezone.now()
    who = principal(request)
    who.require(site.name, Role.VIEWER)
    start, end = span(body.start, body.end, now)
    chosen = services.ExportRequest(
        format=body.format,
        level=body.level,
        start=start,
        end=end,
        links=tuple(body.links),
        ports=tuple(body.ports),
        fabric=body.fabric,
    )
    return Status(201, _out(request, services.create(site, chosen, who.user, now)))


@router.get("/exports/{id}", response={200: ExportOut, **READ}, operation_id="get_export")
def get_export(request: HttpRequest, id: Id) -> ExportOut:  # noqa: A002  (the name in the path)
    """One export with its progress."""
    return _out(request, _export(request, id))


@router.get(
    "/exports/{id}/download",
    response={200: None, **READ, 409: READ[404]},
    operation_id="download_export",
    openapi_extra={"responses": {200: {"description": "OK", "content": _FILE}}},
)
def download_export(request: HttpRequest, id: Id) -> HttpResponse | StreamingHttpResponse:  # noqa: A002
    """The file of a complete export: CSV, JSON lines or Parquet."""
    row = _export(request, id)
    if row.state != "done":
        raise Conflict(f"The export is not complete. {status_text(row, timezone.now())}")
    stream, size = _opened(selectors.file_of(row))
    kind = codec.CONTENT_TYPES[row.format]  # type: ignore[index]  # Only these are stored.
    response = StreamingHttpResponse(_chunks(stream), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{file_name(row)}"'
    response["Content-Length"] = str(size)
    response["Cache-Control"] = "private, no-store"
    return response


@router.delete("/exports/{id}", response={204: None, **WRITE}, operation_id="delete_export")
def delete_export(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002  (the name in the path)
    """Delete an export and its file, or cancel it. One's own; those of others need operator at the site."""
    row = _export(request, id)
    if not _is_own(request, row):
        require_operator(request, row.site)
    principal(request).require(row.site.name, Role.VIEWER)
    services.delete(row)
    return Status(204, None)


def _out(request: HttpRequest, row: Export) -> ExportOut:
    can_delete = _is_own(request, row) or is_operator(request, row.site)
    return export_out(row, timezone.now(), days=days_at(row.site, "exports"), can_delete=can_delete)


def _is_own(request: HttpRequest, row: Export) -> bool:
    return row.person == principal(request).user.get_username()


def _opened(path: Path) -> tuple[BinaryIO, int]:
    try:
        stream = path.open("rb")
    except OSError:
        raise NotFound(
            "The file is missing on the web server: BACKSTAY_EXPORTS must be one folder of web and worker."
        ) from None
    return stream, path.stat().st_size


async def _chunks(stream: BinaryIO) -> AsyncIterator[bytes]:
    """The file in pieces: under ASGI, Django would first read an ordinary iterator to its end."""
    try:
        while chunk := await asyncio.to_thread(stream.read, CHUNK):
            yield chunk
    finally:
        stream.close()
