"""Paths between the ends of a test: addresses, links, gateways and capacity.

With both ends on the plan's fabric the path stays on it. Otherwise it follows the sender's failover policy
to the gateway, then the fewest links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_network

from backstay.core.model.freshness import is_fresh
from backstay.core.model.load import Load
from backstay.core.model.search import ForwardingPath, shortest
from backstay.core.model.topology import Link, Port, Topology, Vertex
from backstay.inventory import snapshot
from backstay.inventory.models import Node, Site
from backstay.policy import selectors as policy
from backstay.telemetry.selectors.link_ends import ends_now
from backstay.telemetry.selectors.loads import Loads, loads, port_ids

RINGS = frozenset({"fddi"})
"""Fabric kinds with a shared medium: one test at a time."""
_Address = IPv4Interface | IPv6Interface
PAUSED_BY: list[Callable[[Site, datetime], Mapping[str, str]]] = []
"""Sources of resources on which no test may start: (site, now) -> resource, or `site` for all, and the
reason. Apps above register theirs (maintenance windows): a test never depends on them."""


@dataclass(frozen=True, slots=True)
class FlowRoute:
    """Addresses and path of a flow, from sender to receiver."""

    sender: Node
    receiver: Node
    local: str
    peer: str
    path: ForwardingPath
    """Empty: unknown."""


class SiteContext:
    """One snapshot of a site for tests; every part is read once, on first use."""

    def __init__(self, site: Site, now: datetime) -> None:
        self.site = site
        self.now = now

    @cached_property
    def topology(self) -> Topology:
        """The site as values."""
        return snapshot.load(self.site)

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """By name, with their agents."""
        return {node.name: node for node in Node.objects.filter(site=self.site).select_related("agent")}

    @cached_property
    def loads(self) -> dict[int, Loads]:
        """Link id -> (forward, back)."""
        links = list(self.topology.links.values())
        return loads(self.topology, links, ends_now(port_ids(links)), self.now, self.site.interval_s)

    @cached_property
    def paused(self) -> Mapping[str, str]:
        """Resource on which no test may start, or `site` -> the reason."""
        return {key: text for source in PAUSED_BY for key, text in source(self.site, self.now).items()}

    def pause(self, resources: Iterable[str]) -> str:
        """Why no test may start on these resources; empty: it may."""
        return next((self.paused[key] for key in ("site", *resources) if key in self.paused), "")

    def silent(self, name: str) -> float | None:
        """Seconds without a report of the node's own agent; None: it reports; infinity: it never did."""
        agent = self.nodes[name].agent
        last_reported = agent.last_reported_at if agent is not None and agent.revoked_at is None else None
        if last_reported is None:
            return float("inf")
        return (
            None
            if is_fresh(last_reported, self.now, self.site.interval_s)
            else (self.now - last_reported).total_seconds()
        )

    def fabric(self, name: str) -> int | None:
        """Fabric id by name; None: unknown name."""
        return next((fabric.id for fabric in self.topology.fabrics.values() if fabric.name == name), None)

    def route(self, sender: str, receiver: str, fabric: str) -> FlowRoute | None:
        """None: an end has no reachable address or was removed."""
        if sender not in self.nodes or receiver not in self.nodes:
            return None
        one, other = self.nodes[sender], self.nodes[receiver]
        found = self._addresses(one.pk, other.pk, self.fabric(fabric) if fabric else None)
        if found is None:
            return None
        (port, local), (_, peer) = found
        path = self._path(one.pk, other.pk, port.fabric_id if self._shared(found) else None, str(peer.ip))
        return FlowRoute(one, other, str(local.ip), str(peer.ip), path)

    def _addresses(
        self, one: int, other: int, fabric: int | None
    ) -> tuple[tuple[Port, _Address], tuple[Port, _Address]] | None:
        """On the given fabric if possible, else on a common one, else the first of each."""
        ours, theirs = self._numbered(one), self._numbered(other)
        pairs = [(a, b) for a in ours for b in theirs if a[1].version == b[1].version]
        if fabric is not None:
            pairs = [pair for pair in pairs if fabric in (pair[0][0].fabric_id, pair[1][0].fabric_id)]
        return min(pairs, key=self._distance, default=None)

    def _numbered(self, node: int) -> list[tuple[Port, _Address]]:
        ports = self.topology.data_ports.get(node, ())
        return [(port, interface) for port in ports for interface in self.topology.interfaces[port.id]]

    def _distance(self, pair: tuple[tuple[Port, _Address], tuple[Port, _Address]]) -> int:
        """0: one network; 1: one fabric; 2: neither."""
        return 0 if self._shared(pair) else 2 - (pair[0][0].fabric_id == pair[1][0].fabric_id)

    @staticmethod
    def _shared(pair: tuple[tuple[Port, _Address], tuple[Port, _Address]]) -> bool:
        """Same fabric and network: reachable without a gateway."""
        (a, ours), (b, theirs) = pair
        return a.fabric_id is not None and a.fabric_id == b.fabric_id and theirs.ip in ours.network

    def _path(self, one: int, other: int, fabric: int | None, peer: str) -> ForwardingPath:
        start, goal = ("node", one), ("node", other)
        if fabric is not None:
            within = {key: link for key, link in self.topology.links.items() if link.fabric_id == fabric}
            found = shortest(replace(self.topology, links=within), start, frozenset({goal}))
            if found.hops:
                return found
        gateway = self._gateway(one, peer)
        if gateway is not None:
            first = shortest(self.topology, start, frozenset({gateway}))
            rest = shortest(self.topology, gateway, frozenset({goal}))
            if first.hops and rest.hops and not set(first.hops[:-1]) & set(rest.hops):
                return first.then(rest)
        return shortest(self.topology, start, frozenset({goal}))

    def _gateway(self, node: int, peer: str) -> Vertex | None:
        """The node's active gateway for the peer: longest matching policy prefix."""
        known, address = policy.policies(self.site), ip_address(peer)
        held = [
            (network.prefixlen, path.active_id)
            for path in policy.paths_of(self._node(node))
            if path.active_id is not None
            and path.policy_id in known
            and address in (network := ip_network(known[path.policy_id].prefix, strict=False))
        ]
        return ("node", max(held)[1]) if held else None

    def _node(self, ident: int) -> Node:
        return self.nodes[self.topology.nodes[ident].name]

    def gateways(self, route: FlowRoute) -> list[Node]:
        """Forwarding nodes on the path that have an agent."""
        between = [self._node(ident) for kind, ident in route.path.hops[1:-1] if kind == "node"]
        return [node for node in between if node.agent is not None and node.agent.revoked_at is None]

    def resources(self, routes: list[FlowRoute]) -> dict[str, str]:
        """Exclusively reserved resources, key -> label: links, shared media and ends."""
        found: dict[str, str] = {}
        for route in routes:
            for link in route.path.links:
                found[f"link:{link}"] = self.link_name(self.topology.links[link])
            for kind, ident in route.path.hops:
                if kind == "fabric" and self.topology.fabrics[ident].kind in RINGS:
                    found[f"fabric:{ident}"] = self.topology.fabrics[ident].name
        for route in routes:
            for node in (route.sender, route.receiver):
                found[f"node:{node.pk}"] = node.name
        return found

    def link_name(self, link: Link) -> str:
        """`grf1: gt000`: the forwarding end, else the first."""
        ports = [self.topology.ports[port] for port in port_ids([link])]
        port = next((item for item in ports if self.topology.forwards(("node", item.node_id))), ports[0])
        return f"{self.topology.nodes[port.node_id].name}: {port.name}"

    def load(self, link: int) -> Load | None:
        """Fresh load of the busier direction."""
        known = [item for item in self.loads.get(link, (None, None)) if item is not None and item.fresh]
        return max(known, key=lambda item: item.bps, default=None)

    def ports(self, node: Node, routes: list[FlowRoute]) -> list[Port]:
        """The node's ports on these routes, by id."""
        links = {link for route in routes for link in route.path.links}
        ports = [
            self.topology.ports[port] for link in links for port in port_ids([self.topology.links[link]])
        ]
        return sorted((port for port in ports if port.node_id == node.pk), key=lambda port: port.id)

    def usable(self, port: Port) -> int | None:
        """Bit/s of the port's link, per direction."""
        link = self.topology.link_of_port.get(port.id)
        return None if link is None else self.usable_of(link.id)

    def usable_of(self, link: int) -> int:
        """Usable bit/s of a link, per direction."""
        return self.topology.fabrics[self.topology.links[link].fabric_id].usable_rate
