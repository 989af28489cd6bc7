"""Frames that fill a port's neighbour table: one finding per port, which names their sender.

ARP broadcasts fill the IPv4 table, neighbour solicitations the IPv6 table: each is compared with the capacity
of its own table.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.alerts.evidence import observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, MetricSeries, Parameters, Present, Rule, RuleResult
from backstay.alerts.rules.neighbour_table import entries_metric, nodes_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, resolves_after
from backstay.core.diagnosis.neighbours import CRITICAL, Flood, PortTable, TableLimits, as_of, flooded, share
from backstay.core.formatting import count
from backstay.telemetry.selectors.metrics import metrics_now
from backstay.telemetry.selectors.neighbours import WatchNow, owners, watches
from backstay.telemetry.states.neighbour_watch import FAMILIES

_NAMES = {
    "ipv4": ("broadcasts", "neighbour"),
    "ipv6": ("neighbour solicitations", "IPv6 neighbour"),
}
"""Family -> the frames that create its entries, and the name of its table."""


@dataclass(frozen=True, slots=True)
class _Flooded:
    """A port whose table is filling up."""

    watch: WatchNow
    port: str
    table: PortTable
    flood: Flood

    @property
    def name(self) -> str:
        return f"{self.watch.node}:{self.port}"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Ports whose entries grow faster than real nodes appear; undecided without fresh data, and until a
    flood has been over for `clear_s`.
    """
    limits = TableLimits(grown=int(parameters["grown"]), per_s=float(parameters["per_s"]))
    found, undecided = [], set()
    for watch in watches(snapshot.site, nodes_of(present)):
        for port, reported in watch.tables.items():
            fingerprint = _fingerprint(watch, port)
            if not snapshot.is_fresh(watch.node_id):
                undecided.add(fingerprint)
                continue
            table = as_of(reported, snapshot.now.timestamp(), snapshot.site.interval_s)
            firing = fingerprint in present
            flood = flooded(table, watch.capacity, snapshot.site.interval_s, limits, firing=firing)
            if flood is not None:
                found.append(_Flooded(watch, port, table, flood))
    known = owners(snapshot.site, {item.flood.mac for item in found})
    findings = tuple(_finding(snapshot, item, known, present) for item in found)
    held = _held(snapshot, present, float(parameters["clear_s"]))
    return RuleResult(findings, frozenset(undecided | held))


def _held(snapshot: SiteSnapshot, present: Present, clear_s: float) -> set[str]:
    """Incidents whose flood was seen less than `clear_s` ago.

    The table of a steady flood does not grow steadily: it is full, or entries expire as fast as they appear.
    """
    now = snapshot.now
    return {
        name for name, incident in present.items() if (now - incident.last_seen).total_seconds() < clear_s
    }


def _fingerprint(watch: WatchNow, port: str) -> str:
    return f"neighbour_flood:{watch.node_id}:{port}"[:200]


def _finding(snapshot: SiteSnapshot, found: _Flooded, known: dict[str, str], present: Present) -> Finding:
    watch, table = found.watch, found.table
    fingerprint = _fingerprint(watch, found.port)
    family, entries = found.flood.family, table.of(found.flood.family)
    capacity = watch.capacity.get(family)
    filled = share(entries, capacity)
    of = f" of {capacity:,}" if capacity else ""
    source = _source(snapshot, found, known)
    incident = present.get(fingerprint)
    frames, named = _NAMES[family]
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if (filled or 0.0) >= CRITICAL or watch.overflows.get(family) else "warning",
        subject=found.name,
        title=f"{found.name}: {frames} of {source} fill the {named} table, {entries:,}{of} entries"[:300],
        detail=" ".join(_details(found, source)),
        since=watch.at if incident is None else incident.opened_at,
        node_id=watch.node_id,
        value=float(entries),
        threshold=None if capacity is None else float(capacity),
        evidence=tuple(
            observed(snapshot, watch.node_id, text, watch.at, source="neighbours")
            for text in _observations(found, entries)
        ),
    )


def _observations(found: _Flooded, entries: int) -> list[str]:
    """The table's size and growth, the frames that come in, and their sender."""
    table, flood = found.table, found.flood
    texts = [f"{count(entries, 'entry', 'entries')} at {found.port}"]
    if flood.per_s:
        texts.append(f"{flood.per_s:,.0f} new entries a second")
    if table.broadcasts_per_s is not None and flood.family == "ipv4":
        texts.append(f"{table.broadcasts_per_s:,.0f} broadcasts per second")
    if flood.evidence:
        texts.append(f"{flood.mac}: {flood.evidence}")
    return texts


def _details(found: _Flooded, source: str) -> list[str]:
    table, flood = found.table, found.flood
    sentences = []
    if flood.per_s:
        sentences.append(f"{flood.per_s:,.0f} new entries a second.")
    if table.broadcasts_per_s and flood.family == "ipv4":
        sentences.append(f"{table.broadcasts_per_s:,.0f} broadcasts per second arrive.")
    if flood.evidence:
        sentences.append(f"{source} ({flood.mac}): {flood.evidence}.")
    else:
        sentences.append("Each frame has another source hardware address.")
    sentences.append(_remedy(found, source))
    return sentences


def _remedy(found: _Flooded, source: str) -> str:
    if found.flood.family == "ipv4":
        return (
            f"Stop it at {source}; until then, turn ARP off at {found.port} or block broadcasts to it, so"
            " that the table does not fill."
        )
    return (
        f"Stop it at {source}; until then, set static IPv6 entries at {found.port} for important nodes and a"
        " larger ipv6.gc_thresh3 in the fabric's ARP policy."
    )


def _source(snapshot: SiteSnapshot, found: _Flooded, known: dict[str, str]) -> str:
    """The port with that hardware address, else the other end of the port's link, else its fabric."""
    if found.flood.mac in known:
        return known[found.flood.mac]
    topology = snapshot.topology
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
                return snapshot.port_name(link.b if link.a == here.id else link.a)
    if found.flood.mac:
        return found.flood.mac
    fabric = topology.fabrics.get(here.fabric_id or 0) if here is not None else None
    return f"many addresses on {fabric.name}" if fabric is not None else "many addresses"


def series(snapshot: SiteSnapshot, incident: Incident) -> list[MetricSeries]:
    """The port's entries of both families and the ARP broadcasts that arrive; one query."""
    _, node, port = incident.fingerprint.split(":", 2)
    wanted = [*map(entries_metric, FAMILIES), "neigh.arp_broadcasts"]
    rows = [row for row in metrics_now(snapshot.site, (int(node),), wanted) if row.subject == port]
    rows.sort(key=lambda row: wanted.index(row.metric))
    return [MetricSeries(row.node_id, row.metric, row.subject) for row in rows]


GROWN = RuleParameter(
    "grown", "New entries", "entries", 64, 1, 100_000, "So many more entries than before open it.", "integer"
)
PER_S = RuleParameter(
    "per_s", "New entries per second", "1/s", 5.0, 0.1, 100_000, "So many a second open it."
)
RULE = Rule(
    kind="neighbour_flood",
    title="Neighbour table flood",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="addresses",
    about="node",
    summary="A port learns many new neighbours in a short time.",
    parameters=(GROWN, PER_S, resolves_after(60.0)),
    series=series,
    runbook="neighbour-table",
)
