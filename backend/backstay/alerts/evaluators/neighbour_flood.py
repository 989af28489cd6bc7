"""Frames that fill a port's neighbour table: one finding a port, which names whose they are.

ARP fills the table of IPv4 by broadcasts, neighbour discovery that of IPv6 by solicitations: each is judged
against the capacity of its own table.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.alerts.evaluators.neighbour_table import nodes_of
from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.diagnosis.neighbours import CRITICAL, Flood, Limits, PortTable, as_of, flooded, share
from backstay.telemetry.selectors.neighbours import WatchNow, owners, watches

_CALLED = {
    "ipv4": ("broadcasts", "neighbour"),
    "ipv6": ("neighbour solicitations", "IPv6 neighbour"),
}
"""Family -> whose frames make its entries, and what its table is called."""


@dataclass(frozen=True, slots=True)
class _Flooded:
    """A port of which the table is being filled."""

    watch: WatchNow
    port: str
    table: PortTable
    flood: Flood

    @property
    def name(self) -> str:
        return f"{self.watch.node}:{self.port}"


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Ports whose entries grow too fast to be nodes that talk; a silent device is not judged."""
    limits = Limits(
        grown=int(rule.parameters.get("grown", 64)), per_s=float(rule.parameters.get("per_s", 5.0))
    )
    found, undecided = [], set()
    for watch in watches(situation.site, nodes_of(present)):
        for port, told in watch.tables.items():
            fingerprint = _fingerprint(watch, port)
            if not situation.is_fresh(watch.node_id):
                undecided.add(fingerprint)
                continue
            table = as_of(told, situation.now.timestamp(), situation.site.interval_s)
            firing = fingerprint in present
            flood = flooded(table, watch.capacity, situation.site.interval_s, limits, firing=firing)
            if flood is not None:
                found.append(_Flooded(watch, port, table, flood))
    known = owners(situation.site, {item.flood.mac for item in found})
    findings = tuple(_finding(situation, item, known, present) for item in found)
    return Verdict(findings, frozenset(undecided))


def _fingerprint(watch: WatchNow, port: str) -> str:
    return f"neighbour_flood:{watch.node_id}:{port}"[:200]


def _finding(
    situation: Situation, found: _Flooded, known: dict[str, str], present: dict[str, Incident]
) -> Finding:
    watch, table = found.watch, found.table
    fingerprint = _fingerprint(watch, found.port)
    family, entries = found.flood.family, table.of(found.flood.family)
    capacity = watch.capacity.get(family)
    filled = share(entries, capacity)
    of = f" of {capacity:,}" if capacity else ""
    source = _source(situation, found, known)
    incident = present.get(fingerprint)
    frames, called = _CALLED[family]
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if (filled or 0.0) >= CRITICAL or watch.overflows.get(family) else "warning",
        subject=found.name,
        title=f"{found.name}: {frames} of {source} fill the {called} table, {entries:,}{of} entries"[:300],
        detail=" ".join(_details(found, source)),
        since=watch.at if incident is None else incident.opened_at,
        node_id=watch.node_id,
        value=float(entries),
        threshold=None if capacity is None else float(capacity),
    )


def _details(found: _Flooded, source: str) -> list[str]:
    table, flood = found.table, found.flood
    said = []
    if flood.per_s:
        said.append(f"{flood.per_s:,.0f} new entries a second.")
    if table.broadcasts_per_s and flood.family == "ipv4":
        said.append(f"{table.broadcasts_per_s:,.0f} broadcasts a second come in.")
    if flood.evidence:
        said.append(f"{source} ({flood.mac}): {flood.evidence}.")
    else:
        said.append("Each comes from another hardware address.")
    said.append(_next(found, source))
    return said


def _next(found: _Flooded, source: str) -> str:
    if found.flood.family == "ipv4":
        return (
            f"End it at {source}; until then, ARP off at {found.port}, or no broadcasts out to it, keeps the"
            " table from filling."
        )
    return (
        f"End it at {source}; until then, static IPv6 entries at {found.port} for those who matter stay, and"
        " a larger ipv6.gc_thresh3 in the fabric's ARP policy gives them room."
    )


def _source(situation: Situation, found: _Flooded, known: dict[str, str]) -> str:
    """Whose port it is by its hardware address, else the other end of the port's link, else its fabric."""
    if found.flood.mac in known:
        return known[found.flood.mac]
    topology = situation.topology
    here = next(
        (
            port
            for port in topology.ports.values()
            if port.node_id == found.watch.node_id and port.name == found.port
        ),
        None,
    )
    if here is not None:
        for link in topology.links.values():
            if link.b is not None and here.id in {link.a, link.b}:
                return situation.port_name(link.b if link.a == here.id else link.a)
    if found.flood.mac:
        return found.flood.mac
    fabric = topology.fabrics.get(here.fabric_id or 0) if here is not None else None
    return f"many addresses on {fabric.name}" if fabric is not None else "many addresses"
