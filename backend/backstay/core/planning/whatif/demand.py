"""Demand per flow, and the flows of the return traffic.

A node's demand leaves over its widest prefix, normally the default route. Return traffic uses the managed
routes to its address, in equal parts over the routers that have one and share a gateway with it. Without a
managed return path the traffic returns on the outbound path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backstay.core.model.prefixes import PrefixTable
from backstay.core.model.topology import Topology
from backstay.core.planning.whatif.flows import Flow, Member


@dataclass(slots=True)
class Burden:
    """Load of one flow, bit/s: per member outbound and inbound, and per node that it returns traffic to."""

    out: list[float]
    back: list[float]
    answers: dict[int, float] = field(default_factory=dict)
    """Node -> bit/s that this flow delivers to it; 0 for a node without demand."""


@dataclass(frozen=True, slots=True)
class Demands:
    """Burdens by flow, and the return flows of each node."""

    burdens: tuple[Burden, ...]
    answered: Mapping[int, tuple[int, ...]]
    """Node -> indices of flows; a node without a managed return path is missing."""


def demands(topology: Topology, flows: Sequence[Flow], demand: Mapping[int, tuple[float, float]]) -> Demands:
    """Distribute the current demand (node -> bit/s or packets/s out, in) over the flows.

    Only the nodes at one end count; the demand of gateways and routers is the same traffic again.
    """
    burdens = tuple(Burden([0.0] * len(flow.members), [0.0] * len(flow.members)) for flow in flows)
    returns = Returns(topology, flows)
    answered = {}
    for node, (at, place) in widest(flows).items():
        passes_on = topology.forwards(("node", node))
        out, back = (0, 0) if passes_on else demand.get(node, (0, 0))
        answering = [other for other in returns.to(node, flows[at]) if other != at]
        if answering:
            answered[node] = tuple(answering)
            for other in answering:
                _answer(burdens[other], node, back / len(answering))
        else:
            burdens[at].back[place] += back
        burdens[at].out[place] += out
    return Demands(burdens, answered)


def opposite_ends(
    topology: Topology, flows: Sequence[Flow], returns: Collection[tuple[str, int]] = ()
) -> frozenset[int]:
    """Nodes whose flows only return what others send: their measured traffic is the same traffic again.

    Of two nodes whose routes lead to each other, that of a declared return path (`returns`: policy and
    router), then that with the more specific route, else the later one.
    """
    back = Returns(topology, flows)
    found: set[int] = set()

    def rank(at: int) -> tuple[bool, int, int]:
        route = flows[at].route
        return (route.policy, flows[at].speaker) in returns, route.prefix.prefixlen, at

    for node, (at, _) in widest(flows).items():
        own = rank(at)
        for other in back.candidates(node, flows[at]):
            if rank(other) > own:
                found.update(member.node for member in flows[other].members)
    return frozenset(found)


def _answer(burden: Burden, node: int, bps: float) -> None:
    burden.answers[node] = bps
    many = len(burden.out)
    for at in range(many):
        burden.out[at] += bps / many


def widest(flows: Sequence[Flow]) -> dict[int, tuple[int, int]]:
    """Node -> (flow, index among its members) of its widest route, IPv4 before IPv6."""
    found: dict[int, tuple[tuple[int, int], int, int]] = {}
    for at, flow in enumerate(flows):
        rank = (flow.route.prefix.version, flow.route.prefix.prefixlen)
        for place, member in enumerate(flow.members):
            if member.node not in found or rank < found[member.node][0]:
                found[member.node] = (rank, at, place)
    return {node: (at, place) for node, (_, at, place) in found.items()}


class Returns:
    """The flows to networks of nodes, by prefix."""

    def __init__(self, topology: Topology, flows: Sequence[Flow]) -> None:
        self._topology = topology
        self.flows = flows
        self._table = PrefixTable(
            (flow.route.prefix, at) for at, flow in enumerate(flows) if flow.route.prefix.prefixlen
        )
        self._gateways = [frozenset(flow.gateways) for flow in flows]

    def to(self, node: int, flow: Flow) -> list[int]:
        """Those of the candidates that return the node's traffic."""
        return self._nearest(self.candidates(node, flow), flow)

    def candidates(self, node: int, flow: Flow) -> list[int]:
        """Flows to a network of the node over a gateway of `flow`, of the most specific prefix."""
        shared = frozenset(flow.gateways)
        for port in self._topology.data_ports.get(node, ()):
            for address in self._topology.interfaces[port.id]:
                for filed in self._table.covering(address.ip):
                    found = [at for at in filed if shared & self._gateways[at]]
                    if found and address.version == flow.route.prefix.version:
                        return found
        return []

    def _nearest(self, found: list[int], flow: Flow) -> list[int]:
        """Those of the routers that the flow itself leads to, if any."""
        ends = [at for at in found if _speakers(self.flows[at].members) & flow.goal.vertices]
        return ends or found


def _speakers(members: Iterable[Member]) -> frozenset[tuple[str, int]]:
    return frozenset(("node", member.node) for member in members)
