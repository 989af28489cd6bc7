"""One row per node with its newest report: shared by the states of routing, ARP and host networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import ArpState, HostNetwork, RoutingState
from backstay_wire import ArpReport, HostNetworkReport, RoutingReport

Row = TypeVar("Row", ArpState, HostNetwork, RoutingState)
Reported = TypeVar("Reported", ArpReport, HostNetworkReport, RoutingReport)


def newer_rows(
    model: type[Row], reports: Sequence[tuple[int, Reported]], correction: Correction
) -> Iterator[tuple[Row, Reported]]:
    """Locked rows with their newer reports, oldest first. `at` is set; the caller saves."""
    nodes = {node for node, _ in reports}
    rows = model.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    known = {row.node_id: row for row in rows}
    for node, report in reports:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        row = known[node] = row or model(node_id=node)
        row.at = at
        yield row, report


def save_changed(row: ArpState | RoutingState, values: Mapping[str, Any]) -> None:
    """Save all values if one differs, otherwise only the time of the report."""
    if row.pk is not None and all(getattr(row, name) == value for name, value in values.items()):
        row.save(update_fields=["at"])
        return
    row.changed_at = row.at
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
