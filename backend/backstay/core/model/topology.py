"""Topology of a site: fabrics, nodes, ports and links as values, with adjacency.

`inventory.snapshot` is the only conversion from database rows. Rates are bit/s on the wire, after the site's
`rate_scale`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv6Address,
    IPv6Interface,
    ip_interface,
)

FORWARDING = frozenset({"gateway", "router", "switch"})
"""Kinds of node that forward traffic."""

Vertex = tuple[str, int]
"""`("node", id)` or `("fabric", id)`; a fabric's shared medium is a vertex."""


NEIGHBOUR_CAPACITY = "neighbour_capacity"
"""Entries that the node's ARP and IPv6 neighbour tables can hold, where the device does not report it."""
NODE_LABEL_TITLES: Mapping[str, str] = {NEIGHBOUR_CAPACITY: "neighbour table capacity"}
"""Labels of nodes that have a meaning, as pages show them; all others are the site's own words."""


@dataclass(frozen=True, slots=True)
class Fabric:
    """One network technology instance."""

    id: int
    name: str
    kind: str
    media_rate: int
    usable_rate: int
    mtu: int
    arp: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A device with ports."""

    id: int
    name: str
    kind: str
    role: str
    title: str = ""
    number: int | None = None
    """Node number, if its machine numbers its nodes."""
    labels: tuple[tuple[str, str], ...] = ()
    """By name."""
    switch_number: int | None = None
    """Switch port number, if its switch numbers them."""


@dataclass(frozen=True, slots=True)
class Port:
    """One attachment of a node to a fabric, or to the management network (no fabric)."""

    id: int
    node_id: int
    name: str
    fabric_id: int | None
    management: bool
    addresses: tuple[str, ...]
    """With prefix length."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two connected ports; without `b`, a port and its fabric's shared medium. Forward is from a to b."""

    id: int
    a: int
    b: int | None
    fabric_id: int
    circuit: str


@dataclass(frozen=True)
class Topology:
    """A site's networks at one moment, by id."""

    site: str
    fabrics: dict[int, Fabric]
    nodes: dict[int, Node]
    ports: dict[int, Port]
    links: dict[int, Link]

    @cached_property
    def neighbours(self) -> dict[Vertex, list[tuple[Vertex, int]]]:
        """Vertex -> (neighbour, link id), ordered by link id so that every search is repeatable."""
        found: dict[Vertex, list[tuple[Vertex, int]]] = {}
        for link in sorted(self.links.values(), key=lambda link: link.id):
            one, other = self.ends(link)
            found.setdefault(one, []).append((other, link.id))
            found.setdefault(other, []).append((one, link.id))
        return found

    @cached_property
    def forwarding_neighbours(self) -> dict[Vertex, list[tuple[Vertex, int]]]:
        """The same without vertices that only end paths: a search passes by the hosts of each switch."""
        return {
            vertex: [(there, link) for there, link in around if self.forwards(there)]
            for vertex, around in self.neighbours.items()
        }

    @cached_property
    def addresses(self) -> list[tuple[IPv4Address | IPv6Address, Port]]:
        """Every address of every port."""
        return [
            (interface.ip, self.ports[port])
            for port, interfaces in self.interfaces.items()
            for interface in interfaces
        ]

    @cached_property
    def interfaces(self) -> dict[int, tuple[IPv4Interface | IPv6Interface, ...]]:
        """Port id -> its addresses with their networks."""
        return {
            port.id: tuple(ip_interface(address) for address in port.addresses)
            for port in self.ports.values()
        }

    @cached_property
    def numbered(self) -> dict[int, tuple[list[int], list[Port]]]:
        """IP version -> addresses as integers, ascending, and the port of each."""
        found: dict[int, tuple[list[int], list[Port]]] = {4: ([], []), 6: ([], [])}
        for address, port in sorted(self.addresses, key=lambda item: (item[0].version, int(item[0]))):
            numbers, ports = found[address.version]
            numbers.append(int(address))
            ports.append(port)
        return found

    @cached_property
    def node_ports(self) -> dict[int, tuple[Port, ...]]:
        """Node id -> its ports, by port id."""
        found: dict[int, list[Port]] = {}
        for port in sorted(self.ports.values(), key=lambda port: port.id):
            found.setdefault(port.node_id, []).append(port)
        return {node: tuple(ports) for node, ports in found.items()}

    @cached_property
    def data_ports(self) -> dict[int, tuple[Port, ...]]:
        """Node id -> its ports except management ports, by port id; only nodes that have such a port."""
        found = {node: [p for p in ports if not p.management] for node, ports in self.node_ports.items()}
        return {node: tuple(ports) for node, ports in found.items() if ports}

    @cached_property
    def link_of_port(self) -> dict[int, Link]:
        """Port id -> the link connected to it."""
        ends = [(port, link) for link in self.links.values() for port in (link.a, link.b)]
        return {port: link for port, link in ends if port is not None}

    def ends(self, link: Link) -> tuple[Vertex, Vertex]:
        """The link's two vertices, a first."""
        source = ("node", self.ports[link.a].node_id)
        if link.b is None:
            return source, ("fabric", link.fabric_id)
        return source, ("node", self.ports[link.b].node_id)

    def forwards(self, vertex: Vertex) -> bool:
        """Whether the vertex forwards traffic of others."""
        kind, ident = vertex
        return kind == "fabric" or self.nodes[ident].kind in FORWARDING
