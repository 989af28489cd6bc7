"""Web push: a person turns it on and off for their own devices."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.notify.push import devices, vapid
from backstay.api.http.auth import found, principal, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.push.present import device_out
from backstay.api.push.schemas import PushDeviceIn, PushDeviceOut, PushOut
from backstay.core.errors import Refused

router = Router(tags=["push"])
SORTS = {
    "created_at": Column("created_at"),
    "label": Column("label"),
    "delivered_at": Column("delivered_at", nullable=True),
}


class PushDeviceQuery(ListQuery):
    """Filters of `list_push_devices`."""


@router.get("/push", response={200: PushOut, **READ}, operation_id="get_push")
def get_push(request: HttpRequest, site: Text | None = None) -> PushOut:
    """Whether the site allows push, and the key with which a browser subscribes."""
    where = site_of(request, site)
    channel = devices.push_channel(where)
    return PushOut(
        site=where.name,
        is_allowed=channel is not None,
        is_routed=channel is not None and devices.is_routed(channel),
        public_key=vapid.public_key(),
    )


@router.get("/push-devices", response={200: Page[PushDeviceOut], **READ}, operation_id="list_push_devices")
def list_push_devices(request: HttpRequest, query: Query[PushDeviceQuery]) -> Page[PushDeviceOut]:
    """One's own devices, at most 10; they are the same at every site."""
    site_of(request, query.site)
    rows, following = query.rows(devices.devices_of(principal(request).user, query.q), SORTS, "created_at")
    return Page(items=[device_out(row) for row in rows], next=following)


@router.post("/push-devices", response={201: PushDeviceOut, **WRITE}, operation_id="create_push_device")
@idempotent
def create_push_device(request: HttpRequest, body: PushDeviceIn) -> Status[PushDeviceOut]:
    """Turn on push in a browser, by its subscription; only where the site allows it."""
    site, who = site_of(request, body.site), principal(request)
    if devices.push_channel(site) is None:
        raise Refused(
            f"{site.name} does not allow push: an administrator creates a channel of the kind push.",
            fields={"site": "expected a site with an enabled push channel"},
        )
    subscription = devices.Subscription(body.endpoint, body.p256dh, body.auth)
    return Status(201, device_out(devices.add_device(who.user, body.label, subscription, timezone.now())))


@router.delete("/push-devices/{id}", response={204: None, **WRITE}, operation_id="delete_push_device")
def delete_push_device(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002  (the name in the path)
    """Turn off push on one of one's own devices."""
    found(devices.remove_device(principal(request).user, id) or None, "device")
    return Status(204, None)
