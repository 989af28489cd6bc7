"""Which reports show that their device lives. Pure.

Only an answer of the device does. The outcome of a collector without an answer does not, nor does a set of
metrics without a value, an empty table, or the description of a device that a sweep no longer finds. A report
about the agent's own host always does: the agent runs there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backstay_wire import (
    AdjacencyReport,
    CollectorOutcome,
    CollectorReport,
    DeltaOutcome,
    DeviceReport,
    ForwardingReport,
    MetricReport,
    NeighbourReport,
    NoticeReport,
    PortSamples,
    RecordingReport,
    Report,
    RouteReport,
)

PRESENCE = "ib.presence"
"""State of a swept device: `answered`, or that it did not."""
_UNANSWERED = frozenset({"silent", "absent"})


def is_answer(report: Report, *, of_own_host: bool) -> bool:
    """Whether the report shows that its device answered."""
    if of_own_host:
        return True
    check = _CHECKS.get(type(report))
    return True if check is None else check(report)


def _samples(report: PortSamples) -> bool:
    return report.outcome is None or any(outcome is not DeltaOutcome.MISSING for outcome in report.outcome)


def _device(report: DeviceReport) -> bool:
    described = (report.sys_name, report.sys_descr, report.uptime_s is not None, report.clock is not None)
    return any(described) or any(port.oper_up for port in report.ports)


def _metrics(report: MetricReport) -> bool:
    if any(item.metric == PRESENCE and item.value in _UNANSWERED for item in report.metrics):
        return False
    return any(item.outcome is not DeltaOutcome.MISSING for item in report.metrics)


_CHECKS: Mapping[type, Callable[[Any], bool]] = {
    PortSamples: _samples,
    DeviceReport: _device,
    MetricReport: _metrics,
    RecordingReport: lambda report: report.state == "recorded",
    CollectorReport: lambda report: report.outcome is CollectorOutcome.OK,
    # Identified by the sender's UDP address only, which is easily forged.
    NoticeReport: lambda _: False,
    NeighbourReport: lambda report: bool(report.neighbours),
    RouteReport: lambda report: bool(report.routes or report.removed),
    AdjacencyReport: lambda report: bool(report.adjacencies),
    ForwardingReport: lambda report: bool(report.entries),
}
"""Kinds whose contents decide; every other kind is an observation of the device itself."""
