"""Reads of deployed state: confirmed routes, saved state, moves, progress of policies."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Func,
    IntegerField,
    JSONField,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce, Concat

from backstay.core.model.change import RUNNING
from backstay.core.model.routing import DEFAULT_TIMERS
from backstay.inventory import snapshot
from backstay.inventory.models import Node, Site
from backstay.inventory.sql import fetch_rows
from backstay.policy.models import FailoverPolicy, Path
from backstay.policy.selectors import Policy
from backstay.rollout.models import OPEN, Change, Drift, Intended, Move

OPEN_CHANGES = ("draft", "planned", "approved", "rolling", "confirming")
"""States of a change that has not ended."""
Key = tuple[int, str, str]
"""(node id, policy, prefix)."""


def is_changing(site: Site) -> bool:
    """Whether a change is in progress."""
    return Change.objects.filter(site=site, state__in=RUNNING).exists()


@dataclass(frozen=True, slots=True)
class NodeRoutingStatus:
    """A node's engine as in the site file, and its drift."""

    engine: dict[str, Any]
    compared: bool
    """Its running state was compared with the intended state, and its engine responds."""
    drift: tuple[dict[str, Any], ...]
    """Items of `Drift`."""

    def saved(self, prefix: str) -> bool | None:
        """Whether this prefix survives a reboot unchanged; None: unknown."""
        if not self.compared:
            return None
        about = [item for item in self.drift if item["what"] == prefix or item["kind"] == "file"]
        return not any(item["reboot"] for item in about)


def nodes(site: Site, only: Collection[int] | None = None) -> dict[int, NodeRoutingStatus]:
    """Node id -> status, for nodes with an engine, or for these of them; one query."""
    rows = Node.objects.filter(site=site).exclude(routing={})
    rows = rows if only is None else rows.filter(pk__in=only)
    values = rows.values_list("id", "routing", "routing_state__alive", "intended__judged_at", "drift__items")
    return {
        node: NodeRoutingStatus(engine, bool(alive) and judged_at is not None, tuple(items or ()))
        for node, engine, alive, judged_at, items in values
    }


_CONFIRMED = """
    SELECT intended.node_id, route ->> 'policy', route ->> 'prefix'
    FROM rollout_intended AS intended
    JOIN inventory_node AS node ON node.id = intended.node_id
    CROSS JOIN LATERAL jsonb_array_elements(intended.routes) AS route
    WHERE node.site_id = %(site)s AND (%(nodes)s::bigint[] IS NULL OR node.id = ANY (%(nodes)s))
      AND (%(policies)s::text[] IS NULL OR route ->> 'policy' = ANY (%(policies)s))
"""
# MATERIALIZED: else the routes of each node are taken apart once for each policy that is looked for.
_ROUTES = """
    WITH gateways AS MATERIALIZED (
        SELECT gateway.policy_id, array_agg(node.id ORDER BY gateway."order") AS ids,
               array_agg(node.name::text ORDER BY gateway."order") AS names
        FROM policy_policygateway AS gateway JOIN inventory_node AS node ON node.id = gateway.node_id
        WHERE node.site_id = %(site)s GROUP BY gateway.policy_id
    ),
    routes AS MATERIALIZED (
        SELECT intended.node_id, route, route ->> 'policy' AS policy, route ->> 'prefix' AS prefix
        FROM rollout_intended AS intended
        JOIN inventory_node AS node ON node.id = intended.node_id
        CROSS JOIN LATERAL jsonb_array_elements(intended.routes) AS route
        WHERE node.site_id = %(site)s
    ),
"""
# A path's own order (of a stripe) precedes its policy's; a node is never its own gateway. Nodes with equal
# routes and orders are compared once.
_CURRENT = """
    alike AS (
        SELECT path.policy_id, path."order", route ->> 'detection' AS detection, route ->> 'target' AS target,
            route -> 'timers' AS timers, jsonb_array_length(route -> 'hops') AS hops,
            jsonb_path_query_array(route, '$.hops[*].gateway') AS names,
            CASE WHEN path.node_id = ANY (gateways.ids) THEN path.node_id END AS own_id, count(*) AS nodes
        FROM policy_path AS path
        JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id AND policy.site_id = %(site)s
        JOIN routes ON routes.node_id = path.node_id
            AND routes.policy = policy.name AND routes.prefix = policy.prefix
        LEFT JOIN gateways ON gateways.policy_id = policy.id
        WHERE %(policies)s::bigint[] IS NULL OR policy.id = ANY (%(policies)s)
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ),
    current AS (
        SELECT policy.id AS policy_id, sum(alike.nodes)::bigint AS nodes
        FROM alike
        JOIN policy_failoverpolicy AS policy ON policy.id = alike.policy_id
        LEFT JOIN gateways ON gateways.policy_id = policy.id
        WHERE alike.detection = policy.detection
          AND alike.target IS NOT DISTINCT FROM host(policy.target)
          AND alike.timers
              = %(timers)s::jsonb || jsonb_build_object('interval_ms', policy.probe_interval_ms)
                  || policy.timers
          AND (policy.stripe IS NULL OR alike.hops = 1 + (policy.stripe -> 'backups')::integer)
          AND alike.hops = jsonb_array_length(alike.names)
          AND ARRAY(SELECT jsonb_array_elements_text(alike.names))
              = CASE WHEN alike."order" && gateways.ids THEN ARRAY(
                  SELECT gateways.names[array_position(gateways.ids, own.id)]
                  FROM unnest(alike."order") WITH ORDINALITY AS own (id, place)
                  WHERE own.id = ANY (gateways.ids) AND own.id IS DISTINCT FROM alike.own_id
                  ORDER BY own.place
              ) ELSE array_remove(
                  coalesce(gateways.names, '{}'), gateways.names[array_position(gateways.ids, alike.own_id)]
              ) END
        GROUP BY policy.id
    )
"""
_COUNTS = f"{_ROUTES} {_CURRENT} SELECT jsonb_object_agg(policy_id, nodes) FROM current"  # noqa: S608
# Members with any route of the policy, and other nodes that have one.
_DEPLOYMENT = f"""
    {_ROUTES} {_CURRENT}, deployed AS (
        SELECT policy.id, count(DISTINCT routes.node_id) FILTER (WHERE path.id IS NOT NULL) AS members,
            array_agg(DISTINCT routes.node_id) FILTER (WHERE path.id IS NULL) AS others
        FROM policy_failoverpolicy AS policy
        JOIN routes ON routes.policy = policy.name
        LEFT JOIN policy_path AS path ON path.policy_id = policy.id AND path.node_id = routes.node_id
        WHERE policy.id = ANY (%(policies)s)
        GROUP BY policy.id
    ),
    unmanaged AS (
        SELECT path.policy_id, array_agg(node.id) AS nodes
        FROM policy_path AS path JOIN inventory_node AS node ON node.id = path.node_id
        WHERE path.policy_id = ANY (%(policies)s) AND node.routing = '{{}}'
        GROUP BY path.policy_id
    )
    SELECT policy.id, coalesce(current.nodes, 0), coalesce(deployed.members, 0),
        coalesce(deployed.others, '{{}}'), coalesce(unmanaged.nodes, '{{}}')
    FROM policy_failoverpolicy AS policy
    LEFT JOIN current ON current.policy_id = policy.id
    LEFT JOIN deployed ON deployed.id = policy.id
    LEFT JOIN unmanaged ON unmanaged.policy_id = policy.id
    WHERE policy.id = ANY (%(policies)s)
"""  # noqa: S608


def confirmed(
    site: Site, nodes: Collection[int] | None = None, policies: Collection[str] | None = None
) -> frozenset[Key]:
    """Node, policy and prefix of each confirmed route, of these nodes and policies, or of all. One query."""
    known = {
        "site": site.pk,
        "nodes": None if nodes is None else list(nodes),
        "policies": None if policies is None else list(policies),
    }
    return frozenset((node, policy, prefix) for node, policy, prefix in fetch_rows(_CONFIRMED, known))


def with_confirmed(rows: QuerySet[FailoverPolicy], site: Site) -> QuerySet[FailoverPolicy]:
    """A site's policies with `confirmed`: the number of nodes with a confirmed route as the policy is now.

    Of a stripe also the number of gateways must be the one that the stripe produces now. The count runs once
    for all rows.
    """
    known = _known(site, None)
    names = re.findall(r"%\((\w+)\)s", _COUNTS)
    sql = re.sub(r"%\(\w+\)s", "%s", _COUNTS)  # A part of a query takes values by position.
    counts = RawSQL(sql, [known[name] for name in names], output_field=JSONField())  # noqa: S611
    text = Func(counts, Cast("pk", TextField()), function="jsonb_extract_path_text", output_field=TextField())
    annotated: QuerySet[FailoverPolicy] = rows.annotate(confirmed=Coalesce(Cast(text, IntegerField()), 0))
    return annotated


def moved_paths(site: Site) -> frozenset[int]:
    """Ids of the site's paths that an operator or a drill keeps on a gateway; one query."""
    rows = Move.objects.filter(path__policy__site=site, state__in=OPEN)
    return frozenset(rows.values_list("path_id", flat=True))


def open_moves(paths: Collection[int]) -> dict[int, Move]:
    """Path id -> its active move; one query."""
    rows = Move.objects.filter(path__in=paths, state__in=OPEN).order_by("pk")
    return {move.path_id: move for move in rows}


@dataclass(frozen=True, slots=True)
class Progress:
    """Deployment progress of a policy: names and counts of its nodes."""

    managed: int
    not_managed: tuple[str, ...]
    confirmed: int
    outdated: int
    gone: tuple[int, ...]
    """Ids of nodes that still have it but are not members any more."""

    @property
    def in_force(self) -> bool:
        """Whether any node has it, in any state."""
        return bool(self.confirmed or self.outdated or self.gone)


def _known(site: Site, policies: Collection[int] | None) -> dict[str, Any]:
    """Values of `_COUNTS` and `_DEPLOYMENT`."""
    idents = None if policies is None else list(policies)
    return {"site": site.pk, "policies": idents, "timers": json.dumps(asdict(DEFAULT_TIMERS))}


def progress_by_policy(site: Site, shown: Collection[Policy]) -> dict[int, Progress]:
    """Policy id -> deployment, of these policies; one query, which returns only exceptional nodes."""
    known = {policy.id: policy for policy in shown}
    topology, found = snapshot.load(site), {}
    for ident, current, members, others, unmanaged in fetch_rows(_DEPLOYMENT, _known(site, known)):
        policy, without = known[ident], set(unmanaged)
        routers = set((policy.return_path or {}).get("routers", ()))
        names = {node: topology.nodes[node].name for node in (*others, *without) if node in topology.nodes}
        found[ident] = Progress(
            managed=len(policy.nodes) - len(without.intersection(policy.nodes)),
            not_managed=tuple(names.get(node, "?") for node in policy.nodes if node in without),
            confirmed=current,
            outdated=members - current,
            gone=tuple(node for node in sorted(others) if names.get(node) not in routers),
        )
    return {policy.id: found[policy.id] for policy in shown if policy.id in found}


_URGENCY = Concat(
    Case(When(reboot=True, then=Value("0 ")), default=Value("1 ")), "node__name", output_field=CharField()
)


def drifting(
    site: Site, *, node: str | None = None, only: str | None = None, text: str | None = None
) -> QuerySet[Drift]:
    """Nodes that differ, with `urgency`: those that a reboot changes, then by name. `only`: `drift` or
    `reboot`; `text` looks into nodes' names."""
    rows = Drift.objects.filter(node__site=site).select_related("node").annotate(urgency=_URGENCY)
    rows = rows.filter(node__name=node) if node is not None else rows
    rows = rows.filter(node__name__icontains=text) if text else rows
    if only == "drift":
        return rows.filter(Q(running_differs=True) | Q(saved_differs=True))
    return rows.filter(reboot=True) if only == "reboot" else rows


def intended_by(nodes: Iterable[int]) -> dict[int, tuple[str | None, int | None]]:
    """Node id -> (engine, change) of what is intended."""
    rows = Intended.objects.filter(node__in=list(nodes))
    values = rows.values_list("node_id", "routing__engine__kind", "change_id")
    return {ident: (engine, change) for ident, engine, change in values}


def moves_of(path: Path, start: datetime) -> QuerySet[Move]:
    """A path's moves since a moment, the newest first."""
    return path.moves.filter(at__gt=start).order_by("-at", "-pk")
