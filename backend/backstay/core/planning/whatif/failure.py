"""Impact of every single failure: nodes that move or are cut off, link loads, and recovery time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backstay.core.model.plan import FailureKind, Impact, Observation
from backstay.core.model.routing import NodeRouting, ObservedRouting
from backstay.core.model.search import Component
from backstay.core.model.topology import Topology
from backstay.core.planning.detection import recovers_in_ms
from backstay.core.planning.whatif.current_load import current_load
from backstay.core.planning.whatif.demand import Demands, demands
from backstay.core.planning.whatif.flow_failures import FlowFailures
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import Choice, FailureScenario, NetworkState
from backstay.core.planning.whatif.loads import Loads, Shift


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
        self._failures = FlowFailures.of(topology, routings)
        self._flows, self._intact = self._failures.flows, self._failures.intact
        self._demands: Demands = demands(topology, self._flows, observation.demand)
        self._loads = Loads(topology, self._flows, self._demands.burdens)
        managed = current_load(self._loads, self._failures.scene, self._flows, self._intact, observed)
        self._loads.set_today(observation.link_load, managed)
        carried: Shift = {}
        for at, choice in enumerate(self._intact):
            self._loads.add(carried, at, choice)
        self._loads.set_base(carried)
        self._never = self._failures.undelivered

    def analysis(self) -> Analysis:
        found = [self._consequence(None), *map(self._consequence, self._failures.components())]
        return Analysis(self._failures.world, tuple(self._flows), tuple(self._intact), tuple(found))

    def _consequence(self, failed: Component | None) -> Consequence:
        tally = _Tally()
        load: Shift = {}
        if failed is None:
            for at, choice in enumerate(self._intact):
                self._judge(tally, at, choice, self._failures.scene)
        else:
            self._follow(tally, load, failed)
        self._unanswered(tally)
        return self._consequence_of(failed, tally, load)

    def _follow(self, tally: _Tally, load: Shift, failed: Component) -> None:
        changed = self._failures.under(frozenset({failed}))
        concerned = {at for at, _ in changed.flows}
        for at in self._never:
            if at not in concerned:
                members = self._flows[at].members
                self._lost(tally, at, self._intact[at], [member.node for member in members])
        for at, choice in changed.flows:
            if failed != ("node", self._flows[at].speaker):
                self._judge(tally, at, choice, changed.scene)
            self._reload(load, at, choice)
        for at, place, choice in changed.members:
            tally.looping.discard(self._flows[at].members[place].node)
            self._judge(tally, at, choice, changed.scene, place)
            if self._loads.carries(at):
                self._loads.add_member(load, at, place, self._intact[at], -1.0)
                self._loads.add_member(load, at, place, choice)

    def _reload(self, load: Shift, at: int, choice: Choice) -> None:
        if self._loads.carries(at):
            self._loads.add(load, at, self._intact[at], -1.0)
            self._loads.add(load, at, choice)

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
        if not scene.failed or self._failures.has_fallback(flow, scene.failed):
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
            failure="nothing" if failed is None else self._failures.name(failed),
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


def _kind(failed: Component | None) -> FailureKind:
    kinds: dict[str, FailureKind] = {"node": "node", "link": "link", "fabric": "fabric"}
    return "none" if failed is None else kinds[failed[0]]
