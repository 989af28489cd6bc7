"""Adoption plan: the running state of nodes becomes their intended state; no node changes.

The planner checks it like any other plan, so that a black hole or equal preferences are not adopted, and
shows the impact of failures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address

from backstay.core.formatting import listing
from backstay.core.model.onlink import on_link
from backstay.core.model.plan import Finding, NodePlan, Plan, RouteDifference
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import (
    Hop,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    RunningHop,
    RunningRoute,
)
from backstay.core.planning.config_files import Rendering
from backstay.core.planning.diff import find, format_hops, leader
from backstay.core.planning.digest import digest
from backstay.core.planning.plan import make_plan
from backstay.core.planning.scope import Scope
from backstay.rollout.plans.plan_inputs import PlanInputs

CHECK = "adoptable"
_LEAST, _MOST = 1, 254
"""Valid preferences: 0 is reserved for the kernel, 255 is never used (routing.Hop)."""


def adopt(reading: PlanInputs, scope: Scope, rendering: Rendering) -> Plan:
    """The running routing of the scope's restored nodes as intended routing."""
    taker = _Taker(reading)
    taken = {node: routing for node in sorted(scope.restored) if (routing := taker.routing(node)) is not None}
    plan = make_plan(
        reading.topology,
        (),
        reading.observed,
        reading.engines,
        reading.observation(()),
        confirmed={**reading.confirmed, **taken},
        wave_limit=reading.site.wave_limit,
        rendering=rendering,
        scope=Scope(only=frozenset(), restored=frozenset(taken)),
    )
    mine = tuple(taker.plan(node) for node in plan.nodes)
    wave = tuple(item.routing.node_id for item in mine if item.changes)
    return _sealed(
        replace(
            plan,
            nodes=mine,
            findings=(*taker.findings(), *plan.findings),
            waves=(wave,) if wave else (),
            inputs=reading.inputs((), scope),
            digest="",
        )
    )


def _sealed(plan: Plan) -> Plan:
    return replace(plan, digest=digest(plan))


class _Taker:
    """Reads the running routes of nodes and collects what cannot be adopted."""

    def __init__(self, reading: PlanInputs) -> None:
        self._reading = reading
        self._owners = {address: port.node_id for address, port in reading.topology.addresses}
        self._names = {address: reading.topology.nodes[node].name for address, node in self._owners.items()}
        self._cannot: dict[str, list[str]] = {}

    def routing(self, node: int) -> NodeRouting | None:
        """The node's running routes for its policies' prefixes; None, with a reason, when unknown."""
        observed, engine = self._reading.observed.get(node), self._reading.engines.get(node)
        name = self._reading.topology.nodes[node].name
        if engine is None:
            self._refuse(name, "the site file declares no engine: add its `routing:` key")
            return None
        if observed is None:
            self._refuse(name, "its running state was not reported yet: check that its agent is running")
            return None
        routes = (self._taken(name, observed, route) for route in self._known(node))
        return NodeRouting(name, node, engine, tuple(route for route in routes if route is not None))

    def _refuse(self, name: str, why: str) -> None:
        self._cannot.setdefault(why, []).append(name)

    def _known(self, node: int) -> tuple[PolicyRoute, ...]:
        """Confirmed routes; on a node without any, the routes of its policies without hops."""
        confirmed = self._reading.confirmed.get(node)
        if confirmed is not None:
            return confirmed.routes
        return tuple(_asked(node, self._reading.policies))

    def _taken(self, name: str, observed: ObservedRouting, route: PolicyRoute) -> PolicyRoute | None:
        running = find(observed.routes, route.prefix)
        if route.hops and leader(route, running) is not None:
            return route
        hops = [self._hop(name, observed.node_id, running, hop) for hop in _ordered(running)]
        known = tuple(hop for hop in hops if hop is not None)
        return replace(route, hops=known) if known else None

    def _hop(self, name: str, node: int, route: RunningRoute, hop: RunningHop) -> Hop | None:
        gateway = self._owners.get(hop.address)
        if gateway is None:
            self._refuse(
                name, f"its next hop {hop.address} for {route.prefix} belongs to no node of the site"
            )
            return None
        if not _LEAST <= hop.preference <= _MOST:
            self._refuse(
                name, f"preference {hop.preference} of {route.prefix} is outside {_LEAST} to {_MOST}"
            )
            return None
        return Hop(
            self._reading.topology.nodes[gateway].name,
            gateway,
            hop.address,
            hop.port or self._port(node, gateway, hop.address),
            hop.preference,
        )

    def _port(self, node: int, gateway: int, address: IPv4Address | IPv6Address) -> str:
        adjacency = on_link(self._reading.topology, node, gateway, address.version)
        return "" if adjacency is None else adjacency.own.name

    def plan(self, node: NodePlan) -> NodePlan:
        """The node's plan with differences of the intended state; its files stay unchanged."""
        before = self._reading.confirmed.get(node.routing.node_id)
        was = {} if before is None else {route.prefix: route for route in before.routes}
        now = {route.prefix: route for route in node.routing.routes}
        found = [
            RouteDifference(
                str(prefix), _hops(self._names, was.get(prefix)), _hops(self._names, now.get(prefix))
            )
            for prefix in dict.fromkeys([*was, *now])
            if was.get(prefix) != now.get(prefix)
        ]
        kept = tuple(replace(file, after=file.before) for file in node.files)
        shape = digest([node.routing.engine.kind, found])[:16]
        return replace(node, differences=tuple(found), files=kept, shape=shape)

    def findings(self) -> list[Finding]:
        """The reasons of nodes that cannot be adopted, or one passed check."""
        found = [
            Finding(CHECK, "failed", f"{listing(nodes)} cannot be adopted: {why}.", tuple(nodes))
            for why, nodes in self._cannot.items()
        ]
        fine = "Every next hop is a node of this site with a valid preference."
        return found or [Finding(CHECK, "passed", fine)]


def _ordered(running: RunningRoute) -> list[RunningHop]:
    return sorted(running.hops, key=lambda hop: (hop.preference, int(hop.address)))


def _hops(names: Mapping[IPv4Address | IPv6Address, str], route: PolicyRoute | None) -> tuple[str, ...]:
    return () if route is None else format_hops(names, route.hops)


def _asked(node: int, policies: Mapping[int, FailoverIntent]) -> Iterable[PolicyRoute]:
    for intent in policies.values():
        if node in intent.nodes:
            yield PolicyRoute(intent.name, intent.prefix, (), intent.detection, intent.timers, intent.target)
        if intent.back is not None and node in intent.back.routers:
            back = intent.back
            yield PolicyRoute(intent.name, back.prefix, (), intent.detection, intent.timers, back.target)
