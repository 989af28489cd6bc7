"""Which function stores the reports of which kind, and the order in which the kinds are stored.

Reports about changes, tests and the like become facts, because the apps above own their rows; so do those
about paths, which `path_seen` converts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from backstay.telemetry.facts import Facts, OutageSeen, PathSeen, SwitchSeen
from backstay.telemetry.ingest.admission import AcceptedReport
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.ingest.execution_reports import (
    apply_change,
    apply_decision,
    apply_hold,
    apply_management,
    apply_move,
    apply_test,
)
from backstay.telemetry.ingest.notices import apply_notices
from backstay.telemetry.states import tables
from backstay.telemetry.states.adjacencies import apply_adjacencies
from backstay.telemetry.states.devices import apply_devices
from backstay.telemetry.states.neighbour_watch import apply_counts
from backstay.telemetry.states.neighbours import apply_neighbours
from backstay.telemetry.states.nodes import apply_arps, apply_host_networks, apply_routings
from backstay.telemetry.states.recordings import apply_recordings
from backstay.telemetry.states.routes import apply_routes
from backstay_wire import (
    AdjacencyReport,
    ArpReport,
    ChangeReport,
    CollectorReport,
    DaemonReport,
    DecisionReport,
    DeviceReport,
    ForwardingReport,
    HoldReport,
    HostNetworkReport,
    ManagementReport,
    MetricReport,
    MoveReport,
    NeighbourReport,
    NoticeReport,
    PathOutage,
    PathReport,
    PathSwitch,
    RecordingReport,
    RouteReport,
    RoutingReport,
    TestReport,
)

Apply = Callable[[Sequence[AcceptedReport], Correction, Facts], None]
"""Stores all reports of one kind, oldest first."""


def apply_states(accepted: Iterable[AcceptedReport], correction: Correction, facts: Facts) -> None:
    """Store each kind at once, ordered by time of occurrence rather than of arrival."""
    reported: dict[Apply, list[AcceptedReport]] = {}
    for item in sorted(accepted, key=lambda item: (item.report.at, item.report.seq)):
        apply = _APPLY.get(type(item.report))
        if apply is not None:
            reported.setdefault(apply, []).append(item)
    for apply in dict.fromkeys(_APPLY.values()):  # One order for all writers: no deadlocks.
        if apply in reported:
            apply(reported[apply], correction, facts)


def path_seen(node: int, report: PathReport, correction: Correction) -> PathSeen:
    """The fact for one report of a path."""
    return PathSeen(
        node_id=node,
        policy=report.policy,
        active=report.active,
        at=moment(correction.ours(report.at)),
        target_alive=report.target_alive,
        target_rtt_us=report.target_rtt_us,
        liveness={
            gateway.name: {"alive": gateway.alive, "rtt_us": gateway.rtt_us, "forwards": gateway.forwards}
            for gateway in report.gateways
        },
        switch=_switch(report.switch, correction) if report.switch else None,
        outage=_outage(report.outage, correction) if report.outage else None,
    )


def _switch(switch: PathSwitch, correction: Correction) -> SwitchSeen:
    return SwitchSeen(
        uid=switch.id,
        at=moment(correction.ours(switch.at)),
        from_gateway=switch.from_gateway,
        to_gateway=switch.to_gateway,
        outage_ms=switch.outage_ms,
        lost_probes=switch.lost_probes,
        probe_interval_ms=switch.probe_interval_ms,
    )


def _outage(outage: PathOutage, correction: Correction) -> OutageSeen:
    return OutageSeen(
        uid=outage.id,
        since=moment(correction.ours(outage.since)),
        duration_ms=outage.duration_ms,
        cause=outage.cause,
        lost_probes=outage.lost_probes,
        probe_interval_ms=outage.probe_interval_ms,
    )


def _pairs(apply: Callable[[Sequence[tuple[int, Any]], Correction, Facts], None]) -> Apply:
    """Adapt a function that stores (node id, report), whichever agent sent them."""
    return lambda accepted, correction, facts: apply(
        [(item.node, item.report) for item in accepted], correction, facts
    )


def _each(apply: Callable[[int, Any, Correction, Facts], None]) -> Apply:
    """Adapt a function that stores one report."""

    def apply_all(reports: Sequence[tuple[int, Any]], correction: Correction, facts: Facts) -> None:
        for node, report in reports:
            apply(node, report, correction, facts)

    return _pairs(apply_all)


def _table(apply: Callable[[int, Any, datetime], None]) -> Apply:
    """Adapt a function that needs only the corrected time."""
    return _each(lambda node, report, correction, _: apply(node, report, moment(correction.ours(report.at))))


_ADJACENCIES = _pairs(apply_adjacencies)
_APPLY: dict[type, Apply] = {
    DeviceReport: _pairs(apply_devices),
    RouteReport: _table(apply_routes),
    NeighbourReport: _table(apply_neighbours),
    MetricReport: _pairs(apply_counts),
    DaemonReport: _pairs(tables.apply_daemons),
    CollectorReport: tables.apply_collectors,
    AdjacencyReport: _ADJACENCIES,
    ForwardingReport: _ADJACENCIES,
    NoticeReport: _pairs(apply_notices),
    RoutingReport: _pairs(apply_routings),
    ArpReport: _pairs(apply_arps),
    HostNetworkReport: _pairs(apply_host_networks),
    ManagementReport: _each(apply_management),
    DecisionReport: _each(apply_decision),
    MoveReport: _each(apply_move),
    HoldReport: _each(apply_hold),
    ChangeReport: _each(apply_change),
    TestReport: _each(apply_test),
    RecordingReport: _pairs(apply_recordings),
}
