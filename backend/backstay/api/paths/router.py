"""Paths as observed, their past, and moving them on purpose."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts.models import Role
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Id, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.paths.present import Beside, move_out, path_out, timeline_out
from backstay.api.paths.schemas import MoveIn, MoveOut, PathOut, TimelineOut
from backstay.inventory.models import Site
from backstay.policy import path_history
from backstay.policy.models import Path
from backstay.policy.selectors import home_of
from backstay.rollout import moves

router = Router(tags=["paths"])
SORTS: dict[str, Callable[[PathOut], Any]] = {
    "name": lambda path: path.name,
    "node": lambda path: path.node,
    "policy": lambda path: path.policy,
    "active": lambda path: path.active,
    "state": lambda path: path.state,
    "since": lambda path: path.since,
    "switches_24h": lambda path: path.switches_24h,
    "switches_7d": lambda path: path.switches_7d,
    "fallback_24h_s": lambda path: path.fallback_24h_s,
    "last_outage_ms": lambda path: path.last_outage_ms,
    "rtt_ms": lambda path: path.rtt_ms,
}


class PathQuery(ListQuery):
    """Filters of `list_paths`."""

    policy: Text | None = None
    node: Text | None = None
    state: State | None = None


@router.get("/paths", response={200: Page[PathOut], **READ}, operation_id="list_paths")
def list_paths(request: HttpRequest, query: Query[PathQuery]) -> Page[PathOut]:
    """The path of each node under each policy: which gateway, since when, through which links."""
    wanted = (query.q or "").casefold()
    row = site_of(request, query.site)
    told_at = dict(Path.objects.filter(policy__site=row).values_list("pk", "at"))
    items = [
        path
        for path in _paths(row)
        if wanted in f"{path.name} {path.policy} {path.active}".casefold()
        and query.policy in {None, path.policy}
        and query.node in {None, path.node}
        and query.state in {None, path.state}
    ]
    keys = {**SORTS, "age": lambda path: age_key(told_at.get(path.id))}
    return query.page(items, keys, lambda item: item.id, "name")


@router.get("/paths/{id}", response={200: PathOut, **READ}, operation_id="get_path")
def get_path(request: HttpRequest, id: Id) -> PathOut:  # noqa: A002  (the path's own word)
    """One path."""
    site = _path(request, id).policy.site
    return found(next((told for told in _paths(site) if told.id == id), None), "path")


@router.get("/paths/{id}/timeline", response={200: TimelineOut, **READ}, operation_id="get_path_timeline")
def get_path_timeline(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the path's own word)
    *,
    since: datetime | None = None,
) -> TimelineOut:
    """The path's past as segments, decisions and moves, since a moment (a day ago when none is given)."""
    path = _path(request, id)
    now = timezone.now()
    return timeline_out(path, home_of(path), path_history.start_of(since, now), now)


@router.post("/paths/{id}/move", response={201: MoveOut, **WRITE}, operation_id="move_path")
@idempotent
def move_path(request: HttpRequest, id: Id, body: MoveIn) -> Status[MoveOut]:  # noqa: A002
    """Keep a path on a gateway for a time; the node goes back by itself. Needs operator at the site.

    Refused, with the reason, when the gateway is none of the path's or known dead, when Backstay does not
    manage the node, or when a change or another move is under way there.
    """
    path = _path(request, id)
    principal(request).require(path.policy.site.name, Role.OPERATOR)
    person = principal(request).user.get_username()
    move = moves.ask(
        path.pk, body.gateway, body.seconds, person=person, reason=body.reason, now=timezone.now()
    )
    return Status(201, move_out(move))


@router.delete("/paths/{id}/move", response={200: MoveOut, **WRITE}, operation_id="return_path")
def return_path(request: HttpRequest, id: Id) -> MoveOut:  # noqa: A002  (the path's own word)
    """End the path's move now. Needs operator at the site."""
    path = _path(request, id)
    principal(request).require(path.policy.site.name, Role.OPERATOR)
    return move_out(moves.take_back(path.pk, principal(request).user.get_username(), timezone.now()))


def _path(request: HttpRequest, ident: int) -> Path:
    rows = Path.objects.select_related("policy__site", "node")
    path = found(rows.filter(pk=ident).first(), "path")
    see(request, path.policy.site, "path")
    return path


def _paths(site: Site) -> list[PathOut]:
    snapshot = SiteSnapshot(site, timezone.now())
    beside = Beside.of(snapshot)
    return [path_out(snapshot, path, beside) for path in snapshot.paths]
