"""Extension nodes and their complexes from rows: numbers, labels, ports' addresses, `Node.extension`."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Interface
from typing import Any

from backstay.core.model.extension import (
    MAX_LINK_PACKET,
    SLOTS,
    Complex,
    Extension,
    Slot,
    SwitchNode,
    slot_of,
)
from backstay.core.model.topology import Fabric, Node, Port, Topology
from backstay.inventory.models import Site

SWITCH = "sp_switch"
WIDEST = 4
"""Slots of a high node."""
Stored = Mapping[str, Any]
"""`Node.extension`; empty for an ordinary node."""


def stored(site: Site) -> dict[int, Stored]:
    """Node id -> the site file's entry of each extension node, by name."""
    rows = site.nodes.exclude(extension={}).order_by("name")
    return dict(rows.values_list("pk", "extension"))


def switches(topology: Topology) -> list[Fabric]:
    """SP switches of a site, by name."""
    found = [fabric for fabric in topology.fabrics.values() if fabric.kind == SWITCH]
    return sorted(found, key=lambda fabric: fabric.name)


def nodes_on(site: Site, topology: Topology, fabric: int) -> tuple[SwitchNode, ...]:
    """Nodes with a port on the switch, by name and port."""
    extensions = stored(site)
    found = [
        _switch_node(topology, topology.nodes[port.node_id], port, extensions)
        for port in topology.ports.values()
        if port.fabric_id == fabric
    ]
    return tuple(sorted(found, key=lambda node: (node.name, node.port)))


def complex_of(site: Site, topology: Topology, fabric: Fabric, arp: tuple[bool, str]) -> Complex:
    """The switch as a value; `arp`: whether its nodes use ARP, and the source of that."""
    return Complex(fabric.name, *arp, fabric.mtu, nodes_on(site, topology, fabric.id))


def port_of(topology: Topology, node: Node, extension: Stored) -> Port | None:
    """The extension node's adapter on the switch; None if removed."""
    kinds = {fabric.id: fabric.kind for fabric in topology.fabrics.values()}
    mine = topology.data_ports.get(node.id, ())
    ports = [port for port in mine if kinds.get(port.fabric_id or 0) == SWITCH]
    wanted = extension.get("port")
    return next((port for port in ports if wanted is None or port.name == wanted), None)


def extension_of(topology: Topology, node: Node, port: Port, extension: Stored) -> Extension:
    """The intended attributes."""
    place = extension.get("switch_port")
    return Extension(
        name=extension.get("name") or node.name,
        port=port.name,
        slot=_slot(node, extension),
        number=node.number,
        switch_number=node.switch_number,
        interface=_interface(topology, port),
        max_link_packet=extension.get("max_link_packet", MAX_LINK_PACKET),
        host_offset=extension.get("host_offset"),
        token=extension.get("token", ""),
        switch_port=None if place is None else (place["switch"], place["chip"], place["port"]),
    )


def _switch_node(topology: Topology, node: Node, port: Port, extensions: Mapping[int, Stored]) -> SwitchNode:
    extension = extensions.get(node.id, {})
    return SwitchNode(
        node=node.id,
        name=node.name,
        port=port.name,
        number=node.number,
        switch_number=node.switch_number,
        interface=_interface(topology, port),
        slot=_slot(node, extension),
        width=_width(node),
        extension=node.id in extensions,
    )


def _interface(topology: Topology, port: Port) -> IPv4Interface | None:
    return next(
        (interface for interface in topology.interfaces[port.id] if isinstance(interface, IPv4Interface)),
        None,
    )


def _slot(node: Node, extension: Stored) -> Slot | None:
    """The slot in the site file, else the labels `frame` and `slot`, else derived from the node number."""
    labels = dict(node.labels)
    frame, slot = (str(extension.get(key) or labels.get(key)) for key in ("frame", "slot"))
    if frame.isdecimal() and slot.isdecimal() and int(frame) > 0 and 0 < int(slot) <= SLOTS:
        return Slot(int(frame), int(slot))
    return slot_of(node.number) if node.number else None


def _width(node: Node) -> int:
    """The label `slots`: 1 for a thin, 2 for a wide, 4 for a high node."""
    text = dict(node.labels).get("slots", "1")
    return min(max(int(text), 1), WIDEST) if text.isdecimal() else 1
