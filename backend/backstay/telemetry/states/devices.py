"""Device descriptions -> states of devices and ports, and facts about changes.

A sweep describes a whole fabric in one batch, once a minute, and usually nothing changed. The rows are
therefore read together, compared in memory, and only changed rows are written, together.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from backstay.telemetry.facts import Facts, NodeRestarted, PortChanged
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.clock import Correction, moment, nanoseconds
from backstay.telemetry.ingest.layouts import port_ids
from backstay.telemetry.models import NodeState, PortState
from backstay.telemetry.states import report_digests, saved_ports
from backstay.telemetry.states.clocks import Look, observe
from backstay_wire import DeviceReport
from backstay_wire import PortState as WirePort

DEVICE_CLOCK = "hrSystemDate"
"""Default source of a device's clock."""
RESTART_TOLERANCE = timedelta(seconds=30)
"""Tolerance for the start time: uptimes are rounded and answers are delayed."""
COMPARED_EVERY = timedelta(minutes=10)
"""Ports are compared this often even if their reports repeat each other, which renews their time of use."""
JITTER_S = 1.0
"""A start time that differs by less is not written again: it is the time of a report minus an uptime."""
MOST_DIGESTS = 4
"""Collectors of one device whose reports are recognised as repeated."""
# An import may remove ports: then they are compared, and created again.
_REPEATED = f"""
UPDATE telemetry_nodestate AS state SET described_at = {store.MOMENT.format("reported.us")},
    booted_at = CASE
        WHEN abs(reported.booted_us / 1e6 - extract(epoch FROM state.booted_at)) <= {JITTER_S}
        THEN state.booted_at
        ELSE coalesce({store.MOMENT.format("reported.booted_us")}, state.booted_at)
    END
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::uuid[]) AS reported (node_id, us, booted_us, digest)
JOIN inventory_node AS node ON node.id = reported.node_id
JOIN inventory_site AS site ON site.id = node.site_id
WHERE state.node_id = reported.node_id AND reported.digest = ANY (state.described_with)
  AND state.described_version = site.version AND state.described_at < {store.MOMENT.format("reported.us")}
  AND state.compared_at > {store.MOMENT.format("reported.us")} - interval '{COMPARED_EVERY.total_seconds()} s'
  AND ({store.MOMENT.format("reported.booted_us")}
       > state.booted_at + interval '{RESTART_TOLERANCE.total_seconds()} s') IS NOT TRUE
RETURNING state.node_id
"""  # noqa: S608 - only constants are put in
_DESCRIBED = """
UPDATE telemetry_nodestate AS state SET described_at = reported.at, sys_name = reported.name,
    sys_descr = reported.descr,
    booted_at = reported.booted_at, clock_offset_ms = reported.offset_ms, compared_at = reported.at,
    described_with = reported.digests::uuid[], described_version = (
        SELECT site.version FROM inventory_node AS node JOIN inventory_site AS site ON site.id = node.site_id
        WHERE node.id = state.node_id
    )
FROM unnest(%s::bigint[], %s::timestamptz[], %s::text[], %s::text[], %s::timestamptz[], %s::float8[],
        %s::text[])
    AS reported (id, at, name, descr, booted_at, offset_ms, digests)
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
    digests = {
        node: _digest(report)
        for node, report in report_digests.single(reports).items()
        if report.clock is None
    }
    repeated = _take_repeated(
        {node: report for node, report in reports if node in digests}, correction, digests
    )
    rest = [(node, report) for node, report in reports if node not in repeated]
    if rest:
        _compare(rest, correction, digests, facts)


def _digest(report: DeviceReport) -> UUID:
    return report_digests.digest(report.model_dump_json(include={"sys_name", "sys_descr", "ports"}))


def _take_repeated(
    reports: Mapping[int, DeviceReport], correction: Correction, digests: Mapping[int, UUID]
) -> set[int]:
    """Nodes whose report would change nothing but times, which are stored. `reports`, `digests`: by node."""
    if not reports:
        return set()
    nodes = sorted(reports)  # One order for all writers: no deadlocks.
    times = [moment(correction.ours(reports[node].at)) for node in nodes]
    booted = [_booted_at(reports[node], at) for node, at in zip(nodes, times, strict=True)]
    values = (
        store.array(nodes),
        store.array(nanoseconds(at) // 1000 for at in times),
        store.array("NULL" if at is None else nanoseconds(at) // 1000 for at in booted),
        store.array(digests[node] for node in nodes),
    )
    return {node for (node,) in store.query(_REPEATED, values)}


def _booted_at(report: DeviceReport, at: datetime) -> datetime | None:
    return None if report.uptime_s is None else at - timedelta(seconds=report.uptime_s)


def _compare(
    reports: Sequence[tuple[int, DeviceReport]],
    correction: Correction,
    digests: Mapping[int, UUID],
    facts: Facts,
) -> None:
    """Compare the reports with what is stored; `digests`: of nodes with one report."""
    states = _locked({node for node, _ in reports})
    news: list[tuple[NodeState, DeviceReport, datetime]] = []
    looks: list[Look] = []
    renamed: set[int] = set()
    for node, report in reports:
        at, state = moment(correction.ours(report.at)), states.get(node)
        if state is not None and (state.described_at is None or at > state.described_at):
            if _describe(state, report, at, facts):
                renamed.add(node)
            looks += _clock(state, report, correction, at)
            news.append((state, report, at))
    if not news:
        return
    observe(looks, facts)
    tables = _PortTables([(state.node_id, report) for state, report, _ in news])
    for state, report, at in news:
        tables.take(state.node_id, report.ports, at, facts)
    changed = renamed | tables.changed_nodes
    for state, _, _ in news:
        _remember(state, digests.get(state.node_id), is_changed=state.node_id in changed)
    _write(list({state.node_id: state for state, _, _ in news}.values()))
    tables.write()


def _remember(state: NodeState, digest: UUID | None, *, is_changed: bool) -> None:
    """Note which reports would change nothing: after a change, this one only."""
    before = [] if is_changed else [known for known in state.described_with or () if known != digest]
    state.described_with = [*before, *([] if digest is None else [digest])][-MOST_DIGESTS:]


def _locked(nodes: Collection[int]) -> dict[int, NodeState]:
    """Lock the rows in the order that all writers use, which avoids deadlocks."""
    rows = NodeState.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    return {row.node_id: row for row in rows}


def _describe(state: NodeState, report: DeviceReport, at: datetime, facts: Facts) -> bool:
    """Whether its name or description changed."""
    before = state.sys_name, state.sys_descr
    state.described_at = at
    state.sys_name = report.sys_name or state.sys_name
    state.sys_descr = report.sys_descr or state.sys_descr
    _apply_uptime(state, report, at, facts)
    return before != (state.sys_name, state.sys_descr)


def _apply_uptime(state: NodeState, report: DeviceReport, at: datetime, facts: Facts) -> None:
    booted_at = _booted_at(report, at)
    if booted_at is None:
        return
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
            [store.array(state.described_with or ()) for state in states],
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
        self.changed_nodes: set[int] = set()
        """Nodes of which a port changed."""
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
            self._take_one(node, state, port, reported_with)
        self._vanish(node, gone, (at, reported_with), facts)

    def _take_one(self, node: int, state: PortState, port: WirePort, reported_with: int) -> None:
        if state.reported_with != reported_with or _differs(state, port):
            state.reported_with = reported_with
            for column, name in _COLUMNS.items():
                setattr(state, column, getattr(port, name))
            self._changed[state.port_id] = state
            self.changed_nodes.add(node)
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
            self.changed_nodes.add(node)

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
