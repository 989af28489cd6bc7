"""Holds: a node's routes are left to an operator for a limited time."""

from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.api.holds.present import hold_out
from backstay.api.holds.schemas import HoldIn, HoldOut
from backstay.api.http.auth import Lookup, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.model.progress import HoldState
from backstay.inventory import selectors
from backstay.policy.holds import holds as holds_of
from backstay.rollout import holds

router = Router(tags=["holds"])
_node = Lookup("node", selectors.node_detail)
SORTS = {
    "at": Column("at"),
    "until": Column("until"),
    "node": Column("node__name", natural=True),
    "state": Column("state"),
}


class HoldQuery(ListQuery):
    """Filters of `list_holds`."""

    node: Text | None = None
    state: Literal["open", HoldState] | None = None


@router.get("/holds", response={200: Page[HoldOut], **READ}, operation_id="list_holds")
def list_holds(request: HttpRequest, query: Query[HoldQuery]) -> Page[HoldOut]:
    """A site's holds, newest first; `state=open`: those in effect. `q` searches nodes, people and reasons."""
    site, now = site_of(request, query.site), timezone.now()
    rows = holds_of(site, node=query.node, state=query.state, text=query.q)
    shown, following = query.rows(rows, SORTS, "-at")
    return Page(items=[hold_out(hold, now) for hold in shown], next=following)


@router.post("/nodes/{id}/hold", response={201: HoldOut, **WRITE}, operation_id="hold_node")
@idempotent
def hold_node(request: HttpRequest, id: Id, body: HoldIn) -> Status[HoldOut]:  # noqa: A002
    """Leave a node's managed routes to an operator for a limited time. Needs operator at the site.

    The checker neither restores routes nor fails over there until the hold ends; changes of the node are
    blocked. Refused if the node is not managed, does not report, is held already, or if a change or a move is
    in progress there.
    """
    node = _node(request, id)
    person, now = require_operator(request, node.site), timezone.now()
    hold = holds.ask(node.pk, body.seconds, person=person, reason=body.reason, now=now)
    return Status(201, hold_out(hold, now))


@router.delete("/nodes/{id}/hold", response={200: HoldOut, **WRITE}, operation_id="end_hold")
def end_hold(request: HttpRequest, id: Id) -> HoldOut:  # noqa: A002  (the name in the path)
    """End the node's hold now; the checker restores its routes. Needs operator at the site."""
    node = _node(request, id)
    person, now = require_operator(request, node.site), timezone.now()
    return hold_out(holds.end(node.pk, person, now), now)
