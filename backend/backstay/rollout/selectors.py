"""Reads beside the observed paths: what may be changed, was brought about, is saved, and who moved what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import connection

from backstay.inventory.models import Node, Site
from backstay.policy.selectors import PathNow, Policy
from backstay.rollout.models import OPEN, Move

Key = tuple[int, str, str]
"""(node id, policy, prefix)."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """One route of one policy as it was confirmed on a node."""

    gateways: tuple[str, ...]
    detection: str
    target: str | None
    timers: dict[str, Any]

    def is_as(self, policy: Policy, gateways: Iterable[str]) -> bool:
        """Whether this is what the policy wants now of a node with these gateways."""
        return (self.gateways, self.detection, self.target, self.timers) == (
            tuple(gateways),
            policy.detection,
            policy.target,
            asdict(policy.timers),
        )


@dataclass(frozen=True, slots=True)
class NodeRoutingStatus:
    """One node: its engine as the site file has it, whether what it runs was compared, where it differs."""

    engine: dict[str, Any]
    compared: bool
    """With what is intended, and its engine answers now."""
    drift: tuple[dict[str, Any], ...]
    """Items of its Drift."""

    def saved(self, prefix: str) -> bool | None:
        """Whether a reboot would leave this prefix as it runs; None: nobody knows."""
        if not self.compared:
            return None
        about = [item for item in self.drift if item["what"] == prefix or item["kind"] == "file"]
        return not any(item["reboot"] for item in about)


def nodes(site: Site) -> dict[int, NodeRoutingStatus]:
    """Node id -> its standing, for those that have an engine; one query."""
    rows = Node.objects.filter(site=site).exclude(routing={})
    values = rows.values_list("id", "routing", "routing_state__alive", "intended__judged_at", "drift__items")
    return {
        node: NodeRoutingStatus(engine, bool(alive) and judged_at is not None, tuple(items or ()))
        for node, engine, alive, judged_at, items in values
    }


_CONFIRMED = """
    SELECT intended.node_id, route ->> 'policy', route ->> 'prefix',
           ARRAY(SELECT hop ->> 'gateway' FROM jsonb_array_elements(route -> 'hops') AS hop),
           route ->> 'detection', route ->> 'target', (route -> 'timers')::text
    FROM rollout_intended AS intended
    JOIN inventory_node AS node ON node.id = intended.node_id
    CROSS JOIN LATERAL jsonb_array_elements(intended.routing -> 'routes') AS route
    WHERE node.site_id = %s
"""


def confirmed(site: Site) -> dict[Key, Confirmed]:
    """What was confirmed, by node, policy and prefix; one query, which leaves files' texts alone."""
    with connection.cursor() as cursor:
        cursor.execute(_CONFIRMED, [site.pk])
        rows = cursor.fetchall()
    return {
        (node, policy, prefix): Confirmed(tuple(gateways), detection, target, json.loads(timers or "{}"))
        for node, policy, prefix, gateways, detection, target, timers in rows
    }


def open_moves(site: Site) -> dict[int, Move]:
    """Path id -> the move that keeps it on a gateway; one query."""
    rows = Move.objects.filter(path__policy__site=site, state__in=OPEN).order_by("pk")
    return {move.path_id: move for move in rows}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a policy is brought about; names and counts of its nodes."""

    managed: int
    not_managed: tuple[str, ...]
    confirmed: int
    outdated: int
    gone: tuple[int, ...]
    """Ids of nodes that still have it although it is not for them any more."""

    @property
    def in_force(self) -> bool:
        """Whether any node has it, in whatever state."""
        return bool(self.confirmed or self.outdated or self.gone)


def progress(
    policy: Policy,
    paths: Iterable[PathNow],
    names: Mapping[int, str],
    known: tuple[Mapping[int, NodeRoutingStatus], Mapping[Key, Confirmed]],
) -> Progress:
    """Of one policy; `paths` are its own, `known` is what `nodes` and `confirmed` read."""
    standings, routes = known
    own = {path.node_id: path for path in paths}
    has = {key[0]: route for key, route in routes.items() if key[1] == policy.name}
    current = [
        node
        for node, path in own.items()
        if (route := routes.get((node, policy.name, policy.prefix))) is not None
        and route.is_as(policy, _wanted(path, policy))
        and _fits(route, policy)
    ]
    routers = set((policy.return_path or {}).get("routers", ()))
    left = [node for node in sorted(has.keys() - own.keys()) if names.get(node) not in routers]
    return Progress(
        managed=sum(node in standings for node in own),
        not_managed=tuple(names.get(node, "?") for node in own if node not in standings),
        confirmed=len(current),
        outdated=len(own.keys() & has.keys()) - len(current),
        gone=tuple(left),
    )


def _wanted(path: PathNow, policy: Policy) -> list[str]:
    """A node is never its own gateway."""
    return [name for node, name in path.gateways(policy).items() if node != path.node_id]


def _fits(route: Confirmed, policy: Policy) -> bool:
    """Whether a stripe as it is now could have given this order."""
    return policy.stripe is None or len(route.gateways) == 1 + policy.stripe["backups"]
