"""Loads under every failure of a site with failover policies: the flows move, all other traffic stays.

The routes are those of the present state (`node_routes.present_routes`), so a path on its fallback counts as
it is. Of the load of a link, what no flow explains stays where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from backstay.core.formatting import count
from backstay.core.model.search import INTACT, Failure
from backstay.core.planning.detection import recovers_in_ms
from backstay.core.planning.whatif.failure_effect import FailureEffect, MoveKey
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
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
    is_limit_known,
)
from backstay.core.planning.whatif.flow_failures import Rerouting
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import Choice
from backstay.core.planning.whatif.loads import Loads, Shift
from backstay.core.planning.whatif.packet_rates import PacketFlows
from backstay.core.planning.whatif.traffic_matrix import divide
from backstay.core.planning.whatif.undelivered import stopped_traffic, undelivered_bps

_LEAST = 1.0
"""bit/s: smaller changes are rounding errors."""


class FallbackLoads:
    """Loads at one moment over the flows; `growth` 0.3: all traffic grows by 30 %."""

    def __init__(self, structure: FallbackFailures, measured: MeasuredLoad, growth: float = 0.0) -> None:
        self._structure, self._factor = structure, 1.0 + growth
        self._failures, self._topology = structure.failures, structure.topology
        self._flows, self._intact = self._failures.flows, self._failures.intact
        self._measured = measured.scaled(self._factor)
        opposite = structure.opposite
        demand = {node: both for node, both in self._measured.demand.items() if node not in opposite}
        self._traffic = structure.traffic
        self._matrix = divide(self._traffic, structure.traffic_lanes, demand, self._measured)
        self._loads = Loads(self._topology, self._traffic.failures.flows, self._matrix.burdens)
        self._carried: Shift = {}
        for at, choice in enumerate(self._traffic.failures.intact):
            self._loads.add(self._carried, at, choice)
        packets = self._measured.packets
        self._packets = PacketFlows(self._failures, packets, opposite) if packets.limits else None
        self._unknown = frozenset(
            member.node
            for flow in self._flows
            for member in flow.members
            if not self._topology.forwards(("node", member.node))
            and member.node not in measured.demand
            and member.node not in opposite
        )

    def outcomes(self, failures: Iterable[Failure]) -> Iterator[FallbackOutcome]:
        """Each failure in order."""
        return map(self.outcome, failures)

    def outcome(self, failed: Failure) -> FallbackOutcome:
        """One failure; `INTACT`: the present state."""
        effect = FailureEffect()
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

    def carried(self, link: int, number: int) -> float:
        """The flows' part of a link's load without a failure, bit/s; number 0: forward, 1: back."""
        return self._carried.get(self._loads.lane(link, number), 0.0)

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

    def _follow(self, effect: FailureEffect, failed: Failure) -> None:
        changed = self._failures.under(failed)
        for at, choice in changed.flows:
            flow = self._flows[at]
            gone = {place for other, place, _ in changed.members if other == at}
            if not self._failures.is_gone(flow, failed):
                self._note(effect, at, choice, changed.scene.failed, gone)
        for at, place, choice in changed.members:
            node = self._flows[at].members[place].node
            if ("node", node) in failed:
                effect.cut_off.add(node)
            else:
                self._note_member(effect, at, place, choice, failed)
        self._reload(effect, self._traffic.failures.under(failed))
        if self._packets is not None:
            effect.gateways = self._packets.gateways(changed, effect.shift, effect.dependent)

    def _reload(self, effect: FailureEffect, changed: Rerouting) -> None:
        """Loads of all traffic that a failure concerns."""
        intact, now = self._traffic.failures.intact, dict(changed.flows)
        effect.choices, effect.members = now, changed.members
        for at, choice in changed.flows:
            self._loads.move(effect.shift, at, intact[at], choice)
            if at in self._matrix.unknown and choice != intact[at]:
                effect.unknown_ends.update(self._matrix.unknown[at].hosts)
        for at, place, choice in changed.members:
            if self._loads.carries(at):
                self._loads.add_member(effect.shift, at, place, now.get(at, intact[at]), -1.0)
                self._loads.add_member(effect.shift, at, place, choice)

    def _note(
        self, effect: FailureEffect, at: int, choice: Choice, failed: Failure, gone: Collection[int] = ()
    ) -> None:
        """Who moves of a whole flow; without the members `gone`."""
        flow, before = self._flows[at], self._intact[at]
        members = [(at, place, member.node) for place, member in enumerate(flow.members) if place not in gone]
        effect.dependent.update(node for _, _, node in members)
        effect.dependent.update(self._traffic.senders.get(at, ()))
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

    def _note_member(
        self, effect: FailureEffect, at: int, place: int, choice: Choice, failed: Failure
    ) -> None:
        """Who moves of a host that loses links of its own."""
        before, node = self._intact[at], self._flows[at].members[place].node
        effect.dependent.update({node, *self._traffic.senders.get(at, ())})
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
        self, effect: FailureEffect, at: int, choice: Choice, failed: Failure, nodes: list[int]
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

    def _unanswered(self, effect: FailureEffect) -> None:
        """Nodes whose packets arrive but whose return traffic is lost are cut off too."""
        for at in effect.silent:
            for node in self._traffic.answers.get(at, ()):
                if all(other in effect.silent for other in self._traffic.answered[node]):
                    effect.cut_off.add(node)

    def _outcome(self, failed: Failure, effect: FailureEffect) -> FallbackOutcome:
        before = self._cut_off_before if failed else frozenset()
        new = effect.cut_off - before
        lanes = self._limited(effect, self._lanes(effect.shift))
        stopped = tuple(stopped_traffic(self._traffic, self._matrix, effect))
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
            unknown=self._names(effect.dependent & self._unknown | effect.unknown_ends),
            moved=len(effect.moves),
            redundancy_lost=len(alone),
            gateways=effect.gateways,
        )
        verdict, reason = decide(evidence)
        return FallbackOutcome(
            failed=tuple(sorted(failed)),
            verdict=verdict,
            reason=reason,
            has_fallback=effect.has_fallback,
            moves=tuple(
                self._move(effect, key, members) for key, members in sorted(effect.moves.items(), key=str)
            ),
            lanes=lanes,
            cut_off=tuple(sorted(effect.cut_off)),
            cut_off_bps=undelivered_bps(self._traffic, self._matrix, effect),
            loops=loops,
            redundancy_lost=alone,
            growth_percent=growth_percent(lanes, self._factor, effect.gateways)
            if is_limit_known(verdict, evidence)
            else None,
            recovers_in_s=effect.recovers_in_ms / 1000 if effect.recovers_in_ms and not new else None,
            unattributed_bps=self._background(self._links_of(failed)),
            stopped=stopped,
            gateways=effect.gateways,
        )

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

    def _move(self, effect: FailureEffect, key: MoveKey, members: list[tuple[int, int, int]]) -> Move:
        policy, prefix, start, end, outcome = key
        nodes = tuple(sorted({node for _, _, node in members}))
        burdens = [
            (self._matrix.burdens[flow], place)
            for at, place, _ in members
            for flow in self._traffic.owned.get(at, (at,))
            if outcome != "moved" or self._delivers(effect, flow)
        ]
        return Move(
            policy=policy,
            prefix=prefix,
            start=start,
            end=end,
            outcome=outcome,
            nodes=nodes,
            out=round(sum(burden.out[place] for burden, place in burdens)),
            back=round(sum(burden.back[place] for burden, place in burdens)),
            unknown=len(self._unknown.intersection(nodes)),
        )

    def _delivers(self, effect: FailureEffect, flow: int) -> bool:
        return effect.choices.get(flow, self._traffic.failures.intact[flow]).beyond.delivered

    def _lanes(self, shift: Shift) -> tuple[LaneLoad, ...]:
        return by_fullness(self._lane(lane, bps) for lane, bps in shift.items() if abs(bps) >= _LEAST)

    def _limited(self, effect: FailureEffect, lanes: tuple[LaneLoad, ...]) -> tuple[LaneLoad, ...]:
        """With what senders withhold because of full lanes."""
        full = {self._loads.lane(item.link_id, item.is_back): item for item in lanes if item.is_exceeded}
        if not full:
            return lanes
        chosen = enumerate(self._traffic.failures.intact)
        withheld = self._loads.withheld(
            ((at, effect.choices.get(at, choice)) for at, choice in chosen),
            {lane: float(item.after) for lane, item in full.items()},
            {lane: float(item.usable_rate or 0) for lane, item in full.items()},
        )
        return tuple(
            replace(item, withheld=-round(withheld.get(self._loads.lane(item.link_id, item.is_back), 0.0)))
            for item in lanes
        )

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
