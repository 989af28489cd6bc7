"""Wallboards: their settings, and what a screen reads of its own."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.wallboards import selectors, services
from backstay.api.http.auth import Lookup, WallboardScreen, principal, reader, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.wallboards.present import current_wallboard_out, new_wallboard_out, wallboard_out
from backstay.api.wallboards.schemas import (
    CurrentWallboardOut,
    NewWallboardOut,
    WallboardIn,
    WallboardOut,
    WallboardState,
)
from backstay.core.alerting.wallboard import WallboardSpec
from backstay.core.errors import Forbidden, Invalid

if TYPE_CHECKING:
    from backstay.alerts.wallboards.models import Wallboard

router = Router(tags=["wallboards"])
_wallboard = Lookup("wallboard", lambda ident: selectors.wallboard(ident, timezone.now()))
SORTS = {
    "name": Column("name"),
    "state": Column("state"),
    "created_at": Column("created_at"),
    "used_at": Column("used_at", nullable=True),
    "expires_at": Column("expires_at", nullable=True),
}


class WallboardQuery(ListQuery):
    """Filters of `list_wallboards`."""

    state: WallboardState | None = None


@router.get("/wallboards", response={200: Page[WallboardOut], **READ}, operation_id="list_wallboards")
def list_wallboards(request: HttpRequest, query: Query[WallboardQuery]) -> Page[WallboardOut]:
    """A site's wallboards without their tokens; revoked ones are kept for 90 days."""
    site, now = site_of(request, query.site), timezone.now()
    rows = selectors.wallboards(site, now, state=query.state, text=query.q)
    shown, following = query.rows(rows, SORTS, "name")
    return Page(items=[wallboard_out(row) for row in shown], next=following)


@router.get(
    "/wallboards/current",
    response={200: CurrentWallboardOut, **READ},
    operation_id="get_current_wallboard",
)
def get_current_wallboard(request: HttpRequest) -> CurrentWallboardOut:
    """The wallboard of the token: only for its screens."""
    who = reader(request)
    if not isinstance(who, WallboardScreen):
        raise Forbidden("This is for the screen of a wallboard: open the wallboard's link.")
    return current_wallboard_out(who.wallboard)


@router.get("/wallboards/{id}", response={200: WallboardOut, **READ}, operation_id="get_wallboard")
def get_wallboard(request: HttpRequest, id: Id) -> WallboardOut:  # noqa: A002  (the name in the path)
    """One wallboard without its token."""
    return wallboard_out(_wallboard(request, id))


@router.post("/wallboards", response={201: NewWallboardOut, **WRITE}, operation_id="create_wallboard")
@idempotent
def create_wallboard(request: HttpRequest, body: WallboardIn) -> Status[NewWallboardOut]:
    """Create a wallboard; its link is in this response only. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    author, now = principal(request).user, timezone.now()
    created, token = services.create_wallboard(site, _spec(body), body.expires_at, author, now)
    return Status(201, new_wallboard_out(_wallboard(request, created.pk), token))


@router.put("/wallboards/{id}", response={200: WallboardOut, **WRITE}, operation_id="update_wallboard")
@idempotent
def update_wallboard(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: WallboardIn,
) -> WallboardOut:
    """Replace a wallboard's settings; its link stays. Needs operator at the site."""
    wallboard = _writable(request, id)
    if body.site != wallboard.site.name:
        raise Invalid(
            "A wallboard cannot move to another site.",
            fields={"site": f"{wallboard.site.name}, or create a wallboard there"},
        )
    person, now = principal(request).user, timezone.now()
    services.update_wallboard(wallboard, _spec(body), body.expires_at, person, now)
    return wallboard_out(_wallboard(request, id))


@router.post(
    "/wallboards/{id}/renew", response={200: NewWallboardOut, **WRITE}, operation_id="renew_wallboard"
)
@idempotent
def renew_wallboard(request: HttpRequest, id: Id) -> NewWallboardOut:  # noqa: A002
    """Replace the link; the previous one stops working at once. Needs operator at the site."""
    token = services.renew_token(_writable(request, id), principal(request).user, timezone.now())
    return new_wallboard_out(_wallboard(request, id), token)


@router.post(
    "/wallboards/{id}/revoke", response={200: WallboardOut, **WRITE}, operation_id="revoke_wallboard"
)
@idempotent
def revoke_wallboard(request: HttpRequest, id: Id) -> WallboardOut:  # noqa: A002
    """Revoke the link for ever: open screens go dark at once. Needs operator at the site."""
    services.revoke_wallboard(_writable(request, id), principal(request).user, timezone.now())
    return wallboard_out(_wallboard(request, id))


def _writable(request: HttpRequest, ident: int) -> "Wallboard":
    wallboard = _wallboard(request, ident)
    require_operator(request, wallboard.site)
    return wallboard


def _spec(body: WallboardIn) -> WallboardSpec:
    return WallboardSpec(body.name, tuple(body.pages), body.seconds, body.theme, body.text_size)
