"""Paths as observed, and failover policies as wanted."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors.situation import Situation
from backstay.api.http.answers import READ
from backstay.api.http.auth import found, see, site_of
from backstay.api.http.paging import (
    DEFAULT_LIMIT,
    CursorText,
    Id,
    Limit,
    Text,
    age_key,
    as_page,
    page,
    sort_of,
)
from backstay.api.present.paths import path_out, policy_out
from backstay.api.schemas import Page, PathOut, PolicyOut, State
from backstay.inventory.models import Site
from backstay.policy.models import Path
from backstay.policy.past import moves

router = Router(tags=["paths"])
SORTS: dict[str, Callable[[PathOut], Any]] = {
    "name": lambda path: path.name,
    "node": lambda path: path.node,
    "policy": lambda path: path.policy,
    "active": lambda path: path.active,
    "state": lambda path: path.state,
    "since": lambda path: path.since,
    "switches_24h": lambda path: path.switches_24h,
    "last_outage_ms": lambda path: path.last_outage_ms,
    "rtt_ms": lambda path: path.rtt_ms,
}
POLICY_SORTS: dict[str, Callable[[PolicyOut], Any]] = {
    "name": lambda policy: policy.name,
    "prefix": lambda policy: policy.prefix,
    "detection": lambda policy: policy.detection,
}


@router.get("/paths", response={200: Page[PathOut], **READ}, operation_id="list_paths")
def list_paths(
    request: HttpRequest,
    *,
    site: Text | None = None,
    sort: Text | None = None,
    q: Text | None = None,
    policy: Text | None = None,
    node: Text | None = None,
    state: State | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText | None = None,
) -> Page[PathOut]:
    """The path of each node under each policy: which gateway, since when, through which links."""
    wanted = (q or "").casefold()
    row = site_of(request, site)
    told_at = dict(Path.objects.filter(policy__site=row).values_list("pk", "at"))
    items = [
        path
        for path in _paths(row)
        if wanted in f"{path.name} {path.policy} {path.active}".casefold()
        and policy in {None, path.policy}
        and node in {None, path.node}
        and state in {None, path.state}
    ]
    keys = {**SORTS, "age": lambda path: age_key(told_at.get(path.id))}
    by = sort_of(sort, "name", keys)
    return as_page(*page(items, keys, lambda item: item.id, sort=by, cursor=cursor, limit=limit))


@router.get("/paths/{id}", response={200: PathOut, **READ}, operation_id="get_path")
def get_path(request: HttpRequest, id: Id) -> PathOut:  # noqa: A002  (the path's own word)
    """One path."""
    path = found(Path.objects.select_related("policy__site").filter(pk=id).first(), "path")
    site = see(request, path.policy.site, "path")
    return found(next((told for told in _paths(site) if told.id == id), None), "path")


@router.get(
    "/failover-policies", response={200: Page[PolicyOut], **READ}, operation_id="list_failover_policies"
)
def list_failover_policies(
    request: HttpRequest,
    *,
    site: Text | None = None,
    sort: Text | None = None,
    q: Text | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText | None = None,
) -> Page[PolicyOut]:
    """What the site file wants: for these nodes and this prefix, gateways in order of preference."""
    situation = Situation(site_of(request, site), timezone.now())
    wanted = (q or "").casefold()
    items = [
        policy_out(situation, policy)
        for policy in situation.policies.values()
        if wanted in f"{policy.name} {policy.prefix}".casefold()
    ]
    by = sort_of(sort, "name", POLICY_SORTS)
    return as_page(*page(items, POLICY_SORTS, lambda item: item.id, sort=by, cursor=cursor, limit=limit))


def _paths(site: Site) -> list[PathOut]:
    situation = Situation(site, timezone.now())
    moved = moves(site, situation.now)
    return [path_out(situation, path, moved) for path in situation.paths]
