"""Saved views of lists: a person's own, and those shared with a site."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts import saved_views as services
from backstay.accounts import selectors
from backstay.accounts.saved_views import ViewSpec
from backstay.api.http.auth import found, principal, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.list_registry import check_filters
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.saved_views.present import saved_view_out
from backstay.api.saved_views.schemas import SavedViewIn, SavedViewOut
from backstay.core.errors import Forbidden, Invalid
from backstay.core.roles import Role

if TYPE_CHECKING:
    from backstay.accounts.models import SavedView

router = Router(tags=["saved-views"])
SORTS = {
    "name": Column("name", natural=True),
    "list_name": Column("list_name"),
    "owner": Column("owner__username"),
    "changed": Column("changed_at"),
}


class SavedViewQuery(ListQuery):
    """Filters of `list_saved_views`."""

    list_name: Text | None = None
    shared: bool | None = None


@router.get("/saved-views", response={200: Page[SavedViewOut], **READ}, operation_id="list_saved_views")
def list_saved_views(request: HttpRequest, query: Query[SavedViewQuery]) -> Page[SavedViewOut]:
    """One's own views of a site's lists, and those that are shared. `q` searches names."""
    site, person = site_of(request, query.site), principal(request).user
    known = selectors.saved_views(
        person, site.name, list_name=query.list_name, shared=query.shared, text=query.q
    )
    rows, following = query.rows(known, SORTS, "name")
    return Page(items=[_out(request, row) for row in rows], next=following)


@router.post("/saved-views", response={201: SavedViewOut, **WRITE}, operation_id="create_saved_view")
@idempotent
def create_saved_view(request: HttpRequest, body: SavedViewIn) -> Status[SavedViewOut]:
    """Save a view of a list: at most 200 for each person. To share it needs operator at the site."""
    site, who = site_of(request, body.site), principal(request)
    who.require(site.name, Role.OPERATOR if body.is_shared else Role.VIEWER)
    check_filters(body.list_name, body.filters)
    view = services.create_view(who.user, site.name, body.list_name, _spec(body), timezone.now())
    return Status(201, _out(request, view))


@router.put("/saved-views/{id}", response={200: SavedViewOut, **WRITE}, operation_id="update_saved_view")
@idempotent
def update_saved_view(request: HttpRequest, id: Id, body: SavedViewIn) -> SavedViewOut:  # noqa: A002
    """Replace a view. A shared one is changed by its owner, who needs operator, or by an administrator."""
    view = _writable(request, id)
    if (body.site, body.list_name) != (view.site, view.list_name):
        expected = f"{view.site} and {view.list_name}: save a new view of another list"
        raise Invalid("A view keeps its site and list.", fields={"list_name": expected})
    if body.is_shared:
        principal(request).require(view.site, Role.OPERATOR)
    check_filters(body.list_name, body.filters)
    return _out(request, services.update_view(view, _spec(body), timezone.now()))


@router.delete("/saved-views/{id}", response={204: None, **WRITE}, operation_id="delete_saved_view")
def delete_saved_view(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002  (the name in the path)
    """Delete a view. A shared one is deleted by its owner, who needs operator, or by an administrator."""
    services.delete_view(_writable(request, id))
    return Status(204, None)


def _writable(request: HttpRequest, ident: int) -> "SavedView":
    """Raises NotFound for what the person may not see, Forbidden for what others shared."""
    who = principal(request)
    view = found(selectors.saved_view(who.user, ident), "view")
    found(view if who.may_see(view.site) else None, "view")
    who.require(view.site, Role.OPERATOR if view.is_shared else Role.VIEWER)
    if not _can_change(request, view):
        raise Forbidden(f"{view.owner.get_username()} shares this view: save a copy under another name.")
    return view


def _can_change(request: HttpRequest, view: "SavedView") -> bool:
    who = principal(request)
    if not view.is_shared:
        return view.owner == who.user
    return who.may(view.site, Role.OPERATOR if view.owner == who.user else Role.ADMIN)


def _out(request: HttpRequest, view: "SavedView") -> SavedViewOut:
    is_own = view.owner == principal(request).user
    return saved_view_out(view, is_own=is_own, can_change=_can_change(request, view))


def _spec(body: SavedViewIn) -> ViewSpec:
    return ViewSpec(body.name, body.is_shared, dict(body.filters), body.sort, tuple(body.columns))
