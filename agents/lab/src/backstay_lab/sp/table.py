"""The control workstation's settings of an extension node's router, stored next to its snmpd.conf."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from backstay_lab.blueprint import NodeSpec
from backstay_lab.errors import LabError
from backstay_lab.state import write_private

LARGEST = 2**31 - 1


@dataclass(frozen=True)
class ExtensionNodeRow:
    """One extension node."""

    name: str
    port: str
    number: int
    switch_number: int
    host_offset: int


ATTRIBUTES: dict[str, Callable[[ExtensionNodeRow, int], ExtensionNodeRow]] = {
    "node-number": lambda row, value: replace(row, number=value),
    "switch-node-number": lambda row, value: replace(row, switch_number=value),
    "host-offset": lambda row, value: replace(row, host_offset=value),
}
"""The attributes that the lab's command may change, by name."""


def host_offset(node: NodeSpec) -> int:
    """Host part of its address minus its switch node number, which a switch without ARP requires."""
    interface = node.port(node.extension).interface
    return int(interface.ip) - int(interface.network.network_address) - (node.switch_node_number or 0)


def row_of(node: NodeSpec) -> ExtensionNodeRow | None:
    """The intended row; None when the node is no extension node."""
    if not node.extension or node.node_number is None or node.switch_node_number is None:
        return None
    offset = host_offset(node)
    return ExtensionNodeRow(node.name, node.extension, node.node_number, node.switch_node_number, offset)


def file_of(folder: Path) -> Path:
    """The path of a node's row in its folder."""
    return folder / "dependent-node.json"


def save(file: Path, row: ExtensionNodeRow) -> None:
    """Write a row atomically."""
    write_private(file, json.dumps(asdict(row), indent=1) + "\n")


def load(file: Path) -> ExtensionNodeRow:
    """The row; LabError when the file does not exist."""
    try:
        return ExtensionNodeRow(**json.loads(file.read_text()))
    except FileNotFoundError:
        raise LabError(
            f"{file.parent.name} is not an extension node.",
            "Name one that is polled over SNMP, such as grf1.",
        ) from None


def written(node: NodeSpec, folder: Path, attribute: str | None, value: int | None) -> ExtensionNodeRow:
    """Set an attribute of the row in a node's folder, or restore the intended row; the resulting row."""
    meant, file = row_of(node), file_of(folder)
    row = load(file)
    if attribute is not None and value is None:
        raise LabError(
            f"{attribute} needs a value.", "Name a value, or no attribute to restore the intended row."
        )
    if attribute is not None and value is not None:
        row = changed(row, attribute, value)
    elif meant is not None:
        row = meant
    save(file, row)
    return row


def changed(row: ExtensionNodeRow, attribute: str, value: int) -> ExtensionNodeRow:
    """The row with a new value; LabError for an unknown attribute or an invalid value."""
    if attribute not in ATTRIBUTES:
        raise LabError(f"{attribute} is not an attribute.", f"Choose {', '.join(ATTRIBUTES)}.")
    if not 0 <= value <= LARGEST:
        raise LabError(f"{value} is out of range.", f"Choose 0 to {LARGEST}.")
    return ATTRIBUTES[attribute](row, value)
