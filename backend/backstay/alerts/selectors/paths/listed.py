"""The paths of a list with their states, now or at a past moment, as one statement for all of them.

`path_states.paths` and `history_paths.paths_at` decide the same for the rows of a page, each by searches of
its own. Here gateways, holds, gaps and outages are read once, and each state is decided once for each path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from backstay.alerts.selectors.history.history_paths import DEAD_STANDBY, labelled_paths_at
from backstay.alerts.selectors.paths.gateway_orders import (
    HAS_DEAD_STANDBY,
    IS_ON_FALLBACK,
    IS_UNASSIGNED,
    OF_PATH,
    ORDERS,
    STANDBY,
    kinds_of,
)
from backstay.core.model.outage import OutageMeasure
from backstay.core.model.progress import OPEN_HOLDS, Phase
from backstay.core.model.state import END_TO_END, PAST_END_TO_END, PATH_STATES, PLACEMENTS
from backstay.inventory.models import Site
from backstay.inventory.state_sql import state_case, state_text
from backstay.policy.path_history import ABOVE_ALL, DAY, reports_hold_until
from backstay.policy.path_states import labelled_paths
from backstay.policy.state_facts import end_to_end_facts

_OPEN_HOLDS, _DEAD_STANDBY = (
    f"({', '.join(map(repr, names))})" for names in (OPEN_HOLDS, map(str, DEAD_STANDBY))
)
# OFFSET 0: what is decided here is read by several expressions.
_DECIDED = f"""
    SELECT *, {state_text(PATH_STATES)} AS status
    FROM (
        SELECT *, {state_text(PLACEMENTS)} AS placement FROM ({{facts}} OFFSET 0) AS fact OFFSET 0
    ) AS placed
"""  # noqa: S608 - only tables of states are put in
_NOW = f"""
    SELECT path.id, path.policy_id, path.node_id, path.active_text, path.since, path.target_since,
        path.end_to_end, path.gateway_alive, path.active_text <> '' AS has_route,
        path.node_id IN (SELECT node_id FROM policy_hold WHERE state IN {_OPEN_HOLDS}) AS is_held,
        path.names[1] AS preferred, {IS_ON_FALLBACK} AS is_on_fallback, {STANDBY} AS standby,
        {HAS_DEAD_STANDBY} AS has_dead_standby
    FROM (
        SELECT path.*, orders.ids, orders.names, {IS_UNASSIGNED} AS is_unassigned
        FROM ({{paths}} OFFSET 0) AS path
        JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
        {OF_PATH}
    ) AS path
"""  # noqa: S608 - only tables of states are put in
_NOW_COLUMNS = (
    *("id", "policy_id", "node_id", "active_id", "active_text", "target_alive", "target_since", "liveness"),
    *("order", "since", "end_to_end", "gateway_alive"),
)
# The gateway in use is that before the first later switch. A target answered outside outages, while its
# probes measured these. History is looked up by path in an index; what lasted at the moment is read by time.
_THEN = f"""
    SELECT *, {state_text(PAST_END_TO_END)} AS end_to_end,
        NOT is_unassigned AND preferred IS NOT NULL AND has_route
            AND active_text <> preferred AS is_on_fallback
    FROM (
        SELECT *, active_text <> '' AS has_route,
            CASE WHEN NOT has_target THEN NULL
                WHEN is_dead THEN false
                WHEN target_reported_since <= {{at}} THEN target_alive
                WHEN EXISTS (
                    SELECT FROM policy_pathoutage AS outage
                    WHERE outage.path_id = known.id AND outage.measured_by = '{OutageMeasure.PROBES}'
                        AND (outage.start > {{at}} OR outage."end" <= {{at}})
                ) THEN true END AS target_then
        FROM (
            SELECT path.id, path.policy_id, path.node_id, orders.names[1] AS preferred,
                {IS_UNASSIGNED} AS is_unassigned,
                coalesce(later.from_gateway, path.active_text) AS active_text,
                coalesce(latest.at, CASE WHEN path.since <= {{at}} THEN path.since END) AS since,
                coalesce(
                    path.observed_from <= {{at}} AND path.known_until >= {{at}}, false
                ) AND path.id NOT IN (
                    SELECT path_id FROM policy_pathgap WHERE start < {{at}} AND "end" > {{at}}
                ) AS is_known,
                policy.target IS NOT NULL AND path.target_since IS NOT NULL AS has_target,
                path.target_alive, path.target_since AS target_reported_since,
                lasting.since AS target_since, coalesce(lasting.is_dead, false) AS is_dead,
                path.node_id IN (
                    SELECT node_id FROM policy_hold
                    WHERE at <= {{at}} AND (state IN {_OPEN_HOLDS} OR since > {{at}})
                ) AS is_held,
                path.id IN (
                    SELECT link.path_id FROM alerts_incident AS incident
                    JOIN alerts_siterule AS rule ON rule.id = incident.rule_id
                    JOIN alerts_incident_paths AS link ON link.incident_id = incident.id
                    WHERE rule.kind IN {_DEAD_STANDBY} AND incident.phase <> '{Phase.PENDING}'
                        AND incident.opened_at <= {{at}}
                        AND (incident.resolved_at IS NULL OR incident.resolved_at > {{at}})
                ) AS has_dead_standby,
                NULL::boolean AS gateway_alive, NULL::text AS standby
            FROM ({{paths}} OFFSET 0) AS path
            JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
            {OF_PATH}
            LEFT JOIN lasting ON lasting.path_id = path.id
            LEFT JOIN LATERAL (
                SELECT switch.from_gateway FROM policy_pathswitch AS switch
                WHERE switch.path_id = path.id AND switch.at > {{at}} ORDER BY switch.at, switch.id LIMIT 1
            ) AS later ON true
            LEFT JOIN LATERAL (
                SELECT switch.at FROM policy_pathswitch AS switch
                WHERE switch.path_id = path.id AND switch.at <= {{at}}
                ORDER BY switch.at DESC, switch.id DESC LIMIT 1
            ) AS latest ON true
            OFFSET 0
        ) AS known OFFSET 0
    ) AS answered
"""  # noqa: S608 - only tables of states are put in
_LASTING = f"""
    lasting AS (
        SELECT path_id, bool_or(measured_by <> '{OutageMeasure.ROUTE}') AS is_dead,
            (array_agg(coalesce(earlier_start, start) ORDER BY start DESC, id DESC))[1] AS since
        FROM policy_pathoutage WHERE start <= {{at}} AND ("end" IS NULL OR "end" > {{at}}) GROUP BY path_id
    )
"""  # noqa: S608 - only constants are put in
_THEN_COLUMNS = (
    *("id", "policy_id", "node_id", "active_text", "target_alive", "target_since", "order", "since"),
    *("observed_from", "known_until"),
)


@dataclass(frozen=True, slots=True)
class ListedPaths:
    """A statement, to be used in others.

    Its columns: `id`, `policy_id`, `node_id`, `active_text`, `since`, `target_since`, `preferred`,
    `end_to_end`, `placement`, `status`, `standby`; of a past moment as they were then.
    """

    tables: str
    """What `paths` reads, for its WITH clause."""
    paths: str
    parameters: Sequence[Any]
    """Of `tables`, then of `paths`."""


def present_paths(
    site: Site,
    now: datetime,
    *,
    policy: str | None = None,
    node: str | None = None,
    text: str | None = None,
) -> ListedPaths:
    """Rows as those of `path_states.paths`."""
    known = labelled_paths(site, policy=policy, node=node, text=text)
    facts = end_to_end_facts(site, now)
    described = known.alias(**facts).annotate(
        end_to_end=state_case(END_TO_END), gateway_alive=F("gateway_alive")
    )
    return _statement(known, described.values(*_NOW_COLUMNS), ORDERS, _NOW)


def past_paths(
    site: Site,
    at: datetime,
    present: datetime,
    *,
    policy: str | None = None,
    node: str | None = None,
    text: str | None = None,
) -> ListedPaths:
    """Rows as those of `paths_at`; `since` is `since_then`, and `target_since` is `dead_since`.

    `standby` is not kept.
    """
    known = labelled_paths_at(site, at, policy=policy, node=node, text=text)
    described = known.annotate(known_until=reports_hold_until(site, present)).values(*_THEN_COLUMNS)
    return _statement(known, described, f"{ORDERS}, {_LASTING}", _THEN, literal(at))


def _statement(
    known: QuerySet[Any], described: QuerySet[Any], tables: str, facts: str, at: str = ""
) -> ListedPaths:
    kinds, of_kinds = kinds_of(known).query.sql_with_params()
    paths, of_paths = described.order_by().query.sql_with_params()
    return ListedPaths(
        tables.format(kinds=kinds, at=at),
        _DECIDED.format(facts=facts.format(paths=paths, at=at)),
        [*of_kinds, *of_paths],
    )


def literal(at: datetime) -> str:
    """A moment in a statement."""
    return f"'{at.isoformat()}'::timestamptz"


def switches_of_day(at: datetime | None, now: datetime) -> str:
    """Number of switches of each path in the day before a moment; read by time."""
    until = "" if at is None else f"AND at <= {literal(at)}"
    start = (now if at is None else at) - DAY
    return f"""
        SELECT path_id, count(*) AS number FROM policy_pathswitch
        WHERE at > {literal(start)} {until} GROUP BY path_id
    """  # noqa: S608 - only moments are put in


def outage_key(at: datetime | None) -> str:
    """`last_outage_key` of `path_history.with_history`, of a row `listed`."""
    measured = "duration_ms + extract(epoch FROM start - coalesce(earlier_start, start))::float8 * 1000"
    started, is_over = "", "true"
    if at is not None:
        started, is_over = f"AND outage.start <= {literal(at)}", f'outage."end" <= {literal(at)}'
    return f"""
        SELECT coalesce(
            CASE WHEN {is_over} THEN {measured} END,
            {ABOVE_ALL}::float8 - extract(epoch FROM coalesce(earlier_start, start))::float8 * 1000
        ) AS key
        FROM policy_pathoutage AS outage WHERE outage.path_id = listed.id {started}
        ORDER BY outage.start DESC, outage.id DESC LIMIT 1
    """  # noqa: S608 - only moments and constants are put in
