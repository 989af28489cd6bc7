"""Paths of a list in groups, computed by PostgreSQL: 10,000 paths that failed over together are one row.

Paths of one group have the same policy, gateways, states, standby and root cause. Paths that left their
preferred gateway, or died on it, also did so together: without a pause of more than `TOGETHER_S`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from backstay.alerts.models import Incident
from backstay.alerts.selectors.event_groups import cause_text
from backstay.alerts.selectors.path_groups import IS_DEPLOYED, STANDBYS_OF_PATHS
from backstay.core.model.progress import Phase
from backstay.core.model.state import PATH_STANDBYS, WORST_FIRST, EndToEnd, PathStandby, Placement, State
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import state_text
from backstay.policy.models import Path

TOGETHER_S = 60
"""Longest pause between two paths of one group that moved."""
SORTS: Mapping[str, str] = {
    "state": "rank * 1e11 - coalesce(extract(epoch FROM last_at), 0)",
    "policy": "0",
    "paths": "paths",
    "since": "extract(epoch FROM first_at)",
    "last_outage_ms": "outage_key",
    "switches_24h": "switches_24h",
}
"""Field -> expression to sort by; `state`: the worst first, of equal states the one that moved last."""
_RANKS = " ".join(f"WHEN '{state}' THEN {rank}" for state, rank in WORST_FIRST.items())
_PREFERRED = "(array_agg(name ORDER BY place))[1] AS preferred,"
_STANDBYS = STANDBYS_OF_PATHS.format(paths="listed", where="true", columns=_PREFERRED)
_IS_DEPLOYED = IS_DEPLOYED.replace("path.", "listed.")
# MATERIALIZED: states are decided once for each path.
_KEYED = f"""
WITH listed AS MATERIALIZED ({{listed}}),
{_STANDBYS},
causes AS (
    SELECT DISTINCT ON (link.path_id) link.path_id,
        CASE WHEN {{lasts}} THEN cause.id ELSE incident.id END AS cause_id
    FROM alerts_incident AS incident
    JOIN alerts_incident_paths AS link ON link.incident_id = incident.id
    LEFT JOIN alerts_incident AS cause ON cause.id = incident.cause_id
    WHERE incident.site_id = %s AND ({{is_open}})
    ORDER BY link.path_id, cause.id IS NULL, incident.opened_at, incident.id
),
known_path AS (
    SELECT listed.id, listed.policy_id, listed.active_text, listed.since, listed.end_to_end, listed.placement,
        listed.status, listed.last_outage_key, listed.switches_24h,
        policy.name AS policy, policy.prefix, path.preferred,
        {{is_deployed}} AS is_deployed, {{standby}} AS standby,
        CASE WHEN listed.status <> 'ok' THEN causes.cause_id END AS cause_id,
        CASE WHEN listed.placement IN ('fallback', 'none') THEN listed.since
            WHEN listed.end_to_end = 'dead' THEN listed.target_since END AS moved_at
    FROM listed JOIN path ON path.id = listed.id
    JOIN policy_failoverpolicy AS policy ON policy.id = listed.policy_id
    LEFT JOIN causes ON causes.path_id = listed.id
),
parted AS (
    SELECT *, sum(is_first::int) OVER (PARTITION BY bucket ORDER BY moved_at, id) AS part
    FROM (
        SELECT *, coalesce(moved_at - lag(moved_at) OVER (PARTITION BY bucket ORDER BY moved_at, id)
            > {TOGETHER_S} * interval '1 second', false) AS is_first
        FROM (
            SELECT *, concat_ws(E'\\x1f', policy_id, preferred, active_text, placement, end_to_end = 'dead',
                moved_at IS NULL) AS bucket
            FROM known_path
        ) AS bucketed
    ) AS gaps
),
keyed AS MATERIALIZED (
    SELECT *, md5(concat_ws(E'\\x1f', bucket, min(id) OVER (PARTITION BY bucket, part), status, end_to_end,
        standby, is_deployed, coalesce(cause_id, 0))) AS key
    FROM parted
)
"""  # noqa: S608 - only tables of states and constants are put in
_PRESENT = {
    "is_open": f"incident.phase IN ('{Phase.OPEN}', '{Phase.ACKNOWLEDGED}')",
    "lasts": f"cause.phase <> '{Phase.RESOLVED}'",
    "is_deployed": f"({_IS_DEPLOYED})",
    "standby": state_text(PATH_STANDBYS),
}
"""What is asked of incidents, policies and standbys."""
_LASTS = "{0}.opened_at <= '{{at}}' AND coalesce({0}.resolved_at > '{{at}}', true)"
_PAST = {
    "is_open": f"incident.phase <> '{Phase.PENDING}' AND {_LASTS.format('incident')}",
    "lasts": f"cause.phase <> '{Phase.PENDING}' AND {_LASTS.format('cause')}",
    # History keeps neither which policies were deployed nor whether a standby could take over.
    "is_deployed": "CASE WHEN policy.origin = 'file' THEN true END",
    "standby": "NULL::text",
}
"""The same of the moment `at`."""
_PAST_PATHS = """
    SELECT id, policy_id, node_id, NULL::bigint AS active_id, active_then AS active_text,
        target_then AS target_alive, dead_since AS target_since, '{{}}'::jsonb AS liveness, "order",
        since_then AS since, end_to_end, placement, status, last_outage_key, switches_24h
    FROM ({paths}) AS past
"""
"""Rows of `paths_at` with the columns of a path."""
_PAGE = """,
grouped AS (
    SELECT key, policy_id, policy, prefix, is_deployed, coalesce(preferred, '') AS preferred, active_text,
        status, end_to_end, placement, standby, cause_id, count(*) AS paths, min(id) AS first_path,
        coalesce(min(moved_at), min(since)) AS first_at, max(moved_at) AS last_at,
        max(last_outage_key) AS outage_key,
        (array_agg(id ORDER BY last_outage_key DESC NULLS LAST, id))[1] AS outage_path,
        sum(switches_24h)::bigint AS switches_24h,
        CASE status {ranks} END AS rank
    FROM keyed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
),
ordered AS (
    SELECT *, coalesce(({sort})::float8, %s) AS sort_value,
        concat_ws(' ', policy, preferred, active_text, key) AS tie,
        count(*) OVER () AS total
    FROM grouped
)
SELECT key, policy_id, policy, prefix, is_deployed, preferred, active_text, status, end_to_end, placement,
    standby, paths, first_path, outage_path, switches_24h, first_at, last_at, cause_id, sort_value, tie, total
FROM ordered
WHERE %s::text IS NULL OR (sort_value, tie COLLATE "C") {beyond} (%s::float8, %s::text COLLATE "C")
ORDER BY sort_value {direction}, tie COLLATE "C" {direction} LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """Paths that are alike."""

    key: str
    """Names the group in requests for its paths, with the same filters."""
    policy_id: int
    policy: str
    prefix: str
    is_deployed: bool | None
    """False: the paths of a draft; None: of a past moment, not kept."""
    preferred: str
    """Empty: none."""
    active: str
    """Empty: no route."""
    state: State
    end_to_end: EndToEnd
    placement: Placement
    standby: PathStandby | None
    """None: of a past moment, not kept."""
    paths: int
    first_path: int
    """Lowest id."""
    outage_path: int
    """Id of the path with the longest last outage."""
    switches_24h: int
    """Of all paths."""
    first_at: datetime | None
    """When the first path moved or died; of other groups the longest time on the gateway."""
    last_at: datetime | None
    """When the last path moved or died; None: none did."""
    cause_id: int | None
    """Root incident."""
    sort_value: float
    tie: str


@dataclass(frozen=True, slots=True)
class GroupPage:
    """Groups of one page in the order of the sort."""

    groups: list[ListedGroup]
    total: int
    """Groups of all pages."""
    causes: dict[int, str]
    """Root incident id -> what happened."""


def listed_groups(
    site: Site,
    paths: QuerySet[Path],
    limit: int,
    *,
    sort: str,
    descending: bool,
    after: tuple[float, str] | None = None,
    at: datetime | None = None,
) -> GroupPage:
    """A page of groups of these rows of `path_states.paths`; two queries. Groups without a value come last.

    `at`: they are rows of `paths_at` of this moment.

    `after`: sort value and tie of the last group before the page.
    """
    value, tie = after or (0.0, None)
    statement = _PAGE.format(
        ranks=_RANKS,
        sort=SORTS[sort],
        beyond="<" if descending else ">",
        direction="DESC" if descending else "ASC",
    )
    last = -math.inf if descending else math.inf
    rows = _query(site, paths, statement, [last, tie, value, tie, limit], at)
    groups = [ListedGroup(*row[:-1]) for row in rows]
    causes = _causes(group.cause_id for group in groups)
    return GroupPage(groups, rows[0][-1] if rows else 0, causes)


def paths_of_group(site: Site, paths: QuerySet[Path], key: str, at: datetime | None = None) -> list[int]:
    """Ids of the paths of one group; empty if there is none with this key. `at`: as of `listed_groups`."""
    return [ident for (ident,) in _query(site, paths, "SELECT id FROM keyed WHERE key = %s", [key], at)]


_COMMON = (
    *("id", "policy_id", "node_id", "order", "end_to_end", "placement", "status"),
    *("last_outage_key", "switches_24h"),
)
_COLUMNS = ("active_id", "active_text", "target_alive", "target_since", "liveness", "since")
_PAST_COLUMNS = ("active_then", "target_then", "dead_since", "since_then")


def _query(
    site: Site, paths: QuerySet[Path], statement: str, more: Collection[Any], at: datetime | None
) -> list[tuple[Any, ...]]:
    columns = (*_COMMON, *(_COLUMNS if at is None else _PAST_COLUMNS))
    inner, known = paths.select_related(None).order_by().values(*columns).query.sql_with_params()
    if at is None:
        keyed = _KEYED.format(listed=inner, **_PRESENT)
    else:
        parts = {name: text.format(at=at.isoformat()) for name, text in _PAST.items()}
        keyed = _KEYED.format(listed=_PAST_PATHS.format(paths=inner), **parts)
    return fetch_rows(keyed + statement, [*known, site.pk, site.pk, *more])


def _causes(incidents: Iterable[int | None]) -> dict[int, str]:
    wanted = {incident for incident in incidents if incident is not None}
    if not wanted:
        return {}
    rows = Incident.objects.filter(pk__in=wanted).select_related("rule")
    return {row.pk: cause_text(row) for row in rows.order_by(F("pk"))}
