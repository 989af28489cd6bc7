"""Flows: nodes with the same gateways, folded into one flow.

Nodes whose first links end at the same switch or fabric, and which have the same gateways in the same order,
differ only in that first link. A failure is therefore evaluated once per flow rather than per node; a node's
own link is evaluated separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from backstay.core.model.routing import EngineKind, NodeRouting, PolicyRoute
from backstay.core.model.topology import Vertex
from backstay.core.planning.whatif.forwarding_sim import Destination, ForwardingStep, NetworkState

_Tail = tuple[int, int, tuple[Vertex, ...], tuple[int, ...]]
"""(gateway, index of the node's own link, vertices and links of the rest of the segment)."""


@dataclass(frozen=True, slots=True)
class Member:
    """One node of a flow; `links` are its own first links, in gateway order."""

    node: int
    links: tuple[int, ...]
    route: PolicyRoute


@dataclass(frozen=True, slots=True)
class Flow:
    """Nodes that send to one destination via the same gateways; `steps` are the first member's."""

    goal: Destination
    steps: tuple[ForwardingStep, ...]
    own: tuple[int, ...]
    """Per step, the index of the member's own link; -1: no path."""
    probed: Destination | None
    """Target of the members' checkers behind the gateways."""
    engine: EngineKind
    members: tuple[Member, ...]

    @property
    def route(self) -> PolicyRoute:
        """One member's route; all have the same policy, prefix, gateways, detection and timers."""
        return self.members[0].route

    @property
    def candidates(self) -> tuple[ForwardingStep, ...]:
        """As `NetworkState.candidates`: what a failure leaves of them may be used."""
        return self.steps if self.route.is_detected else self.steps[:1]

    @property
    def gateways(self) -> tuple[int, ...]:
        """In order."""
        return tuple(step.gateway for step in self.steps)

    @property
    def speaker(self) -> int:
        """The member that represents all."""
        return self.members[0].node


def flows(world: NetworkState, routings: Mapping[int, NodeRouting]) -> list[Flow]:
    """Every managed route of every node, folded; ordered by the first node of each flow."""
    folded: dict[object, list[Member]] = {}
    for node, routing in routings.items():
        for route in routing.routes:
            goal = world.goal(route)
            if ("node", node) in goal.vertices:
                continue
            steps = world.steps(node, route)
            links = tuple(dict.fromkeys(step.segment.links[0] for step in steps if step.segment.links))
            shape = tuple(_tails(steps, links))
            alone = node if world.topology.forwards(("node", node)) else None
            key = (_kind(route), routing.engine.kind, shape, alone)
            folded.setdefault(key, []).append(Member(node, links, route))
    return [_flow(world, members, routings) for members in folded.values()]


def _flow(world: NetworkState, members: list[Member], routings: Mapping[int, NodeRouting]) -> Flow:
    first = members[0]
    steps = world.steps(first.node, first.route)
    own = (first.links.index(step.segment.links[0]) if step.segment.links else -1 for step in steps)
    return Flow(
        goal=world.goal(first.route),
        steps=steps,
        own=tuple(own),
        probed=world.probed(first.route),
        engine=routings[first.node].engine.kind,
        members=tuple(members),
    )


def _kind(route: PolicyRoute) -> tuple[object, ...]:
    return (route.policy, route.prefix, route.target, route.detection, route.timers, route.is_detected)


def _tails(steps: tuple[ForwardingStep, ...], links: tuple[int, ...]) -> Iterator[_Tail]:
    for step in steps:
        segment = step.segment
        own = links.index(segment.links[0]) if segment.links else -1
        yield step.gateway, own, segment.hops[1:], segment.links[1:]
