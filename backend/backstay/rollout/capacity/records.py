"""A failure's outcome as stored and sent to clients: names and numbers, of limited size."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from backstay.core.model.search import Component
from backstay.core.model.topology import Topology, Vertex
from backstay.core.planning.whatif.fallback_verdict import MOST_LANES, FallbackOutcome, LaneLoad, Move
from backstay.core.planning.whatif.packet_rates import GatewayPackets

MOST_NAMES = 50
MOST_MOVES = 100
MOST_GATEWAYS = 100
Record = dict[str, Any]


class Recorder:
    """Records of one topology."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def key(self, thing: Component) -> str:
        """`node:5`: as the parameter `dead` of the API."""
        return f"{thing[0]}:{thing[1]}"

    def component(self, thing: Component) -> Record:
        """Kind, id and name; a link is named by both of its ends."""
        kind, ident = thing
        name = self.link_name(ident) if kind == "link" else self._name(thing)
        return {"kind": kind, "id": ident, "name": name}

    def name(self, failed: Collection[Component]) -> str:
        """`grf1`, or several names."""
        return ", ".join(self.component(thing)["name"] for thing in sorted(failed)) or "nothing"

    def detail(self, outcome: FallbackOutcome, most_lanes: int = MOST_LANES) -> Record:
        """Everything of the outcome but its verdict, with so many directions of links."""
        return {
            "failed": [self.component(thing) for thing in outcome.failed],
            "moves": [self._move(move) for move in outcome.moves[:MOST_MOVES]],
            "moves_total": len(outcome.moves),
            "links": [self._lane(lane) for lane in outcome.lanes[:most_lanes]],
            "links_total": len(outcome.lanes) + outcome.further_lanes,
            "gateways": [self._packets(item) for item in outcome.gateways[:MOST_GATEWAYS]],
            "gateways_total": len(outcome.gateways),
            "cut_off": self._nodes(outcome.cut_off),
            "stopped": [
                {"hosts": self._nodes(item.hosts), "hosts_total": len(item.hosts), "bps": item.bps}
                for item in outcome.stopped[:MOST_NAMES]
            ],
            "loops": list(outcome.loops),
            "redundancy_lost": self._nodes(outcome.redundancy_lost),
            "recovers_in_s": outcome.recovers_in_s,
            "unattributed_bps": outcome.unattributed_bps,
        }

    def link_name(self, ident: int) -> str:
        """`grf1:ga031-router:at0`, or `sp01:css0-sp-switch`."""
        link = self._topology.links[ident]
        ports = [self._topology.ports[port] for port in (link.a, link.b) if port is not None]
        names = [f"{self._topology.nodes[port.node_id].name}:{port.name}" for port in ports]
        return "-".join(
            names if link.b is not None else [*names, self._topology.fabrics[link.fabric_id].name]
        )

    def _move(self, move: Move) -> Record:
        return {
            "policy": move.policy,
            "prefix": move.prefix,
            "from_gateway": self._gateway(move.start),
            "to_gateway": self._gateway(move.end),
            "outcome": move.outcome,
            "nodes": len(move.nodes),
            "names": self._nodes(move.nodes),
            "out_bps": move.out,
            "in_bps": move.back,
            "unknown_nodes": move.unknown,
        }

    def _gateway(self, ident: int | None) -> Record | None:
        return None if ident is None else self.component(("node", ident))

    def _lane(self, lane: LaneLoad) -> Record:
        ends = self._topology.ends(self._topology.links[lane.link_id])
        start, end = ends[::-1] if lane.is_back else ends
        return {
            "link": lane.link_id,
            "name": self.link_name(lane.link_id),
            "direction": "back" if lane.is_back else "forward",
            "start": self._name(start),
            "end": self._name(end),
            "before_bps": lane.before,
            "after_bps": lane.after,
            "carried_bps": lane.carried,
            "usable_rate": lane.usable_rate,
            "utilisation": None if lane.utilisation is None else round(lane.utilisation, 4),
            "is_measured": lane.is_measured,
        }

    def _packets(self, gateway: GatewayPackets) -> Record:
        return {
            "node": gateway.node_id,
            "name": gateway.name,
            "before_pps": round(gateway.before),
            "after_pps": round(gateway.after),
            "limit_pps": round(gateway.limit),
            "share": round(gateway.share, 4),
            "is_known": gateway.is_known,
        }

    def _nodes(self, nodes: Collection[int]) -> list[str]:
        return sorted(self._topology.nodes[node].name for node in nodes)[:MOST_NAMES]

    def _name(self, vertex: Vertex) -> str:
        kind, ident = vertex
        return self._topology.fabrics[ident].name if kind == "fabric" else self._topology.nodes[ident].name
