"""Running and saved routing reported by nodes, the newest of each node."""

from __future__ import annotations

from collections.abc import Sequence

from backstay.telemetry.facts import Facts, RoutingSeen
from backstay.telemetry.ingest.clock import Correction
from backstay.telemetry.models import RoutingState
from backstay.telemetry.states.newest import newer_rows, save_changed
from backstay_wire import RoutingReport

_FIELDS = frozenset({"revision", "digest", "engine", "alive", "detail", "routes", "files"})


def apply_routings(
    reports: Sequence[tuple[int, RoutingReport]], correction: Correction, facts: Facts
) -> None:
    """Store running and saved state, oldest first, unless newer state is stored."""
    for row, report in newer_rows(RoutingState, reports, correction):
        save_changed(row, report.model_dump(mode="json", include=set(_FIELDS)))
        facts.routings.append(RoutingSeen(row.node_id, row.at))
