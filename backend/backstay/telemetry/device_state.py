"""A device's description of itself -> its state and its ports' states, and what changed."""

from __future__ import annotations

from datetime import datetime, timedelta

from backstay.inventory.models import Port
from backstay.telemetry.clock import Correction, moment, stepped
from backstay.telemetry.facts import ClockStepped, Facts, NodeRestarted, PortChanged
from backstay.telemetry.layouts import port_ids
from backstay.telemetry.models import NodeState, PortState
from backstay_wire import DeviceReport
from backstay_wire import PortState as WirePort

RESTART_TOLERANCE = timedelta(seconds=30)
"""Uptimes are rounded and answered late; a start that moves by less is the same start."""
_COLUMNS = ["if_index", "if_type", "speed", "mtu", "admin_up", "oper_up", "mac", "alias", "addresses"]
_WRITTEN = [*_COLUMNS, "told_with", "since", "at"]


def apply_device(node: int, report: DeviceReport, correction: Correction, facts: Facts) -> None:
    """Take over what a device says of itself, unless something newer is known."""
    at = moment(correction.ours(report.at))
    state = NodeState.objects.select_for_update().get(node_id=node)
    if state.described_at is not None and at <= state.described_at:
        return
    state.described_at = at
    state.sys_name = report.sys_name or state.sys_name
    state.sys_descr = report.sys_descr or state.sys_descr
    _apply_uptime(state, report, at, facts)
    _apply_clock(state, report, correction, at, facts)
    state.save(update_fields=["described_at", "sys_name", "sys_descr", "booted_at", "clock_offset_ms"])
    _apply_ports(node, report.ports, at, facts)


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


def _apply_ports(node: int, ports: list[WirePort], at: datetime, facts: Facts) -> None:
    """Take over the ports that one collector tells of.

    A device may have several: its kernel and its InfiniBand adapters. Of what is not in this report only
    those are gone that were told together with what is; a report of no port at all means all of them.
    """
    ids = port_ids(node, [port.name for port in ports])
    known = {state.port_id: state for state in PortState.objects.filter(port__node_id=node)}
    mine = {ids[port.name] for port in ports}
    together = {known[port].told_with for port in mine if port in known}
    if ports:
        known = {port: state for port, state in known.items() if state.told_with in together}
    told_with = min(mine, default=0)
    rows: list[PortState] = []
    for port in ports:
        before = known.pop(ids[port.name], None)
        turned = before is not None and before.oper_up != port.oper_up
        if turned:
            facts.ports.append(PortChanged(node, ids[port.name], port.name, port.oper_up, at))
        since = at if before is None or turned else before.since
        rows.append(_row(ids[port.name], port, since, at))
    rows += _vanished(node, list(known.values()), at, facts)
    for row in rows:
        row.told_with = told_with
    PortState.objects.bulk_create(rows, update_conflicts=True, unique_fields=["port"], update_fields=_WRITTEN)


def _row(port_id: int, port: WirePort, since: datetime, at: datetime) -> PortState:
    return PortState(
        port_id=port_id,
        if_index=port.index,
        if_type=port.if_type,
        speed=port.speed,
        mtu=port.mtu,
        admin_up=port.admin_up,
        oper_up=port.oper_up,
        mac=port.mac,
        alias=port.alias,
        addresses=port.addresses,
        since=since,
        at=at,
    )


def _vanished(node: int, gone: list[PortState], at: datetime, facts: Facts) -> list[PortState]:
    """A port that the device no longer has is down: pulled out, renamed, or its driver is gone."""
    fallen = [state for state in gone if state.oper_up]
    names = dict(Port.objects.filter(pk__in=[state.port_id for state in fallen]).values_list("pk", "name"))
    for state in fallen:
        facts.ports.append(PortChanged(node, state.port_id, names[state.port_id], False, at))
        state.oper_up = state.admin_up = False
        state.since = state.at = at
    return fallen
