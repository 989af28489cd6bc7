"""Reads of events."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from backstay.inventory.models import Site
from backstay.telemetry.models import Event


def events(
    site: Site,
    *,
    text: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    **columns: object,
) -> QuerySet[Event]:
    """A site's events with their nodes. None does not filter."""
    rows = Event.objects.filter(
        site=site, **{name: value for name, value in columns.items() if value is not None}
    )
    rows = rows.filter(message__icontains=text) if text else rows
    rows = rows.filter(at__gte=start) if start else rows
    return (rows.filter(at__lte=end) if end else rows).select_related("node")


def events_by_id(site: str, ids: Collection[int]) -> list[Event]:
    return list(Event.objects.filter(pk__in=ids, site__name=site).select_related("node"))
