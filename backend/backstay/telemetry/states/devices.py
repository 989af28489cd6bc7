"""Device descriptions -> states of devices and ports, and facts about changes.

A sweep describes a whole fabric in one batch, once a minute, and usually nothing changed. The rows are
therefore read together, compared in memory, and only changed rows are written, together.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from backstay.telemetry.facts import Facts, NodeRestarted, PortChanged
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.ingest.layouts import port_ids
from backstay.telemetry.models import NodeState, PortState
from backstay.telemetry.states import saved_ports
from backstay.telemetry.states.clocks import Look, observe
from backstay_wire import DeviceReport
from backstay_wire import PortState as WirePort

DEVICE_CLOCK = "hrSystemDate"
"""Default source of a device's clock."""
RESTART_TOLERANCE = timedelta(seconds=30)
"""Tolerance for the start time: uptimes are rounded and answers are delayed."""
_DESCRIBED = """
UPDATE telemetry_nodestate AS state SET described_at = reported.at, sys_name = reported.name,
    sys_descr = reported.descr,
    booted_at = reported.booted_at, clock_offset_ms = reported.offset_ms
FROM unnest(%s::bigint[], %s::timestamptz[], %s::text[], %s::text[], %s::timestamptz[], %s::float8[])
    AS reported (id, at, name, descr, booted_at, offset_ms)
WHERE state.id = reported.id RETURNING state.id
"""
_COLUMNS = {
    "if_index": "index",
    "if_type": "if_type",
    "speed": "speed",
    "contradicted_speed": "contradicted_speed",
    "mtu": "mtu",
    "admin_up": "admin_up",
    "oper_up": "oper_up",
    "mac": "mac",
    "alias": "alias",
    "addresses": "addresses",
}
"""Column -> field of the report."""
_TYPES = {
    "port_id": "bigint",
    "if_index": "bigint",
    "if_type": "bigint",
    "speed": "bigint",
    "contradicted_speed": "bigint",
    "mtu": "bigint",
    "admin_up": "bool",
    "oper_up": "bool",
    "mac": "text",
    "alias": "text",
    "addresses": "jsonb",
    "saved": "text",
    "reported_with": "bigint",
    "since": "timestamptz",
    "at": "timestamptz",
}
"""Column of a port's state -> type of its values in `_PORTS_CHANGED`."""
_ADDRESSES = "ARRAY(SELECT jsonb_array_elements_text(reported.addresses))"
# Rows are locked in their order in the arrays.
_PORTS_CHANGED = f"""
INSERT INTO telemetry_portstate ({", ".join(_TYPES)})
SELECT {", ".join(_ADDRESSES if name == "addresses" else f"reported.{name}" for name in _TYPES)}
FROM unnest({", ".join(f"%s::{kind}[]" for kind in _TYPES.values())}) AS reported ({", ".join(_TYPES)})
ON CONFLICT (port_id) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in _TYPES if name != "port_id")}
RETURNING port_id
"""  # noqa: S608 - only constants of this module are put in
_PORTS_REPEATED = """
UPDATE telemetry_portstate AS state SET at = reported.at
FROM unnest(%s::bigint[], %s::timestamptz[]) AS reported (port_id, at)
WHERE state.port_id = reported.port_id RETURNING state.port_id
"""


def apply_devices(reports: Sequence[tuple[int, DeviceReport]], correction: Correction, facts: Facts) -> None:
    """Store device descriptions, oldest first, unless newer ones are stored.

    `reports`: (node id, report). Nodes removed meanwhile are skipped.
    """
    states = _locked({node for node, _ in reports})
    news: list[tuple[NodeState, DeviceReport, datetime]] = []
    looks: list[Look] = []
    for node, report in reports:
        at, state = moment(correction.ours(report.at)), states.get(node)
        if state is not None and (state.described_at is None or at > state.described_at):
            _describe(state, report, at, facts)
            looks += _clock(state, report, correction, at)
            news.append((state, report, at))
    if not news:
        return
    observe(looks, facts)
    _write(list({state.node_id: state for state, _, _ in news}.values()))
    tables = _PortTables([(state.node_id, report) for state, report, _ in news])
    for state, report, at in news:
        tables.take(state.node_id, report.ports, at, facts)
    tables.write()


def _locked(nodes: Collection[int]) -> dict[int, NodeState]:
    """Lock the rows in the order that all writers use, which avoids deadlocks."""
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    return {row.node_id: row for row in rows}


def _describe(state: NodeState, report: DeviceReport, at: datetime, facts: Facts) -> None:
    state.described_at = at
    state.sys_name = report.sys_name or state.sys_name
    state.sys_descr = report.sys_descr or state.sys_descr
    _apply_uptime(state, report, at, facts)


def _apply_uptime(state: NodeState, report: DeviceReport, at: datetime, facts: Facts) -> None:
    if report.uptime_s is None:
        return
    booted_at = at - timedelta(seconds=report.uptime_s)
    if state.booted_at is not None and booted_at > state.booted_at + RESTART_TOLERANCE:
        facts.restarts.append(NodeRestarted(state.node_id, booted_at))
    state.booted_at = booted_at


def _clock(state: NodeState, report: DeviceReport, correction: Correction, at: datetime) -> list[Look]:
    """Measurements of the device's clock, if reported; no other time depends on it."""
    if report.clock is None:
        return []
    offset_ns = report.clock - correction.ours(report.at)
    state.clock_offset_ms = offset_ns / 1e6
    source = report.clock_source or DEVICE_CLOCK
    return [Look(state.node_id, source, at, offset_ns, report.clock_error, state.booted_at)]


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


class _PortTables:
    """Stored ports of some nodes. `take` changes them in memory, `write` in the database."""

    def __init__(self, reports: Iterable[tuple[int, DeviceReport]]) -> None:
        """Load the ports of the reporting nodes and create undeclared ones. TooManyPortsError."""
        named: dict[int, list[str]] = {}
        for node, report in reports:
            named.setdefault(node, []).extend(port.name for port in report.ports)
        self._ids = port_ids(named)
        self._known: dict[int, dict[int, PortState]] = {node: {} for node in named}
        node_of = {port: node for node, ports in self._ids.items() for port in ports.values()}
        for state in PortState.objects.filter(port__node_id__in=named):
            self._known[node_of[state.port_id]][state.port_id] = state
        self._changed: dict[int, PortState] = {}
        self._repeated: dict[int, PortState] = {}

    def take(self, node: int, ports: Sequence[WirePort], at: datetime, facts: Facts) -> None:
        """Apply the ports of one collector's report.

        A device may have several collectors, such as its kernel and its InfiniBand adapters. A missing port
        is gone only if it was last reported together with ports of this report; an empty report means that
        all are gone.
        """
        known, ids = self._known[node], self._ids[node]
        reported = {ids[port.name]: port for port in ports}
        together = {known[port].reported_with for port in reported if port in known}
        gone = [
            state
            for port, state in known.items()
            if port not in reported and (not reported or state.reported_with in together)
        ]
        reported_with = min(reported, default=0)
        for ident, port in reported.items():
            state = known.get(ident)
            if state is None:
                state = known[ident] = PortState(port_id=ident, since=at)
            elif state.oper_up != port.oper_up:
                facts.ports.append(PortChanged(node, ident, port.name, port.oper_up, at))
                state.since = at
            state.at = at
            self._take_one(state, port, reported_with)
        self._vanish(node, gone, (at, reported_with), facts)

    def _take_one(self, state: PortState, port: WirePort, reported_with: int) -> None:
        if state.reported_with != reported_with or _differs(state, port):
            state.reported_with = reported_with
            for column, name in _COLUMNS.items():
                setattr(state, column, getattr(port, name))
            self._changed[state.port_id] = state
        else:
            self._repeated[state.port_id] = state

    def _vanish(self, node: int, gone: Iterable[PortState], head: tuple[datetime, int], facts: Facts) -> None:
        """Mark ports that the device no longer has (removed, renamed, or without driver) as down."""
        at, reported_with = head
        fallen = {state.port_id: state for state in gone if state.oper_up}
        names = _names(self._ids[node], fallen)
        for ident, state in fallen.items():
            facts.ports.append(PortChanged(node, ident, names[ident], False, at))
            state.oper_up = state.admin_up = False
            state.since = state.at = at
            state.reported_with = reported_with
            self._changed[ident] = state

    def write(self) -> None:
        """Store changed ports, and the report time of the others."""
        changed = [self._changed[port] for port in sorted(self._changed)]
        if changed:
            saved_ports.judge(self._named(self._changed))
            store.query(_PORTS_CHANGED, [[_value(state, name) for state in changed] for name in _TYPES])
        repeated = sorted(self._repeated.keys() - self._changed.keys())
        if repeated:
            store.query(_PORTS_REPEATED, [repeated, [self._repeated[port].at for port in repeated]])

    def _named(self, wanted: Mapping[int, PortState]) -> Iterator[tuple[int, str, PortState]]:
        for node, ports in self._ids.items():
            for ident, name in _names(ports, wanted).items():
                yield node, name, wanted[ident]


def _value(state: PortState, column: str) -> object:
    """As `_PORTS_CHANGED` takes it: arrays of arrays would need one length."""
    return json.dumps(state.addresses) if column == "addresses" else getattr(state, column)


def _differs(state: PortState, port: WirePort) -> bool:
    return any(getattr(state, column) != getattr(port, name) for column, name in _COLUMNS.items())


def _names(ids: Mapping[str, int], wanted: Mapping[int, object]) -> dict[int, str]:
    return {port: name for name, port in ids.items() if port in wanted} if wanted else {}
