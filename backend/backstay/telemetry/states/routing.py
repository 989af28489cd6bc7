"""Running and saved routing reported by nodes, the newest of each node."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from backstay.telemetry.facts import Facts, RoutingSeen
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import RoutingState
from backstay_wire import RoutingReport

_FIELDS = ("revision", "digest", "engine", "alive", "detail", "routes", "files")


def apply_routings(
    reports: Sequence[tuple[int, RoutingReport]], correction: Correction, facts: Facts
) -> None:
    """Store running and saved state, oldest first, unless newer state is stored."""
    nodes = {node for node, _ in reports}
    rows = RoutingState.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    known = {row.node_id: row for row in rows}
    for node, report in reports:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        known[node] = _store(row or RoutingState(node_id=node, changed_at=at), report, at)
        facts.routings.append(RoutingSeen(node, at))


def _store(row: RoutingState, report: RoutingReport, at: datetime) -> RoutingState:
    reported = _values(report)
    row.at = at
    if any(getattr(row, name) != reported[name] for name in _FIELDS):
        row.changed_at = at
        for name in _FIELDS:
            setattr(row, name, reported[name])
        row.save()
    else:
        row.save(update_fields=["at"])
    return row


def _values(report: RoutingReport) -> dict[str, Any]:
    return report.model_dump(mode="json", include=set(_FIELDS))
