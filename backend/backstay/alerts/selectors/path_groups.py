"""The paths of deployed policies, grouped by PostgreSQL: a site of 10,000 paths has a few groups.

Paths of one group have the same policy, gateway in use, end-to-end state, placement and standby. The same as
`policy.selectors.PathState` decides for one path.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.alerts.selectors.paths.gateway_orders import (
    IS_ON_FALLBACK,
    IS_UNASSIGNED,
    OF_PATH,
    ORDERS,
    STANDBY,
    kinds_of,
)
from backstay.core.alerting.headline import Outcome
from backstay.core.model.state import END_TO_END, EndToEnd, PathStandby
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import state_case
from backstay.policy.models import Path
from backstay.policy.state_facts import end_to_end_facts

IS_DEPLOYED = """
    (policy.origin = 'file' OR EXISTS (
        SELECT FROM rollout_intended AS intended
        CROSS JOIN LATERAL jsonb_array_elements(intended.routing -> 'routes') AS route
        WHERE intended.node_id = path.node_id
            AND route ->> 'policy' = policy.name AND route ->> 'prefix' = policy.prefix
    ))
"""
"""Whether a path's policy is in force, of rows `path` and `policy`."""
# OFFSET 0: states are decided once for each path.
_GROUPS = f"""
    WITH {ORDERS}
    SELECT policy_id, active_text, end_to_end, is_on_fallback, standby, count(*),
        CASE WHEN end_to_end = 'dead' OR end_to_end <> 'unknown' AND is_on_fallback
            THEN array_agg(id ORDER BY id) END
    FROM (
        SELECT path.id, path.policy_id, path.active_text, path.end_to_end, {IS_ON_FALLBACK} AS is_on_fallback,
            {STANDBY} AS standby
        FROM (
            SELECT path.*, orders.ids, orders.names, {IS_UNASSIGNED} AS is_unassigned
            FROM ({{paths}} OFFSET 0) AS path
            JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
            {OF_PATH}
            WHERE {IS_DEPLOYED}
        ) AS path OFFSET 0
    ) AS judged
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY min(id)
"""  # noqa: S608 - only tables of states are put in


@dataclass(frozen=True, slots=True)
class PathGroup:
    """Paths that are alike."""

    policy_id: int
    active: str
    """Name of the gateway in use; empty: no route."""
    end_to_end: EndToEnd
    is_on_fallback: bool
    standby: PathStandby
    paths: int
    affected: tuple[int, ...] = ()
    """Ids of the paths if they are dead or rerouted."""

    @property
    def outcome(self) -> Outcome:
        """Of each of the paths."""
        if self.end_to_end in {"unknown", "dead"}:
            return "unknown" if self.end_to_end == "unknown" else "dead"
        return "rerouted" if self.is_on_fallback else "preferred"


def path_groups(site: Site, now: datetime) -> list[PathGroup]:
    """The groups of a site's deployed paths, that of the path with the lowest id first; one query."""
    facts = end_to_end_facts(site, now)
    paths = Path.objects.filter(policy__site=site).alias(**facts).annotate(end_to_end=state_case(END_TO_END))
    columns = (
        "id", "policy_id", "node_id", "active_id", "active_text", "target_alive", "liveness", "order",
        "end_to_end",
    )  # fmt: skip
    inner, known = paths.order_by().values(*columns).query.sql_with_params()
    kinds, of_site = kinds_of(Path.objects.filter(policy__site=site)).query.sql_with_params()
    rows = fetch_rows(_GROUPS.format(paths=inner, kinds=kinds), [*of_site, *known])
    return [
        PathGroup(policy, active, end_to_end, is_on_fallback, standby, paths, tuple(affected or ()))
        for policy, active, end_to_end, is_on_fallback, standby, paths, affected in rows
    ]
