"""Events grouped by cause, in PostgreSQL: any number of events gives a page of groups in three queries.

An event belongs to the root incident whose interval covers it and whose incidents, paths, links or nodes it
is about. Other events belong together if they are about the same gateway, node or change and follow each
other within `TOGETHER_S`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import worst_of
from backstay.core.alerting.event_groups import Cause, EventGroup
from backstay.core.diagnosis.faults.fault import FaultKind
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.state import State
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.models import Event

MAX_EVENTS = 20_000
"""Maximum number of events that are grouped, newest first; `EventGroupPage.since`: where they begin."""
MAX_INCIDENTS = 5_000
"""Newest incidents of a range that are considered as causes."""
TOGETHER_S = 60
"""Longest pause between two events of one group without a cause."""
BEFORE_S, AFTER_S = 10, 60
"""An incident covers events so long before it opened and after it resolved: reports arrive in any order, and
paths return after their gateway."""
RENAMED_S = 5
"""Longest pause between two causes of one gateway that are the same fault: the evaluation that ends one
begins the other, or a few probes later."""
PATH_MOVES = (EventKind.PATH_SWITCHED, EventKind.PATH_LOST, EventKind.PATH_DEAD, EventKind.PATH_RESTORED)
CHANGES = (
    *PATH_MOVES,
    EventKind.PATH_OVERRIDDEN,
    EventKind.PORT_DOWN,
    EventKind.PORT_UP,
    EventKind.NODE_RESTARTED,
    EventKind.NODE_RELEASED,
    EventKind.NODE_REVERTED,
    EventKind.NODE_HELD,
    EventKind.NODE_HOLD_ENDED,
    EventKind.NODE_HOLD_FAILED,
    EventKind.CHANGE_DONE,
    EventKind.CHANGE_ROLLED_BACK,
    EventKind.CHANGE_STOPPED,
    EventKind.CHANGE_FAILED,
)
"""Kinds of events that change the network."""
WHAT_HAPPENED: Mapping[str, str] = {
    "gateway_failed_over": "failed over",
    "node_stale": "is not reporting",
    "port_down": "is down",
}
"""What happens to an incident's subject while it lasts, by kind of rule. Others show the incident's title."""
FAULTS = frozenset(FaultKind)
"""Kinds of root causes; their titles are `grf1 lost all links: 7 paths rerouted to atmgw`."""
_CAUSES = (*FAULTS, "node_stale", "gateway_failed_over", "port_down")
"""Kinds that explain an event rather than any other incident that covers it."""
_OF_NODE = ("node_stale", "gateway_isolated", "gateway_unreachable", "node_unreachable")
"""Kinds whose incidents cover events of their node: its ports and restarts."""
_OF_GATEWAY = ("gateway_isolated", "gateway_unreachable", "gateway_not_forwarding")
"""Kinds of one gateway that are one cause when one follows the other, as more becomes known. Those that last
name it, or all once none does: of these, that with the lowest place."""
_OF_LINK = ("port_down", "link_down", "circuit")
"""Kinds whose incidents cover events of their link."""

_GROUPS = """
WITH chosen AS MATERIALIZED (
    SELECT event.*, split_part(event.kind, '.', 1) AS noun, event.kind = ANY(%(moves)s) AS is_move,
           event.severity <> 'ok' AS is_bad,
           (event.data->>'path_id')::bigint AS path_id,
           (event.data->>'outage_ms')::float8 AS outage_ms,
           CASE WHEN event.kind = 'path.switched' AND event.severity = 'ok' OR event.kind = 'path.restored'
                THEN coalesce(event.data->>'to', event.data->>'active')
                ELSE coalesce(event.data->>'from', event.data->>'active') END AS gateway,
           CASE WHEN event.kind = 'path.switched' AND event.severity <> 'ok'
                THEN event.data->>'to' END AS onto
    FROM ({events}) AS event
),
family AS MATERIALIZED (
    SELECT incident.id, coalesce(incident.cause_id, incident.id) AS root, incident.node_id,
           incident.link_id, coalesce(incident.flapping_since, incident.opened_at) AS opened_at,
           incident.resolved_at, rule.kind
    FROM alerts_incident AS incident JOIN alerts_siterule AS rule ON rule.id = incident.rule_id
    WHERE incident.site_id = %(site)s AND incident.phase <> 'pending'
      AND coalesce(incident.flapping_since, incident.opened_at)
          <= (SELECT max(at) FROM chosen) + %(before)s * interval '1 second'
      AND (incident.resolved_at IS NULL
           OR incident.resolved_at >= (SELECT min(at) FROM chosen) - %(after)s * interval '1 second')
    ORDER BY incident.opened_at DESC, incident.id DESC LIMIT %(incidents)s
),
chains AS (
    SELECT *, sum(is_first::int) OVER (PARTITION BY node_id ORDER BY opened_at, id) AS chain
    FROM (SELECT *, coalesce(opened_at > %(renamed)s * interval '1 second'
                 + max(coalesce(resolved_at, 'infinity')) OVER (
                       PARTITION BY node_id ORDER BY opened_at, id
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS is_first
          FROM family WHERE id = root AND node_id IS NOT NULL AND kind = ANY(%(of_gateway)s)) AS roots
),
leaders AS (
    SELECT id, first_value(id) OVER (PARTITION BY node_id, chain ORDER BY resolved_at IS NOT NULL,
                                     array_position(%(of_gateway)s, kind::text), opened_at, id) AS leader
    FROM chains
),
members AS MATERIALIZED (
    SELECT family.id, coalesce(leader, root) AS root, node_id, link_id, opened_at, resolved_at, kind
    FROM family LEFT JOIN leaders ON leaders.id = family.root
),
spans AS (
    SELECT root, min(opened_at) AS opened_at, bool_or(id = root AND kind = ANY(%(causes)s)) AS is_cause,
           CASE WHEN bool_and(resolved_at IS NOT NULL) THEN max(resolved_at) END AS resolved_at
    FROM members GROUP BY root
),
objects AS (
    SELECT root, 'incident' AS type, id AS ident FROM members
    UNION SELECT root, 'incident', root FROM members
    UNION SELECT members.root, 'path', link.path_id
          FROM members JOIN alerts_incident_paths AS link ON link.incident_id = members.id
    UNION SELECT root, 'link', link_id FROM members WHERE link_id IS NOT NULL AND kind = ANY(%(of_link)s)
    UNION SELECT root, 'node', node_id FROM members WHERE node_id IS NOT NULL AND kind = ANY(%(of_node)s)
),
concerns AS (
    SELECT id, at, 'incident' AS type, incident_id AS ident FROM chosen WHERE incident_id IS NOT NULL
    UNION ALL SELECT id, at, 'path', path_id FROM chosen WHERE path_id IS NOT NULL AND is_move
    UNION ALL SELECT id, at, 'link', link_id FROM chosen WHERE link_id IS NOT NULL AND noun = 'port'
    UNION ALL SELECT id, at, 'node', node_id FROM chosen WHERE noun IN ('port', 'node')
),
causes AS (
    SELECT DISTINCT ON (concern.id) concern.id, span.*
    FROM concerns AS concern JOIN objects AS object USING (type, ident) JOIN spans AS span USING (root)
    WHERE concern.at >= span.opened_at - %(before)s * interval '1 second'
      AND (span.resolved_at IS NULL OR concern.at <= span.resolved_at + %(after)s * interval '1 second')
    ORDER BY concern.id, concern.type <> 'incident', NOT span.is_cause,
             concern.at < span.opened_at OR coalesce(concern.at > span.resolved_at, false),
             span.opened_at DESC, span.root DESC
),
named AS (
    SELECT chosen.*, cause.root, cause.opened_at, cause.resolved_at,
           CASE WHEN cause.root IS NOT NULL THEN 'incident:' || cause.root
                WHEN is_move THEN 'gateway:' || coalesce(nullif(gateway, ''), data->>'policy', '')
                WHEN noun = 'port' THEN 'ports:' || coalesce(node_id::text, subject)
                WHEN noun = 'change' THEN 'change:' || coalesce(data->>'change_id', subject)
                WHEN noun = 'drill' THEN 'drill:' || coalesce(data->>'drill_id', subject)
                WHEN noun = 'test_run' THEN 'test_run:' || coalesce(data->>'run_id', subject)
                WHEN noun = 'incident' THEN 'incident:' || incident_id
                ELSE kind || ':' || coalesce(node_id::text, subject) END AS bucket,
           cause.root IS NOT NULL OR noun IN ('change', 'drill', 'test_run', 'incident') AS is_whole
    FROM chosen LEFT JOIN causes AS cause USING (id)
),
parted AS (
    SELECT *, sum(is_first::int) OVER (PARTITION BY bucket ORDER BY at, id) AS part
    FROM (SELECT *, NOT is_whole AND coalesce(
                     at - lag(at) OVER (PARTITION BY bucket ORDER BY at, id)
                     > %(together)s * interval '1 second', true) AS is_first FROM named) AS gaps
),
keyed AS MATERIALIZED (
    SELECT *, CASE WHEN is_whole THEN bucket
                   ELSE bucket || ':' || min(id) OVER (PARTITION BY bucket, part) END AS key
    FROM parted
)
"""
_PAGE = """,
paths AS (
    SELECT key, path_id, bool_or(kind = 'path.switched' AND is_bad) AS rerouted,
           bool_or(kind IN ('path.dead', 'path.lost')) AS dead,
           (array_agg(is_bad ORDER BY at DESC, id DESC))[1] AS affected,
           (array_agg(kind ORDER BY at DESC, id DESC))[1] AS last_kind,
           max(at) > max(resolved_at) AS is_later
    FROM keyed WHERE is_move AND path_id IS NOT NULL GROUP BY key, path_id
),
path_totals AS (
    SELECT key, count(*) AS paths,
           count(*) FILTER (WHERE rerouted AND last_kind NOT IN ('path.dead', 'path.lost')) AS rerouted,
           count(*) FILTER (WHERE dead AND (NOT rerouted OR last_kind IN ('path.dead', 'path.lost'))) AS dead,
           count(*) FILTER (WHERE affected) AS affected,
           count(*) FILTER (WHERE last_kind IN ('path.dead', 'path.lost')) AS dead_now,
           count(*) FILTER (WHERE affected AND is_later) AS affected_later
    FROM paths GROUP BY key
),
port_totals AS (
    SELECT key, count(*) AS ports, count(*) FILTER (WHERE down) AS ports_down
    FROM (SELECT key, subject, (array_agg(kind ORDER BY at DESC, id DESC))[1] = 'port.down' AS down
          FROM keyed WHERE noun = 'port' GROUP BY key, subject) AS ports
    GROUP BY key
),
totals AS (
    SELECT key, max(root) AS root, max(opened_at) AS opened_at, max(resolved_at) AS resolved_at,
           count(*) AS events, min(at) AS first_at, max(at) AS last_at,
           (array_agg(id ORDER BY at DESC, id DESC))[1] AS newest,
           CASE WHEN bool_or(severity = 'critical') THEN 'critical'
                WHEN bool_or(severity = 'warning') THEN 'warning' ELSE 'ok' END AS worst,
           array_agg(DISTINCT kind) AS kinds, max(outage_ms) AS outage_ms,
           (array_agg(gateway ORDER BY is_bad DESC, at, id) FILTER (WHERE is_move))[1] AS gateway,
           array_remove(array_agg(DISTINCT onto), NULL) AS onto,
           CASE WHEN count(DISTINCT node_id) = 1 THEN min(node_id) END AS node_id
    FROM keyed GROUP BY key
)
SELECT totals.*, coalesce(paths, 0), coalesce(rerouted, 0), coalesce(dead, 0), coalesce(affected, 0),
       coalesce(dead_now, 0), coalesce(affected_later, 0), coalesce(ports, 0), coalesce(ports_down, 0),
       (SELECT count(*) FROM totals),
       (SELECT CASE WHEN count(*) >= %(events)s THEN min(at) END FROM chosen), node.name
FROM totals LEFT JOIN path_totals USING (key) LEFT JOIN port_totals USING (key)
LEFT JOIN inventory_node AS node ON node.id = totals.node_id
WHERE %(before_at)s::timestamptz IS NULL OR (last_at, newest) < (%(before_at)s, %(before_id)s)
ORDER BY last_at DESC, newest DESC LIMIT %(limit)s
"""
_COLUMNS = (
    "key", "root", "opened_at", "resolved_at", "events", "first_at", "last_at", "newest", "worst", "kinds",
    "outage_ms", "gateway", "onto", "node_id", "paths", "rerouted", "dead", "affected",
    "dead_now", "affected_later", "ports", "ports_down", "total", "since", "node",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EventGroupPage:
    """Groups by their newest event, newest first."""

    groups: list[tuple[EventGroup, Event]]
    """With the newest event of each."""
    total: int
    """Groups of all pages."""
    since: datetime | None
    """Only events from here on are grouped, because the range has more than `MAX_EVENTS`; None: all are."""


def event_groups(
    site: Site, chosen: QuerySet[Event], limit: int, after: tuple[datetime, int] | None = None
) -> EventGroupPage:
    """A page of groups of these events of the site; `after`: newest event of the last group before it."""
    before_at, before_id = after or (None, None)
    page = {"limit": limit, "before_at": before_at, "before_id": before_id}
    with read_transaction():
        rows = [dict(zip(_COLUMNS, row, strict=True)) for row in _query(site, chosen, _PAGE, page)]
        roots = _causes(row["root"] for row in rows)
        newest = Event.objects.select_related("node").in_bulk([row["newest"] for row in rows])
    groups = [(_group(row, newest[row["newest"]], roots), newest[row["newest"]]) for row in rows]
    return EventGroupPage(groups, rows[0]["total"] if rows else 0, rows[0]["since"] if rows else None)


def events_of_group(site: Site, chosen: QuerySet[Event], key: str) -> list[int]:
    """Ids of the events of one group; empty if there is none with this key."""
    rows = _query(site, chosen, "SELECT id FROM keyed WHERE key = %(key)s", {"key": key})
    return [ident for (ident,) in rows]


def _query(
    site: Site, chosen: QuerySet[Event], statement: str, more: Mapping[str, Any]
) -> Sequence[tuple[Any, ...]]:
    events = (
        chosen.select_related(None)
        .order_by("-at", "-pk")
        .values("id", "kind", "severity", "at", "node_id", "link_id", "incident_id", "subject", "data")[
            :MAX_EVENTS
        ]
    )
    inner, given = events.query.sql_with_params()
    values = {f"event_{place}": value for place, value in enumerate(given)}
    named = inner % tuple(f"%({name})s" for name in values)
    known: dict[str, Any] = {
        "site": site.pk, "moves": list(PATH_MOVES), "of_link": list(_OF_LINK), "of_node": list(_OF_NODE),
        "of_gateway": list(_OF_GATEWAY), "renamed": RENAMED_S,
        "causes": list(_CAUSES), "before": BEFORE_S, "after": AFTER_S, "together": TOGETHER_S,
        "events": MAX_EVENTS, "incidents": MAX_INCIDENTS,
    }  # fmt: skip
    return fetch_rows(_GROUPS.replace("{events}", named) + statement, known | values | dict(more))


def _causes(roots: Iterable[int | None]) -> dict[int, Cause]:
    """Root incident id -> cause; two queries."""
    wanted = {root for root in roots if root is not None}
    if not wanted:
        return {}
    rows = Incident.objects.filter(pk__in=wanted).select_related("rule")
    worst = worst_of(wanted)
    return {row.pk: Cause(row.pk, cause_text(row), worst.get(row.pk, _state(row))) for row in rows}


def _state(incident: Incident) -> State:
    return "critical" if incident.severity == "critical" else "warning"


def cause_text(incident: Incident) -> str:
    """What happened, without numbers: they are the group's."""
    if incident.rule.kind in FAULTS:
        return incident.title.partition(": ")[0]
    past = WHAT_HAPPENED.get(incident.rule.kind)
    return f"{incident.subject} {past}" if past else incident.title


def _group(row: Mapping[str, Any], newest: Event, roots: Mapping[int, Cause]) -> EventGroup:
    cause = roots.get(row["root"])
    starts = (row["first_at"], row["opened_at"] if cause else None)
    last_at: datetime = row["last_at"]
    end = last_at if cause is None else _later(row["resolved_at"], last_at)
    rerouted, dead, affected = _paths(row, is_caused=cause is not None, is_ongoing=end is None)
    return EventGroup(
        start=min(at for at in starts if at is not None),
        end=end,
        cause=cause,
        message=newest.message,
        onto=tuple(row["onto"]),
        kinds=tuple(row["kinds"]),
        node=row["node"] or "",
        gateway=row["gateway"] or "",
        rerouted=rerouted,
        dead=dead,
        affected=affected,
        **{name: row[name] for name in _PLAIN},
    )


def _paths(row: Mapping[str, Any], *, is_caused: bool, is_ongoing: bool) -> tuple[int, int, int]:
    """Rerouted, dead and affected paths: those of now while the group lasts, else those of all its time."""
    if is_ongoing:
        return row["affected"] - row["dead_now"], row["dead_now"], row["affected"]
    # What a cause did is over when it is, even if events of the recovery are missing.
    return row["rerouted"], row["dead"], row["affected_later" if is_caused else "affected"]


_PLAIN = (
    "key", "events", "first_at", "last_at", "worst", "paths", "ports", "ports_down", "outage_ms",
)  # fmt: skip


def _later(resolved: datetime | None, last_at: datetime) -> datetime | None:
    """When everything was over; None while the cause lasts."""
    return None if resolved is None else max(resolved, last_at)
