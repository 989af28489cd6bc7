"""Find the port that a device means when it reports a neighbour, by names, GUIDs and hardware addresses.

Devices choose their own names, so a name that matches two nodes identifies neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_NOT_HEX = re.compile(r"[^0-9a-f]")


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """Identifiers of a node."""

    id: int
    name: str
    guid: str = ""
    sys_name: str = ""


@dataclass(frozen=True, slots=True)
class PortFacts:
    """Identifiers of a port, and its fabric."""

    id: int
    node_id: int
    name: str
    fabric_id: int | None
    declared: bool = True
    mac: str = ""
    alias: str = ""
    if_index: int = 0
    addresses: tuple[str, ...] = ()
    """As the device reports them, with prefix length."""


@dataclass(frozen=True, slots=True)
class Named:
    """A neighbour as a device reports it (wire: Adjacency)."""

    peer: str = ""
    peer_name: str = ""
    peer_id: str = ""
    peer_port: str = ""


def plain_mac(text: str) -> str:
    """Twelve hexadecimal digits of a MAC address in any notation; empty for anything else."""
    digits = _NOT_HEX.sub("", text.casefold())
    return digits if len(digits) == 12 and not text.startswith("0x") else ""


class Directory:
    """A site's nodes and ports by all their identifiers."""

    def __init__(self, nodes: Iterable[NodeFacts], ports: Iterable[PortFacts]) -> None:
        self._nodes = {node.id: node for node in nodes}
        self._ports = list(ports)

    def port_named(self, node_id: int, name: str) -> PortFacts | None:
        return next((port for port in self._of.get(node_id, ()) if port.name == name), None)

    def find(self, named: Named, fabric_ports: frozenset[int] = frozenset()) -> PortFacts | None:
        """The port that is meant; None if no port or several match.

        `fabric_ports`: ids of the ports on the neighbour's fabric. If a node has only one of them, that
        port is meant even if its name differs there (an adapter's port 1 is the host's ib0).
        """
        node = self._node(named)
        if node is None:
            return self.by_mac.get(plain_mac(named.peer_id))
        mine = self._of.get(node, [])
        mac = plain_mac(named.peer_port)
        for fits in (
            lambda port: port.name == named.peer_port,
            lambda port: bool(mac) and plain_mac(port.mac) == mac,
            lambda port: bool(named.peer_port) and port.alias == named.peer_port,
            lambda port: named.peer_port == str(port.if_index) and port.if_index > 0,
            lambda port: port.id in fabric_ports and port.declared,
        ):
            found = [port for port in mine if fits(port)]
            if len(found) == 1:
                return found[0]
        return None

    @cached_property
    def by_mac(self) -> dict[str, PortFacts]:
        """Hardware address -> the only port that has it."""
        found: dict[str, list[PortFacts]] = {}
        for port in self._ports:
            mac = plain_mac(port.mac)
            if mac and set(mac) != {"0"}:
                found.setdefault(mac, []).append(port)
        return {mac: ports[0] for mac, ports in found.items() if len(ports) == 1}

    @cached_property
    def _of(self) -> dict[int, list[PortFacts]]:
        found: dict[int, list[PortFacts]] = {}
        for port in self._ports:
            found.setdefault(port.node_id, []).append(port)
        return found

    @cached_property
    def _called(self) -> dict[str, set[int]]:
        """Name in lower case -> node ids; host names are matched with and without domain."""
        found: dict[str, set[int]] = {}
        for node in self._nodes.values():
            names = {node.name, node.sys_name, node.sys_name.partition(".")[0]}
            for name in names - {""}:
                found.setdefault(name.casefold(), set()).add(node.id)
        return found

    @cached_property
    def _by_guid(self) -> dict[str, int]:
        return {node.guid: node.id for node in self._nodes.values() if node.guid}

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return {node.name: node.id for node in self._nodes.values()}

    def _node(self, named: Named) -> int | None:
        if named.peer in self._by_name:
            return self._by_name[named.peer]
        if named.peer_id in self._by_guid:
            return self._by_guid[named.peer_id]
        for name in (named.peer_name, named.peer_name.partition(".")[0]):
            called = self._called.get(name.casefold(), set()) if name else set()
            if len(called) == 1:
                return next(iter(called))
        return None
