"""Maintenance windows; calendar files in, calendar feeds out."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.windows import selectors, services
from backstay.alerts.windows.calendar_files import read_calendar, write_calendar
from backstay.alerts.windows.coverage import covered_by
from backstay.alerts.windows.recurrence import Occurrence, Recurrence, occurrence
from backstay.alerts.windows.services import Target, WindowSpec
from backstay.api.http.auth import Lookup, found, principal, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page, Problem
from backstay.api.maintenance_windows.present import event_out, feed_out, window_detail, window_out
from backstay.api.maintenance_windows.schemas import (
    CalendarFeedIn,
    CalendarFeedOut,
    CalendarFileIn,
    CalendarFileOut,
    CalendarProblemOut,
    MaintenanceWindowDetail,
    MaintenanceWindowIn,
    MaintenanceWindowOut,
    NewCalendarFeedOut,
    WindowTarget,
)
from backstay.core.errors import Invalid
from backstay.core.model.progress import WindowState

router = Router(tags=["maintenance-windows"])
_window = Lookup("maintenance window", lambda ident: selectors.window(ident, timezone.now()))
_feed = Lookup("calendar feed", selectors.feed)
SORTS = {
    "name": Column("name"),
    "state": Column("state"),
    "begins_at": Column("begins_at", nullable=True),
    "changed_at": Column("changed_at"),
    "age": Column("changed_at", backwards=True),
}
FEED_SORTS = {"name": Column("name"), "created_at": Column("created_at")}


class MaintenanceWindowQuery(ListQuery):
    """Filters of `list_maintenance_windows`."""

    state: WindowState | None = None


@router.get(
    "/maintenance-windows",
    response={200: Page[MaintenanceWindowOut], **READ},
    operation_id="list_maintenance_windows",
)
def list_maintenance_windows(
    request: HttpRequest, query: Query[MaintenanceWindowQuery]
) -> Page[MaintenanceWindowOut]:
    """A site's windows, the next one first; those that are over come last."""
    row, now = site_of(request, query.site), timezone.now()
    known = selectors.windows(row, now, state=query.state, text=query.q)
    rows, following = query.rows(known, SORTS, "begins_at")
    return Page(items=[window_out(window, now) for window in rows], next=following)


@router.post(
    "/maintenance-windows",
    response={201: MaintenanceWindowDetail, **WRITE},
    operation_id="create_maintenance_window",
)
@idempotent
def create_maintenance_window(
    request: HttpRequest, body: MaintenanceWindowIn
) -> Status[MaintenanceWindowDetail]:
    """Plan a window, once or recurring. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    window = services.create(site, _spec(body), principal(request).user, timezone.now())
    return Status(201, _detail(request, window.pk))


@router.post(
    "/maintenance-windows/import",
    response={200: CalendarFileOut, **WRITE},
    operation_id="import_maintenance_windows",
)
@idempotent
def import_maintenance_windows(request: HttpRequest, body: CalendarFileIn) -> CalendarFileOut:
    """Windows from an iCalendar file, all with the same objects. Needs operator at the site.

    An event that was imported before (by its UID) changes its window. Events that cannot be imported are
    listed with the reason.
    """
    site, now = site_of(request, body.site), timezone.now()
    require_operator(request, site)
    known, problems = read_calendar(body.text, body.zone, now)
    created = changed = 0
    if not body.dry_run:
        specs = [
            WindowSpec(
                event.name,
                event.recurrence,
                _targets(body.targets),
                event.reason,
                body.mutes_notifications,
                body.pauses_rules,
                body.pauses_tests,
                event.uid,
            )
            for event in known
        ]
        stored, created = services.import_all(site, specs, principal(request).user, now)
        changed = len(stored) - created
    return CalendarFileOut(
        events=[event_out(event, now) for event in known],
        problems=[CalendarProblemOut(name=item.name, text=item.text) for item in problems],
        created=created,
        changed=changed,
    )


@router.get(
    "/maintenance-windows/{id}",
    response={200: MaintenanceWindowDetail, **READ},
    operation_id="get_maintenance_window",
)
def get_maintenance_window(request: HttpRequest, id: Id) -> MaintenanceWindowDetail:  # noqa: A002
    """One window with its next occurrences and what it covers."""
    return _detail(request, id)


@router.put(
    "/maintenance-windows/{id}",
    response={200: MaintenanceWindowDetail, **WRITE},
    operation_id="update_maintenance_window",
)
@idempotent
def update_maintenance_window(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: MaintenanceWindowIn,
) -> MaintenanceWindowDetail:
    """Replace a window; it takes effect at once. Needs operator at the site."""
    window = _writable(request, id)
    if body.site != window.site.name:
        expected = f"{window.site.name}, or make a new window"
        raise Invalid("A window cannot move to another site.", fields={"site": expected})
    services.update(
        window, _spec(body, services.recurrence_of(window).added), principal(request).user, timezone.now()
    )
    return _detail(request, id)


@router.post(
    "/maintenance-windows/{id}/end",
    response={200: MaintenanceWindowDetail, **WRITE},
    operation_id="end_maintenance_window",
)
@idempotent
def end_maintenance_window(request: HttpRequest, id: Id) -> MaintenanceWindowDetail:  # noqa: A002
    """End the occurrence that takes place now; later ones stay. Needs operator at the site."""
    services.end(_writable(request, id), principal(request).user, timezone.now())
    return _detail(request, id)


@router.delete(
    "/maintenance-windows/{id}", response={204: None, **WRITE}, operation_id="delete_maintenance_window"
)
def delete_maintenance_window(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a window; one that takes place now ends. Needs operator at the site."""
    services.delete(_writable(request, id), principal(request).user, timezone.now())
    return Status(204, None)


@router.get(
    "/calendar-feeds", response={200: Page[CalendarFeedOut], **READ}, operation_id="list_calendar_feeds"
)
def list_calendar_feeds(request: HttpRequest, query: Query[ListQuery]) -> Page[CalendarFeedOut]:
    """A site's calendar feeds, without their addresses."""
    rows = selectors.feeds(site_of(request, query.site))
    rows = rows.filter(name__icontains=query.q) if query.q else rows
    known, following = query.rows(rows, FEED_SORTS, "name")
    return Page(items=[feed_out(feed) for feed in known], next=following)


@router.post(
    "/calendar-feeds", response={201: NewCalendarFeedOut, **WRITE}, operation_id="create_calendar_feed"
)
@idempotent
def create_calendar_feed(request: HttpRequest, body: CalendarFeedIn) -> Status[NewCalendarFeedOut]:
    """A secret address at which calendars read the site's windows. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    feed, token = services.create_feed(site, body.name, principal(request).user, timezone.now())
    path = f"/api/v1/calendars/{token}.ics"
    return Status(201, NewCalendarFeedOut(**feed_out(feed).model_dump(), path=path))


@router.delete("/calendar-feeds/{id}", response={204: None, **WRITE}, operation_id="delete_calendar_feed")
def delete_calendar_feed(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a feed: its address stops working. Needs operator at the site."""
    feed = _feed(request, id)
    require_operator(request, feed.site)
    services.delete_feed(feed)
    return Status(204, None)


@router.get(
    "/calendars/{token}.ics",
    response={200: None, 304: None, 404: Problem},
    operation_id="get_calendar",
    auth=None,
)
def get_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The windows of a site as iCalendar; whoever knows the address may read it."""
    feed = found(selectors.feed_of(token), "calendar")
    text = write_calendar(f"{feed.site.name} maintenance", selectors.feed_windows(feed))
    return HttpResponse(
        text,
        content_type="text/calendar; charset=utf-8",
        headers={"Cache-Control": "private, max-age=300", "Referrer-Policy": "no-referrer"},
    )


def _spec(body: MaintenanceWindowIn, stored: tuple[Occurrence, ...] = ()) -> WindowSpec:
    """`stored`: the occurrences that stay if the body does not set them."""
    given = body.added or ()
    added = tuple(occurrence(one.begins_at, one.duration_s) for one in given)
    return WindowSpec(
        name=body.name,
        recurrence=Recurrence(
            body.starts_at,
            body.duration_s,
            body.zone,
            body.rule.upper(),
            tuple(body.excluded),
            stored if body.added is None else added,
        ),
        targets=_targets(body.targets),
        reason=body.reason,
        mutes_notifications=body.mutes_notifications,
        pauses_rules=body.pauses_rules,
        pauses_tests=body.pauses_tests,
    )


def _targets(targets: list[WindowTarget]) -> tuple[Target, ...]:
    return tuple(Target(target.kind.value, target.id) for target in targets)


def _writable(request: HttpRequest, ident: int) -> Any:
    window = _window(request, ident)
    require_operator(request, window.site)
    return window


def _detail(request: HttpRequest, ident: int) -> MaintenanceWindowDetail:
    window = _window(request, ident)
    return window_detail(window, covered_by(window.site, [window.pk]), timezone.now())
