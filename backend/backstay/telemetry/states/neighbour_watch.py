"""Utilisation of devices' neighbour tables: counts from their metrics, prepared for evaluation.

The metrics are stored like all others, with history. The newest counts and a few earlier ones are copied to
one small row per device, so that a round reads only devices whose tables may be filling up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any
from uuid import UUID

from backstay.core.diagnosis.neighbours import Point, PortTable, stirring, with_missing
from backstay.core.model.hardware import spelled
from backstay.core.model.topology import NEIGHBOUR_CAPACITY
from backstay.inventory.models import Node
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import NeighbourWatch
from backstay.telemetry.states import report_digests
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
    declared = _declared(node for node, report in reported if not _capacity(report))
    digests = {
        node: _digest(report, declared.get(node, {}))
        for node, report in report_digests.single(reported).items()
    }
    times = {node: moment(correction.ours(report.at)) for node, report in reported}
    repeated = report_digests.repeated(report_digests.NEIGHBOUR_TABLES, digests, times)
    news = [(node, report) for node, report in reported if node not in repeated]
    if news:
        _compare(news, correction, declared, digests)


def _digest(report: MetricReport, declared: dict[str, int]) -> UUID:
    """The interval only counts with the broadcasts in it."""
    text = report.model_dump_json(include={"metrics"})
    counts = any(name in text for name in _BROADCASTS)
    return report_digests.digest(text, report.duration_ns if counts else None, declared)


def _compare(
    reported: Sequence[tuple[int, MetricReport]],
    correction: Correction,
    declared: dict[int, dict[str, int]],
    digests: dict[int, UUID],
) -> None:
    rows = NeighbourWatch.objects.select_for_update().filter(node_id__in={node for node, _ in reported})
    known = {row.node_id: row for row in rows.order_by("node_id")}  # One order for all: no deadlocks.
    changed: dict[int, NeighbourWatch] = {}
    for node, report in reported:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        row = known[node] = changed[node] = row or NeighbourWatch(node_id=node)
        before = {} if row.at is None else tables_of(row)
        row.at, row.digest = at, digests.get(node)
        _take(row, report, before, declared.get(node, {}))
    NeighbourWatch.objects.bulk_create(
        [changed[node] for node in sorted(changed)],
        update_conflicts=True,
        unique_fields=["node"],
        update_fields=["at", "capacity", "overflows", "ports", "stirring", "digest"],
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


def _take(
    row: NeighbourWatch, report: MetricReport, before: dict[str, PortTable], declared: dict[str, int]
) -> None:
    row.capacity = declared | _capacity(report)
    row.overflows = {name: value for name, value in _whole(report, "overflows").items() if value}
    seconds = (report.duration_ns or 0) / 1e9
    by_port: dict[str, list[MetricValue]] = {}
    for item in report.metrics:
        if item.subject and item.metric.startswith("neigh."):
            by_port.setdefault(item.subject, []).append(item)
    tables = {
        port: _table(metrics, before.get(port), row.at.timestamp(), seconds)
        for port, metrics in by_port.items()
    }
    row.ports = {port: _stored(table) for port, table in tables.items()}
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


_NAMES = tuple(field.name for field in fields(PortTable))
_values = attrgetter(*_NAMES)


def _stored(table: PortTable) -> dict[str, Any]:
    """As JSON; `dataclasses.asdict` takes ten times as long."""
    values = dict(zip(_NAMES, _values(table), strict=True))
    values["recent"] = [
        {"at": point.at, "entries": point.entries, "ipv6": point.ipv6} for point in table.recent
    ]
    return values


def tables_of(row: NeighbourWatch) -> dict[str, PortTable]:
    """The row's tables by port, as of its newest report."""
    at = row.at.timestamp()
    return {
        port: _repeated(
            PortTable(**{**reported, "recent": tuple(Point(**point) for point in reported["recent"])}), at
        )
        for port, reported in row.ports.items()
    }


def _repeated(table: PortTable, at: float) -> PortTable:
    """With the newest report, if it repeated the counts: then only its time is stored."""
    if not table.recent or table.recent[-1].at >= at:
        return table
    return replace(table, recent=(*table.recent[-(MOST_POINTS - 1) :], replace(table.recent[-1], at=at)))
