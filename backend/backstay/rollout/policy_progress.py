"""How far policies are deployed: confirmed routes compared with what each policy wants of its nodes now.

A process keeps the confirmed routes of each node by the version of its row (`row_cache`). Few of them differ
between nodes, so nodes with the same routes and gateways are compared once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import IntegerField, QuerySet
from django.db.models.functions import Cast, Coalesce

from backstay.inventory import snapshot
from backstay.inventory.lookups import with_texts
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.policy.models import FailoverPolicy, Path
from backstay.policy.selectors import Policy, policies
from backstay.telemetry.row_cache import RowCache, version_sql

_VERSIONS = f"""
    SELECT intended.node_id AS id, {version_sql("intended")} AS version
    FROM rollout_intended AS intended JOIN inventory_node AS node ON node.id = intended.node_id
    WHERE node.site_id = %(site)s
"""  # noqa: S608 - only names of tables are put in
_ROUTES = """
    SELECT routes::text, array_agg(node_id) FROM rollout_intended
    WHERE node_id = ANY (%s) AND routes IS NOT NULL GROUP BY routes::text
"""
# Members with the same gateways, in order.
_ORDERS = """
    SELECT policy_id, "order", array_agg(node_id) FROM policy_path
    WHERE policy_id = ANY (%s) GROUP BY policy_id, "order"
"""


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


@dataclass(frozen=True, slots=True, eq=False)
class _Deployment:
    """The confirmed routes of a node, wire `NodeRoute`; shared by the nodes that were read with the same."""

    routes: tuple[dict[str, Any], ...]

    def has(self, policy: str) -> bool:
        """Whether any route is of this policy."""
        return any(route.get("policy") == policy for route in self.routes)


def _read(_: int, nodes: Sequence[int]) -> dict[int, _Deployment]:
    found: dict[int, _Deployment] = {}
    for text, holders in fetch_rows(_ROUTES, [list(nodes)]):
        found |= dict.fromkeys(holders, _Deployment(tuple(json.loads(text))))
    return found


_known = RowCache(_VERSIONS, _read)


def progress_by_policy(site: Site, shown: Collection[Policy]) -> dict[int, Progress]:
    """Policy id -> deployment, of these policies; at most four queries."""
    if not shown:
        return {}
    confirmed, members = _known.rows(site.pk).values, _members(shown)
    holders, unmanaged, nodes = _Holders(confirmed), _unmanaged(shown), snapshot.load(site).nodes
    found = {}
    for policy in shown:
        without, having = unmanaged[policy.id], holders.of(policy.name)
        here = {node for _, known in members[policy.id] for node in known}
        current, gone = _current(policy, members[policy.id], confirmed), sorted(having - here)
        names = {node: nodes[node].name for node in (*gone, *without) if node in nodes}
        routers = (policy.return_path or {}).get("routers", ())  # They have its return path, members or not.
        found[policy.id] = Progress(
            managed=len(policy.nodes) - len(without.intersection(policy.nodes)),
            not_managed=tuple(names.get(node, "?") for node in policy.nodes if node in without),
            confirmed=current,
            outdated=len(having & here) - current,
            gone=tuple(node for node in gone if names.get(node) not in routers),
        )
    return found


def with_confirmed(rows: QuerySet[FailoverPolicy], site: Site) -> QuerySet[FailoverPolicy]:
    """A site's policies with `confirmed`: the number of nodes with a confirmed route as the policy is now."""
    known, confirmed = policies(site).values(), _known.rows(site.pk).values
    members = _members(known)
    counts = {str(policy.id): str(_current(policy, members[policy.id], confirmed)) for policy in known}
    texts = with_texts(rows, "confirmed_text", counts, "pk")
    number = Coalesce(Cast("confirmed_text", IntegerField()), 0)
    annotated: QuerySet[FailoverPolicy] = texts.annotate(confirmed=number)
    return annotated


_Orders = list[tuple[tuple[int, ...], list[int]]]
"""(gateways in the order of a stripe, ids of the members that have it)."""


def _members(shown: Collection[Policy]) -> dict[int, _Orders]:
    """Policy id -> its members; one query."""
    found: dict[int, _Orders] = {policy.id: [] for policy in shown}
    for ident, order, nodes in fetch_rows(_ORDERS, [list(found)]):
        found[ident].append((tuple(order or ()), nodes))
    return found


def _unmanaged(shown: Collection[Policy]) -> dict[int, set[int]]:
    """Policy id -> ids of its members without a routing engine; one query."""
    found: dict[int, set[int]] = {policy.id: set() for policy in shown}
    rows = Path.objects.filter(policy__in=list(found), node__routing={})
    for ident, node in rows.values_list("policy_id", "node_id"):
        found[ident].add(node)
    return found


def _current(policy: Policy, members: _Orders, confirmed: Mapping[int, _Deployment]) -> int:
    """Number of members' confirmed routes that are as the policy wants them now."""
    return sum(
        number * _matching(policy, order, own, deployment.routes)
        for order, nodes in members
        for (deployment, own), number in _alike(policy, nodes, confirmed).items()
    )


class _Holders:
    """Nodes by what they have confirmed."""

    def __init__(self, confirmed: Mapping[int, _Deployment]) -> None:
        self._nodes: dict[_Deployment, list[int]] = {}
        for node, deployment in confirmed.items():
            self._nodes.setdefault(deployment, []).append(node)

    def of(self, policy: str) -> set[int]:
        """Those with any route of this policy."""
        return {node for deployment, nodes in self._nodes.items() if deployment.has(policy) for node in nodes}


def _alike(
    policy: Policy, nodes: Iterable[int], confirmed: Mapping[int, _Deployment]
) -> Counter[tuple[_Deployment, int | None]]:
    """Number of nodes by what they have confirmed, and by their id if they are a gateway of the policy."""
    gateways = policy.gateways
    known = ((confirmed.get(node), node if node in gateways else None) for node in nodes)
    return Counter((deployment, own) for deployment, own in known if deployment is not None)


def _matching(policy: Policy, order: Sequence[int], own: int | None, routes: Sequence[dict[str, Any]]) -> int:
    """How many of a node's routes are as the policy wants them now.

    The node's own order (of a stripe) precedes the policy's; a node is never its own gateway.
    """
    gateways = [node for node in order if node in policy.gateways] or list(policy.gateways)
    wanted = [policy.gateways[node] for node in gateways if node != own]
    return sum(_is_current(policy, wanted, route) for route in routes)


def _is_current(policy: Policy, gateways: Sequence[str], route: Mapping[str, Any]) -> bool:
    """Of a stripe also the number of gateways must be the one that the stripe produces now."""
    hops = route.get("hops", ())
    return (
        route.get("policy") == policy.name
        and route.get("prefix") == policy.prefix
        and route.get("detection") == policy.detection
        and route.get("target") == policy.target
        and route.get("timers") == asdict(policy.timers)
        and (policy.stripe is None or len(hops) == 1 + policy.stripe["backups"])
        and [hop.get("gateway") for hop in hops] == gateways
    )
