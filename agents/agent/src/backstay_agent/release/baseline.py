"""The state before Backstay managed this node: boot files, routes and ARP, as the first change found them.

Recorded from the guard's snapshot before a change is saved, and kept for as long as the node is managed. A
file or prefix without a block of ours when the change was applied was not managed before it, so its state is
recorded anew.
"""

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from pydantic import ValidationError

from backstay_agent.guard.snapshot import KeptFile, Snapshot
from backstay_agent.host.files import atomic_write
from backstay_agent.host.kernel.host_state import ArpBaseline
from backstay_agent.host.kernel.kernel_rows import OURS, STATICS, RouteRow
from backstay_agent.release.boot_text import ARP, MarkedBlock, find, outside
from backstay_wire import ChangeAssignment, Engine, FileIntent
from backstay_wire.base import Message

Prefix = IPv4Network | IPv6Network


class FileBaseline(Message):
    """One boot file."""

    original: KeptFile
    outside: str
    """Digest of the operator's text around our blocks, as the last change left it: if it still holds, nobody
    has edited the file since and the original can be restored."""


class Baseline(Message):
    """The state before management."""

    engine: Engine | None = None
    files: dict[str, FileBaseline] = {}
    """By path."""
    routes: dict[str, tuple[RouteRow, ...]] = {}
    """Prefix -> static routes that an operator had set; a prefix that is missing is not known."""
    arp: ArpBaseline | None = None

    def rows(self) -> Mapping[Prefix, Sequence[RouteRow]]:
        """The routes by prefix."""
        return {ip_network(prefix): rows for prefix, rows in self.routes.items()}


def remember(known: Baseline, assignment: ChangeAssignment, before: Snapshot) -> Baseline:
    """`known` with what this change takes under management; `before` is the guard's snapshot."""
    texts = {file.path: file.text for file in before.files}
    intents = _intents(assignment)
    files = {
        intent.path: _file(known.files.get(intent.path), texts.get(intent.path), intent) for intent in intents
    }
    marked = [block for text in texts.values() for block in find(text or "")]
    values: dict[str, object] = {"files": {**known.files, **files}}
    if assignment.routing is not None:
        values["engine"] = assignment.routing.engine
        values["routes"] = _routes(known, assignment, before, {block.prefix for block in marked})
    if assignment.arp is not None and before.arp is not None:
        values["arp"] = _arp(known.arp, before.arp, marked)
    return known.model_copy(update=values)


def _file(known: FileBaseline | None, before: str | None, intent: FileIntent) -> FileBaseline:
    """A file with blocks of ours keeps its original; one without them is an original itself."""
    after = outside(intent.text)
    is_managed = before is not None and bool(find(before))
    if is_managed and known is not None:
        # Edited since the last change: the original would undo that, so its digest must not match.
        edited = known.outside != outside(before)
        return known.model_copy(update={"outside": "" if edited else after})
    kept = KeptFile.of(intent.path, before)
    return FileBaseline(original=kept, outside="" if is_managed else after)


def _routes(
    known: Baseline, assignment: ChangeAssignment, before: Snapshot, marked: set[Prefix | None]
) -> dict[str, tuple[RouteRow, ...]]:
    rows = before.host.routes if before.host else ()
    found = dict(known.routes)
    for route in assignment.routing.routes if assignment.routing else ():
        if route.prefix in marked:
            continue
        mine = [row for row in rows if row.prefix == route.prefix]
        found[str(route.prefix)] = tuple(row for row in mine if row.proto in STATICS and row.proto != OURS)
    return found


def _arp(known: ArpBaseline | None, before: ArpBaseline, marked: list[MarkedBlock]) -> ArpBaseline | None:
    """Ports that are recorded keep their record; without one, a file with our blocks means it is too late."""
    if known is None:
        return None if any(block.policy == ARP for block in marked) else before
    fresh = [port for port in before.flags if port not in known.flags]
    return ArpBaseline(
        flags={**{port: before.flags[port] for port in fresh}, **known.flags},
        neighbours=(*known.neighbours, *(row for row in before.neighbours if row.port in fresh)),
        settings={**before.settings, **known.settings},
    )


def _intents(assignment: ChangeAssignment) -> list[FileIntent]:
    routing = list(assignment.routing.files) if assignment.routing else []
    return [*routing, *(assignment.arp.files if assignment.arp else [])]


class BaselineFile:
    """The baseline in an agent's state folder."""

    def __init__(self, state: Path) -> None:
        self._path = state / "baseline.json"

    def read(self) -> Baseline:
        """Empty if there is none, or none that can be read."""
        try:
            return Baseline.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return Baseline()

    def write(self, baseline: Baseline) -> None:
        """Replace it durably. Raises OSError."""
        atomic_write(self._path, baseline.model_dump_json().encode())
