"""Reads of maintenance windows and calendar feeds."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Case, CharField, Prefetch, Q, QuerySet, Value, When

from backstay.alerts.windows.models import CalendarFeed, MaintenanceTarget, MaintenanceWindow
from backstay.alerts.windows.services import digest_of
from backstay.core.model.progress import WindowState
from backstay.inventory.models import Site

ACTIVE: WindowState = "active"


def windows(
    site: Site, now: datetime, *, state: str | None = None, text: str | None = None
) -> QuerySet[MaintenanceWindow]:
    """A site's windows with their targets and `state`; two queries."""
    rows = _with_state(MaintenanceWindow.objects.filter(site=site), now)
    rows = rows if state is None else rows.filter(Q(state=state))
    return rows.filter(Q(name__icontains=text) | Q(reason__icontains=text)) if text else rows


def window(ident: int, now: datetime) -> MaintenanceWindow | None:
    """A window with its targets and `state`."""
    return _with_state(MaintenanceWindow.objects.filter(pk=ident), now).first()


def _with_state(rows: QuerySet[MaintenanceWindow], now: datetime) -> QuerySet[MaintenanceWindow]:
    state = Case(
        When(begins_at__lte=now, ends_at__gt=now, then=Value(ACTIVE)),
        When(begins_at__gt=now, then=Value("scheduled")),
        default=Value("over"),
        output_field=CharField(),
    )
    links = ("link__a__node", "link__b__node", "link__fabric")
    targets = MaintenanceTarget.objects.select_related("fabric", "node", "port__node", "policy", *links)
    return (
        rows.annotate(state=state)
        .select_related("site", "author")
        .prefetch_related(Prefetch("targets", targets.order_by("pk")))
    )


def feeds(site: Site) -> QuerySet[CalendarFeed]:
    """A site's calendar feeds."""
    return CalendarFeed.objects.filter(site=site).select_related("site", "author")


def feed(ident: int) -> CalendarFeed | None:
    return CalendarFeed.objects.filter(pk=ident).select_related("site").first()


def feed_of(token: str) -> CalendarFeed | None:
    """The feed of a secret address, unless its site is archived."""
    rows = CalendarFeed.objects.filter(digest=digest_of(token), site__archived_at=None)
    return rows.select_related("site").first()


def feed_windows(found: CalendarFeed) -> list[MaintenanceWindow]:
    """The windows that a feed lists: those that take place now or later."""
    rows = MaintenanceWindow.objects.filter(site=found.site, begins_at__isnull=False)
    return list(rows.order_by("begins_at", "pk"))
