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

from django.db.models import F

from backstay.alerts.models import Incident
from backstay.alerts.selectors.event_groups import cause_text
from backstay.alerts.selectors.path_groups import IS_DEPLOYED
from backstay.alerts.selectors.paths.listed import (
    literal,
    outage_key,
    past_paths,
    present_paths,
    switches_of_day,
)
from backstay.core.model.progress import Phase
from backstay.core.model.state import WORST_FIRST, EndToEnd, PathStandby, Placement, State
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows

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
_IS_DEPLOYED = IS_DEPLOYED.replace("path.", "listed.")
# MATERIALIZED: states are decided once for each path. Paths that are alike and moved at the same time, or did
# not move, are counted before the pauses between them are compared.
_KEYED = f"""
WITH {{tables}},
listed AS MATERIALIZED (SELECT * FROM ({{paths}}) AS path WHERE %s::text IS NULL OR status = %s),
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
        listed.status, listed.preferred, listed.standby, outage.key AS last_outage_key,
        coalesce(switches.number, 0) AS switches_24h, {{is_deployed}} AS is_deployed,
        CASE WHEN listed.status <> 'ok' THEN causes.cause_id END AS cause_id,
        CASE WHEN listed.placement IN ('fallback', 'none') THEN listed.since
            WHEN listed.end_to_end = 'dead' THEN listed.target_since END AS moved_at
    FROM listed JOIN policy_failoverpolicy AS policy ON policy.id = listed.policy_id
    LEFT JOIN causes ON causes.path_id = listed.id
    LEFT JOIN ({{switches}}) AS switches ON switches.path_id = listed.id
    LEFT JOIN LATERAL ({{outage}}) AS outage ON true
    OFFSET 0
),
alike AS (
    SELECT policy_id, preferred, active_text, placement, end_to_end, status, standby, is_deployed, cause_id,
        moved_at, count(*) AS paths, min(id) AS first_path, min(since) AS since,
        max(ARRAY[last_outage_key, -id]) FILTER (WHERE last_outage_key IS NOT NULL) AS outage,
        sum(switches_24h) AS switches_24h {{idents}}
    FROM known_path GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
),
parted AS (
    SELECT *, sum(is_first::int) OVER (PARTITION BY bucket ORDER BY moved_at, first_path) AS part
    FROM (
        SELECT *,
            coalesce(moved_at - lag(moved_at) OVER (PARTITION BY bucket ORDER BY moved_at, first_path)
                > {TOGETHER_S} * interval '1 second', false) AS is_first
        FROM (
            SELECT *, concat_ws(E'\\x1f', policy_id, preferred, active_text, placement, end_to_end = 'dead',
                moved_at IS NULL) AS bucket
            FROM alike
        ) AS bucketed
    ) AS gaps
),
keyed AS MATERIALIZED (
    SELECT *, md5(concat_ws(E'\\x1f', bucket, min(first_path) OVER (PARTITION BY bucket, part), status,
        end_to_end, standby, is_deployed, coalesce(cause_id, 0))) AS key
    FROM parted
)
"""  # noqa: S608 - only tables of states and constants are put in
_PRESENT = {
    "is_open": f"incident.phase IN ('{Phase.OPEN}', '{Phase.ACKNOWLEDGED}')",
    "lasts": f"cause.phase <> '{Phase.RESOLVED}'",
    "is_deployed": _IS_DEPLOYED,
}
"""What is asked of incidents and policies."""
_LASTS = "{0}.opened_at <= {{at}} AND coalesce({0}.resolved_at > {{at}}, true)"
_PAST = {
    "is_open": f"incident.phase <> '{Phase.PENDING}' AND {_LASTS.format('incident')}",
    "lasts": f"cause.phase <> '{Phase.PENDING}' AND {_LASTS.format('cause')}",
    # History does not keep which policies were deployed.
    "is_deployed": "CASE WHEN policy.origin = 'file' THEN true END",
}
"""The same of the moment `at`."""
_PAGE = """,
grouped AS (
    SELECT key, policy_id, is_deployed, coalesce(preferred, '') AS preferred, active_text, status, end_to_end,
        placement, standby, cause_id, sum(paths)::bigint AS paths, min(first_path) AS first_path,
        coalesce(min(moved_at), min(since)) AS first_at, max(moved_at) AS last_at, max(outage) AS outage,
        sum(switches_24h)::bigint AS switches_24h, CASE status {ranks} END AS rank
    FROM keyed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
),
named AS (
    SELECT grouped.*, policy.name AS policy, policy.prefix, outage[1] AS outage_key,
        coalesce(-outage[2]::bigint, first_path) AS outage_path
    FROM grouped JOIN policy_failoverpolicy AS policy ON policy.id = grouped.policy_id
),
ordered AS (
    SELECT *, coalesce(({sort})::float8, %s) AS sort_value,
        concat_ws(' ', policy, preferred, active_text, key) AS tie,
        count(*) OVER () AS total
    FROM named
)
SELECT key, policy_id, policy, prefix, is_deployed, preferred, active_text, status, end_to_end, placement,
    standby, paths, first_path, outage_path, switches_24h, first_at, last_at, cause_id, sort_value, tie, total
FROM ordered
WHERE %s::text IS NULL OR (sort_value, tie COLLATE "C") {beyond} (%s::float8, %s::text COLLATE "C")
ORDER BY sort_value {direction}, tie COLLATE "C" {direction} LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class GroupFilter:
    """Which paths are grouped: all of a site, or those that match."""

    policy: str | None = None
    node: str | None = None
    state: str | None = None
    text: str | None = None


ALL = GroupFilter()


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
    now: datetime,
    limit: int,
    *,
    sort: str,
    descending: bool,
    chosen: GroupFilter = ALL,
    after: tuple[float, str] | None = None,
    at: datetime | None = None,
) -> GroupPage:
    """A page of groups of paths; two queries. Groups without a value come last.

    `at`: as they were at this moment before `now`.

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
    rows = _query(site, now, chosen, statement, [last, tie, value, tie, limit], at)
    groups = [ListedGroup(*row[:-1]) for row in rows]
    causes = _causes(group.cause_id for group in groups)
    return GroupPage(groups, rows[0][-1] if rows else 0, causes)


def paths_of_group(
    site: Site, now: datetime, key: str, chosen: GroupFilter = ALL, at: datetime | None = None
) -> list[int]:
    """Ids of the paths of one group; empty if there is none with this key. `chosen` and `at` as of
    `listed_groups`."""
    statement = "SELECT unnest(idents) FROM keyed WHERE key = %s"
    rows = _query(site, now, chosen, statement, [key], at, ", array_agg(id) AS idents")
    return [ident for (ident,) in rows]


def _query(  # noqa: PLR0917 - of one call each
    site: Site,
    now: datetime,
    chosen: GroupFilter,
    statement: str,
    more: Collection[Any],
    at: datetime | None,
    idents: str = "",
) -> list[tuple[Any, ...]]:
    """`idents`: column with the ids of paths that are alike."""
    filters = {"policy": chosen.policy, "node": chosen.node, "text": chosen.text}
    if at is None:
        listed, parts = present_paths(site, now, **filters), _PRESENT
    else:
        listed = past_paths(site, at, now, **filters)
        parts = {name: text.format(at=literal(at)) for name, text in _PAST.items()}
    keyed = _KEYED.format(
        tables=listed.tables,
        paths=listed.paths,
        switches=switches_of_day(at, now),
        outage=outage_key(at),
        idents=idents,
        **parts,
    )
    return fetch_rows(keyed + statement, [*listed.parameters, chosen.state, chosen.state, site.pk, *more])


def _causes(incidents: Iterable[int | None]) -> dict[int, str]:
    wanted = {incident for incident in incidents if incident is not None}
    if not wanted:
        return {}
    rows = Incident.objects.filter(pk__in=wanted).select_related("rule")
    return {row.pk: cause_text(row) for row in rows.order_by(F("pk"))}
