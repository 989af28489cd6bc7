"""Reads of deployed state: confirmed routes, saved state, moves, progress of policies, ARP of fabrics."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from backstay.core.model.arp import ArpIntent, FabricArp, Member
from backstay.core.planning.arp.checks.nodes import split
from backstay.core.planning.arp.resolve import desired
from backstay.core.planning.arp.rule import Rule, rule
from backstay.core.planning.arp.site import ArpSite
from backstay.inventory import snapshot
from backstay.inventory.lookups import with_numbers
from backstay.inventory.models import Node, Site
from backstay.policy import selectors as policies
from backstay.policy.models import FailoverPolicy, Path
from backstay.policy.selectors import PathState, Policy
from backstay.rollout.models import OPEN, Drift, Intended, Move
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs

OPEN_CHANGES = ("draft", "planned", "approved", "rolling", "confirming")
"""States of a change that has not ended."""
Key = tuple[int, str, str]
"""(node id, policy, prefix)."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """One confirmed route of a policy on a node."""

    gateways: tuple[str, ...]
    detection: str
    target: str | None
    timers: dict[str, Any]

    def is_as(self, policy: Policy, gateways: Iterable[str]) -> bool:
        """Whether this matches the current policy for a node with these gateways."""
        return (self.gateways, self.detection, self.target, self.timers) == (
            tuple(gateways),
            policy.detection,
            policy.target,
            asdict(policy.timers),
        )


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
    SELECT intended.node_id, route ->> 'policy', route ->> 'prefix',
           ARRAY(SELECT hop ->> 'gateway' FROM jsonb_array_elements(route -> 'hops') AS hop),
           route ->> 'detection', route ->> 'target', (route -> 'timers')::text
    FROM rollout_intended AS intended
    JOIN inventory_node AS node ON node.id = intended.node_id
    CROSS JOIN LATERAL jsonb_array_elements(intended.routing -> 'routes') AS route
    WHERE node.site_id = %(site)s AND (%(nodes)s::bigint[] IS NULL OR node.id = ANY (%(nodes)s))
      AND (%(policies)s::text[] IS NULL OR route ->> 'policy' = ANY (%(policies)s))
"""


def confirmed(
    site: Site, nodes: Collection[int] | None = None, policies: Collection[str] | None = None
) -> dict[Key, Confirmed]:
    """Confirmed routes by node, policy and prefix, without file texts. One query.

    Of these nodes and policies, or of all.
    """
    known = {
        "site": site.pk,
        "nodes": None if nodes is None else list(nodes),
        "policies": None if policies is None else list(policies),
    }
    with connection.cursor() as cursor:
        cursor.execute(_CONFIRMED, known)
        rows = cursor.fetchall()
    return {
        (node, policy, prefix): Confirmed(tuple(gateways), detection, target, json.loads(timers or "{}"))
        for node, policy, prefix, gateways, detection, target, timers in rows
    }


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


def progress(
    policy: Policy,
    paths: Iterable[PathState],
    names: Mapping[int, str],
    known: tuple[Mapping[int, NodeRoutingStatus], Mapping[Key, Confirmed]],
) -> Progress:
    """For one policy; `paths`: its own; `known`: results of `nodes` and `confirmed`."""
    statuses, routes = known
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
        managed=sum(node in statuses for node in own),
        not_managed=tuple(names.get(node, "?") for node in own if node not in statuses),
        confirmed=len(current),
        outdated=len(own.keys() & has.keys()) - len(current),
        gone=tuple(left),
    )


def progress_by_policy(site: Site, shown: Collection[Policy]) -> dict[int, Progress]:
    """Policy id -> deployment, of these policies; three queries."""
    names = {node.id: node.name for node in snapshot.load(site).nodes.values()}
    known = nodes(site), confirmed(site, policies=[policy.name for policy in shown])
    own = policies.paths_by_policy(site, [policy.id for policy in shown])
    return {policy.id: progress(policy, own[policy.id], names, known) for policy in shown}


def with_confirmed(rows: QuerySet[FailoverPolicy], site: Site) -> QuerySet[FailoverPolicy]:
    """A site's policies with `confirmed`, the number of nodes on which they are as they are now."""
    found = progress_by_policy(site, policies.policies(site).values())
    return with_numbers(rows, "confirmed", {ident: item.confirmed for ident, item in found.items()})


def _wanted(path: PathState, policy: Policy) -> list[str]:
    """A node is never its own gateway."""
    return [name for node, name in path.gateways(policy).items() if node != path.node_id]


def _fits(route: Confirmed, policy: Policy) -> bool:
    """Whether the current stripe can produce this number of gateways."""
    return policy.stripe is None or len(route.gateways) == 1 + policy.stripe["backups"]


@dataclass(frozen=True, slots=True)
class ArpProgress:
    """Deployment progress of an ARP policy."""

    managed: int
    not_managed: tuple[str, ...]
    confirmed: int
    outdated: int

    @property
    def in_force(self) -> bool:
        """Whether any node has it, in any state."""
        return bool(self.confirmed or self.outdated)


@dataclass(frozen=True)
class FabricArpStatus:
    """ARP of one fabric, with its policy if it has one."""

    fabric: int
    members: tuple[Member, ...]
    on: tuple[str, ...]
    off: tuple[str, ...]
    unknown: tuple[str, ...]
    policy: ArpIntent | None
    progress: ArpProgress | None

    @property
    def mismatched(self) -> tuple[Member, ...]:
        """Members that run another address than the site file declares."""
        return tuple(member for member in self.members if member.address_mismatch is not None)

    @property
    def mixed(self) -> bool:
        """Some run ARP and some do not: they cannot resolve each other."""
        return bool(self.on and self.off)

    def rule(self) -> Rule:
        """The address rule over the fabric."""
        return rule(self.members)


def fabric_arp_status(now: ArpPlanInputs, fabric: int) -> FabricArpStatus:
    """Of one fabric."""
    intent = next((policy for policy in now.policies.values() if policy.fabric == fabric), None)
    members = now.members(fabric)
    observed = ArpSite(now.topology, {}, {}, now.observed, {})
    flags = split(observed, members)
    return FabricArpStatus(
        fabric=fabric,
        members=members,
        on=tuple(flags[True]),
        off=tuple(flags[False]),
        unknown=tuple(flags[None]),
        policy=intent,
        progress=None if intent is None else _progress(now.policy_site, intent),
    )


def _progress(site: ArpSite, intent: ArpIntent) -> ArpProgress:
    name = site.topology.fabrics[intent.fabric].name
    members = site.members[intent.fabric]
    # An address mismatch does not make the deployed policy outdated: it blocks the plan instead.
    as_given = tuple(replace(member, address_mismatch=None) for member in members)
    aim = desired(replace(site, members={intent.fabric: as_given}), (intent,))
    has = {node: _part(item.fabrics, name) for node, item in site.confirmed.items()}
    current = [
        node for node, part in has.items() if part is not None and part == _part(aim[node].fabrics, name)
    ]
    outdated = [node for node, part in has.items() if part is not None and node not in current]
    return ArpProgress(
        managed=len({member.node for member in members if member.managed}),
        not_managed=tuple(dict.fromkeys(member.name for member in members if not member.managed)),
        confirmed=len(current),
        outdated=len(outdated),
    )


def _part(fabrics: tuple[FabricArp, ...], name: str) -> FabricArp | None:
    return next((fabric for fabric in fabrics if fabric.fabric == name), None)


def drifting(
    site: Site, *, node: str | None = None, only: str | None = None, text: str | None = None
) -> QuerySet[Drift]:
    """Nodes that differ; `only`: `drift` or `reboot`; `text` looks into nodes' names."""
    rows = Drift.objects.filter(node__site=site).select_related("node")
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
