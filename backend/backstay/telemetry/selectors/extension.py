"""Current extension nodes: intended attributes, and the row that each router reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Func, IntegerField, OuterRef, QuerySet, Subquery, Value, When

from backstay.core.formatting import count
from backstay.core.model.device_metric import is_fresh
from backstay.core.model.extension import Complex, Extension, ReportedExtension
from backstay.core.model.state import WORST_FIRST
from backstay.core.model.topology import Fabric, Topology
from backstay.core.planning.extension.compare import Attribute, compare
from backstay.inventory import snapshot
from backstay.inventory.extension import complex_of, extension_of, port_of, stored, switches
from backstay.inventory.models import Node, Site
from backstay.telemetry.evidence_models import ExtensionEvidence
from backstay.telemetry.models import ArpState, MetricSet
from backstay.telemetry.selectors.evidence import counted, valid_now
from backstay.telemetry.selectors.metrics import MetricNow, metrics_now

METRICS = (
    "sp.node_number", "sp.token", "sp.arp", "sp.switch_node_number", "sp.address", "sp.mask",
    "sp.max_link_packet", "sp.host_offset", "sp.config_state", "sp.node_state", "sp.admin_status",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExtensionNow:
    """One extension node; `attributes` compares intended and reported values."""

    node: int
    node_name: str
    fabric: Fabric
    known: Complex
    wanted: Extension
    reported: ReportedExtension | None
    """None: its router reports no row, or has not reported recently."""
    reported_at: datetime | None
    """When the router last reported a row; kept while it is unreachable."""
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class ExtensionReading:
    """One extension node with all that its router last reported."""

    node: int
    node_name: str
    fabric: Fabric
    known: Complex
    wanted: Extension
    row: Mapping[str, list[MetricNow]]
    """Collector -> its metrics of the router's row, of the collectors that count."""

    def at(self, current: Collection[str]) -> ExtensionNow:
        """The extension node by what these collectors report."""
        fresh = [item for name in current for item in self.row[name]]
        reported = _parse_row(fresh) if fresh else None
        at = max((item.reading.at for items in self.row.values() for item in items), default=None)
        attributes = compare(self.known, self.wanted, reported)
        return ExtensionNow(
            self.node, self.node_name, self.fabric, self.known, self.wanted, reported, at, attributes
        )


def extension_nodes_now(
    site: Site, now: datetime, nodes: Collection[int] | None = None
) -> dict[int, ExtensionNow]:
    """Node id -> extension node: all by name, or these in their order; no metrics query without any."""
    found: dict[int, ExtensionNow] = {}
    for ident, reading in extension_readings(site, nodes).items():
        fresh = [
            name for name, items in reading.row.items() if is_fresh(items[0].reading, now, site.interval_s)
        ]
        found[ident] = reading.at(fresh)
    return found


def extension_readings(
    site: Site, nodes: Collection[int] | None = None, topology: Topology | None = None
) -> dict[int, ExtensionReading]:
    """As `extension_nodes_now`, whatever the age of the reports; `topology`: the site's, if already read."""
    every = stored(site)
    kept = every if nodes is None else {ident: every[ident] for ident in nodes if ident in every}
    if not kept:
        return {}
    topology = topology or snapshot.load(site)
    complexes = complexes_now(site, topology)
    rows = _rows(metrics_now(site, nodes=kept, metrics=METRICS))
    found: dict[int, ExtensionReading] = {}
    for ident, extension in kept.items():
        node = topology.nodes.get(ident)
        port = port_of(topology, node, extension) if node is not None else None
        if node is None or port is None or port.fabric_id is None:
            continue
        wanted = extension_of(topology, node, port, extension)
        known, fabric = complexes[port.fabric_id], topology.fabrics[port.fabric_id]
        row = _by_collector(_row(rows.get(ident, {}), wanted.name))
        found[ident] = ExtensionReading(ident, node.name, fabric, known, wanted, row)
    return found


def extension_nodes(
    site: Site, now: datetime, *, state: str | None = None, text: str | None = None
) -> QuerySet[Node]:
    """A site's SP extension nodes with `rank` (worst state first), `place`, `address` and `reported_at`;
    NULL without a port on a switch. `text` searches names.
    """
    evidence = valid_now(ExtensionEvidence.objects.filter(node=OuterRef("pk")), site, now)
    sets = MetricSet.objects.filter(node=OuterRef("node")).alias(
        place=Func(
            OuterRef("collectors"), F("collector"), function="array_position",
            output_field=IntegerField(null=True),
        )
    ).filter(place__isnull=False).order_by("-at")  # fmt: skip
    evidence = evidence.annotate(
        collectors=Func("current", "stale", function="array_cat"), newest=Subquery(sets.values("at")[:1])
    )
    rows = site.nodes.exclude(extension={}).annotate(
        status=Subquery(evidence.values("state")),
        place=Subquery(evidence.values("place")),
        address=Subquery(evidence.values("address")),
        reported_at=Subquery(evidence.values("newest")),
    )
    ranks = [When(status=name, then=Value(rank)) for name, rank in WORST_FIRST.items()]
    rows = rows.annotate(rank=Case(*ranks, output_field=IntegerField(null=True)))
    rows = rows if state is None else rows.filter(status=state)
    return rows.filter(name__icontains=text) if text else rows


def complexes_now(site: Site, topology: Topology) -> dict[int, Complex]:
    """Fabric id -> SP switch with its members, and whether ARP runs there."""
    fabrics = switches(topology)
    running = _running(topology) if fabrics else {}
    return {
        fabric.id: complex_of(site, topology, fabric, _arp(fabric, running.get(fabric.id, [])))
        for fabric in fabrics
    }


def _running(topology: Topology) -> dict[int, list[bool]]:
    """Fabric id -> ARP state of each port that an agent reports."""
    fabrics = {(port.node_id, port.name): port.fabric_id for port in topology.ports.values()}
    found: dict[int, list[bool]] = {}
    rows = ArpState.objects.filter(node_id__in=topology.nodes).order_by("node_id")
    for node, ports in rows.values_list("node_id", "ports"):
        for port in ports:
            fabric = fabrics.get((node, port["port"]))
            if fabric is not None:
                found.setdefault(fabric, []).append(bool(port["arp"]))
    return found


def _arp(fabric: Fabric, running: list[bool]) -> tuple[bool, str]:
    """The ARP state of its nodes if they agree, else that of the site file; and the source."""
    if running and len(set(running)) == 1:
        return running[0], f"{count(len(running), 'node')} of {fabric.name} run it so"
    declared = fabric.arp == "on"
    return declared, f"the site file; its nodes {'differ' if running else 'do not report it'}"


def _rows(metrics: Iterable[MetricNow]) -> dict[int, dict[str, list[MetricNow]]]:
    """Node id -> row name -> metrics."""
    found: dict[int, dict[str, list[MetricNow]]] = {}
    for item in metrics:
        found.setdefault(item.node_id, {}).setdefault(item.subject, []).append(item)
    return found


def _row(rows: Mapping[str, list[MetricNow]], name: str) -> list[MetricNow]:
    """The row of that name, or the only row of the router."""
    if name in rows or len(rows) != 1:
        return rows.get(name, [])
    return next(iter(rows.values()))


def _by_collector(row: Iterable[MetricNow]) -> dict[str, list[MetricNow]]:
    """Of the collectors that count."""
    found: dict[str, list[MetricNow]] = {}
    for item in row:
        found.setdefault(item.collector, []).append(item)
    return {name: found[name] for name in counted(found)}


def _parse_row(row: list[MetricNow]) -> ReportedExtension:
    numbers = {item.metric: item.reading.number for item in row}
    states = {item.metric: item.reading.state for item in row}
    return ReportedExtension(
        name=row[0].subject,
        number=_whole(numbers.get("sp.node_number")),
        token=states.get("sp.token"),
        arp=states.get("sp.arp"),
        switch_number=_whole(numbers.get("sp.switch_node_number")),
        address=states.get("sp.address"),
        mask=states.get("sp.mask"),
        max_link_packet=_whole(numbers.get("sp.max_link_packet")),
        host_offset=_whole(numbers.get("sp.host_offset")),
        config_state=states.get("sp.config_state"),
        node_state=states.get("sp.node_state"),
        admin=states.get("sp.admin_status"),
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
