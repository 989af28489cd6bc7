"""Reads of channels, routes, schedules and deliveries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from backstay.accounts.models import User
from backstay.accounts.selectors import people_at
from backstay.alerts.notify.models import Channel, Delivery, NotificationRoute, Schedule
from backstay.alerts.notify.transports import TRANSPORTS
from backstay.inventory.models import Site

FAILURES_COUNT_FOR = timedelta(hours=24)
UNFINISHED = Q(status__in=["queued", "sending"])


def channels_of(site: Site, *, text: str | None = None, **columns: object) -> QuerySet[Channel]:
    """A site's channels with the number of deliveries that wait; None does not filter."""
    rows = Channel.objects.filter(site=site, **_given(columns)).select_related("site", "person")
    rows = rows.annotate(waiting=Count("deliveries", filter=Q(deliveries__status__in=["queued", "sending"])))
    return rows.filter(name__icontains=text) if text else rows


def channel(ident: int) -> Channel | None:
    """A channel with its site."""
    rows = Channel.objects.filter(pk=ident).select_related("site", "person")
    return rows.annotate(
        waiting=Count("deliveries", filter=Q(deliveries__status__in=["queued", "sending"]))
    ).first()


def routes_of(site: Site, text: str | None = None) -> QuerySet[NotificationRoute]:
    """A site's routes."""
    rows = NotificationRoute.objects.filter(site=site).select_related("site")
    return rows.filter(name__icontains=text) if text else rows


def route(ident: int) -> NotificationRoute | None:
    """A route with its site."""
    return NotificationRoute.objects.filter(pk=ident).select_related("site").first()


def schedules_of(site: Site, text: str | None = None) -> QuerySet[Schedule]:
    """A site's schedules."""
    rows = Schedule.objects.filter(site=site).select_related("site")
    return rows.filter(name__icontains=text) if text else rows


def schedule(ident: int) -> Schedule | None:
    """A schedule with its site."""
    return Schedule.objects.filter(pk=ident).select_related("site").first()


def deliveries_of(site: Site, *, text: str | None = None, **columns: object) -> QuerySet[Delivery]:
    """A site's deliveries with their messages and channels; None does not filter."""
    rows = _deliveries().filter(notification__site=site, **_given(columns))
    return rows.filter(Q(target__icontains=text) | Q(reason__icontains=text)) if text else rows


def delivery(ident: int) -> Delivery | None:
    """A delivery with its message and channel."""
    return _deliveries().filter(pk=ident).first()


def _deliveries() -> QuerySet[Delivery]:
    return Delivery.objects.select_related("notification__site", "notification__route", "channel")


def _given(columns: dict[str, object]) -> dict[str, Any]:
    return {name: value for name, value in columns.items() if value is not None}


def channel_names(routes: Iterable[NotificationRoute]) -> dict[int, str]:
    """Channel id -> name, of all steps of these routes; one query."""
    return _names(Channel.objects, routes, "channels")


def schedule_names(routes: Iterable[NotificationRoute]) -> dict[int, str]:
    """Schedule id -> name, of all steps of these routes; one query."""
    return _names(Schedule.objects, routes, "schedules")


def _names(rows: Any, routes: Iterable[NotificationRoute], field: str) -> dict[int, str]:
    wanted = {ident for route in routes for step in route.steps for ident in step[field]}
    return dict(rows.filter(pk__in=wanted).values_list("pk", "name"))


def channel_kinds() -> list[dict[str, object]]:
    """Kind, label, settings (JSON Schema), secrets and who may write it of every transport, for clients."""
    return [
        {
            "kind": transport.kind,
            "label": transport.label,
            "settings": transport.config.model_json_schema(),
            "secrets": sorted(transport.secrets),
            "needs_admin": transport.needs_admin,
        }
        for transport in TRANSPORTS.values()
    ]


def failed_deliveries(site: Site, now: datetime) -> int:
    """Number of deliveries of the last 24 hours that were given up, without tests; one query."""
    recent = Delivery.objects.filter(notification__site=site, created_at__gte=now - FAILURES_COUNT_FOR)
    return recent.filter(status="failed").exclude(notification__reason="test").count()


def people_of(site: Site, text: str | None = None) -> QuerySet[User]:
    """People who can be on call at the site, annotated with `has_channel`: as in `reachable_people`."""
    own = Channel.objects.filter(site=site, enabled=True, person=OuterRef("pk"))
    rows = people_at(site.name).annotate(has_channel=Exists(own))
    return rows.filter(username__icontains=text) if text else rows


def reachable_people(site: Site) -> set[str]:
    """Names of people who have an enabled channel of their own at the site; one query."""
    rows = Channel.objects.filter(site=site, enabled=True, person__is_active=True)
    return set(rows.values_list("person__username", flat=True))
