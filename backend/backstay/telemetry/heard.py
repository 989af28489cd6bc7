"""When each device was last heard: one statement a request, and only for devices whose answer is news."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from backstay.telemetry import store
from backstay.telemetry.facts import NodeHeard
from backstay.telemetry.models import NodeState

RESOLUTION = timedelta(milliseconds=500)
"""A device heard again sooner than this is not written again: half a second tells nobody anything."""

# The rows are locked in one order, so that two requests never wait for each other in a circle.
_HEARD = """
UPDATE telemetry_nodestate AS state SET
    heard_at = before.at,
    changed_at = CASE WHEN before.stale_since IS NULL THEN state.changed_at ELSE before.at END,
    stale_since = NULL
FROM (
    SELECT known.node_id, known.heard_at, known.stale_since, news.at
    FROM unnest(%s::bigint[], %s::timestamptz[]) AS news (node_id, at)
    JOIN telemetry_nodestate known ON known.node_id = news.node_id
    WHERE known.heard_at IS NULL OR news.at > known.heard_at + %s::interval
       OR (known.stale_since IS NOT NULL AND news.at > known.stale_since)
    ORDER BY known.node_id FOR NO KEY UPDATE OF known
) AS before
WHERE state.node_id = before.node_id
  AND (before.stale_since IS NULL OR before.at > before.stale_since)
RETURNING state.node_id, before.heard_at, before.stale_since, before.at
"""


def ensure_states(nodes: set[int]) -> None:
    """Every device that reports has a state row."""
    known = set(NodeState.objects.filter(node_id__in=nodes).values_list("node_id", flat=True))
    missing = [NodeState(node_id=node) for node in sorted(nodes - known)]
    NodeState.objects.bulk_create(missing, ignore_conflicts=True)


def hear(times: Mapping[int, datetime]) -> list[NodeHeard]:
    """Write when these devices (node id -> our clock) were heard; those that had been stale are returned."""
    nodes = sorted(times)
    values: list[Any] = [nodes, [times[node] for node in nodes], RESOLUTION]
    rows = store.cursor().execute(_HEARD, values, prepare=True).fetchall()
    return [
        NodeHeard(node, at.astimezone(UTC), (at - (heard_at or stale_since)).total_seconds())
        for node, heard_at, stale_since, at in rows
        if stale_since is not None
    ]
