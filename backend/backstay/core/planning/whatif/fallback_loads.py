"""Loads under every failure of a site with failover policies: the flows move, all other traffic stays.

The routes are those of the present state (`node_routes.present_routes`), so a path on its fallback counts as
it is. Of the load of a link, what no flow explains stays where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from backstay.core.formatting import count
from backstay.core.model.routing import NodeRouting
from backstay.core.model.search import INTACT, Component, Failure
from backstay.core.model.topology import Topology
from backstay.core.planning.detection import recovers_in_ms
from backstay.core.planning.whatif.demand import Demands, demands, opposite_ends
from backstay.core.planning.whatif.fallback_verdict import (
    FallbackEvidence,
    FallbackOutcome,
    LaneLoad,
    MeasuredLoad,
    Move,
    MoveOutcome,
    by_fullness,
    decide,
    growth_percent,
)
from backstay.core.planning.whatif.flow_failures import FlowFailures
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import Choice
from backstay.core.planning.whatif.loads import Loads, Shift

_LEAST = 1.0
"""bit/s: smaller changes are rounding errors."""
MoveKey = tuple[str, str, int | None, int | None, MoveOutcome]


class FallbackFailures:
    """Flows of one topology and routing: what failures change, whatever the loads."""

    def __init__(self, topology: Topology, routings: Mapping[int, NodeRouting]) -> None:
        self.topology = topology
        self.failures = FlowFailures(topology, routings)
        self.opposite = opposite_ends(topology, self.failures.flows)
        """Nodes whose demand is that of others."""

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


@dataclass(slots=True)
class _Effect:
    """Accumulates what one failure does."""

    shift: Shift = field(default_factory=dict)
    moves: dict[MoveKey, list[tuple[int, int, int]]] = field(default_factory=dict)
    """(flow, member, node) by move."""
    loops: dict[str, set[int]] = field(default_factory=dict)
    cut_off: set[int] = field(default_factory=set)
    undetected: set[int] = field(default_factory=set)
    dependent: set[int] = field(default_factory=set)
    """Nodes whose demand the result depends on."""
    has_fallback: bool = False
    silent: set[int] = field(default_factory=set)
    recovers_in_ms: float = 0.0

    def add_move(self, key: MoveKey, members: Iterable[tuple[int, int, int]]) -> None:
        """Members, as in `moves`."""
        self.moves.setdefault(key, []).extend(members)


class FallbackLoads:
    """Loads at one moment over the flows; `growth` 0.3: all traffic grows by 30 %."""

    def __init__(self, structure: FallbackFailures, measured: MeasuredLoad, growth: float = 0.0) -> None:
        self._structure, self._factor = structure, 1.0 + growth
        self._failures, self._topology = structure.failures, structure.topology
        self._flows, self._intact = self._failures.flows, self._failures.intact
        self._measured = measured.scaled(self._factor)
        opposite = structure.opposite
        demand = {node: both for node, both in self._measured.demand.items() if node not in opposite}
        self._demands: Demands = demands(self._topology, self._flows, demand)
        self._loads = Loads(self._topology, self._flows, self._demands)
        self._carried: Shift = {}
        for at, choice in enumerate(self._intact):
            self._loads.add(self._carried, at, choice)
        self._unknown = frozenset(
            member.node
            for flow in self._flows
            for member in flow.members
            if not self._topology.forwards(("node", member.node)) and member.node not in measured.demand
        )

    def outcomes(self, failures: Iterable[Failure]) -> Iterator[FallbackOutcome]:
        """Each failure in order."""
        return map(self.outcome, failures)

    def outcome(self, failed: Failure) -> FallbackOutcome:
        """One failure; `INTACT`: the present state."""
        effect = _Effect()
        if not failed:
            for at, choice in enumerate(self._intact):
                self._note(effect, at, choice, INTACT)
        else:
            self._follow(effect, failed)
        self._unanswered(effect)
        return self._outcome(failed, effect)

    def unattributed(self) -> tuple[int, int]:
        """(bit/s that no flow explains, all bit/s) over the links at the policies' gateways."""
        gateways = {step.gateway for flow in self._flows for step in flow.steps}
        links = [
            link
            for link in sorted(self._topology.links)
            if any(kind == "node" and ident in gateways for kind, ident in self._ends(link))
        ]
        return self._background(links), sum(
            bps for link in links for bps in self._measured.links.get(link, ()) if bps is not None
        )

    @property
    def unknown_nodes(self) -> frozenset[int]:
        """Hosts of flows whose demand is unknown."""
        return self._unknown

    def _ends(self, link: int) -> tuple[tuple[str, int], ...]:
        return self._topology.ends(self._topology.links[link])

    def _background(self, links: Iterable[int]) -> int:
        """Measured traffic that no flow explains, bit/s."""
        total = 0.0
        for link in links:
            for number, bps in enumerate(self._measured.links.get(link, ())):
                if bps is not None:
                    total += max(bps - self._carried.get(self._loads.lane(link, number), 0.0), 0.0)
        return round(total)

    def _follow(self, effect: _Effect, failed: Failure) -> None:
        changed = self._failures.under(failed)
        now = dict(changed.flows)
        for at, choice in changed.flows:
            flow = self._flows[at]
            gone = {place for other, place, _ in changed.members if other == at}
            if not self._failures.is_gone(flow, failed):
                self._note(effect, at, choice, changed.scene.failed, gone)
            self._loads.move(effect.shift, at, self._intact[at], choice)
        for at, place, choice in changed.members:
            node = self._flows[at].members[place].node
            if ("node", node) in failed:
                effect.cut_off.add(node)
            else:
                self._note_member(effect, at, place, choice, failed)
            if self._loads.carries(at):
                self._loads.add_member(effect.shift, at, place, now.get(at, self._intact[at]), -1.0)
                self._loads.add_member(effect.shift, at, place, choice)

    def _note(
        self, effect: _Effect, at: int, choice: Choice, failed: Failure, gone: Collection[int] = ()
    ) -> None:
        """Who moves of a whole flow; without the members `gone`."""
        flow, before = self._flows[at], self._intact[at]
        members = [(at, place, member.node) for place, member in enumerate(flow.members) if place not in gone]
        effect.dependent.update(node for _, _, node in members)
        effect.dependent.update(self._demands.burdens[at].answers)
        outcome: MoveOutcome = "moved"
        if not choice.beyond.delivered:
            effect.silent.add(at)
            outcome = self._lost(effect, at, choice, failed, [node for _, _, node in members])
        elif choice.place != before.place:
            effect.recovers_in_ms = max(effect.recovers_in_ms, recovers_in_ms(flow.route, flow.engine))
        if failed and (before.beyond.delivered or choice.place != before.place):
            effect.has_fallback |= outcome in {"moved", "undetected"} or self._failures.has_fallback(
                flow, failed
            )
        if outcome != "moved" or choice.place != before.place:
            effect.add_move(self._move_key(at, choice, outcome), members)

    def _note_member(self, effect: _Effect, at: int, place: int, choice: Choice, failed: Failure) -> None:
        """Who moves of a host that loses links of its own."""
        before, node = self._intact[at], self._flows[at].members[place].node
        effect.dependent.add(node)
        outcome: MoveOutcome = "moved"
        if not choice.beyond.delivered:
            outcome = "loop" if choice.beyond.outcome == "loop" else "cut_off"
            effect.cut_off.add(node)
            if outcome == "cut_off" and self._keeps(at, place, failed):
                outcome, effect.has_fallback = "undetected", True
                effect.undetected.add(node)
        elif choice.place != before.place:
            effect.has_fallback = True
        if outcome != "moved" or choice.place != before.place:
            effect.add_move(self._move_key(at, choice, outcome), [(at, place, node)])

    def _keeps(self, at: int, place: int, failed: Failure) -> bool:
        """Whether a member keeps a gateway without a path although another one works."""
        if self._flows[at].route.is_detected:
            return False
        lost = self._failures.lost_links(at, place, failed)
        return self._failures.is_undetected(at, self._failures.under(failed).scene, lost)

    def _lost(
        self, effect: _Effect, at: int, choice: Choice, failed: Failure, nodes: list[int]
    ) -> MoveOutcome:
        """Why a flow that is not delivered is lost."""
        flow = self._flows[at]
        effect.cut_off.update(nodes)
        if choice.beyond.outcome == "loop":
            effect.loops.setdefault(self._around(flow, choice), set()).update(nodes)
            return "loop"
        if failed and not self._failures.has_fallback(flow, failed):
            scene = self._failures.under(failed).scene
            if self._failures.is_undetected(at, scene):
                effect.undetected.update(nodes)
                return "undetected"
        return "cut_off"

    def _around(self, flow: Flow, choice: Choice) -> str:
        """`grf1 to atmgw to grf1`: the nodes of a loop."""
        ends = [path.hops[-1] for path in (choice.step, *choice.beyond.segments) if path.hops]
        nodes = [("node", flow.speaker), *ends]
        start = nodes.index(nodes[-1])
        around = nodes[start:] if start < len(nodes) - 1 else nodes
        return " to ".join(self._failures.name(vertex) for vertex in around)

    def _move_key(self, at: int, choice: Choice, outcome: MoveOutcome) -> MoveKey:
        flow, before = self._flows[at], self._intact[at]
        start = None if before.place is None else flow.steps[before.place].gateway
        end = None if choice.place is None or outcome != "moved" else flow.steps[choice.place].gateway
        return flow.route.policy, str(flow.route.prefix), start, end, outcome

    def _unanswered(self, effect: _Effect) -> None:
        """Nodes whose packets arrive but whose return traffic is lost are cut off too."""
        for at in effect.silent:
            for node in self._demands.burdens[at].answers:
                if all(other in effect.silent for other in self._demands.answered[node]):
                    effect.cut_off.add(node)

    def _outcome(self, failed: Failure, effect: _Effect) -> FallbackOutcome:
        before = self._cut_off_before if failed else frozenset()
        new = effect.cut_off - before
        lanes = self._lanes(effect.shift)
        alone = self._structure.redundancy_lost(failed, effect.cut_off) if failed else ()
        loops = tuple(
            f"Packets of {count(len(nodes), 'node')} loop: {around}."
            for around, nodes in effect.loops.items()
        )
        evidence = FallbackEvidence(
            lanes=lanes,
            names={lane.link_id: self._failures.name(("link", lane.link_id)) for lane in lanes},
            lost=self._names(node for node in new if ("node", node) not in failed),
            undetected=self._names(effect.undetected & new),
            loops=loops,
            unknown=self._names(effect.dependent & self._unknown),
            moved=len(effect.moves),
            redundancy_lost=len(alone),
        )
        verdict, reason = decide(evidence)
        holds = verdict == "holds" or any(lane.is_exceeded for lane in lanes if lane.grows)
        return FallbackOutcome(
            failed=tuple(sorted(failed)),
            verdict=verdict,
            reason=reason,
            has_fallback=effect.has_fallback,
            moves=tuple(self._move(key, members) for key, members in sorted(effect.moves.items(), key=str)),
            lanes=lanes,
            cut_off=tuple(sorted(effect.cut_off)),
            cut_off_bps=self._cut_off_bps(effect.cut_off),
            loops=loops,
            redundancy_lost=alone,
            growth_percent=growth_percent(lanes, self._factor) if holds else None,
            recovers_in_s=effect.recovers_in_ms / 1000 if effect.recovers_in_ms and not new else None,
            unattributed_bps=self._background(self._links_of(failed)),
        )

    def _cut_off_bps(self, nodes: Iterable[int]) -> int:
        """Traffic of nodes, counted at one end."""
        counted = set(nodes) - self._structure.opposite
        return round(sum(sum(self._measured.demand.get(node, (0, 0))) for node in counted))

    @cached_property
    def _cut_off_before(self) -> frozenset[int]:
        return frozenset(self.outcome(INTACT).cut_off)

    def _links_of(self, failed: Failure) -> set[int]:
        found = {ident for kind, ident in failed if kind == "link"}
        for thing in failed:
            found.update(link for _, link in self._topology.neighbours.get(thing, ()))
        return found

    def _names(self, nodes: Iterable[int]) -> list[str]:
        return sorted(self._topology.nodes[node].name for node in nodes)

    def _move(self, key: MoveKey, members: list[tuple[int, int, int]]) -> Move:
        policy, prefix, start, end, outcome = key
        burdens = self._demands.burdens
        nodes = tuple(sorted({node for _, _, node in members}))
        return Move(
            policy=policy,
            prefix=prefix,
            start=start,
            end=end,
            outcome=outcome,
            nodes=nodes,
            out=round(sum(burdens[at].out[place] for at, place, _ in members)),
            back=round(sum(burdens[at].back[place] for at, place, _ in members)),
            unknown=len(self._unknown.intersection(nodes)),
        )

    def _lanes(self, shift: Shift) -> tuple[LaneLoad, ...]:
        return by_fullness(self._lane(lane, bps) for lane, bps in shift.items() if abs(bps) >= _LEAST)

    def _lane(self, lane: int, bps: float) -> LaneLoad:
        link, number = self._loads.link_of(lane)
        measured = self._measured.links.get(link, (None, None))[number]
        before = max(self._carried.get(lane, 0.0), 0.0 if measured is None else float(measured))
        usable = self._topology.fabrics[self._topology.links[link].fabric_id].usable_rate
        return LaneLoad(
            link_id=link,
            is_back=bool(number),
            before=round(before),
            after=round(max(before + bps, 0.0)),
            usable_rate=usable or None,
            is_measured=measured is not None,
        )
