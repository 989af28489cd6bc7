"""Running and saved address resolution of a node, with the digest that plans are compared with.

The reporter and the change driver both call `read`. The digest covers what a plan depends on. It excludes
ports without an address: plans do not cover them, and containers' ports come and go.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from backstay_agent.actuators.routing_state import saved_file
from backstay_agent.host.kernel import arp_tables
from backstay_agent.host.kernel.arp_tables import ArpTables
from backstay_agent.host.kernel.port_rows import LinkRow
from backstay_wire import ArpFiles, RunningPortArp, SavedFile, StaticNeighbour
from backstay_wire.arp import MAX_NEIGHBOURS

_MOST_PORTS = 4096


@dataclass(frozen=True, slots=True)
class ArpState:
    """Address resolution of a node."""

    ports: list[RunningPortArp]
    table: dict[str, int]
    files: list[SavedFile]
    digest: str


def read(files: ArpFiles | None) -> ArpState:
    """The node's current state; None: none of its files are managed. Raises OSError."""
    return _state(arp_tables.read(), files)


def read_with_keys(files: ArpFiles) -> tuple[ArpState, frozenset[tuple[int, bytes]]]:
    """The same, plus (port index, address) of each permanent entry, as events name it. Raises OSError."""
    tables = arp_tables.read()
    indexes = {link.name: link.index for link in tables.links}
    keys = frozenset((indexes[row.port], row.ip.packed) for row in tables.neighbours)
    return _state(tables, files), keys


def _state(tables: ArpTables, files: ArpFiles | None) -> ArpState:
    ports = running(tables)
    saved = [saved_file(path) for path in (files.config, files.settings)] if files else []
    return ArpState(ports, tables.table, saved, digest(ports, tables, saved))


def running(tables: ArpTables) -> list[RunningPortArp]:
    """Every port in the kernel's order."""
    entries: dict[str, list[StaticNeighbour]] = {}
    for row in tables.neighbours:
        if row.hardware:
            entries.setdefault(row.port, []).append(StaticNeighbour(address=row.ip, mac=row.mac))
    return [_port(link, tables, entries.get(link.name, [])) for link in tables.links[:_MOST_PORTS]]


def _port(link: LinkRow, tables: ArpTables, entries: list[StaticNeighbour]) -> RunningPortArp:
    return RunningPortArp(
        port=link.name,
        arp=link.arp,
        mac=bytes.fromhex(link.hardware).hex(":"),
        settings=tables.settings.get(link.name, {}),
        neighbours=sorted(entries, key=lambda entry: (entry.address.version, entry.address))[:MAX_NEIGHBOURS],
    )


def digest(ports: Sequence[RunningPortArp], tables: ArpTables, files: Sequence[SavedFile]) -> str:
    """SHA-256 in hex of flags, link addresses, settings, entries and files, independent of order."""
    content = {
        "ports": sorted(
            [
                port.port,
                port.arp,
                port.mac,
                sorted(port.settings.items()),
                sorted([str(neighbour.address), neighbour.mac] for neighbour in port.neighbours),
            ]
            for port in ports
            if tables.own.get(port.port)
        ),
        "table": sorted(tables.table.items()),
        "files": sorted([file.path, file.sha256] for file in files),
    }
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()
