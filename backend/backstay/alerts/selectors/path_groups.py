"""The paths of deployed policies, grouped by PostgreSQL: a site of 10,000 paths has a few groups.

Paths of one group have the same policy, gateway in use, end-to-end state, placement and standby. The same as
`policy.selectors.PathState` decides for one path.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.core.alerting.headline import Outcome
from backstay.core.model.state import END_TO_END, PATH_STANDBYS, STANDBYS, EndToEnd, PathStandby
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import state_case, state_text
from backstay.policy.models import Path
from backstay.policy.state_facts import end_to_end_facts

IS_DEPLOYED = """
    policy.origin = 'file' OR EXISTS (
        SELECT FROM rollout_intended AS intended
        CROSS JOIN LATERAL jsonb_array_elements(intended.routing -> 'routes') AS route
        WHERE intended.node_id = path.node_id
            AND route ->> 'policy' = policy.name AND route ->> 'prefix' = policy.prefix
    )
"""
"""Whether a path's policy is in force, of rows `path` and `policy`."""
# As `PathState.gateways`: the path's own order, without removed gateways, precedes its policy's.
# OFFSET 0: rows are sorted without what was reported of all gateways, which would be on disk.
STANDBYS_OF_PATHS = f"""
    gateways AS (
        SELECT gateway.policy_id, array_agg(gateway.node_id) AS ids FROM policy_policygateway AS gateway
        JOIN policy_failoverpolicy AS policy ON policy.id = gateway.policy_id
        WHERE policy.site_id = %s GROUP BY gateway.policy_id
    ),
    candidate AS (
        SELECT path.id, path.policy_id, path.active_text, path.end_to_end, path.target_alive, node.name,
            policy.stripe IS NOT NULL AND coalesce(cardinality(path."order"), 0) = 0 AS is_unassigned,
            CASE WHEN path."order" && gateways.ids THEN array_position(path."order", gateway.node_id)
                ELSE gateway."order" END AS place,
            gateway.node_id = path.active_id AS is_in_use,
            node.name <> path.active_text AS is_other,
            jsonb_extract_path_text(path.liveness, node.name::text, 'alive')::boolean AS alive,
            jsonb_extract_path_text(path.liveness, node.name::text, 'forwards')::boolean AS forwards
        FROM {{paths}} AS path
        JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
        LEFT JOIN gateways ON gateways.policy_id = path.policy_id
        LEFT JOIN policy_policygateway AS gateway ON gateway.policy_id = path.policy_id
            AND ((path."order" && gateways.ids) IS NOT TRUE OR gateway.node_id = ANY (path."order"))
        LEFT JOIN inventory_node AS node ON node.id = gateway.node_id
        WHERE {{where}} OFFSET 0
    ),
    known AS (
        SELECT *, CASE WHEN is_other THEN {state_text(STANDBYS)} END AS standby FROM candidate
    ),
    path AS (
        SELECT id, policy_id, active_text, end_to_end, {{columns}}
            active_text <> '' AND NOT is_unassigned AND min(place) IS NOT NULL
                AND min(place) FILTER (WHERE is_in_use) IS DISTINCT FROM min(place) AS is_on_fallback,
            bool_or(standby = 'verified') IS TRUE AS has_verified,
            bool_or(standby = 'not verified') IS TRUE AS has_not_verified,
            bool_or(standby = 'dead') IS TRUE AS has_dead
        FROM known GROUP BY id, policy_id, active_text, end_to_end, is_unassigned
    )
"""  # noqa: S608 - only tables of states are put in
"""Facts of `PATH_STANDBYS` and `is_on_fallback` of `paths`, a query; the site is its only parameter."""
# OFFSET 0: states are decided once for each path.
_DEPLOYED = STANDBYS_OF_PATHS.format(paths="({paths} OFFSET 0)", where=IS_DEPLOYED, columns="")
_GROUPS = f"""
    WITH {_DEPLOYED}
    SELECT policy_id, active_text, end_to_end, is_on_fallback, {state_text(PATH_STANDBYS)}, count(*),
        CASE WHEN end_to_end = 'dead' OR end_to_end <> 'unknown' AND is_on_fallback
            THEN array_agg(id ORDER BY id) END
    FROM path GROUP BY 1, 2, 3, 4, 5
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
    rows = fetch_rows(_GROUPS.format(paths=inner), [site.pk, *known])
    return [
        PathGroup(policy, active, end_to_end, is_on_fallback, standby, paths, tuple(affected or ()))
        for policy, active, end_to_end, is_on_fallback, standby, paths, affected in rows
    ]
