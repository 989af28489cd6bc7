"""When the state of something at a site changes without a change of any row: because time passes.

Lists and pages compare times of rows with the present. While the rows are the same, each comparison changes
its result once, at a moment that can be computed.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from backstay.core.model.freshness import incident_age_s, max_age_s, path_repeat_s
from backstay.core.thresholds import PATH_REPEAT_PROBES, PATH_REPEAT_S, PATH_STALE_AFTER_REPEATS
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows

_STATES = """
WITH given AS (SELECT %(site)s::bigint AS site, %(now)s::timestamptz AS now),
report AS (
    SELECT state.last_reported_at AS at FROM telemetry_nodestate AS state
    JOIN inventory_node AS node ON node.id = state.node_id WHERE node.site_id = %(site)s
),
passing AS (
    SELECT at + %(stale)s AS at FROM report
    UNION ALL SELECT at + %(missing)s FROM report
    UNION ALL SELECT newest.ts + %(stale)s FROM telemetry_newest AS newest
        JOIN inventory_node AS node ON node.id = newest.node_id WHERE node.site_id = %(site)s
    UNION ALL SELECT path.at + %(repeats)s * greatest(
            least(policy.probe_interval_ms, %(longest_ms)s) * %(a_probe)s, %(repeat)s::interval)
        FROM policy_path AS path JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
        WHERE policy.site_id = %(site)s
)
SELECT min(passing.at) FROM passing, given WHERE passing.at >= given.now
"""
"""A node, a sample or a path becomes stale; a node is reported as missing."""
_HISTORY = """
WITH path AS (
    SELECT path.id, path.active_id, path.active_text, path.since, coalesce(path."order"[1], (
        SELECT gateway.node_id FROM policy_policygateway AS gateway
        WHERE gateway.policy_id = path.policy_id ORDER BY gateway."order" LIMIT 1)) AS home
    FROM policy_path AS path JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
    WHERE policy.site_id = %(site)s
),
switch AS (
    SELECT switch.at FROM policy_pathswitch AS switch JOIN path ON path.id = switch.path_id
    WHERE switch.at >= %(now)s - interval '7 days'
)
SELECT EXISTS (SELECT FROM switch WHERE at >= %(now)s - interval '1 day')
    OR EXISTS (
        SELECT FROM path
        WHERE since >= %(now)s - interval '1 day' AND active_text <> '' AND active_id IS DISTINCT FROM home)
    OR EXISTS (
        SELECT FROM policy_pathoutage AS outage JOIN path ON path.id = outage.path_id
        WHERE outage.duration_ms IS NULL),
    (SELECT min(at) + interval '7 days' FROM switch)
"""
"""Whether a number of the history moves all the time; when a switch is no longer one of the last week."""


def next_state_change(site: Site, now: datetime) -> datetime | None:
    """The first moment after `now` after which a state may be another; None: there is none. One query."""
    values = {
        "site": site.pk,
        "now": now,
        "stale": timedelta(seconds=max_age_s(site.interval_s)),
        "missing": timedelta(seconds=incident_age_s(site.interval_s)),
        "repeats": PATH_STALE_AFTER_REPEATS,
        "longest_ms": round(PATH_REPEAT_S * 1000),
        "a_probe": timedelta(milliseconds=PATH_REPEAT_PROBES),
        "repeat": timedelta(seconds=path_repeat_s(0, site.interval_s)),
    }
    ((found,),) = fetch_rows(_STATES, values)
    return found if isinstance(found, datetime) else None


def next_history_change(site: Site, now: datetime) -> datetime | None:
    """As `next_state_change`, also of the history of paths over a day and a week; `now` if it moves already.

    Two queries.
    """
    ((is_moving, expires),) = fetch_rows(_HISTORY, {"site": site.pk, "now": now})
    if is_moving:
        return now
    return min((at for at in (expires, next_state_change(site, now)) if at is not None), default=None)
