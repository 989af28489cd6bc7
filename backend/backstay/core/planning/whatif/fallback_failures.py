"""What failures change in a site with failover policies, whatever the loads: components, redundancy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from backstay.core.model.routing import NodeRouting
from backstay.core.model.search import Component, Failure
from backstay.core.model.topology import Topology
from backstay.core.planning.whatif.demand import opposite_ends
from backstay.core.planning.whatif.flow_failures import FlowFailures
from backstay.core.planning.whatif.traffic_flows import TrafficFlows
from backstay.core.planning.whatif.traffic_matrix import TrafficLanes


class FallbackFailures:
    """Flows of one topology and routing: what failures change, whatever the loads."""

    def __init__(
        self,
        topology: Topology,
        routings: Mapping[int, NodeRouting],
        returns: Collection[tuple[str, int]] = (),
    ) -> None:
        """`returns`: policies and the routers of their return paths."""
        self.topology = topology
        self.failures = FlowFailures.of(topology, routings)
        self.opposite = opposite_ends(topology, self.failures.flows, returns)
        """Nodes whose demand is that of others."""
        self.traffic = TrafficFlows(self.failures, routings, self.opposite)

    @cached_property
    def traffic_lanes(self) -> TrafficLanes:
        """Links of all traffic."""
        return TrafficLanes(self.traffic, self.topology)

    @cached_property
    def redundant(self) -> tuple[frozenset[int], ...]:
        """By flow: indices of usable gateways through which its packets arrive without a failure."""
        scene = self.failures.scene
        return tuple(
            frozenset(
                place
                for place, step in enumerate(flow.candidates)
                if scene.through(flow.speaker, step, flow.goal).beyond.delivered
            )
            for flow in self.failures.flows
        )

    @cached_property
    def _behind(self) -> dict[Component, list[int]]:
        """Component -> flows with two gateways or more, one of which needs it."""
        things = self.failures.world.segments.things
        found: dict[Component, list[int]] = {}
        for at, flow in enumerate(self.failures.flows):
            if len(self.redundant[at]) < 2:
                continue
            needed: set[Component] = set()
            for place in self.redundant[at]:
                choice = self.failures.scene.through(flow.speaker, flow.steps[place], flow.goal)
                for segment in (choice.step, *choice.beyond.segments):
                    needed |= things(segment)
            own = {("link", link) for member in flow.members[:1] for link in member.links}
            for thing in needed - own:
                found.setdefault(thing, []).append(at)
        return found

    def components(self) -> list[Component]:
        """All that can fail with an effect, in order; hosts' only links are left out (`single_attached`)."""
        alone = self.single_attached
        known = [thing for thing in self.failures.components() if thing[0] != "link" or thing[1] not in alone]
        further = self._behind.keys() - set(known)
        fallible = (thing for thing in further if thing[0] != "node" or self.topology.forwards(thing))
        return known + sorted(fallible, key=lambda thing: (thing[0], self.failures.name(thing), thing[1]))

    @cached_property
    def single_attached(self) -> dict[int, int]:
        """Link -> host, of hosts with one link: its failure concerns nobody else."""
        links: dict[int, set[int]] = {}
        for flow in self.failures.flows:
            for member in flow.members:
                if not self.topology.forwards(("node", member.node)):
                    links.setdefault(member.node, set()).update(member.links)
        return {next(iter(own)): node for node, own in links.items() if len(own) == 1}

    def redundancy_lost(self, failed: Failure, cut_off: Collection[int]) -> tuple[int, ...]:
        """Nodes that had two working gateways or more, and have one left."""
        shared = [thing for thing in failed if thing in self._behind]
        if not shared:
            return ()
        scene = self.failures.under(failed).scene
        lost: set[int] = set()
        for at in {flow for thing in shared for flow in self._behind[thing]}:
            flow = self.failures.flows[at]
            if self.failures.is_gone(flow, failed):
                continue
            alive = sum(
                scene.through(flow.speaker, flow.steps[place], flow.goal).beyond.delivered
                for place in self.redundant[at]
            )
            if alive == 1:
                lost.update(member.node for member in flow.members)
        return tuple(sorted(lost - set(cut_off)))
