"""Notification routes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.notify import selectors, services
from backstay.api.http.auth import Lookup, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.notification_routes.present import route_out
from backstay.api.notification_routes.schemas import NotificationRouteIn, NotificationRouteOut
from backstay.core.errors import Invalid

if TYPE_CHECKING:
    from backstay.alerts.notify.models import NotificationRoute

router = Router(tags=["notification-routes"])
_route = Lookup("notification route", selectors.route)
SORTS = {
    "position": Column("position"),
    "name": Column("name"),
    "changed_at": Column("changed_at"),
}


class NotificationRouteQuery(ListQuery):
    """Filters of `list_notification_routes`."""


@router.get(
    "/notification-routes",
    response={200: Page[NotificationRouteOut], **READ},
    operation_id="list_notification_routes",
)
def list_notification_routes(
    request: HttpRequest, query: Query[NotificationRouteQuery]
) -> Page[NotificationRouteOut]:
    """A site's notification routes in the order in which they are tried."""
    site = site_of(request, query.site)
    rows, following = query.rows(selectors.routes_of(site, query.q), SORTS, "position")
    return Page(items=_routes_out(rows), next=following)


@router.get(
    "/notification-routes/{id}",
    response={200: NotificationRouteOut, **READ},
    operation_id="get_notification_route",
)
def get_notification_route(request: HttpRequest, id: Id) -> NotificationRouteOut:  # noqa: A002
    """One notification route."""
    return _routes_out([_route(request, id)])[0]


@router.post(
    "/notification-routes",
    response={201: NotificationRouteOut, **WRITE},
    operation_id="create_notification_route",
)
@idempotent
def create_notification_route(
    request: HttpRequest, body: NotificationRouteIn
) -> Status[NotificationRouteOut]:
    """Create a route; incidents that last and match are notified. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    values = body.model_dump(mode="json", exclude={"site"})
    route = services.create_route(site, values, timezone.now())
    return Status(201, _routes_out([_route(request, route.pk)])[0])


@router.put(
    "/notification-routes/{id}",
    response={200: NotificationRouteOut, **WRITE},
    operation_id="update_notification_route",
)
@idempotent
def update_notification_route(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: NotificationRouteIn,
) -> NotificationRouteOut:
    """Replace a route. Needs operator at the site."""
    route = _route(request, id)
    require_operator(request, route.site)
    if body.site != route.site.name:
        raise Invalid(
            "A notification route cannot move to another site.",
            fields={"site": f"{route.site.name}, or create a route there"},
        )
    services.update_route(route, body.model_dump(mode="json", exclude={"site"}), timezone.now())
    return _routes_out([_route(request, id)])[0]


@router.delete(
    "/notification-routes/{id}",
    response={204: None, **WRITE},
    operation_id="delete_notification_route",
)
def delete_notification_route(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a route; its deliveries are kept. Needs operator at the site."""
    route = _route(request, id)
    require_operator(request, route.site)
    services.remove_route(route)
    return Status(204, None)


def _routes_out(rows: "Sequence[NotificationRoute]") -> list[NotificationRouteOut]:
    channels, schedules = selectors.channel_names(rows), selectors.schedule_names(rows)
    return [route_out(row, channels, schedules) for row in rows]
