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

WireDict = dict[str, Any]


def encode_arp(arp: NodeArp, files: Iterable[FileDifference], revision: int = 0) -> WireDict:
    """`{revision, fabrics: [{fabric, ports, table}], files}`."""
    return {
        "revision": revision,
        "fabrics": [
            {
                "fabric": fabric.fabric,
                "ports": [_encode_arp_port(port) for port in fabric.ports],
                "table": dict(fabric.table),
            }
            for fabric in arp.fabrics
        ],
        "files": [{"path": file.path, "text": file.after, "base": file.base} for file in files],
    }


def _encode_arp_port(port: PortArp) -> WireDict:
    return {
        "port": port.port,
        "arp": port.arp,
        "settings": dict(port.settings),
        "neighbours": [
            {"address": str(neighbour.address), "mac": neighbour.mac} for neighbour in port.neighbours
        ],
    }


def wire_arp(stored: Mapping[str, Any], revision: int) -> WireDict:
    """The wire's `NodeArp`."""
    fabrics = stored["fabrics"]
    return {
        "revision": revision,
        "ports": [port for fabric in fabrics for port in fabric["ports"]],
        "table": {name: value for fabric in fabrics for name, value in fabric["table"].items()},
        "files": stored["files"],
    }


def decode_arp(node: str, ident: int, files: ArpFiles, stored: Mapping[str, Any]) -> NodeArp:
    """What was kept as a value."""
    fabrics = tuple(
        FabricArp(
            fabric["fabric"],
            tuple(_decode_arp_port(port) for port in fabric["ports"]),
            _decode_settings(fabric["table"]),
        )
        for fabric in stored["fabrics"]
    )
    return NodeArp(node, ident, files, fabrics)


def _decode_arp_port(told: Mapping[str, Any]) -> PortArp:
    return PortArp(
        told["port"], told["arp"], _decode_settings(told["settings"]), _decode_neighbours(told["neighbours"])
    )


def _decode_neighbours(told: Iterable[Mapping[str, str]]) -> tuple[StaticNeighbour, ...]:
    return tuple(StaticNeighbour(ip_address(item["address"]), item["mac"].lower()) for item in told)


def _decode_settings(told: Mapping[str, int]) -> Settings:
    return tuple(sorted(told.items()))


def decode_observed_arp(row: ArpState) -> ObservedArp:
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
                _decode_settings(port["settings"]),
                _decode_neighbours(port["neighbours"]),
            )
            for port in row.ports
        ),
        table=_decode_settings(row.table),
        files=tuple(SavedFile(file["path"], file["sha256"], file["text"]) for file in row.files),
    )


def decode_arp_files(stored: Mapping[str, str]) -> ArpFiles:
    """The site file's `arp` key as a value."""
    return ArpFiles(stored["config"], stored["settings"])
