"""Channels: where messages about incidents are delivered, and a test of each."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.notify import selectors, services
from backstay.alerts.notify.delivery import send_test
from backstay.alerts.notify.transports import TRANSPORTS
from backstay.api.channels.present import channel_out
from backstay.api.channels.schemas import ChannelIn, ChannelKind, ChannelOut, ChannelTestOut
from backstay.api.http.auth import Lookup, require_admin, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import Invalid

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["channels"])
_channel = Lookup("channel", selectors.channel)
SORTS = {
    "name": Column("name"),
    "kind": Column("kind"),
    "person": Column("person__username", nullable=True),
    "worked_at": Column("worked_at", nullable=True),
    "failing_since": Column("failing_since", nullable=True),
}


class ChannelQuery(ListQuery):
    """Filters of `list_channels`."""

    kind: ChannelKind | None = None
    person: Text | None = None


@router.get("/channels", response={200: Page[ChannelOut], **READ}, operation_id="list_channels")
def list_channels(request: HttpRequest, query: Query[ChannelQuery]) -> Page[ChannelOut]:
    """A site's channels, without secrets."""
    site = site_of(request, query.site)
    known = selectors.channels_of(site, text=query.q, kind=query.kind, person__username=query.person)
    rows, following = query.rows(known, SORTS, "name")
    return Page(items=[channel_out(row) for row in rows], next=following)


@router.get("/channels/{id}", response={200: ChannelOut, **READ}, operation_id="get_channel")
def get_channel(request: HttpRequest, id: Id) -> ChannelOut:  # noqa: A002  (the name in the path)
    """One channel, without secrets."""
    return channel_out(_channel(request, id))


@router.post("/channels", response={201: ChannelOut, **WRITE}, operation_id="create_channel")
@idempotent
def create_channel(request: HttpRequest, body: ChannelIn) -> Status[ChannelOut]:
    """Create a channel. Needs admin at the site if its kind has secrets or is push, else operator."""
    site = site_of(request, body.site)
    _require(request, site, body.kind)
    channel = services.create_channel(site, _spec(body), timezone.now())
    return Status(201, channel_out(_channel(request, channel.pk)))


@router.put("/channels/{id}", response={200: ChannelOut, **WRITE}, operation_id="update_channel")
@idempotent
def update_channel(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: ChannelIn,
) -> ChannelOut:
    """Replace a channel's settings. Needs admin if its kind has secrets or is push, else operator."""
    channel = _channel(request, id)
    _require(request, channel.site, channel.kind, body.kind)
    if body.site != channel.site.name:
        raise Invalid(
            "A channel cannot move to another site.",
            fields={"site": f"{channel.site.name}, or create a channel there"},
        )
    services.update_channel(channel, _spec(body), timezone.now())
    return channel_out(_channel(request, id))


@router.delete("/channels/{id}", response={204: None, **WRITE}, operation_id="delete_channel")
def delete_channel(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a channel that no route uses; its deliveries are kept. Needs the role that may write it."""
    channel = _channel(request, id)
    _require(request, channel.site, channel.kind)
    services.remove_channel(channel)
    return Status(204, None)


@router.post("/channels/{id}/test", response={200: ChannelTestOut, **WRITE}, operation_id="test_channel")
def test_channel(request: HttpRequest, id: Id) -> ChannelTestOut:  # noqa: A002
    """Send a test message now and return its result. Needs operator at the site."""
    channel = _channel(request, id)
    person = require_operator(request, channel.site)
    delivery = send_test(channel, person, timezone.now())
    return ChannelTestOut(
        delivered=delivery.status == "sent",
        reason=delivery.reason,
        took_ms=delivery.took_ms or 0.0,
        delivery_id=delivery.pk,
    )


def _require(request: HttpRequest, site: "Site", *kinds: str) -> None:
    """A kind that does not exist is refused later, for whom it would be allowed."""
    if any(kind in TRANSPORTS and TRANSPORTS[kind].needs_admin for kind in kinds):
        require_admin(request, site)
    else:
        require_operator(request, site)


def _spec(body: ChannelIn) -> services.ChannelSpec:
    return services.ChannelSpec(body.name, body.kind, body.config, body.person, body.enabled)
