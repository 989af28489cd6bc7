"""The gateways of paths in order of preference, and their standbys, as parts of statements in SQL.

A site has a few orders of gateways and up to 10,000 paths: each order is read once. The same as
`policy.selectors.PathState` decides for one path.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce

from backstay.core.model.state import PATH_STANDBYS, STANDBYS
from backstay.inventory.state_sql import state_text
from backstay.policy.models import Path

# As `PathState.gateways`: the path's own order, without removed gateways, precedes its policy's.
ORDERS = """
    kind AS ({kinds}),
    gateways AS (
        SELECT policy_id, array_agg(node_id) AS ids FROM policy_policygateway
        WHERE policy_id IN (SELECT policy_id FROM kind) GROUP BY policy_id
    ),
    orders AS (
        SELECT policy_id, own, array_agg(node_id ORDER BY place) AS ids,
            array_agg(name ORDER BY place) AS names
        FROM (
            SELECT kind.policy_id, kind.own, gateway.node_id, node.name::text AS name,
                CASE WHEN kind.own && gateways.ids THEN array_position(kind.own, gateway.node_id)
                    ELSE gateway."order" END AS place
            FROM kind JOIN gateways ON gateways.policy_id = kind.policy_id
            JOIN policy_policygateway AS gateway ON gateway.policy_id = kind.policy_id
                AND (NOT kind.own && gateways.ids OR gateway.node_id = ANY (kind.own))
            JOIN inventory_node AS node ON node.id = gateway.node_id
        ) AS placed GROUP BY policy_id, own
    )
"""
"""`ids` and `names` of each order; `kinds`: a query of `kinds_of`."""
OF_PATH = """
    LEFT JOIN orders ON orders.policy_id = path.policy_id AND orders.own = coalesce(path."order", '{{}}')
"""
"""Joins a row `path` with its order; a policy without gateways has none."""
IS_UNASSIGNED = """(policy.stripe IS NOT NULL AND coalesce(cardinality(path."order"), 0) = 0)"""
"""Whether a stripe has not given the path its gateways, of rows `path` and `policy`."""
IS_ON_FALLBACK = """(
    path.active_text <> '' AND NOT path.is_unassigned AND path.ids IS NOT NULL
    AND path.active_id IS DISTINCT FROM path.ids[1]
)"""
"""Of a row `path` with `ids` of its order and `is_unassigned`."""


def _any_standby(state: str) -> str:
    """Whether a gateway that `path` does not use has this state; stops at the first one."""
    return f"""EXISTS (
        SELECT FROM (
            SELECT jsonb_extract_path_text(path.liveness, other.name, 'alive')::boolean AS alive,
                jsonb_extract_path_text(path.liveness, other.name, 'forwards')::boolean AS forwards,
                path.target_alive
            FROM unnest(path.names) AS other (name) WHERE other.name <> path.active_text
        ) AS reported WHERE {state_text(STANDBYS)} = '{state}'
    )"""  # noqa: S608 - only tables of states are put in


_FACTS = {
    "has_verified": _any_standby("verified"),
    "has_not_verified": _any_standby("not verified"),
    "has_dead": _any_standby("dead"),
}


def _standby_text() -> str:
    """`PATH_STANDBYS` with a fact looked up only if those before it do not decide."""
    *conditions, otherwise = PATH_STANDBYS
    whens = "".join(
        f" WHEN {' AND '.join(_FACTS[name] for name in rule.when)} THEN '{rule.state}'" for rule in conditions
    )
    return f"(CASE{whens} ELSE '{otherwise.state}' END)"


STANDBY = _standby_text()
"""Of a row `path` with `names` of its order."""
# Gateways are looked up only where the node reports a failure of any.
HAS_DEAD_STANDBY = f"""(
    CASE WHEN jsonb_path_exists(path.liveness, '$.* ? (@.alive == false || @.forwards == false)')
        THEN {_FACTS["has_dead"]} ELSE false END
)"""


def kinds_of(paths: QuerySet[Path]) -> QuerySet[Any]:
    """Policy and own order of these paths; without an own order, an empty one."""
    none = Value([], output_field=Path._meta.get_field("order"))
    own = Coalesce(F("order"), none)
    rows: QuerySet[Any] = paths.select_related(None).order_by().annotate(own=own)
    kinds: QuerySet[Any] = rows.values("policy_id", "own").distinct()
    return kinds
