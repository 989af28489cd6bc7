"""ARP state reported by nodes: running state of each port and boot files, the newest of each node."""

from __future__ import annotations

from collections.abc import Sequence

from backstay.telemetry.facts import ArpSeen, Facts
from backstay.telemetry.ingest.clock import Correction
from backstay.telemetry.models import ArpState
from backstay.telemetry.states.newest import newer_rows, save_changed
from backstay_wire import SETTINGS, TABLE_SETTINGS, ArpReport

__all__ = ["SETTINGS", "TABLE_SETTINGS", "apply_arps"]

_FIELDS = frozenset({"revision", "digest", "ports", "table", "files"})


def apply_arps(reports: Sequence[tuple[int, ArpReport]], correction: Correction, facts: Facts) -> None:
    """Store running and saved state, oldest first, unless newer state is stored."""
    for row, report in newer_rows(ArpState, reports, correction):
        save_changed(row, report.model_dump(mode="json", include=set(_FIELDS)))
        facts.arps.append(ArpSeen(row.node_id, row.at))
