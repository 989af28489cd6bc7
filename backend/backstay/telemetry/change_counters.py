"""Counters of committed changes, by table: whether rows may differ from those that were read before.

A trigger of each counted table adds a row to `telemetry_tablechange` for each statement that touched a row.
The rows become visible with the statement's transaction, in whatever order transactions commit, and nobody
who writes has to mark anything: the ingest, an import, a migration and SQL by hand are counted alike. Adding
a row locks nothing that another writer needs. `merge` sums the rows up; a reader sees them before or after.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from django.db import connection

from backstay.inventory.sql import fetch_rows

Counts: TypeAlias = tuple[tuple[str, int], ...]
"""(name of a counter, number of changes), by name; counters without a change are missing."""
COUNTED = frozenset(
    {
        "accounts_agent",
        "accounts_rolegrant",
        "accounts_user",
        "alerts_incident",
        "alerts_incident_paths",
        "alerts_siterule",
        "inventory_fabric",
        "inventory_link",
        "inventory_node",
        "inventory_port",
        "inventory_site",
        "policy_arppolicy",
        "policy_decision",
        "policy_failoverpolicy",
        "policy_hold",
        "policy_path",
        "policy_pathoutage",
        "policy_pathroute",
        "policy_pathswitch",
        "policy_policygateway",
        "rollout_application",
        "rollout_change",
        "rollout_change_policies",
        "rollout_drift",
        "rollout_drill",
        "rollout_intended",
        "rollout_move",
        "rollout_nodemanagement",
        "rollout_plannednode",
        "rollout_planrecord",
        "telemetry_adjacencyset",
        "telemetry_arpstate",
        "telemetry_clockstate",
        "telemetry_metriclayout",
        "telemetry_metricset",
        "telemetry_newest",
        "telemetry_nodestate",
        "telemetry_portlayout",
        "telemetry_portstate",
        "telemetry_routingstate",
    }
)
"""Tables with triggers. Samples have none: they are only added; `telemetry_newest` names the current ones."""
UNCOUNTED_COLUMNS = {"accounts_user": "last_login", "alerts_incident": "last_seen"}
"""Table -> column whose change alone is not counted: each round writes when it saw an incident."""
_READ = """
SELECT name, sum(changes) FROM telemetry_tablechange WHERE name = ANY (%s) GROUP BY name
UNION ALL
SELECT '', CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint END
ORDER BY name
"""
"""The counter without a name is the server's timeline: a server that takes over may lack the last commits,
and count others instead."""
_MERGE = """
WITH merged AS (DELETE FROM telemetry_tablechange RETURNING name, changes)
INSERT INTO telemetry_tablechange (name, changes) SELECT name, sum(changes) FROM merged GROUP BY name
"""


def read(tables: Iterable[str]) -> Counts:
    """As committed now. One query.

    Equal counts mean equal rows: each count only grows. Read them before the rows, so that rows may be newer
    than their counts, never older.
    """
    rows = fetch_rows(_READ, [sorted(tables)])
    return tuple((name, -1 if changes is None else int(changes)) for name, changes in rows)


def merge() -> None:
    """Sum up what was added since the last time. Of two at the same time, each sums up what it deletes."""
    with connection.cursor() as cursor:
        cursor.execute(_MERGE)
