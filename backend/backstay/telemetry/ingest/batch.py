"""Stores one batch of one agent in the caller's transaction: samples, states, ledger, facts.

`store_reports` lists the stages. The agent's row is locked first and held to the commit. The lock serialises
concurrent requests of one agent, so that a report sent on two connections is stored once. The row is read
with the lock, so that a revocation or a new assignment takes effect with the next request.

The first attempt assumes that no report is stored already, which only fails after a lost acknowledgement. An
overlap in the ledger at the end detects that; the transaction is then rolled back and repeated with the
duplicates removed first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from backstay.core.wiring.evidence import LIFETIME_INTERVALS
from backstay.telemetry import partitions, state_evidence
from backstay.telemetry.facts import Facts, OutageSeen, PathSeen, SpoolDropped, SwitchSeen
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.admission import AcceptedReport, ReportValidator
from backstay.telemetry.ingest.clock import DAY, MAX_AHEAD, Correction, moment, nanoseconds
from backstay.telemetry.ingest.execution_reports import (
    apply_change,
    apply_decision,
    apply_hold,
    apply_management,
    apply_move,
    apply_test,
)
from backstay.telemetry.ingest.layouts import layout_ids
from backstay.telemetry.ingest.liveness import is_answer
from backstay.telemetry.ingest.notices import apply_notices
from backstay.telemetry.ingest.reporter_election import keep_own
from backstay.telemetry.ingest.senders import Sender, assignment_of, locked_sender
from backstay.telemetry.states import metrics, tables
from backstay.telemetry.states.adjacencies import apply_adjacencies
from backstay.telemetry.states.clocks import observe_agent
from backstay.telemetry.states.devices import apply_devices
from backstay.telemetry.states.neighbour_watch import apply_counts
from backstay.telemetry.states.neighbours import apply_neighbours
from backstay.telemetry.states.nodes import apply_arps, apply_host_networks, apply_routings
from backstay.telemetry.states.routes import apply_routes
from backstay_wire import (
    AdjacencyReport,
    ArpReport,
    ChangeReport,
    ClockReading,
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
    PortSamples,
    Rejection,
    RejectionCode,
    Report,
    RouteReport,
    RoutingReport,
    SpoolState,
    TestReport,
)


@dataclass(frozen=True, slots=True)
class Batch:
    """The well-formed reports of a request, with their indexes in it."""

    agent: UUID
    received: datetime
    sent_ns: int
    spool: SpoolState
    reports: Sequence[tuple[int, Report]]
    clock: ClockReading | None = None
    sanitised: int = 0
    """Reports in which text was replaced or cut; those of `reports` that are refused later count too."""
    malformed: int = 0
    """Reports of the request that were refused before."""

    @property
    def correction(self) -> Correction:
        """Correction from the batch's times to our clock."""
        return Correction.of(self.sent_ns, nanoseconds(self.received), self.clock)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of storing a batch."""

    site: str
    stored: int
    rejected: list[Rejection]
    generation: int
    facts: Facts


MAX_COUNTED = 2**31 - 1
PARTITIONED = frozenset({PortSamples, MetricReport, NeighbourReport})
"""Kinds that are stored in daily partitions."""


def store_reports(batch: Batch, *, careful: bool = False) -> Outcome:
    """Store the valid reports; Unauthenticated if the agent is unknown or revoked.

    store.OverlapError: some reports are stored already; roll back and call again with `careful`.
    django.db.DataError, OverflowError, ValueError: PostgreSQL cannot store a value that passed all checks;
    roll back.
    """
    sender = locked_sender(batch.agent)
    facts = Facts(site_id=sender.site_id, received=batch.received)
    correction = batch.correction
    kept_from_ns = nanoseconds(partitions.kept_from(batch.received))
    assignment = assignment_of(batch.agent, sender)
    validator = ReportValidator(assignment.devices, correction, kept_from_ns)
    admitted, rejected = validator.validate(batch.reports)
    if assignment.shared:
        lease = timedelta(seconds=LIFETIME_INTERVALS * sender.interval_s)
        admitted, foreign = keep_own(batch.agent, assignment.shared, admitted, batch.received, lease)
        rejected = sorted([*rejected, *foreign], key=lambda item: item.index)
    if careful:
        admitted, known = _unknown_only(batch.agent, admitted)
        rejected = sorted([*rejected, *known], key=lambda item: item.index)

    newest = _store_samples(admitted, correction, sender.site_version)
    facts.sampled.update(node for node, _ in newest)
    changed = metrics.write_metrics(_metric_rows(admitted, correction))
    _apply_states(admitted, correction, facts)
    state_evidence.judge_metrics(sender.site_id, changed)
    facts.reporting += store.finish(
        store.Finish(
            agent=batch.agent,
            now=batch.received,
            keys=[item.key for item in admitted],
            newest=newest,
            reporting=_report_times(admitted, correction, sender.host),
            offset_ms=correction.offset_ms,
            waiting=min(batch.spool.waiting, MAX_COUNTED),
            dropped=min(batch.spool.dropped, MAX_COUNTED),
            refused=batch.malformed + sum(item.code is not RejectionCode.DUPLICATE for item in rejected),
            sanitised=batch.sanitised,
        )
    )
    _observe_sender(batch, sender, facts)
    return Outcome(sender.site, len(admitted), rejected, sender.generation, facts)


def prepare_days(batch: Batch) -> None:
    """Create the partitions that a batch needs, before its transaction."""
    correction = batch.correction
    oldest = nanoseconds(partitions.kept_from(batch.received))
    newest = correction.received_ns + MAX_AHEAD
    times = {correction.ours(report.at) // DAY for _, report in batch.reports if type(report) in PARTITIONED}
    for day in times:
        if oldest // DAY <= day <= newest // DAY:
            partitions.ensure_day(moment(day * DAY).date())


def _unknown_only(
    agent: UUID, admitted: list[AcceptedReport]
) -> tuple[list[AcceptedReport], list[Rejection]]:
    if not admitted:
        return [], []
    known = store.known(agent, [item.key for item in admitted])
    if not known:
        return admitted, []
    code, reason = RejectionCode.DUPLICATE, "already stored"
    rejected = [Rejection(index=admitted[at].index, code=code, reason=reason) for at in sorted(known)]
    return [item for at, item in enumerate(admitted) if at not in known], rejected


def _store_samples(
    admitted: list[AcceptedReport], correction: Correction, version: int
) -> dict[store.Source, store.Interval]:
    """The newest interval of each source that has one."""
    reported = [(item.node, item.report) for item in admitted if isinstance(item.report, PortSamples)]
    keys = [(node, tuple(report.ports)) for node, report in reported]
    layouts = layout_ids(keys, version)
    rows: list[store.SampleRow] = []
    newest: dict[store.Source, store.Interval] = {}
    for key, (node, report) in zip(keys, reported, strict=True):
        at_us = correction.ours(report.at) // 1000
        rows.append(store.SampleRow(node, at_us, correction.shift_ns, layouts[key], report))
        source, interval = (node, layouts[key]), (at_us, report.duration_ns)
        newest[source] = max(interval, newest.get(source, interval))
    store.write_samples(rows)
    return newest


def _metric_rows(admitted: list[AcceptedReport], correction: Correction) -> list[metrics.MetricRow]:
    return [
        metrics.MetricRow(item.node, correction.ours(item.report.at) // 1000, item.report)
        for item in admitted
        if isinstance(item.report, MetricReport)
    ]


Apply = Callable[[Sequence[tuple[int, Any]], Correction, Facts], None]
"""Stores all reports of one kind, (node id, report), oldest first."""


def _apply_states(admitted: list[AcceptedReport], correction: Correction, facts: Facts) -> None:
    """Store each kind at once, ordered by time of occurrence rather than of arrival."""
    reported: dict[Apply, list[tuple[int, Report]]] = {}
    for item in sorted(admitted, key=lambda item: (item.report.at, item.report.seq)):
        apply = _APPLY.get(type(item.report))
        if apply is not None:
            reported.setdefault(apply, []).append((item.node, item.report))
    for apply in dict.fromkeys(_APPLY.values()):  # One order for all writers: no deadlocks.
        if apply in reported:
            apply(reported[apply], correction, facts)


def _path(node: int, report: PathReport, correction: Correction, facts: Facts) -> None:
    facts.paths.append(
        PathSeen(
            node_id=node,
            policy=report.policy,
            active=report.active,
            at=moment(correction.ours(report.at)),
            target_alive=report.target_alive,
            target_rtt_us=report.target_rtt_us,
            liveness={
                gateway.name: {
                    "alive": gateway.alive,
                    "rtt_us": gateway.rtt_us,
                    "forwards": gateway.forwards,
                }
                for gateway in report.gateways
            },
            switch=_switch(report.switch, correction) if report.switch else None,
            outage=_outage(report.outage, correction) if report.outage else None,
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


def _outage(outage: PathOutage, correction: Correction) -> OutageSeen:
    return OutageSeen(
        uid=outage.id,
        since=moment(correction.ours(outage.since)),
        duration_ms=outage.duration_ms,
        cause=outage.cause,
        lost_probes=outage.lost_probes,
        probe_interval_ms=outage.probe_interval_ms,
    )


def _each(apply: Callable[[int, Any, Correction, Facts], None]) -> Apply:
    """Adapt a function that stores one report."""

    def apply_all(reports: Sequence[tuple[int, Any]], correction: Correction, facts: Facts) -> None:
        for node, report in reports:
            apply(node, report, correction, facts)

    return apply_all


def _table(apply: Callable[[int, Any, datetime], None]) -> Apply:
    """Adapt a function that needs only the corrected time."""
    return _each(lambda node, report, correction, _: apply(node, report, moment(correction.ours(report.at))))


_APPLY: dict[type, Apply] = {
    DeviceReport: apply_devices,
    RouteReport: _table(apply_routes),
    NeighbourReport: _table(apply_neighbours),
    MetricReport: apply_counts,
    DaemonReport: tables.apply_daemons,
    CollectorReport: tables.apply_collectors,
    PathReport: _each(_path),
    AdjacencyReport: apply_adjacencies,
    ForwardingReport: apply_adjacencies,
    NoticeReport: apply_notices,
    RoutingReport: apply_routings,
    ArpReport: apply_arps,
    HostNetworkReport: apply_host_networks,
    ManagementReport: _each(apply_management),
    DecisionReport: _each(apply_decision),
    MoveReport: _each(apply_move),
    HoldReport: _each(apply_hold),
    ChangeReport: _each(apply_change),
    TestReport: _each(apply_test),
}


def _report_times(admitted: list[AcceptedReport], correction: Correction, host: int | None) -> dict[int, int]:
    """Node id -> when its device last answered, microseconds by our clock."""
    times: dict[int, int] = {}
    for item in admitted:
        if is_answer(item.report, of_own_host=item.node == host):
            times[item.node] = max(times.get(item.node, 0), correction.reported_ns(item.report.at) // 1000)
    return times


def _observe_sender(batch: Batch, sender: Sender, facts: Facts) -> None:
    if sender.host is None:
        return
    observe_agent(sender, batch.correction, facts)
    lost = batch.spool.dropped - sender.spool_dropped
    if lost > 0:
        facts.drops.append(SpoolDropped(sender.host, batch.received, lost))
