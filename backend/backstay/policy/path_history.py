"""History of paths: switches, time on fallback, outages, decisions and segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from backstay.core.errors import Invalid
from backstay.inventory.models import Site
from backstay.policy.models import Decision, Path, PathSwitch
from backstay.policy.selectors import PathState, Policy

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
YEAR = timedelta(days=366)
MAX_SWITCHES = 10_000


@dataclass(frozen=True, slots=True)
class Moves:
    """Switches of a path in the last day and week, and the newest measured outage."""

    day: int = 0
    week: int = 0
    last_outage_ms: float | None = None
    last_outage_at: datetime | None = None


_MOVES = """
    SELECT switch.path_id, count(*) FILTER (WHERE switch.at > %s), count(*) FILTER (WHERE switch.at > %s),
           (array_agg(switch.outage_ms ORDER BY switch.at DESC)
                FILTER (WHERE switch.outage_ms IS NOT NULL))[1],
           max(switch.at) FILTER (WHERE switch.outage_ms IS NOT NULL)
    FROM policy_pathswitch AS switch
    JOIN policy_path AS path ON path.id = switch.path_id
    JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
    WHERE policy.site_id = %s
    GROUP BY switch.path_id
"""
_AWAY = """
    SELECT turn.path_id,
           sum(extract(epoch FROM turn.until - turn.at)) FILTER (WHERE turn.to_gateway <> ALL (turn.home))
           + coalesce(sum(extract(epoch FROM turn.at - %(start)s::timestamptz))
                      FILTER (WHERE turn.first AND turn.from_gateway <> ALL (turn.home)), 0)
    FROM (SELECT switch.path_id, switch.at, switch.from_gateway, switch.to_gateway,
                 coalesce(lead(switch.at) OVER line, %(now)s) AS until,
                 row_number() OVER line = 1 AS first, ARRAY['', wanted.home] AS home
          FROM policy_pathswitch AS switch
          JOIN unnest(%(paths)s::bigint[], %(homes)s::text[]) AS wanted (path_id, home)
               ON wanted.path_id = switch.path_id
          WHERE switch.at > %(start)s AND switch.at <= %(now)s
          WINDOW line AS (PARTITION BY switch.path_id ORDER BY switch.at, switch.id)) AS turn
    GROUP BY turn.path_id
"""
_DECIDED = """
    SELECT DISTINCT ON (decision.path_id) decision.* FROM policy_decision AS decision
    WHERE decision.path_id = ANY(%s) ORDER BY decision.path_id, decision.at DESC, decision.id DESC
"""


def moves(site: Site, now: datetime) -> dict[int, Moves]:
    """Path id -> switches; one query. Paths without switches are left out."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVES, [now - DAY, now - WEEK, site.pk])
        return {path: Moves(*values) for path, *values in cursor.fetchall()}


def seconds_away(paths: Iterable[PathState], policies: dict[int, Policy], now: datetime) -> dict[int, float]:
    """Path id -> seconds of the last day on another gateway than the preferred one; one query."""
    start = now - DAY
    homes: dict[int, str] = {}
    found: dict[int, float] = {}
    for path in paths:
        policy = policies[path.policy_id]
        home = path.preferred(policy)
        if home is None:
            continue
        homes[path.id] = policy.gateways[home]
        if path.on_fallback(policy) and path.since is not None:
            found[path.id] = max((now - max(path.since, start)).total_seconds(), 0.0)
    with connection.cursor() as cursor:
        known: dict[str, Any] = {"start": start, "now": now, "paths": [*homes], "homes": [*homes.values()]}
        cursor.execute(_AWAY, known)
        found |= {path: float(away or 0.0) for path, away in cursor.fetchall()}
    return found


def decided(paths: Iterable[int]) -> dict[int, Decision]:
    """Path id -> newest checker decision; one query."""
    rows = Decision.objects.raw(_DECIDED, [list(paths)])
    return {row.path_id: row for row in rows}


def start_of(since: datetime | None, now: datetime) -> datetime:
    """Start of a timeline: default one day ago, at most one year ago. Invalid."""
    if since is None:
        return now - DAY
    if since.tzinfo is None:
        raise Invalid("since has no time zone.", fields={"since": "a time with zone, 2026-01-31T12:00:00Z"})
    if since >= now:
        raise Invalid("since is in the future.", fields={"since": "a time in the past"})
    return max(since, now - YEAR)


def timeline(path: Path, start: datetime, now: datetime) -> list[Segment]:
    """The path's segments from `start` to `now`."""
    rows = PathSwitch.objects.filter(path=path, at__gt=start, at__lte=now).order_by("at", "pk")
    values = rows.values_list("at", "from_gateway", "to_gateway", "outage_ms")[:MAX_SWITCHES]
    return build_segments([SwitchRecord(*row) for row in values], path.active_text, path.since, start, now)


@dataclass(frozen=True, slots=True)
class SwitchRecord:
    """One recorded switch of a path."""

    at: datetime
    from_gateway: str
    to_gateway: str
    outage_ms: float | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A period on one gateway; empty: no route."""

    gateway: str
    start: datetime
    end: datetime
    outage_ms: float | None
    """Of the switch at its start; None: not measured, or before the requested range."""


def build_segments(
    switches: Sequence[SwitchRecord],
    active: str,
    known_since: datetime | None,
    start: datetime,
    now: datetime,
) -> list[Segment]:
    """Contiguous segments from `start` to `now`. `switches`: since `start`, oldest first.

    `active`: the current gateway; `known_since`: its first report. Earlier times without a recorded switch
    are left out.
    """
    if not switches:
        begin = start if known_since is None else max(start, known_since)
        return [] if known_since is None or begin >= now else [Segment(active, begin, now, None)]
    found = []
    if switches[0].at > start:
        found.append(Segment(switches[0].from_gateway, start, switches[0].at, None))
    for place, switch in enumerate(switches):
        end = switches[place + 1].at if place + 1 < len(switches) else now
        if end > switch.at:
            found.append(Segment(switch.to_gateway, switch.at, end, switch.outage_ms))
    return found
