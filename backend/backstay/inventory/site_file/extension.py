"""Checks of extension nodes (gateways attached to an SP switch) and of duplicate node numbers.

Two nodes of one switch with the same number are an error, because that is impossible. Any other problem of an
extension node is imported and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backstay.inventory.site_file.errors import Path
from backstay.inventory.site_file.node_keys import ExtensionItem
from backstay.inventory.site_file.schema import NodeItem

Found = Iterator[tuple[Path, str]]
SWITCH = "sp_switch"


def check(nodes: Mapping[int, NodeItem], kinds: Mapping[str, str]) -> Found:
    """Errors; `kinds` are the fabrics', by name."""
    for index, node in nodes.items():
        if node.extension is not None:
            yield from _extension(node, node.extension, ("nodes", index, "extension"), kinds)
    yield from _duplicates(nodes, kinds)


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


def _duplicates(nodes: Mapping[int, NodeItem], kinds: Mapping[str, str]) -> Found:
    """Node numbers and switch node numbers that two nodes of one switch share."""
    owners: dict[tuple[str, str, int], str] = {}
    for index, node in nodes.items():
        for fabric in sorted(set(switch_ports(node, kinds).values())):
            for key, title in (("node_number", "node number"), ("switch_node_number", "switch node number")):
                number = getattr(node, key)
                if number is None:
                    continue
                owner = owners.setdefault((fabric, key, number), node.name)
                if owner != node.name:
                    expected = f"a unique {title}; {owner} and {node.name} both have {number} on {fabric}"
                    yield ("nodes", index, key), expected
