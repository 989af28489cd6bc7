"""Plans of changes: made from one reading of the site, kept with what each node gets; staleness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from backstay.core import rendering
from backstay.core.model.plan import NodePlan, Plan
from backstay.core.model.policy import FailoverIntent
from backstay.core.planning.plan import make_plan
from backstay.core.planning.scope import Scope
from backstay.core.planning.texts import Rendering
from backstay.policy.models import Path
from backstay.rollout.models import Change, Intended, PlanRecord
from backstay.rollout.plans_adopt import adopt
from backstay.rollout.plans_document import document, stale_because
from backstay.rollout.plans_now import Now, changed
from backstay.rollout.plans_words import routing_words
from backstay.rollout.probes import probes

Duties = dict[str, dict[str, Any]]
"""`PlanRecord.duties`."""
RENDERING: Rendering = rendering


def make(change: Change, reading: Now) -> PlanRecord:
    """A new plan of the change, stored. What cannot be brought about blocks it; nothing is raised."""
    wanted = _wanted(change, reading)
    plan = _plan(change, reading, wanted)
    return PlanRecord.objects.create(
        change=change,
        made_at=reading.now,
        digest=plan.digest,
        inputs=plan.inputs,
        blocked=plan.blocked,
        warnings=sum(finding.level == "warning" for finding in plan.findings),
        nodes=sum(map(len, plan.waves)),
        waves=len(plan.waves),
        document={
            **document(reading.topology, plan, change.kind),
            "parts": reading.parts(wanted),
        },
        duties=_duties(plan, reading),
    )


def staleness(change: Change, plan: PlanRecord, reading: Now) -> str:
    """Why the plan may not be applied any more, in a sentence; empty: all is as it was."""
    wanted = _wanted(change, reading)
    if reading.inputs(wanted) == plan.inputs:
        return ""
    return stale_because(changed(plan.document["parts"], reading.parts(wanted)))


def _wanted(change: Change, reading: Now) -> tuple[FailoverIntent, ...]:
    """The change's policies as they are now; one that was removed meanwhile is missing."""
    mine = change.policies.order_by("pk").values_list("pk", flat=True)
    return tuple(reading.policies[policy] for policy in mine if policy in reading.policies)


def _plan(change: Change, reading: Now, wanted: tuple[FailoverIntent, ...]) -> Plan:
    nodes = _nodes(change, reading)
    if change.kind == "adopt":
        return adopt(reading, nodes, RENDERING)
    if change.kind == "restore":
        scope = Scope(only=frozenset(), restored=frozenset(nodes))
    else:
        scope = Scope(only=frozenset(nodes) if change.nodes else None)
    return make_plan(
        reading.topology,
        wanted,
        reading.observed,
        reading.engines,
        reading.observation(wanted),
        confirmed=reading.confirmed,
        wave_limit=reading.site.wave_limit,
        rendering=RENDERING,
        scope=scope,
    )


def _nodes(change: Change, reading: Now) -> list[int]:
    """Ids of the nodes that the change names, as far as the site still has them."""
    names = set(change.nodes)
    return sorted(node.id for node in reading.topology.nodes.values() if node.name in names)


def _duties(plan: Plan, reading: Now) -> Duties:
    waves = {node: number for number, wave in enumerate(plan.waves) for node in wave}
    rows = Intended.objects.filter(node__in=waves)
    earlier = {row.node_id: _earlier(row) for row in rows}
    orders = _Orders(reading, waves)
    dead = _dead(reading.observation(()).alive)
    found: Duties = {}
    for node in plan.nodes:
        ident = node.routing.node_id
        if ident in waves:
            found[str(ident)] = {
                "wave": waves[ident],
                "base": node.base,
                "routing": routing_words(node.routing, node.files, node.variants),
                "probes": probes(node.routing, dead.get(ident, ())),
                "earlier": earlier.get(ident),
                **orders.of(node),
            }
    return found


def _dead(alive: Mapping[tuple[int, int], bool]) -> dict[int, set[int]]:
    """Node id -> gateways that are known not to answer it."""
    found: dict[int, set[int]] = {}
    for (node, gateway), answers in alive.items():
        if not answers:
            found.setdefault(node, set()).add(gateway)
    return found


def _earlier(row: Intended) -> dict[str, Any]:
    return {
        "revision": row.revision,
        "routing": row.routing,
        "change_id": row.change_id,
        "at": row.at.isoformat(),
    }


class _Orders:
    """The order of gateways of each path whose node has its own, now and once the plan is in force."""

    def __init__(self, reading: Now, nodes: Iterable[int]) -> None:
        rows = Path.objects.filter(node__in=list(nodes))
        self._paths = {
            (node, policy): (path, order)
            for path, node, policy, order in rows.values_list("pk", "node_id", "policy_id", "order")
        }
        self._policies: Mapping[tuple[str, str], FailoverIntent] = {
            (intent.name, str(intent.prefix)): intent for intent in reading.policies.values()
        }

    def of(self, node: NodePlan) -> dict[str, dict[str, list[int] | None]]:
        """`orders` and `orders_before`: path id in words -> gateways; None: the policy's own order."""
        after: dict[str, list[int] | None] = {}
        before: dict[str, list[int] | None] = {}
        for route in node.routing.routes:
            intent = self._policies.get((route.policy, str(route.prefix)))
            known = None if intent is None else self._paths.get((node.routing.node_id, intent.id))
            if intent is None or known is None:
                continue
            path, was = known
            order = [hop.gateway_id for hop in route.hops]
            own = order != [each for each in intent.gateways if each != node.routing.node_id]
            wanted = order if own else None
            if wanted != was:
                after[str(path)], before[str(path)] = wanted, was
        return {"orders": after, "orders_before": before}
