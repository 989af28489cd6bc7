"""Deliveries: what was sent, to whom, how often it was tried, and why it failed."""

from django.http import HttpRequest
from ninja import Query, Router

from backstay.alerts.notify import selectors
from backstay.api.deliveries.present import delivery_detail, delivery_out
from backstay.api.deliveries.schemas import DeliveryDetail, DeliveryOut, DeliveryStatus
from backstay.api.http.auth import Lookup, site_of
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, Page
from backstay.core.alerting.message import Reason
from backstay.inventory.standby_reads import reads_standby

router = Router(tags=["deliveries"])
_delivery = Lookup("delivery", selectors.delivery, lambda row: row.notification.site)
SORTS = {
    "created_at": Column("created_at"),
    "ended_at": Column("ended_at", nullable=True),
    "status": Column("status"),
    "target": Column("target"),
    "attempts": Column("attempts"),
    "took_ms": Column("took_ms", nullable=True),
}


class DeliveryQuery(ListQuery):
    """Filters of `list_deliveries`."""

    status: DeliveryStatus | None = None
    reason: Reason | None = None
    channel_id: Id | None = None
    incident_id: Id | None = None


@router.get("/deliveries", response={200: Page[DeliveryOut], **READ}, operation_id="list_deliveries")
@reads_standby
def list_deliveries(request: HttpRequest, query: Query[DeliveryQuery]) -> Page[DeliveryOut]:
    """A site's deliveries, newest first. `q` searches targets and reasons of failures."""
    known = selectors.deliveries_of(
        site_of(request, query.site),
        text=query.q,
        status=query.status,
        notification__reason=query.reason,
        channel_id=query.channel_id,
        notification__incidents=query.incident_id,
    )
    rows, following = query.rows(known, SORTS, "-created_at")
    return Page(items=[delivery_out(row) for row in rows], next=following)


@router.get("/deliveries/{id}", response={200: DeliveryDetail, **READ}, operation_id="get_delivery")
def get_delivery(request: HttpRequest, id: Id) -> DeliveryDetail:  # noqa: A002  (the name in the path)
    """One delivery with its message."""
    return delivery_detail(_delivery(request, id))
