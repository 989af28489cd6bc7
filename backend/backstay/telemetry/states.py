"""Which reports change which states: all but samples and figures, each kind together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from backstay.telemetry import tables
from backstay.telemetry.adjacencies import apply_adjacencies
from backstay.telemetry.admission import Admitted
from backstay.telemetry.clock import Correction, moment
from backstay.telemetry.collector_state import apply_collectors
from backstay.telemetry.device_state import apply_devices
from backstay.telemetry.facts import Facts, PathSeen, SwitchSeen
from backstay.telemetry.notices import apply_notices
from backstay_wire import (
    AdjacencyReport,
    CollectorReport,
    DaemonReport,
    DeviceReport,
    ForwardingReport,
    NeighbourReport,
    NoticeReport,
    PathReport,
    PathSwitch,
    Report,
    RouteReport,
)

Apply = Callable[[Sequence[tuple[int, Any]], Correction, Facts], None]
"""Takes over all reports of one kind, (node id, report), the oldest first."""


def apply_states(admitted: list[Admitted], correction: Correction, facts: Facts) -> None:
    """Each kind together, in the order in which it happened, whatever the order in which it was sent."""
    told: dict[Apply, list[tuple[int, Report]]] = {}
    for each in sorted(admitted, key=lambda each: (each.report.at, each.report.seq)):
        apply = _APPLY.get(type(each.report))
        if apply is not None:
            told.setdefault(apply, []).append((each.node, each.report))
    for apply in dict.fromkeys(_APPLY.values()):  # One order for all writers: no deadlocks.
        if apply in told:
            apply(told[apply], correction, facts)


def _path(node: int, report: PathReport, correction: Correction, facts: Facts) -> None:
    facts.paths.append(
        PathSeen(
            node_id=node,
            policy=report.policy,
            active=report.active,
            at=moment(correction.ours(report.at)),
            target_alive=report.target_alive,
            target_rtt_us=report.target_rtt_us,
            liveness={each.name: {"alive": each.alive, "rtt_us": each.rtt_us} for each in report.gateways},
            switch=_switch(report.switch, correction) if report.switch else None,
        )
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


def _each(apply: Callable[[int, Any, Correction, Facts], None]) -> Apply:
    """Of a kind that comes one by one."""

    def apply_all(reports: Sequence[tuple[int, Any]], correction: Correction, facts: Facts) -> None:
        for node, report in reports:
            apply(node, report, correction, facts)

    return apply_all


def _table(apply: Callable[[int, Any, datetime], None]) -> Apply:
    """A table that only needs to know when."""
    return _each(lambda node, report, correction, _: apply(node, report, moment(correction.ours(report.at))))


_APPLY: dict[type, Apply] = {
    DeviceReport: apply_devices,
    RouteReport: _table(tables.apply_routes),
    NeighbourReport: _table(tables.apply_neighbours),
    DaemonReport: _table(tables.apply_daemon),
    CollectorReport: apply_collectors,
    PathReport: _each(_path),
    AdjacencyReport: apply_adjacencies,
    ForwardingReport: apply_adjacencies,
    NoticeReport: _each(apply_notices),
}
