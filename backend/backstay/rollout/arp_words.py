"""ARP of a node in words: as plans and intents keep it, as the wire has it; and back into values.

What is kept says besides the wire's `NodeArp` which fabric's policy each port's part is of: a change of one
fabric leaves the others' parts as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Any

from backstay.core.model.arp import (
    ArpFiles,
    FabricArp,
    NodeArp,
    ObservedArp,
    PortArp,
    RunningPortArp,
    Settings,
    StaticNeighbour,
)
from backstay.core.model.plan import FileDifference
from backstay.core.model.routing import SavedFile
from backstay.telemetry.models import ArpState

Words = dict[str, Any]


def arp_words(arp: NodeArp, files: Iterable[FileDifference], revision: int = 0) -> Words:
    """`{revision, fabrics: [{fabric, ports, table}], files}`."""
    return {
        "revision": revision,
        "fabrics": [
            {
                "fabric": fabric.fabric,
                "ports": [_port_words(port) for port in fabric.ports],
                "table": dict(fabric.table),
            }
            for fabric in arp.fabrics
        ],
        "files": [{"path": file.path, "text": file.after, "base": file.base} for file in files],
    }


def _port_words(port: PortArp) -> Words:
    return {
        "port": port.port,
        "arp": port.arp,
        "settings": dict(port.settings),
        "neighbours": [
            {"address": str(neighbour.address), "mac": neighbour.mac} for neighbour in port.neighbours
        ],
    }


def wire(stored: Mapping[str, Any], revision: int) -> Words:
    """The wire's `NodeArp`."""
    fabrics = stored["fabrics"]
    return {
        "revision": revision,
        "ports": [port for fabric in fabrics for port in fabric["ports"]],
        "table": {name: value for fabric in fabrics for name, value in fabric["table"].items()},
        "files": stored["files"],
    }


def node_arp(node: str, ident: int, files: ArpFiles, stored: Mapping[str, Any]) -> NodeArp:
    """What was kept as a value."""
    fabrics = tuple(
        FabricArp(
            fabric["fabric"],
            tuple(_port(port) for port in fabric["ports"]),
            _settings(fabric["table"]),
        )
        for fabric in stored["fabrics"]
    )
    return NodeArp(node, ident, files, fabrics)


def _port(told: Mapping[str, Any]) -> PortArp:
    return PortArp(told["port"], told["arp"], _settings(told["settings"]), _neighbours(told["neighbours"]))


def _neighbours(told: Iterable[Mapping[str, str]]) -> tuple[StaticNeighbour, ...]:
    return tuple(StaticNeighbour(ip_address(item["address"]), item["mac"].lower()) for item in told)


def _settings(told: Mapping[str, int]) -> Settings:
    return tuple(sorted(told.items()))


def observed_arp(row: ArpState) -> ObservedArp:
    """What a node runs and has saved."""
    return ObservedArp(
        node_id=row.node_id,
        revision=row.revision,
        digest=row.digest,
        ports=tuple(
            RunningPortArp(
                port["port"],
                port["arp"],
                port["mac"].lower(),
                _settings(port["settings"]),
                _neighbours(port["neighbours"]),
            )
            for port in row.ports
        ),
        table=_settings(row.table),
        files=tuple(SavedFile(file["path"], file["sha256"], file["text"]) for file in row.files),
    )


def files_of(stored: Mapping[str, str]) -> ArpFiles:
    """The site file's `arp` key as a value."""
    return ArpFiles(stored["config"], stored["settings"])
