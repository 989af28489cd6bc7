"""A device's current routes; only differences are written, with a fixed number of statements per report.

A whole table older than the stored one is ignored, as is a route change older than the newest whole table. A
newer change leaves rows alone that are newer still; the next whole table corrects what changes out of order
may leave behind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from backstay.telemetry.ingest import store
from backstay.telemetry.models import NodeState
from backstay.telemetry.states.tables import plain
from backstay_wire import Route as WireRoute
from backstay_wire import RouteReport

HopKey = tuple[str, str, int, str | None, str]
"""Prefix, protocol, metric, via, port: identifies a next hop of a node."""
RouteKey = tuple[str, int]
"""Prefix and metric: rows of both are what the kernel replaces (rtnetlink(7), RTM_NEWROUTE)."""

_ALL = "SELECT id, prefix, protocol, metric, host(via), port, since FROM telemetry_route WHERE node_id = %s"
_OF = """
SELECT known.id, known.prefix, known.protocol, known.metric, host(known.via), known.port, known.since
FROM (SELECT DISTINCT * FROM unnest(%s::text[], %s::bigint[]) AS reported (prefix, metric)) AS reported
JOIN telemetry_route AS known ON known.node_id = %s
    AND known.prefix = reported.prefix AND known.metric = reported.metric
"""
_GONE = "DELETE FROM telemetry_route WHERE id = ANY(%s::bigint[]) RETURNING 1"
_NEW = """
INSERT INTO telemetry_route (node_id, prefix, protocol, metric, via, port, since)
SELECT %s, reported.*, %s
FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::inet[], %s::text[])
    AS reported (prefix, protocol, metric, via, port)
RETURNING 1
"""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A stored next hop."""

    id: int
    prefix: str
    protocol: str
    metric: int
    via: str | None
    port: str
    since: datetime

    @property
    def hop(self) -> HopKey:
        return self.prefix, self.protocol, self.metric, self.via, self.port

    @property
    def route(self) -> RouteKey:
        return self.prefix, self.metric


def apply_routes(node: int, report: RouteReport, at: datetime) -> None:
    """Store a whole routing table, or one change."""
    state = NodeState.objects.select_for_update().get(node_id=node)
    if state.routes_at is not None and at < state.routes_at:
        return
    if report.complete:
        NodeState.objects.filter(pk=state.pk).update(routes_at=at)
        _replace(node, _stored(_ALL, [node]), report.routes, at)
        return
    if report.removed:
        _replace(node, [row for row in _of(node, report.removed) if row.since <= at], [], at)
    if report.routes:
        known = _of(node, report.routes)
        newer = {row.prefix for row in known if row.since > at}
        fresh = [route for route in report.routes if str(route.prefix) not in newer]
        wanted = {_key(route) for route in fresh}
        _replace(node, [row for row in known if row.route in wanted], fresh, at)


def _key(route: WireRoute) -> RouteKey:
    return str(route.prefix), route.metric


def _of(node: int, routes: Iterable[WireRoute]) -> list[_Stored]:
    """Stored rows of the same prefix and metric."""
    keys = [_key(route) for route in routes]
    return _stored(_OF, [[prefix for prefix, _ in keys], [metric for _, metric in keys], node])


def _stored(statement: str, values: Sequence[object]) -> list[_Stored]:
    return [_Stored(*row) for row in store.query(statement, values)]


def _replace(node: int, known: Collection[_Stored], routes: Iterable[WireRoute], at: datetime) -> None:
    """Replace the known rows of a node; unchanged rows keep their `since`."""
    wanted: set[HopKey] = {key for route in routes for key in _hops(route)}
    gone = [row.id for row in known if row.hop not in wanted]
    new = sorted(wanted - {row.hop for row in known}, key=str)
    if gone:
        store.query(_GONE, [gone])
    if new:
        columns = [[hop[place] for hop in new] for place in range(5)]
        store.query(_NEW, [node, at, *columns])


def _hops(route: WireRoute) -> list[HopKey]:
    head = (str(route.prefix), route.protocol, route.metric)
    return [(*head, plain(hop.via) if hop.via else None, hop.port) for hop in route.next_hops] or [
        (*head, None, "")
    ]
