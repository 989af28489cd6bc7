"""The verdict on each port compared with its node's boot files, stored for lists of saved state.

Reports of ports and of boot files can change it; both call this in their own transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from backstay.core.diagnosis.saved_ports import RunningPort, SavedPort, saved_ports, worst_verdict
from backstay.telemetry.models import PortState
from backstay.telemetry.selectors.saved import boot_files

BATCH = 1000
"""Rows of one statement."""


def judge(states: Iterable[tuple[int, str, PortState]]) -> list[PortState]:
    """Set `saved` of these ports, (node id, port name, state); the changed ones. Two queries."""
    rows = list(states)
    saved = {
        node: saved_ports(files.values()) for node, files in boot_files({node for node, _, _ in rows}).items()
    }
    return [state for node, name, state in rows if _judge(state, name, saved.get(node, {}))]


def judge_nodes(nodes: Collection[int]) -> None:
    """Store the verdicts on all ports of these nodes."""
    if not nodes:
        return
    rows = PortState.objects.filter(port__node__in=nodes).select_related("port").order_by("port_id")
    changed = judge((row.port.node_id, row.port.name, row) for row in rows)
    PortState.objects.bulk_update(changed, ["saved"], batch_size=BATCH)


def _judge(state: PortState, name: str, saved: Mapping[str, SavedPort]) -> bool:
    """Whether the verdict changed."""
    before = state.saved
    running = RunningPort(name, state.mtu, state.admin_up, tuple(state.addresses))
    state.saved = worst_verdict(running, saved)
    return state.saved != before
