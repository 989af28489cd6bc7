"""What became of the collectors' last runs, and which of each device's collectors is worst off.

An agent that polls many devices tells of all their collectors at once, once a minute: so the rows are read
together and written together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from backstay.telemetry import store
from backstay.telemetry.clock import Correction, moment
from backstay.telemetry.facts import Facts
from backstay.telemetry.models import NodeState
from backstay_wire import CollectorOutcome, CollectorReport

_SEVERITY = [
    CollectorOutcome.OK,
    CollectorOutcome.NO_DATA,
    CollectorOutcome.TIMEOUT,
    CollectorOutcome.FAILED,
]
"""From good to bad."""
_TOLD = """
UPDATE telemetry_nodestate AS state SET collectors = told.collectors::jsonb,
    collector_outcome = told.outcome, collector_detail = told.detail
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[]) AS told (id, collectors, outcome, detail)
WHERE state.id = told.id RETURNING state.id
"""


def apply_collectors(
    reports: Sequence[tuple[int, CollectorReport]], correction: Correction, _: Facts
) -> None:
    """Take over what became of runs, the oldest first, unless something newer is known.

    `reports`: (node id, report). A node that the site has lost meanwhile is skipped.
    """
    nodes = {node for node, _ in reports}
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes)
    states = {
        row.node_id: row for row in rows.order_by("node_id")
    }  # One order for all writers: no deadlocks.
    changed: dict[int, NodeState] = {}
    for node, report in reports:
        state = states.get(node)
        if state is not None and _take(state, report, moment(correction.ours(report.at)).isoformat()):
            changed[node] = state
    _write(list(changed.values()))


def _take(state: NodeState, report: CollectorReport, at: str) -> bool:
    """Whether it is news."""
    before = state.collectors.get(report.collector)
    if before is not None and before["at"] >= at:
        return False
    state.collectors[report.collector] = {
        "outcome": report.outcome.value,
        "detail": report.detail,
        "duration_ms": report.duration_ms,
        "at": at,
    }
    return True


def _write(states: Sequence[NodeState]) -> None:
    if not states:
        return
    worst = [_worst(state) for state in states]
    store.query(
        _TOLD,
        [
            [state.pk for state in states],
            [json.dumps(state.collectors) for state in states],
            [each["outcome"] for each in worst],
            [each["detail"] for each in worst],
        ],
    )


def _worst(state: NodeState) -> dict[str, Any]:
    collectors: list[dict[str, Any]] = list(state.collectors.values())
    return max(collectors, key=lambda each: _SEVERITY.index(each["outcome"]))
