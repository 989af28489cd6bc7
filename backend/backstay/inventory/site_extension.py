"""The site file's `extension` key: a gateway attached to an SP switch, and numbers that are had twice.

Two nodes of one switch under one number are a mistake of the file: no complex could be so. Whatever else is
unwise about an extension node is imported, found and shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from backstay.core.model.extension import MAX_LINK_PACKET, SLOTS
from backstay.inventory.mistakes import Path
from backstay.inventory.site_types import Item, NodeName, PortName

if TYPE_CHECKING:
    from backstay.inventory.site_schema import NodeItem

Found = Iterator[tuple[Path, str]]
SWITCH = "sp_switch"
_Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class SwitchPortItem(Item):
    """Where its cable is, as the SDR's DependentNode has it."""

    switch: _Number
    chip: _Number
    port: _Number


class ExtensionItem(Item):
    """What the SDR shall hold of the extension node besides its numbers and its port's address."""

    port: PortName | None = None
    """Its adapter on the switch; absent: its one port on a fabric of kind sp_switch."""
    name: NodeName | None = None
    """Of its row in the router's MIB; absent: the node's."""
    frame: Annotated[int, Field(ge=1, le=512)] | None = None
    slot: Annotated[int, Field(ge=1, le=SLOTS)] | None = None
    host_offset: Annotated[int, Field(ge=-(2**31), le=2**31 - 1)] | None = None
    max_link_packet: Annotated[int, Field(ge=68, le=2**31 - 1)] = MAX_LINK_PACKET
    token: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,64}$")] = ""
    switch_port: SwitchPortItem | None = None


def check(nodes: Mapping[int, NodeItem], kinds: Mapping[str, str]) -> Found:
    """Mistakes; `kinds` are the fabrics', by name."""
    for index, node in nodes.items():
        if node.extension is not None:
            yield from _extension(node, node.extension, ("nodes", index, "extension"), kinds)
    yield from _twice(nodes, kinds)


def _extension(node: NodeItem, item: ExtensionItem, at: Path, kinds: Mapping[str, str]) -> Found:
    ports = switch_ports(node, kinds)
    if node.kind not in {"gateway", "router"}:
        yield at, "a node of kind gateway or router: a host is a node of the complex"
    if item.port is not None and item.port not in ports:
        yield (*at, "port"), "a port of this node on a fabric of kind sp_switch"
    elif item.port is None and len(ports) != 1:
        yield at, "the key port: which of its ports is on the SP switch" if ports else _NO_PORT
    if (item.frame is None) != (item.slot is None):
        yield at, "frame and slot, both or neither"


_NO_PORT = "a node with a port on a fabric of kind sp_switch"


def switch_ports(node: NodeItem, kinds: Mapping[str, str]) -> dict[str, str]:
    """Its ports on SP switches, by name, with the fabric of each."""
    return {port.name: port.fabric for port in node.ports if port.fabric and kinds.get(port.fabric) == SWITCH}


def _twice(nodes: Mapping[int, NodeItem], kinds: Mapping[str, str]) -> Found:
    """Node numbers and switch node numbers that two nodes of one switch have."""
    owners: dict[tuple[str, str, int], str] = {}
    for index, node in nodes.items():
        for fabric in sorted(set(switch_ports(node, kinds).values())):
            for key, title in (("node_number", "node number"), ("switch_node_number", "switch node number")):
                number = getattr(node, key)
                if number is None:
                    continue
                owner = owners.setdefault((fabric, key, number), node.name)
                if owner != node.name:
                    expected = f"a {title} of its own; {owner} and {node.name} both have {number} on {fabric}"
                    yield ("nodes", index, key), expected
