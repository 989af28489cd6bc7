"""Ports that do not run the addresses that the site file assigns, as their own agents report.

A plan that uses only the site file would send packets to addresses that no node has: an entry or a next hop
for such an address drops traffic. If a node has no agent or does not report, the site file's addresses apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface

from backstay.core.formatting import listing
from backstay.core.model.routing import Address
from backstay.core.model.topology import Port, Topology

RunningAddresses = Mapping[int, Mapping[int, tuple[IPv4Interface | IPv6Interface, ...]]]
"""Node id -> port id -> running addresses. A missing node or port is not reported."""


@dataclass(frozen=True, slots=True)
class AddressMismatch:
    """A port with an assigned address that its node does not run."""

    node: int
    name: str
    """Name of the node."""
    port: str
    missing: tuple[Address, ...]
    """Assigned but not running, in the site file's order."""
    instead: tuple[Address, ...]
    """Running but not assigned to any port of the node; only of the families with a missing address."""

    @property
    def text(self) -> str:
        """`sp03 has 10.1.0.77 on css0, the site file assigns 10.1.0.3`."""
        if not self.instead:
            return f"{self.name} has no {self.lacks} on {self.port}, which the site file assigns"
        return f"{self.name} has {self.runs} on {self.port}, the site file assigns {self.lacks}"

    @property
    def runs(self) -> str:
        """`10.1.0.77`; empty: none."""
        return listing([str(item) for item in self.instead])

    @property
    def lacks(self) -> str:
        """`10.1.0.3`."""
        return listing([str(item) for item in self.missing])

    @property
    def remedy(self) -> str:
        return f"Give {self.name}:{self.port} {self.lacks}, or correct the site file"


def address_mismatches(topology: Topology, running: RunningAddresses) -> dict[int, AddressMismatch]:
    """Port id -> mismatch, for data ports only.

    An address counts as running if the node has it on any port, such as a bridge or a bond.
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
