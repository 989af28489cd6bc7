"""The routing part of a change's plan, with each node's assignment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from backstay.core import rendering
from backstay.core.model.plan import NodePlan, Plan
from backstay.core.model.policy import FailoverIntent
from backstay.core.planning.config_files import Rendering
from backstay.core.planning.plan import make_plan
from backstay.core.planning.probes import MOST, Probe, probes
from backstay.core.planning.scope import Original, Scope
from backstay.policy.models import Path
from backstay.rollout.models import Change
from backstay.rollout.plans.adoption import adopt
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.plans.undo_plan import routing_originals, routing_targets
from backstay.rollout.wire_codec import encode_routing

RENDERING: Rendering = rendering


def wanted_of(change: Change, reading: PlanInputs) -> tuple[FailoverIntent, ...]:
    """The change's policies that still exist; one that is retired or matches no node wants no routes."""
    mine = change.policies.order_by("pk").values_list("pk", flat=True)
    found = [reading.policies[policy] for policy in mine if policy in reading.policies]
    return tuple(
        replace(intent, nodes=(), stripe=None, back=None)
        if change.kind == "retire" or not intent.nodes
        else intent
        for intent in found
    )


def routing_plan(change: Change, reading: PlanInputs, wanted: tuple[FailoverIntent, ...]) -> Plan:
    """Effect of the change on routes."""
    scope = scope_of(change, reading)
    if change.kind == "adopt":
        return adopt(reading, scope, RENDERING)
    return make_plan(
        reading.topology,
        wanted,
        reading.observed,
        reading.engines,
        reading.observation(wanted),
        confirmed=reading.confirmed,
        wave_limit=reading.site.wave_limit,
        wave_size=change.wave_size,
        rendering=RENDERING,
        scope=scope,
    )


def scope_of(change: Change, reading: PlanInputs) -> Scope:
    """Nodes that the change may alter."""
    if change.kind == "undo":
        targets, originals = routing_targets(change, reading), routing_originals(change)
        return Scope(only=frozenset(), targets=targets, originals=originals)
    nodes = frozenset(named(change, reading))
    if change.kind in {"restore", "adopt"}:
        return Scope(only=frozenset(), restored=nodes)
    return Scope(only=nodes if change.nodes else None)


def named(change: Change, reading: PlanInputs) -> list[int]:
    """Ids of the nodes that the change names and the site still has."""
    names = set(change.nodes)
    return sorted(node.id for node in reading.topology.nodes.values() if node.name in names)


def routing_assignments(plan: Plan, reading: PlanInputs, scope: Scope) -> dict[int, dict[str, Any]]:
    """Node id -> routing part of `PlanRecord.assignments`, for nodes in the plan's waves."""
    waves = {node: number for number, wave in enumerate(plan.waves) for node in wave}
    orders = _Orders(reading, waves)
    dead = _dead(reading.observation(()).alive)
    return {
        node.routing.node_id: {
            "wave": waves[node.routing.node_id],
            "base": node.base,
            "routing": encode_routing(node.routing, node.files, node.variants),
            "probes": [
                {"name": probe.name, "address": probe.address, "via": probe.via, "port": probe.port}
                for probe in (
                    *probes(node.routing, dead.get(node.routing.node_id, ())),
                    *_original_gateways(scope.originals.get(node.routing.node_id)),
                )
            ][:MOST],
            **orders.of(node),
            "running": _running(node, reading),
            "files_before": [{"path": file.path, "text": file.before} for file in node.files],
            "handed_back": _handed_back(scope.originals.get(node.routing.node_id)),
        }
        for node in plan.nodes
        if node.routing.node_id in waves
    }


def _handed_back(original: Original | None) -> list[str]:
    return [] if original is None else [str(route.prefix) for route in original.routes]


def _original_gateways(original: Original | None) -> Iterator[Probe]:
    """Each gateway of the operator's routes that come back."""
    for route in original.routes if original else ():
        for hop in route.hops:
            yield Probe(
                f"{hop.address}, the next hop of {route.prefix} before", str(hop.address), port=hop.port
            )


def _running(node: NodePlan, reading: PlanInputs) -> list[dict[str, Any]]:
    """The node's current routes of the prefixes that the plan takes under management."""
    observed = reading.observed[node.routing.node_id]
    confirmed = reading.confirmed.get(node.routing.node_id)
    managed = {route.prefix for route in confirmed.routes} if confirmed else set()
    prefixes = {route.prefix for route in node.routing.routes} - managed
    return [
        {
            "prefix": str(route.prefix),
            "hops": [
                {"address": str(hop.address), "port": hop.port, "preference": hop.preference}
                for hop in route.hops
            ],
        }
        for route in observed.routes
        if route.prefix in prefixes
    ]


def _dead(alive: Mapping[tuple[int, int], bool]) -> dict[int, set[int]]:
    """Node id -> gateways that do not respond to it."""
    found: dict[int, set[int]] = {}
    for (node, gateway), answers in alive.items():
        if not answers:
            found.setdefault(node, set()).add(gateway)
    return found


class _Orders:
    """Per-node gateway orders that the plan changes, before and after."""

    def __init__(self, reading: PlanInputs, nodes: Iterable[int]) -> None:
        rows = Path.objects.filter(node__in=list(nodes))
        self._paths = {
            (node, policy): (path, order)
            for path, node, policy, order in rows.values_list("pk", "node_id", "policy_id", "order")
        }
        self._policies: Mapping[tuple[str, str], FailoverIntent] = {
            (intent.name, str(intent.prefix)): intent for intent in reading.policies.values()
        }

    def of(self, node: NodePlan) -> dict[str, dict[str, list[int] | None]]:
        """`orders` and `orders_before`: path id as text -> gateways; None: the policy's order."""
        after: dict[str, list[int] | None] = {}
        before: dict[str, list[int] | None] = {}
        for route in node.routing.routes:
            intent = self._policies.get((route.policy, str(route.prefix)))
            known = None if intent is None else self._paths.get((node.routing.node_id, intent.id))
            if intent is None or known is None:
                continue
            path, was = known
            order = [hop.gateway_id for hop in route.hops]
            own = order != [gateway for gateway in intent.gateways if gateway != node.routing.node_id]
            wanted = order if own else None
            if wanted != was:
                after[str(path)], before[str(path)] = wanted, was
        return {"orders": after, "orders_before": before}
