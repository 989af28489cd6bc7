"""On-link gateways: the network and ports over which a node reaches a gateway directly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backstay.core.model.routing import Address
from backstay.core.model.topology import Port, Topology


@dataclass(frozen=True, slots=True)
class OnLink:
    """A gateway in a network that it shares with a node."""

    address: Address
    """Of the gateway."""
    own: Port
    theirs: Port


def on_link(topology: Topology, node_id: int, gateway_id: int, version: int) -> OnLink | None:
    """The gateway in a network of the node: data ports by id, global before link-local addresses.

    `version` is 4 or 6. None if they share no such network.
    """
    passing = None
    for item in _shared(topology, node_id, gateway_id, version):
        if not item.address.is_link_local:
            return item
        passing = passing or item
    return passing


def _shared(topology: Topology, node_id: int, gateway_id: int, version: int) -> Iterator[OnLink]:
    for theirs in topology.data_ports.get(gateway_id, ()):
        for own in topology.data_ports.get(node_id, ()):
            if own.fabric_id != theirs.fabric_id:
                continue
            networks = [item.network for item in topology.interfaces[own.id] if item.version == version]
            for interface in topology.interfaces[theirs.id]:
                if interface.network in networks:
                    yield OnLink(interface.ip, own, theirs)
