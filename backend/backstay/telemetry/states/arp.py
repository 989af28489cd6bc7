"""ARP state reported by nodes: running state of each port and boot files, the newest of each node."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from backstay.telemetry.facts import ArpSeen, Facts
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import ArpState
from backstay_wire import SETTINGS, TABLE_SETTINGS, ArpReport

__all__ = ["SETTINGS", "TABLE_SETTINGS", "apply_arps"]

_FIELDS = ("revision", "digest", "ports", "table", "files")


def apply_arps(reports: Sequence[tuple[int, ArpReport]], correction: Correction, facts: Facts) -> None:
    """Store running and saved state, oldest first, unless newer state is stored."""
    nodes = {node for node, _ in reports}
    rows = ArpState.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    known = {row.node_id: row for row in rows}
    for node, report in reports:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        known[node] = _store(row or ArpState(node_id=node, changed_at=at), report, at)
        facts.arps.append(ArpSeen(node, at))


def _store(row: ArpState, report: ArpReport, at: datetime) -> ArpState:
    reported: dict[str, Any] = report.model_dump(mode="json", include=set(_FIELDS))
    row.at = at
    if any(getattr(row, name) != reported[name] for name in _FIELDS):
        row.changed_at = at
        for name in _FIELDS:
            setattr(row, name, reported[name])
        row.save()
    else:
        row.save(update_fields=["at"])
    return row
