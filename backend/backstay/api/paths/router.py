"""Observed paths, their history, and manual moves."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.selectors.state_deadline import next_history_change
from backstay.api.http.auth import Lookup, found, require_operator, site_of
from backstay.api.http.conditional_reads import INVENTORY, PATHS, STATES, depends_on
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.paths.present import PathContext, move_out, path_out, path_timeline, timeline_out
from backstay.api.paths.schemas import MoveIn, MoveOut, PathOut, PathTimeline, TimelineOut
from backstay.core.timerange import moment, span
from backstay.inventory.standby_reads import reads_standby
from backstay.policy import path_history, path_states, selectors
from backstay.policy.timeline import timelines
from backstay.rollout import management, moves
from backstay.rollout import selectors as rollout

if TYPE_CHECKING:
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


class PathQuery(ListQuery):
    """Filters of `list_paths`."""

    policy: Text | None = None
    node: Text | None = None
    state: State | None = None


@router.get("/paths", response={200: Page[PathOut], **READ}, operation_id="list_paths")
@depends_on(INVENTORY, STATES, PATHS, _PATH_TABLES, clock=next_history_change)
@reads_standby
def list_paths(request: HttpRequest, query: Query[PathQuery]) -> Page[PathOut]:
    """Paths of each node under each policy: gateway, start time, links."""
    site, now = site_of(request, query.site), timezone.now()
    rows = path_states.paths(site, now, policy=query.policy, node=query.node, state=query.state, text=query.q)
    light = None
    if query.state is None:
        light = path_states.labelled_paths(site, policy=query.policy, node=query.node, text=query.q)
    shown, following = query.rows(rows, SORTS, "name", light)
    return Page(items=_paths_out(site, shown, now), next=following)


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
