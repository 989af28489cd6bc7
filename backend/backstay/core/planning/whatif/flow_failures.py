"""Choices of all flows without a failure and under any: which gateway each uses, and the path behind it.

Only flows whose path depends on a failed component are evaluated again (`FailureScenario` records the
dependencies). A host's own link, and the host itself, affect only that host.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backstay.core.model.routing import NodeRouting
from backstay.core.model.search import INTACT, Component, Failure, ForwardingPath
from backstay.core.model.topology import FORWARDING, Topology
from backstay.core.planning.whatif.flows import Flow, flows
from backstay.core.planning.whatif.forwarding_sim import (
    NO_PATH,
    Choice,
    FailureScenario,
    ForwardingStep,
    NetworkState,
)

_ORDER = {"node": 1, "fabric": 2, "link": 3}


@dataclass(frozen=True, slots=True)
class Rerouting:
    """What one failure changes; indices are those of `FlowFailures.flows` and of a flow's members."""

    scene: FailureScenario
    """With what fails beyond the hosts' own links and the hosts."""
    flows: tuple[tuple[int, Choice], ...]
    """(flow, choice) of whole flows that depend on a failed component."""
    members: tuple[tuple[int, int, Choice], ...]
    """(flow, member, choice) of hosts that lose a link of their own, or fail: instead of their flow's."""


class FlowFailures:
    """Flows of one topology under managed routes, and their choices under failures."""

    def __init__(self, world: NetworkState, flows: list[Flow]) -> None:
        self.topology, self.world = world.topology, world
        self.flows = flows
        self.scene = FailureScenario(world)
        found = [
            self.scene.choose(flow.speaker, flow.candidates, flow.goal, flow.probed) for flow in self.flows
        ]
        self.intact = [choice for choice, _ in found]
        self._dependent = self._by_component([dependencies for _, dependencies in found])
        self._own = self._own_links()
        self._detours: dict[tuple[int, frozenset[int]], Choice] = {}

    @classmethod
    def of(cls, topology: Topology, routings: Mapping[int, NodeRouting]) -> FlowFailures:
        """All managed routes."""
        world = NetworkState(topology, routings)
        return cls(world, flows(world, routings))

    @property
    def undelivered(self) -> list[int]:
        """Flows that are not delivered even without a failure."""
        return [at for at, choice in enumerate(self.intact) if not choice.beyond.delivered]

    def components(self) -> list[Component]:
        """Forwarding nodes, shared fabrics and links that any flow depends on, and all gateways: ordered."""
        gateways = {("node", step.gateway) for flow in self.flows for step in flow.steps}
        everything = gateways | set(self._dependent) | {("link", link) for link in self._own}
        fallible = {
            thing
            for thing in everything
            if thing in gateways or thing[0] != "node" or self.topology.nodes[thing[1]].kind in FORWARDING
        }
        return sorted(fallible, key=lambda thing: (_ORDER[thing[0]], self.name(thing), thing[1]))

    def under(self, failed: Failure) -> Rerouting:
        """The flows and hosts that a failure concerns, with their choices under it."""
        links = {thing for thing in failed if thing[0] == "link" and thing[1] in self._own}
        hosts = {thing for thing in failed if thing[0] == "node" and not self.topology.forwards(thing)}
        shared = failed - links - hosts
        scene = FailureScenario(self.world, *shared) if shared else self.scene
        concerned = dict.fromkeys(at for thing in sorted(failed) for at in self._dependent.get(thing, ()))
        chosen = {at: self._choice(at, scene) for at in concerned}
        members: dict[tuple[int, int], Choice] = {}
        for link in sorted(links):
            for at, place in self._own[link[1]]:
                members[at, place] = self._without_own(at, place, links, scene)
        for host in hosts:
            members.update(dict.fromkeys(self._places.get(host[1], ()), NO_PATH))
        return Rerouting(
            scene, tuple(chosen.items()), tuple((at, place, item) for (at, place), item in members.items())
        )

    def name(self, thing: Component) -> str:
        """`grf1`, `grf1:ga031` for a link, or a fabric's name."""
        kind, ident = thing
        if kind == "node":
            return self.topology.nodes[ident].name
        if kind == "fabric":
            return self.topology.fabrics[ident].name
        port = self.topology.ports[self.topology.links[ident].a]
        return f"{self.topology.nodes[port.node_id].name}:{port.name}"

    def is_gone(self, flow: Flow, failed: Failure) -> bool:
        """Whether the forwarding node that the flow is from has failed itself; hosts fail one by one."""
        speaker = ("node", flow.speaker)
        return speaker in failed and self.topology.forwards(speaker)

    def has_fallback(self, flow: Flow, failed: Failure) -> bool:
        """Whether the failure removes one of the flow's gateways, which is detected, and leaves another."""
        if not flow.route.is_detected:
            return False
        steps = [step.segment for step in flow.steps if step.segment.links]
        alive = [bool(self.world.segments.under(segment, failed).links) for segment in steps]
        return any(alive) and not all(alive)

    def is_undetected(self, at: int, scene: FailureScenario, lost: Collection[int] = ()) -> bool:
        """Whether another gateway of a lost flow works; `lost`: which of a member's own links have failed."""
        flow = self.flows[at]
        return any(
            scene.through(flow.speaker, step, flow.goal).beyond.delivered
            for step, own in zip(flow.steps, flow.own, strict=True)
            if own not in lost
        )

    def lost_links(self, at: int, place: int, failed: Collection[Component]) -> frozenset[int]:
        """Which of a member's own links have failed, as in `Flow.own`."""
        links = self.flows[at].members[place].links
        return frozenset(which for which, link in enumerate(links) if ("link", link) in failed)

    def _choice(self, at: int, scene: FailureScenario) -> Choice:
        flow = self.flows[at]
        if ("node", flow.speaker) in scene.failed:
            return NO_PATH
        return scene.choose(flow.speaker, flow.candidates, flow.goal, flow.probed)[0]

    def _by_component(self, dependencies: Sequence[frozenset[Component]]) -> dict[Component, list[int]]:
        """Component -> flows whose path depends on it. A host's own links are in `_own`."""
        found: dict[Component, list[int]] = {}
        for at, things in enumerate(dependencies):
            own = {("link", link) for link in self.flows[at].members[0].links} if self._hosts(at) else set()
            for thing in things - own:
                found.setdefault(thing, []).append(at)
        return found

    def _own_links(self) -> dict[int, list[tuple[int, int]]]:
        """Link -> (flow, member index) of hosts that own the link."""
        found: dict[int, list[tuple[int, int]]] = {}
        for at, place in self._host_places():
            for link in self.flows[at].members[place].links:
                found.setdefault(link, []).append((at, place))
        return found

    @cached_property
    def _places(self) -> dict[int, list[tuple[int, int]]]:
        """Host -> (flow, member index)."""
        found: dict[int, list[tuple[int, int]]] = {}
        for at, place in self._host_places():
            found.setdefault(self.flows[at].members[place].node, []).append((at, place))
        return found

    def _host_places(self) -> Iterator[tuple[int, int]]:
        for at, flow in enumerate(self.flows):
            if self._hosts(at):
                yield from ((at, place) for place in range(len(flow.members)))

    def _hosts(self, at: int) -> bool:
        return not self.topology.forwards(("node", self.flows[at].speaker))

    def _without_own(self, at: int, place: int, failed: set[Component], scene: FailureScenario) -> Choice:
        """A member's choice without some of its own links."""
        flow = self.flows[at]
        lost = self.lost_links(at, place, failed)
        if scene is self.scene and (at, lost) in self._detours:
            return self._detours[at, lost]
        steps = [
            ForwardingStep(step.gateway, ForwardingPath()) if own in lost else step
            for step, own in zip(flow.candidates, flow.own, strict=False)  # the first of all gateways
        ]
        choice, _ = scene.choose(flow.speaker, steps, flow.goal, flow.probed)
        if scene.failed == INTACT:
            self._detours[at, lost] = choice
        return choice
