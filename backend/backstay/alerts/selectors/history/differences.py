"""What differs at a site between two moments: net differences, not everything that happened in between.

Read from events, switches of paths and incidents: the cost grows with what happened, not with the site. The
first event of an object in the range says what it was before, and the last one what it is at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet, Value
from django.db.models.functions import Concat

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import SHOWN, unresolved_at
from backstay.core.formatting import count, listing
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Port, Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.models import Event
from backstay.telemetry.selectors.events import events

T = TypeVar("T")
M = TypeVar("M", bound=Model)

MOST = 100
"""Items of one list; the others are counted."""
MOST_NAMES = 5
"""Nodes that a group of paths names."""
BECAME = {
    EventKind.PORT_UP: ("down", "up"),
    EventKind.PORT_DOWN: ("up", "down"),
    EventKind.NODE_REPORTING: ("not reporting", "reporting"),
    EventKind.NODE_STALE: ("reporting", "not reporting"),
}
"""Kind of event -> the state before and after it."""
REPORTS = frozenset(BECAME[EventKind.NODE_STALE])
"""States of nodes; the others are of ports."""
ACTIONS = (
    EventKind.CHANGE_DONE,
    EventKind.CHANGE_ROLLED_BACK,
    EventKind.CHANGE_STOPPED,
    EventKind.CHANGE_FAILED,
    EventKind.POLICY_CREATED,
    EventKind.POLICY_CHANGED,
    EventKind.POLICY_DELETED,
    EventKind.ARP_POLICY_CREATED,
    EventKind.ARP_POLICY_CHANGED,
    EventKind.ARP_POLICY_DELETED,
    EventKind.DRIFT_APPEARED,
    EventKind.DRIFT_GONE,
    EventKind.PATH_MOVED,
    EventKind.PATH_OVERRIDDEN,
    EventKind.NODE_RELEASED,
    EventKind.NODE_MANAGED,
    EventKind.NODE_RESTARTED,
    EventKind.NODE_HELD,
    EventKind.NODE_HOLD_ENDED,
    EventKind.SITE_IMPORTED,
    EventKind.AGENT_ENROLLED,
    EventKind.CLOCK_STEPPED,
    EventKind.LINK_FOUND,
    EventKind.LINK_GONE,
    EventKind.LINK_MOVED,
)
"""What people or devices changed, and what the other lists do not have."""

# One scan of the range by `event_newest`.
_OBJECTS = """
    SELECT subject, turns[1], turns[cardinality(turns)], last_at, node_id
    FROM (SELECT subject, array_agg(kind ORDER BY at, id) AS turns, max(at) AS last_at,
                 max(node_id) AS node_id
          FROM telemetry_event
          WHERE site_id = %(site)s AND at > %(start)s AND at <= %(end)s AND kind = ANY (%(kinds)s)
          GROUP BY subject) AS object
    ORDER BY subject
"""
_PATHS = """
    SELECT policy.id, policy.name, moved.was, moved.is, count(*), max(moved.last_at),
           (array_agg(node.name ORDER BY node.name))[1:%(names)s]
    FROM (SELECT path_id, (array_agg(from_gateway ORDER BY at, id))[1] AS was,
                 (array_agg(to_gateway ORDER BY at DESC, id DESC))[1] AS is, max(at) AS last_at
          FROM policy_pathswitch WHERE at > %(start)s AND at <= %(end)s GROUP BY path_id) AS moved
    JOIN policy_path AS path ON path.id = moved.path_id
    JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
    JOIN inventory_node AS node ON node.id = path.node_id
    WHERE policy.site_id = %(site)s
    GROUP BY policy.id, policy.name, moved.was, moved.is
    ORDER BY count(*) DESC, policy.name, moved.was, moved.is
"""


@dataclass(frozen=True, slots=True)
class ObjectDifference:
    """A port or node that is not as it was."""

    name: str
    before: str
    after: str
    at: datetime
    """Of its last change in the range."""
    node_id: int | None
    port_id: int | None = None


@dataclass(frozen=True, slots=True)
class PathDifference:
    """Paths of one policy that use another gateway than before."""

    policy_id: int
    policy: str
    before: str
    """Name of a gateway; empty: none."""
    after: str
    paths: int
    at: datetime
    nodes: Sequence[str]
    """The first few."""


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """The first items of a list, and the number of all."""

    items: Sequence[T]
    total: int


@dataclass(frozen=True, slots=True)
class Differences:
    """A site at `end` compared with `start`."""

    start: datetime
    end: datetime
    opened: Listed[Incident]
    """Root causes that lasted at the end, and did not at the start."""
    resolved: Listed[Incident]
    """Root causes that lasted at the start, and did not at the end."""
    passed: int
    """Root causes that opened and were resolved in between."""
    nodes: Listed[ObjectDifference]
    ports: Listed[ObjectDifference]
    paths: Listed[PathDifference]
    """Groups of paths; `total` counts the groups."""
    moved_paths: int
    """Paths of all groups."""
    returned: int
    """Objects and paths that changed, and are as they were."""
    actions: Listed[Event]
    """Newest first."""

    @property
    def headline(self) -> str:
        """One sentence with numbers."""
        parts = [
            count(number, noun)
            for number, noun in (
                (self.opened.total, "new incident"),
                (self.resolved.total, "resolved incident"),
                (self.nodes.total, "node"),
                (self.ports.total, "port"),
                (self.moved_paths, "path"),
                (self.actions.total, "change or action"),
            )
            if number
        ]
        if parts:
            return f"Different: {listing(parts)}."
        returned = f"; {count(self.returned, 'object')} changed and returned" if self.returned else ""
        return f"Nothing is different{returned}."


def differences(site: Site, start: datetime, end: datetime) -> Differences:
    """Compare two moments; ten queries for any site."""
    values = {"site": site.pk, "start": start, "end": end}
    objects = [
        ObjectDifference(subject, BECAME[EventKind(first)][0], BECAME[EventKind(last)][1], at, node)
        for subject, first, last, at, node in fetch_rows(_OBJECTS, {**values, "kinds": list(BECAME)})
    ]
    changed = [item for item in objects if item.before != item.after]
    groups = [PathDifference(*row) for row in fetch_rows(_PATHS, {**values, "names": MOST_NAMES})]
    moved = [group for group in groups if group.before != group.after]
    roots = Incident.objects.filter(SHOWN, site=site, cause=None).order_by("-opened_at", "-pk")
    actions = events(site, start=start, end=end, kind__in=ACTIONS).order_by("-at", "-pk")
    return Differences(
        start,
        end,
        opened=_rows(roots.filter(unresolved_at(end), opened_at__gt=start)),
        resolved=_rows(roots.filter(unresolved_at(start), resolved_at__lte=end)),
        passed=roots.filter(opened_at__gt=start, resolved_at__lte=end).count(),
        nodes=_first([item for item in changed if item.after in REPORTS]),
        ports=_ports(site, [item for item in changed if item.after not in REPORTS]),
        paths=_first(moved),
        moved_paths=_paths(moved),
        returned=len(objects) - len(changed) + _paths(groups) - _paths(moved),
        actions=_rows(actions),
    )


def _paths(groups: Sequence[PathDifference]) -> int:
    return sum(group.paths for group in groups)


def _first(items: Sequence[T]) -> Listed[T]:
    return Listed(items[:MOST], len(items))


def _rows(rows: QuerySet[M]) -> Listed[M]:
    """The first rows, and the number of all; the second query only if there are more."""
    found = list(rows[: MOST + 1])
    return Listed(found[:MOST], rows.count() if len(found) > MOST else len(found))


def _ports(site: Site, items: Sequence[ObjectDifference]) -> Listed[ObjectDifference]:
    """With the ids of the ports that still exist; one query."""
    first = items[:MOST]
    known = Port.objects.filter(node__site=site, node__in={item.node_id for item in first})
    rows = known.annotate(subject=Concat("node__name", Value(":"), "name"))
    ids = dict(rows.filter(subject__in=[item.name for item in first]).values_list("subject", "pk"))
    return Listed([replace(item, port_id=ids.get(item.name)) for item in first], len(items))
