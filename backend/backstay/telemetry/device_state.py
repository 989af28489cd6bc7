"""Devices' descriptions of themselves -> their states and their ports' states, and what changed.

A sweep describes a whole fabric in one batch, once a minute, and nearly always nothing changed. So whatever
the batch holds, the rows are read together, compared in memory, and written together where they differ.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from backstay.telemetry import store
from backstay.telemetry.clock import Correction, moment, stepped
from backstay.telemetry.facts import ClockStepped, Facts, NodeRestarted
from backstay.telemetry.models import NodeState
from backstay.telemetry.port_state import PortTables
from backstay_wire import DeviceReport

RESTART_TOLERANCE = timedelta(seconds=30)
"""Uptimes are rounded and answered late; a start that moves by less is the same start."""
_DESCRIBED = """
UPDATE telemetry_nodestate AS state SET described_at = told.at, sys_name = told.name, sys_descr = told.descr,
    booted_at = told.booted_at, clock_offset_ms = told.offset_ms
FROM unnest(%s::bigint[], %s::timestamptz[], %s::text[], %s::text[], %s::timestamptz[], %s::float8[])
    AS told (id, at, name, descr, booted_at, offset_ms)
WHERE state.id = told.id RETURNING state.id
"""


def apply_devices(reports: Sequence[tuple[int, DeviceReport]], correction: Correction, facts: Facts) -> None:
    """Take over what devices say of themselves, the oldest first, unless something newer is known.

    `reports`: (node id, report). A node that the site has lost meanwhile is skipped.
    """
    states = _locked({node for node, _ in reports})
    news: list[tuple[NodeState, DeviceReport, datetime]] = []
    for node, report in reports:
        at, state = moment(correction.ours(report.at)), states.get(node)
        if state is not None and (state.described_at is None or at > state.described_at):
            _describe(state, report, (at, correction), facts)
            news.append((state, report, at))
    if not news:
        return
    _write(list({state.node_id: state for state, _, _ in news}.values()))
    tables = PortTables([(state.node_id, report) for state, report, _ in news])
    for state, report, at in news:
        tables.take(state.node_id, report.ports, at, facts)
    tables.write()


def _locked(nodes: Collection[int]) -> dict[int, NodeState]:
    """In one order for all writers: no deadlocks."""
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    return {row.node_id: row for row in rows}


def _describe(
    state: NodeState, report: DeviceReport, when: tuple[datetime, Correction], facts: Facts
) -> None:
    at, correction = when
    state.described_at = at
    state.sys_name = report.sys_name or state.sys_name
    state.sys_descr = report.sys_descr or state.sys_descr
    _apply_uptime(state, report, at, facts)
    _apply_clock(state, report, correction, at, facts)


def _apply_uptime(state: NodeState, report: DeviceReport, at: datetime, facts: Facts) -> None:
    if report.uptime_s is None:
        return
    booted_at = at - timedelta(seconds=report.uptime_s)
    if state.booted_at is not None and booted_at > state.booted_at + RESTART_TOLERANCE:
        facts.restarts.append(NodeRestarted(state.node_id, booted_at))
    state.booted_at = booted_at


def _apply_clock(
    state: NodeState, report: DeviceReport, correction: Correction, at: datetime, facts: Facts
) -> None:
    if report.clock is None:
        return
    offset_ms = (report.clock - correction.ours(report.at)) / 1e6
    before = state.clock_offset_ms
    if before is not None and stepped(offset_ms, before):
        facts.clocks.append(ClockStepped(state.node_id, at, offset_ms, before))
    state.clock_offset_ms = offset_ms


def _write(states: Sequence[NodeState]) -> None:
    store.query(
        _DESCRIBED,
        [
            [state.pk for state in states],
            [state.described_at for state in states],
            [state.sys_name for state in states],
            [state.sys_descr for state in states],
            [state.booted_at for state in states],
            [state.clock_offset_ms for state in states],
        ],
    )
