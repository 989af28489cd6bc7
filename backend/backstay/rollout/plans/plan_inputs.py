"""Inputs of a plan: topology, policies, engines, running state and confirmed state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from backstay.core.model.host_network import HostNetwork
from backstay.core.model.plan import Observation
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import Engine, NodeRouting, ObservedRouting, PolicyRoute
from backstay.core.model.topology import Topology
from backstay.core.planning.digest import digest
from backstay.core.planning.plan import inputs
from backstay.core.planning.scope import Scope, concerned, topology_of
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy.holds import describe_hold, holds_of_site
from backstay.policy.intents import intents
from backstay.rollout import management, wire_codec
from backstay.rollout.plans import observation
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs
from backstay.rollout.wire_codec import decode_observed_routing
from backstay.telemetry.models import RoutingState

Parts = dict[str, str]
"""Input label -> digest: names the inputs that have changed."""


@dataclass(frozen=True)
class PlanInputs:
    """One snapshot of a site for planning; every part is read once, on first use."""

    site: Site
    now: datetime

    @cached_property
    def topology(self) -> Topology:
        """The site's wiring."""
        return snapshot.load(self.site)

    @cached_property
    def policies(self) -> dict[int, FailoverIntent]:
        """Policies by id."""
        return intents(self.site)

    @cached_property
    def engines(self) -> dict[int, Engine]:
        """Node id -> engine; a node without one is not managed."""
        return wire_codec.engines(self.site)

    @cached_property
    def observed(self) -> dict[int, ObservedRouting]:
        """Node id -> running and saved state."""
        rows = RoutingState.objects.filter(node__site=self.site).order_by("node_id")
        return {row.node_id: decode_observed_routing(row) for row in rows}

    @cached_property
    def confirmed(self) -> dict[int, NodeRouting]:
        """Node id -> confirmed routing, without gateways that the site no longer has."""
        return {
            node: without_removed_gateways(routing)
            for node, routing in wire_codec.confirmed(self.site).items()
        }

    @cached_property
    def arp(self) -> ArpPlanInputs:
        """The same snapshot for ARP plans."""
        return ArpPlanInputs(self.site, self.topology, self.now)

    @cached_property
    def holds(self) -> dict[int, str]:
        """Node id -> `held until 14:32 UTC by alice`."""
        found = holds_of_site(self.site)
        return {node: describe_hold(hold, self.now) for node, hold in found.items()}

    @cached_property
    def _measured(self) -> Observation:
        return observation.read(self.site, self.topology, self.policies, self.now)

    @cached_property
    def _hosts(self) -> dict[int, HostNetwork]:
        return observation.hosts(self.site, self.topology, self.policies, self.confirmed, self.now)

    @cached_property
    def _released(self) -> dict[int, str]:
        return {
            node: management.blocked_text([row.node.name], row)
            for node, row in management.in_force(self.site).items()
            if row.state == "released"
        }

    def observation(self, wanted: tuple[FailoverIntent, ...]) -> Observation:
        """Loads, liveness, and the routes by which agents reach the controller after the deployment."""
        found = observation.controller(self.site, wanted, self.confirmed)
        return replace(
            self._measured,
            controller=found,
            address_mismatches=self.arp.mismatches,
            hosts=self._hosts,
            released=self._released,
            holds=self.holds,
        )

    def inputs(self, wanted: tuple[FailoverIntent, ...], scope: Scope) -> str:
        """SHA-256 of everything that must be unchanged when the plan is applied."""
        return inputs(
            self.topology,
            wanted,
            self.observed,
            self.engines,
            confirmed=self.confirmed,
            wave_limit=self.site.wave_limit,
            address_mismatches=self.arp.mismatches,
            scope=scope,
        )

    def parts(self, wanted: tuple[FailoverIntent, ...], scope: Scope) -> Parts:
        """`inputs` in parts, by the label shown when one has changed."""
        names = {node.id: node.name for node in self.topology.nodes.values()}
        about = concerned(self.topology, wanted, scope, self.confirmed, self.observed)
        running = {
            f"the running or saved state of {names.get(node, node)}": digest(
                [item.digest, item.engine, item.alive]
            )
            for node, item in self.observed.items()
            if node in about
        }
        kept = {
            f"the confirmed state of {names.get(node, node)}": digest(item)
            for node, item in self.confirmed.items()
            if node in about
        }
        mismatches = {port: item for port, item in self.arp.mismatches.items() if item.node in about}
        return {
            "the topology of its nodes": digest(topology_of(self.topology, about)),
            "the policies": digest(list(wanted)),
            "the routing engines": digest(
                {node: item for node, item in self.engines.items() if node in about}
            ),
            "the wave limit": digest(self.site.wave_limit),
            "the running addresses": digest(mismatches),
            **running,
            **kept,
        }


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Labels of parts that differ, appeared or disappeared."""
    return [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]


def without_removed_gateways(routing: NodeRouting) -> NodeRouting:
    """Without hops of gateways that the site no longer has, and without routes that have no other hop."""
    routes: list[PolicyRoute] = []
    for route in routing.routes:
        hops = tuple(hop for hop in route.hops if hop.gateway_id)
        if hops:
            routes.append(replace(route, hops=hops))
    return replace(routing, routes=tuple(routes))
