"""ARP differences of a node's ports as text, and its new boot files."""

from __future__ import annotations

from collections.abc import Iterable

from backstay.core.formatting import listing
from backstay.core.model.arp import NodeArp, ObservedArp, PortArp, RunningPortArp, Settings, StaticNeighbour
from backstay.core.model.arp_plan import ArpDifference, NodeArpPlan
from backstay.core.model.plan import FileDifference
from backstay.core.model.routing import SavedFile
from backstay.core.planning.digest import digest
from backstay.core.rendering.arp import files as rendering

NONE = "none"
_SHAPE = 16


def node_plan(wanted: NodeArp, observed: ObservedArp) -> NodeArpPlan:
    """Plan of one node. Raises ValueError if one of its files cannot be read or written."""
    found = tuple(_differences(wanted, observed))
    files = _files(wanted, observed)
    # The file's role rather than its path: different paths are the same change for a reader.
    touched = [item.path == wanted.files.config for item in files if item.before != item.after]
    return NodeArpPlan(
        arp=wanted,
        base=observed.digest,
        differences=found,
        files=files,
        flips=any(item.what == "ARP" for item in found),
        shape=digest([list(found), touched])[:_SHAPE],
    )


def _differences(wanted: NodeArp, observed: ObservedArp) -> Iterable[ArpDifference]:
    for port in wanted.ports.values():
        running = observed.port(port.port)
        if running is None:
            yield ArpDifference(port.port, "port", "missing", "as intended")
            continue
        if port.arp is not None and port.arp != running.arp:
            yield ArpDifference(port.port, "ARP", flag(running.arp), flag(port.arp))
        yield from _settings(port.port, dict(running.settings), port.settings)
        if port.arp is not None:
            yield from _entries(port, running)
    yield from _settings("", dict(observed.table), tuple(sorted(wanted.table.items())))


def _settings(port: str, now: dict[str, int], wanted: Settings) -> Iterable[ArpDifference]:
    for name, value in wanted:
        if now.get(name) != value:
            yield ArpDifference(port, name, value_text(now.get(name)), str(value))


def value_text(value: int | None) -> str:
    """A setting's value; a kernel may not have the setting."""
    return "missing" if value is None else str(value)


def flag(arp: bool) -> str:
    return "on" if arp else "off"


def _entries(port: PortArp, running: RunningPortArp) -> Iterable[ArpDifference]:
    before, after = by_address(running.neighbours), by_address(port.neighbours)
    if before == after:
        return
    changes = [f"{len(after)}" if after else NONE]
    for label, addresses in (
        ("new", [item for item in after if item not in before]),
        ("with another MAC", [item for item in after if before.get(item, after[item]) != after[item]]),
        ("removed", [item for item in before if item not in after]),
    ):
        if addresses and (before or label != "new"):
            changes.append(f"{listing([str(address) for address in addresses])} {label}")
    yield ArpDifference(port.port, "static entries", str(len(before)) if before else NONE, ", ".join(changes))


def by_address(entries: Iterable[StaticNeighbour]) -> dict[object, str]:
    """Address -> hardware address."""
    return {entry.address: entry.mac for entry in entries}


def _files(wanted: NodeArp, observed: ObservedArp) -> tuple[FileDifference, ...]:
    """Both boot files; a missing file that is not needed is omitted."""
    found = []
    for path, render in (
        (wanted.files.config, rendering.render_config),
        (wanted.files.settings, rendering.render_settings),
    ):
        before = saved_file(observed, path)
        after = render(wanted, before.text)
        if before.text or before.sha256 or after:
            found.append(FileDifference(path, before.text, after, before.sha256))
    return tuple(found)


def saved_file(observed: ObservedArp, path: str) -> SavedFile:
    """As last reported; a missing file is empty and has no digest."""
    return next((item for item in observed.files if item.path == path), SavedFile(path, "", ""))
