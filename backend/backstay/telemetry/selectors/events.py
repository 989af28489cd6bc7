"""Reads of events."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q, QuerySet

from backstay.core.model.event_kinds import EventKind
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


ANNOTATED = (
    EventKind.INCIDENT_OPENED,
    EventKind.PATH_SWITCHED,
    EventKind.PATH_DEAD,
    EventKind.CHANGE_DONE,
    EventKind.CHANGE_ROLLED_BACK,
    EventKind.CHANGE_STOPPED,
    EventKind.CHANGE_FAILED,
    EventKind.TEST_RUN_DONE,
    EventKind.TEST_RUN_FAILED,
)
"""What charts mark: incidents, failovers, changes and throughput tests."""


def chart_events(
    site: Site, start: datetime, end: datetime, *, nodes: Collection[int], links: Collection[int], limit: int
) -> list[Event]:
    """The newest `limit` events that charts of these nodes and links mark, newest first; one statement.

    Changes and tests concern the whole site. Without nodes and links: those of all objects.
    """
    rows = events(site, start=start, end=end, kind__in=ANNOTATED)
    if nodes or links:
        whole_site = Q(node__isnull=True, link__isnull=True, incident_id__isnull=True)
        rows = rows.filter(Q(node__in=nodes) | Q(link__in=links) | whole_site)
    return list(rows.order_by("-at", "-id")[:limit])


def events_by_id(site: str, ids: Collection[int]) -> list[Event]:
    return list(Event.objects.filter(pk__in=ids, site__name=site).select_related("node"))
