"""A router's circuit table, stored next to its snmpd.conf."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from ipaddress import IPv4Address
from pathlib import Path

from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.errors import LabError
from backstay_lab.state import write_private

_LABEL = re.compile(r"(\d{1,2})/(\d{1,5})")
FIRST_VCI, MAX_VCI_ON_VPI_0, MAX_VPI, MAX_VCI = 32, 32_767, 15, 511
"""A GigaRouter's limits (gratm.conf)."""


@dataclass(frozen=True)
class CircuitRow:
    """One permanent circuit on one port."""

    port: str
    vpi: int
    vci: int
    peer: str
    """Address of the other end."""
    meant: str
    """The blueprint's label."""

    @property
    def label(self) -> str:
        """`0/130`."""
        return f"{self.vpi}/{self.vci}"

    @property
    def is_wrong(self) -> bool:
        """Whether its label differs from the other end's."""
        return self.label != self.meant


def rows_of(plan: Blueprint, node: NodeSpec) -> list[CircuitRow]:
    """The circuits that end on a node, with their intended labels."""
    found = []
    for link in plan.links:
        if not link.circuit or link.b is None:
            continue
        for end, far in ((link.a, link.b), (link.b, link.a)):
            if end.node == node.name:
                vpi, vci = read_label(link.circuit)
                peer: IPv4Address = plan.node(far.node).port(far.port).interface.ip
                found.append(CircuitRow(end.port, vpi, vci, str(peer), link.circuit))
    return found


def read_label(text: str) -> tuple[int, int]:
    """VPI and VCI; LabError names a GigaRouter's limits."""
    match = _LABEL.fullmatch(text)
    vpi, vci = (int(match[1]), int(match[2])) if match else (0, 0)
    if match is None or vpi > MAX_VPI or not FIRST_VCI <= vci <= (MAX_VCI if vpi else MAX_VCI_ON_VPI_0):
        raise LabError(
            f"{text} is not a valid VPI/VCI for a GigaRouter.",
            f"Choose VPI 0 with VCI {FIRST_VCI} to {MAX_VCI_ON_VPI_0},"
            f" or VPI 1 to {MAX_VPI} with VCI {FIRST_VCI} to {MAX_VCI}.",
        )
    return vpi, vci


def file_of(folder: Path) -> Path:
    """The path of a node's table in its folder."""
    return folder / "circuits.json"


def save(file: Path, rows: Iterable[CircuitRow]) -> None:
    """Write a table atomically."""
    write_private(file, json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def load(file: Path) -> list[CircuitRow]:
    """The table; LabError when the file does not exist."""
    try:
        return [CircuitRow(**row) for row in json.loads(file.read_text())]
    except FileNotFoundError:
        raise LabError(
            f"{file.parent.name} has no table of circuits.", "Name a router that is polled over SNMP."
        ) from None


def relabelled(rows: Iterable[CircuitRow], port: str, label: str | None) -> list[CircuitRow]:
    """The table with a new label on a port; None restores the intended one. LabError for an invalid label."""
    table = list(rows)
    if port not in {row.port for row in table}:
        names = ", ".join(sorted(row.port for row in table)) or "none"
        raise LabError(f"{port} has no circuit.", f"Ports with a circuit: {names}.")
    changed = []
    for row in table:
        if row.port == port:
            vpi, vci = read_label(row.meant if label is None else label)
            changed.append(replace(row, vpi=vpi, vci=vci))
        else:
            changed.append(row)
    return changed
