"""Ports that do not run the addresses that the site file gives them, as their own agents tell it.

A site file says what shall be, and a kernel what is. Whoever plans by the file alone sends packets to
addresses that nobody has: an entry or a next hop for one of them is a hole. Of a node that nobody hears, or
that has no agent, only the file is known, and it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface

from backstay.core.formatting import listing
from backstay.core.model.routing import Address
from backstay.core.model.topology import Port, Topology

RunningAddresses = Mapping[int, Mapping[int, tuple[IPv4Interface | IPv6Interface, ...]]]
"""Node id -> port id -> what it runs there. A node or port that is missing: nobody tells."""


@dataclass(frozen=True, slots=True)
class AddressMismatch:
    """A port of which an address is nowhere on its node."""

    node: int
    name: str
    """The node's."""
    port: str
    missing: tuple[Address, ...]
    """Given to it and not run, in the site file's order."""
    instead: tuple[Address, ...]
    """Run there and given to no port of the node, of the families that miss one."""

    @property
    def text(self) -> str:
        """`sp03 has 10.1.0.77 on css0, the site file says 10.1.0.3`."""
        if not self.instead:
            return f"{self.name} has no {self.lacks} on {self.port}, which the site file gives it"
        return f"{self.name} has {self.runs} on {self.port}, the site file says {self.lacks}"

    @property
    def runs(self) -> str:
        """`10.1.0.77`; empty: nothing in its place."""
        return listing([str(item) for item in self.instead])

    @property
    def lacks(self) -> str:
        """`10.1.0.3`."""
        return listing([str(item) for item in self.missing])

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return f"Give {self.name}:{self.port} {self.lacks}, or correct the site file"


def address_mismatches(topology: Topology, running: RunningAddresses) -> dict[int, AddressMismatch]:
    """Port id -> what is wrong there, of data ports alone.

    An address that the node runs at another port of its own, a bridge or a bond, is run.
    """
    found: dict[int, AddressMismatch] = {}
    for node, ports in running.items():
        mine = topology.data_ports.get(node, ())
        runs = {interface.ip for interfaces in ports.values() for interface in interfaces}
        given = {interface.ip for port in mine for interface in topology.interfaces[port.id]}
        for port in mine:
            if port.id not in ports:
                continue
            missing = tuple(
                interface.ip for interface in topology.interfaces[port.id] if interface.ip not in runs
            )
            if missing:
                instead = _instead((item.ip for item in ports[port.id]), given, missing)
                found[port.id] = _mismatch(topology, port, missing, instead)
    return found


def _instead(
    runs: Iterable[Address], given: set[Address], missing: tuple[Address, ...]
) -> tuple[Address, ...]:
    families = {item.version for item in missing}
    others = {run for run in runs if run not in given and not run.is_link_local}
    return tuple(sorted((other for other in others if other.version in families), key=_by_number))


def _by_number(address: Address) -> tuple[int, int]:
    return address.version, int(address)


def _mismatch(
    topology: Topology, port: Port, missing: tuple[Address, ...], instead: tuple[Address, ...]
) -> AddressMismatch:
    return AddressMismatch(port.node_id, topology.nodes[port.node_id].name, port.name, missing, instead)
