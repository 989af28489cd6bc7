"""Paths of gateways by use, counted by PostgreSQL: one query for any number of gateways and paths.

PostgreSQL counts paths by their facts, of which there are few combinations; the tables of
`core.model.state` decide the use of each combination.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from backstay.core.model.state import END_TO_END, GatewayCounts, gateway_use, standby_state
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import state_case
from backstay.policy.models import Path
from backstay.policy.selectors import gateway_ids
from backstay.policy.state_facts import end_to_end_facts

# A gateway that is not in the path's own order has no use. OFFSET 0: states are decided once for each path.
_COUNTS = """
    SELECT node_id, end_to_end, is_in_use, target_alive, alive, forwards, count(*)
    FROM (
        SELECT gateway.node_id, path.end_to_end, path.target_alive,
            coalesce(path.active_id = gateway.node_id, false) AS is_in_use,
            jsonb_extract_path_text(path.liveness, node.name::text, 'alive')::boolean AS alive,
            jsonb_extract_path_text(path.liveness, node.name::text, 'forwards')::boolean AS forwards
        FROM ({paths} OFFSET 0) AS path
        JOIN policy_policygateway AS gateway ON gateway.policy_id = path.policy_id
        JOIN inventory_node AS node ON node.id = gateway.node_id
        WHERE gateway.node_id = ANY (%s)
          AND (coalesce(cardinality(path."order"), 0) = 0 OR gateway.node_id = ANY (path."order"))
    ) AS used
    GROUP BY 1, 2, 3, 4, 5, 6
"""


def gateway_counts(
    site: Site, now: datetime, nodes: Collection[int] | None = None
) -> dict[int, GatewayCounts]:
    """Node id -> counts, of those of the nodes that are gateways; None: of every gateway."""
    gateways = gateway_ids(site)
    wanted = gateways if nodes is None else gateways.intersection(nodes)
    if not wanted:
        return {}
    facts = end_to_end_facts(site, now)
    paths = Path.objects.filter(policy__site=site).alias(**facts).annotate(end_to_end=state_case(END_TO_END))
    columns = ("policy_id", "active_id", "target_alive", "liveness", "order", "end_to_end")
    inner, known = paths.order_by().values(*columns).query.sql_with_params()
    found: dict[int, GatewayCounts] = {}
    for row in fetch_rows(_COUNTS.format(paths=inner), [*known, sorted(wanted)]):
        node, end_to_end, is_in_use, target_alive, alive, forwards, number = row
        standby = standby_state(alive=alive, forwards=forwards, target_alive=target_alive)
        use = gateway_use(end_to_end, is_in_use=is_in_use, standby=standby)
        before = found.get(node, GatewayCounts())
        is_known = use != "unknown"
        found[node] = replace(
            before,
            uses={**before.uses, use: before.uses.get(use, 0) + number},
            answering=before.answering + (number if is_known and alive is True else 0),
            silent=before.silent + (number if is_known and alive is False else 0),
        )
    return found
