"""Resolve ARP policies to the intended state of each managed node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from backstay.core.model.arp import ArpIntent, FabricArp, Member, NodeArp, PortArp, Settings
from backstay.core.planning.arp.entries import MOST_NODES, Entries
from backstay.core.planning.arp.site import ArpSite

_FLAG = {"on": True, "off": False, "unmanaged": None}


def desired(site: ArpSite, intents: Sequence[ArpIntent]) -> dict[int, NodeArp]:
    """Node id -> its complete intended state, for each managed node on the policies' current or former
    fabrics.

    Fabrics without a policy here keep their confirmed state. Unknown hardware addresses get no entry; a check
    reports them.
    """
    names = {site.topology.fabrics[intent.fabric].name: intent for intent in intents}
    parts: dict[int, dict[str, FabricArp]] = {}
    for node, confirmed in site.confirmed.items():
        if node in site.files and any(fabric.fabric in names for fabric in confirmed.fabrics):
            parts[node] = {
                fabric.fabric: fabric for fabric in confirmed.fabrics if fabric.fabric not in names
            }
    for name, intent in names.items():
        for node, part in _of_fabric(name, intent, site.members[intent.fabric], site.files):
            kept = {} if node not in site.confirmed else {f.fabric: f for f in site.confirmed[node].fabrics}
            parts.setdefault(node, {f: p for f, p in kept.items() if f not in names})
            if part is not None:
                parts[node][name] = part
    return {
        node: NodeArp(
            node=site.topology.nodes[node].name,
            node_id=node,
            files=site.files[node],
            fabrics=tuple(part for _, part in sorted(fabrics.items())),
        )
        for node, fabrics in sorted(parts.items())
    }


def _of_fabric(
    name: str, intent: ArpIntent, members: tuple[Member, ...], files: Mapping[int, object]
) -> Iterable[tuple[int, FabricArp | None]]:
    """Each managed node's part; None: the policy no longer applies to it."""
    entries = Entries.of(members if intent.mode == "off" and len(members) <= MOST_NODES else ())
    ports: dict[int, list[PortArp]] = {}
    for member in members:
        if member.node in files:
            ports.setdefault(member.node, []).append(_port(intent, member, entries))
    for node, mine in ports.items():
        stated = intent.mode != "unmanaged" or intent.table or any(port.settings for port in mine)
        yield node, FabricArp(name, tuple(mine), intent.table) if stated else None


def _port(intent: ArpIntent, member: Member, entries: Entries) -> PortArp:
    return PortArp(
        port=member.port,
        arp=_FLAG[intent.mode],
        settings=settings_of(intent, member),
        neighbours=entries.for_port(member) if intent.mode == "off" else (),
    )


def settings_of(intent: ArpIntent, member: Member) -> Settings:
    """The fabric's settings, overridden by the settings whose pattern matches the port."""
    found = dict(intent.settings)
    for part in intent.ports:
        if fnmatchcase(member.port, part.pattern) or fnmatchcase(member.place, part.pattern):
            found.update(part.settings)
    return tuple(sorted(found.items()))


def clashes(wanted: Iterable[NodeArp]) -> tuple[str, ...]:
    """`ipv4.gc_thresh3 of sp01: 2048 by hippi, 4096 by sp-switch`, each once."""
    found: list[str] = []
    for node in wanted:
        values: dict[str, dict[int, str]] = {}
        for fabric in node.fabrics:
            for name, value in fabric.table:
                values.setdefault(name, {}).setdefault(value, fabric.fabric)
        for name, by in values.items():
            if len(by) > 1:
                stated = ", ".join(f"{value} by {fabric}" for value, fabric in by.items())
                found.append(f"{name} of {node.node}: {stated}")
    return tuple(found)
