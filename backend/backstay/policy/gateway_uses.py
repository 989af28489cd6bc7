"""The use that each path of a site makes of each of its gateways, as arrays, and counts of them.

What a path's row says of its gateways is read by PostgreSQL once for each version of the row (`row_cache`)
and kept by each process; whether the row still counts is compared with the clock each time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any, get_args

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from backstay.core.model.state import END_TO_END, GATEWAY_USES, STANDBYS, GatewayCounts, GatewayUse
from backstay.inventory.models import Site
from backstay.inventory.state_sql import state_text
from backstay.policy.models import Path
from backstay.policy.selectors import PATH_VERSIONS, gateway_ids
from backstay.policy.state_facts import currency_facts
from backstay.telemetry.rollups.arrays import fetch_columns, length, ragged
from backstay.telemetry.row_cache import RecentSites, RowCache, Rows

USES: tuple[GatewayUse, ...] = get_args(GatewayUse)
"""The strongest first; `Uses` has places in it."""
UNKNOWN = USES.index("unknown")
Uses = NDArray[np.void]
"""Rows of `ENTRY`, by path and gateway."""
ENTRY = np.dtype(
    [("path", np.int64), ("gateway", np.int64), ("use", np.int8), ("alive", np.int8), ("is_own", np.bool_)]
)
"""A path's id and a gateway's node id; `alive`: whether the gateway answers the path's node, -1: not probed;
`is_own`: whether it is one of the path's own order. Others are listed while the path uses them."""

# The facts of a path whose row still counts; OFFSET 0: decided once for each path.
_USES = f"""
    SELECT array_agg(path_id), array_agg(gateway_id), array_agg(use), array_agg(alive), array_agg(own)
    FROM (
        SELECT path_id, gateway_id,
            coalesce(alive::integer, -1)::bigint AS alive, is_own::integer::bigint AS own,
            CASE WHEN is_own THEN array_position(%(uses)s::text[], {state_text(GATEWAY_USES)}) - 1
                ELSE {UNKNOWN} END::bigint AS use
        FROM (
            SELECT *, {state_text(STANDBYS)} AS standby FROM (
                SELECT path.id AS path_id, gateway.node_id AS gateway_id, path.end_to_end, path.target_alive,
                    coalesce(path.active_id = gateway.node_id, false) AS is_in_use,
                    coalesce(cardinality(path."order"), 0) = 0
                        OR gateway.node_id = ANY (path."order") AS is_own,
                    jsonb_extract_path_text(path.liveness, node.name::text, 'alive')::boolean AS alive,
                    jsonb_extract_path_text(path.liveness, node.name::text, 'forwards')::boolean AS forwards
                FROM (
                    SELECT *, {state_text(END_TO_END)} AS end_to_end FROM (
                        SELECT id, policy_id, active_id, "order", liveness, target_alive,
                            active_text <> '' AS has_route, true AS is_observed, true AS is_fresh,
                            true AS is_recent
                        FROM policy_path WHERE id = ANY (%(paths)s)
                    ) AS reported OFFSET 0
                ) AS path
                JOIN policy_policygateway AS gateway ON gateway.policy_id = path.policy_id
                JOIN inventory_node AS node ON node.id = gateway.node_id
            ) AS known WHERE is_own OR is_in_use
        ) AS judged ORDER BY path_id, gateway_id
    ) AS used
"""  # noqa: S608 - only tables of states are put in


def _read(_: int, paths: Sequence[int]) -> dict[int, bytes]:
    columns = fetch_columns(_USES, {"paths": list(paths), "uses": list(USES)})
    size = np.array([length(columns[0][0])], np.int64)
    found = np.empty(int(size[0]), ENTRY)
    for name, fields in zip(ENTRY.names or (), columns, strict=True):
        found[name] = ragged(fields, size, "int8", 0)
    ids, first = np.unique(found["path"], return_index=True)
    ends = [*first[1:].tolist(), len(found)]
    return {
        path: found[begin:end].tobytes()
        for path, begin, end in zip(ids.tolist(), first.tolist(), ends, strict=True)
    }


_known = RowCache(PATH_VERSIONS, _read)
_joined: RecentSites[tuple[Rows[bytes], Uses]] = RecentSites()


def gateway_uses(site: Site, now: datetime) -> Uses:
    """As committed now; the uses of a path whose report is missing or too old are unknown. Two queries, and
    one more for the paths that were reported since the last call."""
    reported = uses_as_reported(site)
    missing = np.array(_not_current(site, now), np.int64)
    if not len(missing):
        return reported
    found = reported.copy()
    found["use"][np.isin(found["path"], missing)] = UNKNOWN
    return found


def uses_as_reported(site: Site) -> Uses:
    """As `gateway_uses`, of reports of any age."""
    rows, known = _known.rows(site.pk, site.version), _joined.get(site.pk)
    if known is not None and known[0] is rows:
        return known[1]
    joined: Uses = np.frombuffer(b"".join(rows.values.values()), ENTRY)
    _joined.put(site.pk, (rows, joined), len(rows.values))
    return joined


def _not_current(site: Site, now: datetime) -> list[int]:
    paths: Any = Path.objects.filter(policy__site=site).alias(**currency_facts(site, now)).order_by()
    missing = Q(is_observed=False) | Q(is_fresh=False) | Q(is_recent=False)
    return list(paths.filter(missing).values_list("pk", flat=True))


def gateway_counts(
    site: Site,
    now: datetime,
    nodes: Collection[int] | None = None,
    known: Callable[[], Uses] | None = None,
) -> dict[int, GatewayCounts]:
    """Node id -> counts, of those of the nodes that are gateways; None: of every gateway.

    A gateway that is not in the path's own order has no use. `known`: `gateway_uses` of the same moment, if
    the caller needs them too.
    """
    gateways = gateway_ids(site)
    wanted = gateways if nodes is None else gateways.intersection(nodes)
    if not wanted:
        return {}
    uses = gateway_uses(site, now) if known is None else known()
    uses = uses[uses["is_own"]]
    found = {node: _counts(uses[uses["gateway"] == node]) for node in sorted(wanted)}
    return {node: counts for node, counts in found.items() if counts.uses}


def _counts(uses: Uses) -> GatewayCounts:
    """Of one gateway."""
    numbers = np.bincount(uses["use"], minlength=len(USES)).tolist()
    alive = uses["alive"][uses["use"] != UNKNOWN]
    return GatewayCounts(
        uses={use: number for use, number in zip(USES, numbers, strict=True) if number},
        answering=int(np.count_nonzero(alive == 1)),
        silent=int(np.count_nonzero(alive == 0)),
    )
