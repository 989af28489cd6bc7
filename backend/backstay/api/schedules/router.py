"""On-call schedules, and the people who can be on call."""

from datetime import time
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.notify import selectors, services
from backstay.api.http.auth import Lookup, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.schedules.present import person_out, schedule_out
from backstay.api.schedules.schemas import PersonOut, ScheduleIn, ScheduleOut
from backstay.core.errors import Invalid

router = Router(tags=["schedules"])
_schedule = Lookup("schedule", selectors.schedule)
SORTS = {"name": Column("name"), "changed_at": Column("changed_at")}

PEOPLE_SORTS = {"name": Column("username")}


class ScheduleQuery(ListQuery):
    """Filters of `list_schedules`."""


class PeopleQuery(ListQuery):
    """Filters of `list_people`."""


@router.get("/people", response={200: Page[PersonOut], **READ}, operation_id="list_people")
def list_people(request: HttpRequest, query: Query[PeopleQuery]) -> Page[PersonOut]:
    """People who have a role at the site, by user name. Needs operator at the site."""
    site = site_of(request, query.site)
    require_operator(request, site)
    rows, following = query.rows(selectors.people_of(site, query.q), PEOPLE_SORTS, "name")
    items = [person_out(row, has_channel=getattr(row, "has_channel", False)) for row in rows]
    return Page(items=items, next=following)


@router.get("/schedules", response={200: Page[ScheduleOut], **READ}, operation_id="list_schedules")
def list_schedules(request: HttpRequest, query: Query[ScheduleQuery]) -> Page[ScheduleOut]:
    """A site's on-call schedules, with who is on call."""
    site, now = site_of(request, query.site), timezone.now()
    rows, following = query.rows(selectors.schedules_of(site, query.q), SORTS, "name")
    reachable = selectors.reachable_people(site)
    return Page(items=[schedule_out(row, reachable, now) for row in rows], next=following)


@router.get("/schedules/{id}", response={200: ScheduleOut, **READ}, operation_id="get_schedule")
def get_schedule(request: HttpRequest, id: Id) -> ScheduleOut:  # noqa: A002  (the name in the path)
    """One schedule, with who is on call."""
    return _shown(request, id)


@router.post("/schedules", response={201: ScheduleOut, **WRITE}, operation_id="create_schedule")
@idempotent
def create_schedule(request: HttpRequest, body: ScheduleIn) -> Status[ScheduleOut]:
    """Create a schedule. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    schedule = services.create_schedule(site, _values(body), timezone.now())
    return Status(201, _shown(request, schedule.pk))


@router.put("/schedules/{id}", response={200: ScheduleOut, **WRITE}, operation_id="update_schedule")
@idempotent
def update_schedule(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: ScheduleIn,
) -> ScheduleOut:
    """Replace a schedule. Needs operator at the site."""
    schedule = _schedule(request, id)
    require_operator(request, schedule.site)
    if body.site != schedule.site.name:
        raise Invalid(
            "A schedule cannot move to another site.",
            fields={"site": f"{schedule.site.name}, or create a schedule there"},
        )
    services.update_schedule(schedule, _values(body), timezone.now())
    return _shown(request, id)


@router.delete("/schedules/{id}", response={204: None, **WRITE}, operation_id="delete_schedule")
def delete_schedule(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a schedule that no route uses. Needs operator at the site."""
    schedule = _schedule(request, id)
    require_operator(request, schedule.site)
    services.remove_schedule(schedule)
    return Status(204, None)


def _values(body: ScheduleIn) -> dict[str, Any]:
    values = body.model_dump(exclude={"site", "handover", "overrides"})
    overrides = body.model_dump(mode="json", include={"overrides"})
    return {**values, **overrides, "handover": time.fromisoformat(body.handover)}


def _shown(request: HttpRequest, ident: int) -> ScheduleOut:
    schedule = _schedule(request, ident)
    return schedule_out(schedule, selectors.reachable_people(schedule.site), timezone.now())
