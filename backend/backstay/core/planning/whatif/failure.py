"""Impact of every single failure: nodes that move or are cut off, link loads, and recovery time.

Only flows whose path depends on the failed component are evaluated again (`FailureScenario` records the
dependencies). A node's own link affects only that node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backstay.core.model.plan import FailureKind, Impact, Observation
from backstay.core.model.routing import NodeRouting, ObservedRouting
from backstay.core.model.search import Component, ForwardingPath
from backstay.core.model.topology import FORWARDING, Topology
from backstay.core.planning.detection import recovers_in_ms
from backstay.core.planning.whatif.current_load import current_load
from backstay.core.planning.whatif.demand import Demands, demands
from backstay.core.planning.whatif.flows import Flow, flows
from backstay.core.planning.whatif.forwarding_sim import (
    NO_PATH,
    Choice,
    FailureScenario,
    ForwardingStep,
    NetworkState,
)
from backstay.core.planning.whatif.loads import Loads, Shift

_ORDER = {"none": 0, "node": 1, "fabric": 2, "link": 3}


@dataclass(frozen=True, slots=True)
class Consequence:
    """One failure: its impact and the details that checks need."""

    impact: Impact
    unkept: tuple[str, ...] = ()
    """Nodes cut off or looping although the failed gateway has a fallback in the policy."""
    unseen: tuple[str, ...] = ()
    """Nodes cut off although another gateway works, because the failure is not detected."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """All consequences, the one without a failure first, and the flows with their choices without
    a failure.
    """

    world: NetworkState
    flows: tuple[Flow, ...]
    intact: tuple[Choice, ...]
    consequences: tuple[Consequence, ...]


def analyse(
    topology: Topology,
    routings: Mapping[int, NodeRouting],
    observed: Mapping[int, ObservedRouting],
    observation: Observation,
) -> Analysis:
    """Evaluate every single failure of a forwarding node, link or shared fabric that a path depends on."""
    return _Study(topology, routings, observed, observation).analysis()


@dataclass(slots=True)
class _Tally:
    """Accumulates the consequence of one failure."""

    cut_off: set[int] = field(default_factory=set)
    looping: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    unkept: set[int] = field(default_factory=set)
    unseen: set[int] = field(default_factory=set)
    silent: set[int] = field(default_factory=set)
    """Flows that deliver nothing."""
    seconds: float = 0.0


class _Study:
    def __init__(
        self,
        topology: Topology,
        routings: Mapping[int, NodeRouting],
        observed: Mapping[int, ObservedRouting],
        observation: Observation,
    ) -> None:
        self._topology = topology
        self._world = NetworkState(topology, routings)
        self._flows = flows(self._world, routings)
        self._demands: Demands = demands(topology, self._flows, observation.demand)
        self._loads = Loads(topology, self._flows, self._demands)
        self._scene = FailureScenario(self._world, None)
        found = [self._scene.choose(flow.speaker, flow.steps, flow.goal, flow.probed) for flow in self._flows]
        self._intact = [choice for choice, _ in found]
        self._dependent_flows = self._by_component([dependencies for _, dependencies in found])
        self._own = self._own_links()
        self._detours: dict[tuple[int, int], Choice] = {}
        self._never = [at for at, choice in enumerate(self._intact) if not choice.beyond.delivered]
        managed = current_load(self._loads, self._scene, self._flows, self._intact, observed)
        self._loads.set_today(observation.link_load, managed)
        carried: Shift = {}
        for at, choice in enumerate(self._intact):
            self._loads.add(carried, at, choice)
        self._loads.set_base(carried)

    def analysis(self) -> Analysis:
        found = [self._consequence(None)]
        things = sorted(self._things(), key=lambda thing: (_ORDER[thing[0]], self._name(thing), thing[1]))
        found += [self._consequence(thing) for thing in things]
        return Analysis(self._world, tuple(self._flows), tuple(self._intact), tuple(found))

    def _things(self) -> set[Component]:
        gateways = {("node", step.gateway) for flow in self._flows for step in flow.steps}
        everything = gateways | set(self._dependent_flows) | {("link", link) for link in self._own}
        return {
            thing
            for thing in everything
            if thing in gateways or thing[0] != "node" or self._topology.nodes[thing[1]].kind in FORWARDING
        }

    def _by_component(self, dependencies: Sequence[frozenset[Component]]) -> dict[Component, list[int]]:
        """Component -> flows whose path depends on it. A host's own links are in `_own`."""
        found: dict[Component, list[int]] = {}
        for at, things in enumerate(dependencies):
            own = {("link", link) for link in self._flows[at].members[0].links} if self._hosts(at) else set()
            for thing in things - own:
                found.setdefault(thing, []).append(at)
        return found

    def _own_links(self) -> dict[int, list[tuple[int, int]]]:
        """Link -> (flow, member index) of hosts that own the link."""
        found: dict[int, list[tuple[int, int]]] = {}
        for at, flow in enumerate(self._flows):
            for place, member in enumerate(flow.members if self._hosts(at) else ()):
                for link in member.links:
                    found.setdefault(link, []).append((at, place))
        return found

    def _hosts(self, at: int) -> bool:
        return not self._topology.forwards(("node", self._flows[at].speaker))

    def _consequence(self, failed: Component | None) -> Consequence:
        tally = _Tally()
        load: Shift = {}
        if failed is None:
            for at, choice in enumerate(self._intact):
                self._judge(tally, at, choice, self._scene)
        else:
            self._follow(tally, load, failed)
        self._unanswered(tally)
        return self._consequence_of(failed, tally, load)

    def _follow(self, tally: _Tally, load: Shift, failed: Component) -> None:
        scene = FailureScenario(self._world, failed)
        concerned = self._dependent_flows.get(failed, ())
        for at in self._never:
            if at not in concerned:
                members = self._flows[at].members
                self._lost(tally, at, self._intact[at], [member.node for member in members])
        for at in concerned:
            flow = self._flows[at]
            gone = failed == ("node", flow.speaker)
            choice = NO_PATH
            if not gone:
                choice, _ = scene.choose(flow.speaker, flow.steps, flow.goal, flow.probed)
                self._judge(tally, at, choice, scene)
            self._reload(load, at, choice)
        if failed[0] == "link":
            for at, place in self._own.get(failed[1], ()):
                choice = self._without_own(at, place, failed[1])
                tally.looping.discard(self._flows[at].members[place].node)
                self._judge(tally, at, choice, self._scene, place)
                if self._loads.carries(at):
                    self._loads.add_member(load, at, place, self._intact[at], -1.0)
                    self._loads.add_member(load, at, place, choice)

    def _reload(self, load: Shift, at: int, choice: Choice) -> None:
        if self._loads.carries(at):
            self._loads.add(load, at, self._intact[at], -1.0)
            self._loads.add(load, at, choice)

    def _without_own(self, at: int, place: int, link: int) -> Choice:
        """A member's choice without one of its own links."""
        flow = self._flows[at]
        which = flow.members[place].links.index(link)
        key = (at, which)
        if key not in self._detours:
            steps = [
                ForwardingStep(step.gateway, ForwardingPath()) if own == which else step
                for step, own in zip(flow.steps, flow.own, strict=True)
            ]
            self._detours[key], _ = self._scene.choose(flow.speaker, steps, flow.goal, flow.probed)
        return self._detours[key]

    def _judge(
        self, tally: _Tally, at: int, choice: Choice, scene: FailureScenario, place: int | None = None
    ) -> None:
        flow = self._flows[at]
        members = flow.members if place is None else (flow.members[place],)
        nodes = [member.node for member in members]
        if choice.place != self._intact[at].place and choice.place is not None:
            tally.moved.update(nodes)
            if place is None:
                tally.seconds = max(tally.seconds, recovers_in_ms(flow.route, flow.engine) / 1000)
        if choice.beyond.delivered:
            return
        if place is not None:
            (tally.looping if choice.beyond.outcome == "loop" else tally.cut_off).update(nodes)
            return
        self._lost(tally, at, choice, nodes)
        if scene.failed is None or _promised(flow, scene, self._world):
            tally.unkept.update(nodes)
        elif any(scene.through(flow.speaker, step, flow.goal).beyond.delivered for step in flow.steps):
            tally.unseen.update(nodes)

    def _lost(self, tally: _Tally, at: int, choice: Choice, nodes: list[int]) -> None:
        (tally.looping if choice.beyond.outcome == "loop" else tally.cut_off).update(nodes)
        tally.silent.add(at)

    def _unanswered(self, tally: _Tally) -> None:
        """Nodes whose packets arrive but whose return traffic is lost are cut off too."""
        for at in tally.silent:
            for node in self._demands.burdens[at].answers:
                if all(other in tally.silent for other in self._demands.answered[node]):
                    tally.cut_off.add(node)

    def _consequence_of(self, failed: Component | None, tally: _Tally, load: Shift) -> Consequence:
        lost = bool(tally.cut_off or tally.looping)
        impact = Impact(
            failure="nothing" if failed is None else self._name(failed),
            kind=_kind(failed),
            ident=0 if failed is None else failed[1],
            cut_off=self._names(tally.cut_off),
            looping=self._names(tally.looping),
            moved=self._names(tally.moved - tally.cut_off - tally.looping),
            over=self._loads.over(load),
            loads=self._loads.changed(load),
            seconds=None if lost else tally.seconds,
        )
        return Consequence(impact, self._names(tally.unkept), self._names(tally.unseen))

    def _names(self, nodes: set[int]) -> tuple[str, ...]:
        return tuple(sorted(self._topology.nodes[node].name for node in nodes))

    def _name(self, thing: Component) -> str:
        kind, ident = thing
        if kind == "node":
            return self._topology.nodes[ident].name
        if kind == "fabric":
            return self._topology.fabrics[ident].name
        port = self._topology.ports[self._topology.links[ident].a]
        return f"{self._topology.nodes[port.node_id].name}:{port.name}"


def _kind(failed: Component | None) -> FailureKind:
    kinds: dict[str, FailureKind] = {"node": "node", "link": "link", "fabric": "fabric"}
    return "none" if failed is None else kinds[failed[0]]


def _promised(flow: Flow, scene: FailureScenario, world: NetworkState) -> bool:
    """Whether the failure removes one of the flow's gateways and leaves another."""
    steps = [step.segment for step in flow.steps if step.segment.links]
    alive = [bool(world.segments.under(segment, scene.failed).links) for segment in steps]
    return any(alive) and not all(alive)
