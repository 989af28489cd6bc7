"""Observed paths, their history, and manual moves."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from backstay.alerts.selectors.history.history_paths import labelled_paths_at, paths_at
from backstay.alerts.selectors.paths.groups import SORTS as GROUP_SORTS
from backstay.alerts.selectors.paths.groups import GroupFilter, listed_groups, paths_of_group
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.selectors.state_deadline import next_history_change
from backstay.api.http.auth import Lookup, found, require_operator, site_of
from backstay.api.http.conditional_reads import INCIDENTS, INVENTORY, PATHS, STATES, depends_on
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import (
    At,
    Column,
    Id,
    ListQuery,
    Sort,
    Text,
    bad_cursor,
    cursor_of,
    encoded,
    past_at,
    sort_of,
)
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.paths.present import (
    GroupContext,
    PastContext,
    PathContext,
    move_out,
    past_path_out,
    path_group_out,
    path_out,
    path_timeline,
    timeline_out,
)
from backstay.api.paths.schemas import MoveIn, MoveOut, PathGroupPage, PathOut, PathTimeline, TimelineOut
from backstay.core.timerange import moment, span
from backstay.inventory.standby_reads import reads_standby
from backstay.policy import path_history, path_states, selectors
from backstay.policy.timeline import timelines
from backstay.rollout import management, moves
from backstay.rollout import selectors as rollout

if TYPE_CHECKING:
    from backstay.alerts.selectors.paths.groups import ListedGroup
    from backstay.inventory.models import Site
    from backstay.policy.models import Path

router = Router(tags=["paths"])
_path = Lookup("path", selectors.path, lambda path: path.policy.site)
_PATH_TABLES = frozenset(
    {
        "policy_decision",
        "policy_hold",
        "policy_pathoutage",
        "policy_pathswitch",
        "rollout_drift",
        "rollout_intended",
        "rollout_move",
        "rollout_nodemanagement",
        "telemetry_routingstate",
    }
)
MOST_DECISIONS = 200
MOST_MOVES = 50
SORTS = {
    "name": Column("label", natural=True),
    "node": Column("node__name", natural=True),
    "policy": Column("policy__name", natural=True),
    "active": Column("active_text", natural=True),
    "state": Column("status"),
    "since": Column("since", nullable=True),
    "switches_24h": Column("switches_24h"),
    "switches_7d": Column("switches_7d"),
    "fallback_24h_s": Column("fallback_24h_s"),
    "last_outage_ms": Column("last_outage_key", nullable=True),
    "last_outage_at": Column("last_outage_at", nullable=True),
    "rtt_ms": Column("target_rtt_us", nullable=True),
    "age": Column("at", backwards=True, nullable=True),
}
PAST_SORTS = {
    **{name: column for name, column in SORTS.items() if name not in {"rtt_ms", "age"}},
    "active": Column("active_then", natural=True),
    "since": Column("since_then", nullable=True),
}
"""Of a past moment, with what history keeps."""


class PathGroupQuery(ListQuery):
    """Filters of `list_path_groups`."""

    policy: Text | None = None
    node: Text | None = None
    state: State | None = None
    at: At = None


class PathQuery(PathGroupQuery):
    """Filters of `list_paths`."""

    group: Text | None = Field(
        None, description="Only the paths of one group of `GET /paths/groups` with the same filters"
    )


@router.get("/paths", response={200: Page[PathOut], **READ}, operation_id="list_paths")
@depends_on(INVENTORY, STATES, PATHS, INCIDENTS, _PATH_TABLES, clock=next_history_change)
@reads_standby
def list_paths(request: HttpRequest, query: Query[PathQuery]) -> Page[PathOut]:
    """Paths of each node under each policy: gateway, start time, links."""
    site, now = site_of(request, query.site), timezone.now()
    if (at := past_at(query.at, now)) is not None:
        return _past_paths(site, query, at, now)
    rows = light = _rows(site, query, now)
    if query.state is None:
        light = path_states.labelled_paths(site, policy=query.policy, node=query.node, text=query.q)
    if query.group is not None:
        chosen = paths_of_group(site, now, query.group, _chosen(query))
        rows = path_states.paths(site, now).filter(pk__in=chosen)
        light = path_states.labelled_paths(site).filter(pk__in=chosen)
    shown, following = query.rows(rows, SORTS, "name", light)
    return Page(items=_paths_out(site, shown, now), next=following)


def _past_paths(site: "Site", query: PathQuery, at: datetime, now: datetime) -> Page[PathOut]:
    rows = light = _past_rows(site, query, at, now)
    if query.state is None:
        light = labelled_paths_at(site, at, policy=query.policy, node=query.node, text=query.q)
    if query.group is not None:
        chosen = paths_of_group(site, now, query.group, _chosen(query), at)
        rows, light = (
            listed.filter(pk__in=chosen) for listed in (paths_at(site, at, now), labelled_paths_at(site, at))
        )
    shown, following = query.rows(rows, PAST_SORTS, "name", light)
    return Page(items=_past_paths_out(site, shown, at), next=following)


def _past_rows(site: "Site", query: PathGroupQuery, at: datetime, now: datetime) -> "path_states.PathRows":
    return paths_at(site, at, now, policy=query.policy, node=query.node, state=query.state, text=query.q)


def _past_paths_out(site: "Site", rows: "Collection[Path]", at: datetime) -> list[PathOut]:
    """Rows of `paths_at` in this order; two queries."""
    outages = path_history.last_outages([row.pk for row in rows], at)
    states = {row.pk: selectors.PathState.of(row) for row in rows}
    context = PastContext(site, at, selectors.policies(site), states, outages)
    return [past_path_out(row, context) for row in rows]


@router.get("/paths/groups", response={200: PathGroupPage, **READ}, operation_id="list_path_groups")
@depends_on(INVENTORY, STATES, PATHS, INCIDENTS, _PATH_TABLES, clock=next_history_change)
@reads_standby
def list_path_groups(request: HttpRequest, query: Query[PathGroupQuery]) -> PathGroupPage:
    """Paths in groups: of one policy, gateway, state and root cause, and moved at about the same time.

    Sorted by `state` (the worst first, then what moved last), `policy`, `paths`, `since`, `last_outage_ms` or
    `switches_24h`.
    """
    site, now = site_of(request, query.site), timezone.now()
    at, sort = past_at(query.at, now), sort_of(query.sort, "state", GROUP_SORTS)
    page = listed_groups(
        site, now, query.limit + 1,
        sort=sort.field, descending=sort.descending, chosen=_chosen(query),
        after=_after(query.cursor, sort), at=at,
    )  # fmt: skip
    shown = page.groups[: query.limit]
    rest = len(page.groups) > query.limit
    context = _group_context(site, shown, now) if at is None else _past_context(site, shown, at, now)
    return PathGroupPage(
        items=[path_group_out(group, page, context) for group in shown],
        next=encoded(sort, shown[-1].sort_value, shown[-1].tie) if rest else None,
        total=page.total,
    )


def _chosen(query: PathGroupQuery) -> GroupFilter:
    return GroupFilter(policy=query.policy, node=query.node, state=query.state, text=query.q)


def _rows(site: "Site", query: PathGroupQuery, now: datetime) -> "path_states.PathRows":
    return path_states.paths(site, now, policy=query.policy, node=query.node, state=query.state, text=query.q)


def _after(text: str | None, sort: Sort) -> tuple[float, str] | None:
    cursor = cursor_of(text, sort)
    if cursor is None:
        return None
    if not isinstance(cursor.value, int | float) or not isinstance(cursor.id, str):
        raise bad_cursor()
    return float(cursor.value), cursor.id


def _group_context(site: "Site", groups: "Collection[ListedGroup]", now: datetime) -> GroupContext:
    """The paths of groups of one, and the longest outages; a fixed number of queries."""
    alone = [group.first_path for group in groups if group.paths == 1]
    longest = [group.outage_path for group in groups]
    rows = path_states.paths(site, now).filter(pk__in=alone) if alone else []
    return GroupContext(
        site=site,
        now=now,
        only={path.id: path for path in _paths_out(site, list(rows), now)} if alone else {},
        outages=path_history.last_outages(longest),
        reported_at={path.id: path.at for path in selectors.paths_by_id(longest)},
    )


def _past_context(
    site: "Site", groups: "Collection[ListedGroup]", at: datetime, now: datetime
) -> GroupContext:
    """The same of a past moment."""
    alone = [group.first_path for group in groups if group.paths == 1]
    longest = [group.outage_path for group in groups]
    rows = paths_at(site, at, now).filter(pk__in=alone) if alone else []
    return GroupContext(
        site=site,
        now=at,
        only={path.id: path for path in _past_paths_out(site, list(rows), at)},
        outages=path_history.last_outages(longest, at),
        reported_at=dict.fromkeys(longest, at),
    )


class TimelinesQuery(BaseModel):
    """Paths and range of `list_path_timelines`."""

    site: Text | None = None
    path: list[Id] = Field(
        default_factory=list, max_length=500, description="Ids of paths; others than the site's are ignored"
    )
    start: Text = Field("now-1h", description="A time, or `now-1h`; at most a year ago")
    end: Text = "now"


@router.get(
    "/paths/timelines", response={200: list[PathTimeline], **READ}, operation_id="list_path_timelines"
)
@reads_standby
def list_path_timelines(request: HttpRequest, query: Query[TimelinesQuery]) -> list[PathTimeline]:
    """Gateways, switches and outages of several paths over one range."""
    site, now = site_of(request, query.site), timezone.now()
    start, end = path_history.clipped(*span(query.start, query.end, now), now)
    found = selectors.homes(site, query.path)
    return [
        path_timeline(timeline, found[timeline.path]) for timeline in timelines(list(found), start, end, now)
    ]


@router.get("/paths/{id}", response={200: PathOut, **READ}, operation_id="get_path")
@depends_on(INVENTORY, STATES, PATHS, _PATH_TABLES, clock=next_history_change)
def get_path(request: HttpRequest, id: Id) -> PathOut:  # noqa: A002  (the name in the path)
    """One path."""
    site, now = _path(request, id).policy.site, timezone.now()
    return _paths_out(site, [found(path_states.paths(site, now).filter(pk=id).first(), "path")], now)[0]


@router.get("/paths/{id}/timeline", response={200: TimelineOut, **READ}, operation_id="get_path_timeline")
@reads_standby
def get_path_timeline(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    *,
    since: Text | None = None,
) -> TimelineOut:
    """The path's history as segments, decisions and moves; `since` defaults to a day ago."""
    path = _path(request, id)
    now = timezone.now()
    start = path_history.start_of(None if since is None else moment(since, now, "since"), now)
    (timeline,) = timelines([path], start, now, now)
    decisions = list(selectors.decisions(path, start, now)[: MOST_DECISIONS + 1])
    moves = list(rollout.moves_of(path, start)[: MOST_MOVES + 1])
    shown = timeline_out(timeline, selectors.home_of(path), decisions[:MOST_DECISIONS], moves[:MOST_MOVES])
    shown.more_decisions, shown.more_moves = len(decisions) > MOST_DECISIONS, len(moves) > MOST_MOVES
    return shown


@router.post("/paths/{id}/move", response={201: MoveOut, **WRITE}, operation_id="move_path")
@idempotent
def move_path(request: HttpRequest, id: Id, body: MoveIn) -> Status[MoveOut]:  # noqa: A002
    """Move a path to a gateway for a limited time. Needs operator at the site.

    When the time is over, the node returns automatically.

    Refused if the gateway is not one of the path's or is down, if Backstay does not manage the node, or if a
    change or another move is in progress there.
    """
    path = _path(request, id)
    person = require_operator(request, path.policy.site)
    move = moves.ask(
        path.pk, body.gateway, body.seconds, person=person, reason=body.reason, now=timezone.now()
    )
    return Status(201, move_out(move))


@router.delete("/paths/{id}/move", response={200: MoveOut, **WRITE}, operation_id="return_path")
def return_path(request: HttpRequest, id: Id) -> MoveOut:  # noqa: A002  (the name in the path)
    """End the path's move now. Needs operator at the site."""
    path = _path(request, id)
    person = require_operator(request, path.policy.site)
    return move_out(moves.take_back(path.pk, person, timezone.now()))


def _paths_out(site: "Site", rows: "Collection[Path]", now: datetime) -> list[PathOut]:
    """Rows of `path_states.paths` in this order; a fixed number of queries."""
    idents, nodes = [row.pk for row in rows], [row.node_id for row in rows]
    context = PathContext(
        snapshot=SiteSnapshot(site, now, nodes=nodes, paths=idents),
        states={row.pk: selectors.PathState.of(row) for row in rows},
        decided=path_history.decided(idents),
        kept=rollout.open_moves(idents),
        outages=path_history.last_outages(idents),
        nodes=rollout.nodes(site, nodes),
        confirmed=rollout.confirmed(site, nodes),
        released=management.reported(nodes),
    )
    return [path_out(row, context) for row in rows]
