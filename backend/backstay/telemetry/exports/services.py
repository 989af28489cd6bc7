"""Creates and deletes exports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from backstay.accounts.models import User
from backstay.core.errors import Refused, Unavailable
from backstay.core.export_plan import OPEN_EXPORTS, ExportFormat, ExportLevel
from backstay.core.formatting import byte_size
from backstay.inventory.models import Fabric, Link, Port, Site
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import codec, files

MOST_OPEN, MOST_KEPT = 3, 100
"""Exports of one user that are not ended; and all of them."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What a user asks for; at most one of `links`, `ports` and `fabric`, none: the site."""

    format: ExportFormat
    level: ExportLevel
    start: datetime
    end: datetime
    links: tuple[int, ...] = ()
    ports: tuple[int, ...] = ()
    fabric: str | None = None


def create(site: Site, request: ExportRequest, user: User, now: datetime) -> Export:
    """Queue an export; a worker writes it. Raises Refused, Unavailable."""
    if not files.is_configured():
        raise Unavailable("Exports are off: set BACKSTAY_EXPORTS to a folder of web and worker.")
    selection = _selection(site, request)
    if request.start >= now:
        raise Refused("start is in the future.", fields={"start": "expected a time in the past"})
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # One after the other, so that limits hold.
        _check_limits(user.get_username())
        return Export.objects.create(
            site=site,
            person=user.get_username(),
            format=request.format,
            level=request.level,
            start=request.start,
            end=min(request.end, now),
            selection=selection,
            created_at=now,
        )


def delete(export: Export) -> None:
    """Remove an export and its file; a worker that writes it stops within a second."""
    Export.objects.filter(pk=export.pk).delete()
    # What a worker is writing goes with its next round.
    transaction.on_commit(lambda: files.remove(export.file, codec.SUFFIXES.values()))


def _selection(site: Site, request: ExportRequest) -> dict[str, Any]:
    given = [name for name in ("links", "ports", "fabric") if getattr(request, name)]
    if len(given) > 1:
        expected = "expected one of links, ports and fabric"
        raise Refused(f"{' and '.join(given)} cannot be combined.", fields=dict.fromkeys(given, expected))
    if request.links:
        return {"links": _known("links", request.links, Link.objects.filter(site=site))}
    if request.ports:
        return {"ports": _known("ports", request.ports, Port.objects.filter(node__site=site))}
    if request.fabric is not None:
        if not Fabric.objects.filter(site=site, name=request.fabric).exists():
            raise Refused("There is no such fabric at the site.", fields={"fabric": "expected a fabric"})
        return {"fabric": request.fabric}
    return {}


def _known(name: str, idents: tuple[int, ...], rows: Any) -> list[int]:
    wanted = sorted(set(idents))
    found = set(rows.filter(pk__in=wanted).values_list("pk", flat=True))
    if missing := [ident for ident in wanted if ident not in found]:
        fields = {name: f"expected {name} of the site"}
        raise Refused(f"The site has no {name.removesuffix('s')} {missing[0]}.", fields=fields)
    return wanted


def _check_limits(person: str) -> None:
    mine = Export.objects.filter(person=person)
    if mine.filter(state__in=OPEN_EXPORTS).count() >= MOST_OPEN:
        raise Refused(f"{MOST_OPEN} of your exports are not ended: wait, or delete one.")
    if mine.count() >= MOST_KEPT:
        raise Refused(f"You have {MOST_KEPT} exports: delete some.")
    size = mine.aggregate(sum=Sum("bytes", default=0))["sum"]
    if size >= settings.EXPORT_USER_BYTES:
        raise Refused(f"Your exports take {byte_size(size)}: delete some.")
