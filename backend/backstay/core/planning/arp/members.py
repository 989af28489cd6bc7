"""Members of a fabric with their addresses and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.arp import Member
from backstay.core.model.topology import Node, Port, Topology

SWITCH = "sp_switch"
"""Kind of fabric to which the address rule applies."""
_ATTACHED = frozenset({"gateway", "router"})


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about ports and nodes besides the topology."""

    macs: Mapping[int, str] = field(default_factory=dict)
    """Port id -> hardware address."""
    managed: Set[int] = frozenset()
    """Nodes whose ARP Backstay may change."""
    own_agent: Set[int] = frozenset()
    """Nodes with an agent of their own."""
    alive: Set[int] = frozenset()
    """Nodes that reported recently."""
    address_mismatches: Mapping[int, AddressMismatch] = field(default_factory=dict)
    """Port id -> address mismatch."""


def members(topology: Topology, fabric: int, known: Known) -> tuple[Member, ...]:
    """Every port on the fabric, by node and port name."""
    kind = topology.fabrics[fabric].kind
    ports = [port for port in topology.ports.values() if port.fabric_id == fabric and not port.management]
    found = [_member(topology, topology.nodes[port.node_id], port, kind, known) for port in ports]
    return tuple(sorted(found, key=lambda item: (item.name, item.port)))


def _member(topology: Topology, node: Node, port: Port, kind: str, known: Known) -> Member:
    interfaces = topology.interfaces[port.id]
    first = next((interface for interface in interfaces if interface.version == 4), None)
    ordered = (
        interfaces
        if first is None
        else (first, *(interface for interface in interfaces if interface is not first))
    )
    return Member(
        node=node.id,
        name=node.name,
        port=port.name,
        addresses=tuple(item.ip for item in ordered),
        networks=tuple(item.network for item in ordered),
        host_part=None if first is None else int(first.ip) - int(first.network.network_address),
        number=node.switch_number,
        mac=known.macs.get(port.id, "").lower(),
        managed=node.id in known.managed,
        own_agent=node.id in known.own_agent,
        extension=kind == SWITCH and node.kind in _ATTACHED and node.id not in known.own_agent,
        alive=node.id in known.alive,
        forwards=topology.forwards(("node", node.id)),
        address_mismatch=known.address_mismatches.get(port.id),
    )
