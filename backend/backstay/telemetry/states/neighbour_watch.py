"""Utilisation of devices' neighbour tables: counts from their metrics, prepared for evaluation.

The metrics are stored like all others, with history. The newest counts and a few earlier ones are copied to
one small row per device, so that a round reads only devices whose tables may be filling up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from backstay.core.diagnosis.neighbours import Point, PortTable, stirring, with_missing
from backstay.core.model.hardware import spelled
from backstay.core.model.topology import NEIGHBOUR_CAPACITY
from backstay.inventory.models import Node
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import NeighbourWatch
from backstay_wire import DeltaOutcome, MetricReport, MetricValue
from backstay_wire.metrics.neighbours import COLLECTORS

MOST_POINTS = 12
"""Counts kept per port: one minute at the shortest usual interval."""
FAMILIES = ("ipv4", "ipv6")
_COUNTED = frozenset({DeltaOutcome.OK, DeltaOutcome.WRAPPED, DeltaOutcome.GAP})
_LEVELS = {
    "neigh.ipv4_entries": "ipv4",
    "neigh.ipv6_entries": "ipv6",
    "neigh.permanent": "permanent",
    "neigh.incomplete": "incomplete",
    "neigh.top_mac_entries": "top_mac_entries",
}
_TEXTS = {"neigh.top_mac": "top_mac", "neigh.talker": "talker"}
_BROADCASTS = ("neigh.arp_broadcasts", "neigh.broadcasts")
USUAL_INTERVAL_S = 5.0
"""Assumed interval, seconds; it only bounds how long a burst may take to be noticed."""


def apply_counts(reports: Sequence[tuple[int, MetricReport]], correction: Correction, _: Facts) -> None:
    """Store the table counts among devices' metrics, oldest first."""
    reported = [(node, report) for node, report in reports if report.collector in COLLECTORS]
    if not reported:
        return
    rows = NeighbourWatch.objects.select_for_update().filter(node_id__in={node for node, _ in reported})
    known = {row.node_id: row for row in rows.order_by("node_id")}  # One order for all: no deadlocks.
    changed: dict[int, NeighbourWatch] = {}
    declared = _declared(node for node, report in reported if not _capacity(report))
    for node, report in reported:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        row = known[node] = changed[node] = row or NeighbourWatch(node_id=node)
        row.at = at
        _take(row, report, declared.get(node, {}))
    NeighbourWatch.objects.bulk_create(
        [changed[node] for node in sorted(changed)],
        update_conflicts=True,
        unique_fields=["node"],
        update_fields=["at", "capacity", "overflows", "ports", "stirring"],
    )


def _capacity(report: MetricReport) -> dict[str, int]:
    return _whole(report, "capacity")


def _declared(nodes: Iterable[int]) -> dict[int, dict[str, int]]:
    """Declared capacities of devices that report none; SNMP has no object for it."""
    asked = set(nodes)
    if not asked:
        return {}
    rows = Node.objects.filter(pk__in=asked, labels__has_key=NEIGHBOUR_CAPACITY).values_list("pk", "labels")
    labels = {node: str(labels[NEIGHBOUR_CAPACITY]) for node, labels in rows}
    return {node: dict.fromkeys(FAMILIES, int(label)) for node, label in labels.items() if label.isdecimal()}


def _take(row: NeighbourWatch, report: MetricReport, declared: dict[str, int]) -> None:
    row.capacity = declared | _capacity(report)
    row.overflows = {name: value for name, value in _whole(report, "overflows").items() if value}
    seconds = (report.duration_ns or 0) / 1e9
    before = tables_of(row)
    by_port: dict[str, list[MetricValue]] = {}
    for item in report.metrics:
        if item.subject and item.metric.startswith("neigh."):
            by_port.setdefault(item.subject, []).append(item)
    tables = {
        port: _table(metrics, before.get(port), row.at.timestamp(), seconds)
        for port, metrics in by_port.items()
    }
    row.ports = {port: asdict(table) for port, table in tables.items()}
    limits = (row.capacity.get("ipv4"), row.capacity.get("ipv6"))
    is_missing = any(table.missing for table in tables.values())
    row.stirring = (
        bool(row.overflows) or is_missing or stirring(list(tables.values()), limits, USUAL_INTERVAL_S)
    )


def _whole(report: MetricReport, what: str) -> dict[str, int]:
    reported = {item.metric: item for item in report.metrics if not item.subject}
    found = {name: reported.get(f"neigh.{name}_{what}") for name in FAMILIES}
    return {
        name: int(item.value)
        for name, item in found.items()
        if item is not None and not isinstance(item.value, str) and item.outcome in _COUNTED
    }


def _table(metrics: Sequence[MetricValue], before: PortTable | None, at: float, seconds: float) -> PortTable:
    values: dict[str, Any] = {}
    for item in metrics:
        if isinstance(item.value, str):
            if item.metric in _TEXTS:
                values[_TEXTS[item.metric]] = spelled(item.value)
        elif item.metric in _LEVELS:
            values[_LEVELS[item.metric]] = int(item.value)
        elif item.metric == "neigh.talker_share":
            values["talker_share"] = item.value / 100
        elif item.metric in _BROADCASTS and seconds and item.outcome in _COUNTED:
            values["broadcasts_per_s"] = item.value / seconds
    table = PortTable(**values)
    past = before.recent[-(MOST_POINTS - 1) :] if before is not None else ()
    table = replace(table, recent=(*past, Point(at, table.entries, table.ipv6)))
    return with_missing(table, before, at)


def tables_of(row: NeighbourWatch) -> dict[str, PortTable]:
    """The row's tables by port."""
    return {
        port: PortTable(**{**reported, "recent": tuple(Point(**point) for point in reported["recent"])})
        for port, reported in row.ports.items()
    }
