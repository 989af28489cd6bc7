"""Stores one batch of one agent in the caller's transaction: samples, states, ledger, facts.

`store_reports` lists the stages. The agent's row is locked first and held to the commit. The lock serialises
concurrent requests of one agent, so that a report sent on two connections is stored once. The row is read
with the lock, so that a revocation or a new assignment takes effect with the next request.

The first attempt assumes that no report is stored already, which only fails after a lost acknowledgement. An
overlap in the ledger at the end detects that; the transaction is then rolled back and repeated with the
duplicates removed first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from backstay.core.rollups import levels
from backstay.core.rollups.metric_bins import HELD_S
from backstay.core.wiring.evidence import LIFETIME_INTERVALS
from backstay.telemetry import partitions, state_evidence
from backstay.telemetry.facts import Facts, PathSeen, SpoolDropped
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.admission import AcceptedReport, ReportValidator
from backstay.telemetry.ingest.clock import DAY, MAX_AHEAD, Correction, moment, nanoseconds
from backstay.telemetry.ingest.dispatch import apply_states, path_seen
from backstay.telemetry.ingest.layouts import Key as LayoutKey
from backstay.telemetry.ingest.layouts import layout_ids
from backstay.telemetry.ingest.liveness import is_answer
from backstay.telemetry.ingest.reporter_election import foreign
from backstay.telemetry.ingest.senders import Sender, assignment_of, locked_sender
from backstay.telemetry.states import metrics
from backstay.telemetry.states.clocks import observe_agents
from backstay_wire import (
    ClockReading,
    MetricReport,
    NeighbourReport,
    PathReport,
    PortSamples,
    Rejection,
    RejectionCode,
    Report,
    SpoolState,
)

_HOUR_US = levels.HOUR_S * 1_000_000
_HELD_US = round(HELD_S * 1_000_000)
_LEAST_US = round(levels.LEAST_S * 1_000_000)


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

    stored: int
    rejected: list[Rejection]
    generation: int


MAX_COUNTED = 2**31 - 1
PARTITIONED = frozenset({PortSamples, MetricReport, NeighbourReport})
"""Kinds that are stored in daily partitions."""


@dataclass(frozen=True, slots=True)
class AdmittedBatch:
    """A batch whose sender is locked, with the reports that are to be stored and those that are refused."""

    batch: Batch
    sender: Sender
    correction: Correction
    accepted: list[AcceptedReport]
    rejected: list[Rejection]

    @classmethod
    def of(cls, batch: Batch, sender: Sender, devices: Mapping[str, int]) -> AdmittedBatch:
        """Validate the reports; `devices`: ids of those assigned to the sender, by name."""
        correction, kept_from_ns = batch.correction, nanoseconds(partitions.kept_from(batch.received))
        validator = ReportValidator(batch.agent, devices, correction, kept_from_ns)
        return cls(batch, sender, correction, *validator.validate(batch.reports))

    def without(self, refused: Sequence[Rejection]) -> AdmittedBatch:
        """With these reports refused too."""
        gone = {item.index for item in refused}
        accepted = [item for item in self.accepted if item.index not in gone]
        rejected = sorted([*self.rejected, *refused], key=lambda item: item.index)
        return replace(self, accepted=accepted, rejected=rejected)

    @property
    def paths(self) -> list[PathSeen]:
        """The facts about paths, which `write` does not store."""
        return [
            path_seen(item.node, item.report, self.correction)
            for item in self.accepted
            if isinstance(item.report, PathReport)
        ]

    @property
    def outcome(self) -> Outcome:
        """Once it is stored."""
        return Outcome(len(self.accepted), self.rejected, self.sender.generation)


def store_reports(batch: Batch, *, careful: bool = False) -> tuple[AdmittedBatch, Facts]:
    """Store the valid reports; Unauthenticated if the agent is unknown or revoked.

    store.OverlapError: some reports are stored already; roll back and call again with `careful`.
    django.db.DataError, OverflowError, ValueError: PostgreSQL cannot store a value that passed all checks;
    roll back.
    """
    sender = locked_sender(batch.agent)
    assignment = assignment_of(sender)
    admitted = AdmittedBatch.of(batch, sender, assignment.devices)
    if assignment.shared:
        lease = timedelta(seconds=LIFETIME_INTERVALS * sender.interval_s)
        admitted = admitted.without(
            foreign(batch.agent, assignment.shared, admitted.accepted, batch.received, lease)
        )
    if careful:
        (admitted,) = without_known([admitted])
    facts = Facts(site_id=sender.site_id, received=batch.received, paths=admitted.paths)
    written = write([admitted], admitted.correction, facts)
    state_evidence.judge_metrics(sender.site_id, written.judged)
    finish([admitted], written, facts)
    return admitted, facts


def prepare_days(batch: Batch) -> None:
    """Create the partitions that a batch needs, before its transaction."""
    correction = batch.correction
    oldest = nanoseconds(partitions.kept_from(batch.received))
    newest = correction.received_ns + MAX_AHEAD
    times = {correction.ours(report.at) // DAY for _, report in batch.reports if type(report) in PARTITIONED}
    for day in times:
        if oldest // DAY <= day <= newest // DAY:
            partitions.ensure_day(moment(day * DAY).date())


def without_known(batches: Sequence[AdmittedBatch]) -> list[AdmittedBatch]:
    """Refuse the reports that are stored already."""
    keys = [(one.sender.agent, item.key) for one in batches for item in one.accepted]
    known = {keys[at] for at in store.known(keys)} if keys else set()
    code, reason = RejectionCode.DUPLICATE, "already stored"
    return [
        one.without(
            [
                Rejection(index=item.index, code=code, reason=reason)
                for item in one.accepted
                if (one.sender.agent, item.key) in known
            ]
        )
        if known
        else one
        for one in batches
    ]


@dataclass(frozen=True, slots=True)
class Written:
    """What `write` stored."""

    newest: list[dict[store.Source, store.Interval]]
    """Per batch, the newest interval of each source that has one."""
    judged: set[int]
    """Devices of which a metric changed that circuits or extension nodes depend on."""


def write(batches: Sequence[AdmittedBatch], correction: Correction, facts: Facts) -> Written:
    """Store samples, metrics and states; `correction` is that of all of them."""
    rows = _sample_rows(batches)
    store.write_samples([row for found in rows for row in found])
    metric_rows = [_metric_rows(one) for one in batches]
    store.mark_late(late_hours(batches, rows), late_metric_hours(batches, metric_rows))
    facts.sampled.update(row.node for found in rows for row in found)
    changed = metrics.write_metrics([row for found in metric_rows for row in found])
    apply_states([item for one in batches for item in one.accepted], correction, facts)
    return Written([_newest(found) for found in rows], changed)


def finish(batches: Sequence[AdmittedBatch], written: Written, facts: Facts) -> None:
    """Store ledger, newest samples, report times and senders. OverlapError as `store.finish`."""
    facts.reporting += store.finish(
        [_end(one, newest) for one, newest in zip(batches, written.newest, strict=True)]
    )
    hosts = [one for one in batches if one.sender.host is not None]
    observe_agents([(one.sender, one.correction) for one in hosts], facts)
    for one in hosts:
        assert one.sender.host is not None
        lost = one.batch.spool.dropped - one.sender.spool_dropped
        if lost > 0:
            facts.drops.append(SpoolDropped(one.sender.host, one.batch.received, lost))


def _sample_rows(batches: Sequence[AdmittedBatch]) -> list[list[store.SampleRow]]:
    """Rows of each batch."""
    layouts = _layouts(batches)
    return [
        [
            store.SampleRow(
                item.node,
                one.correction.ours(item.report.at) // 1000,
                one.correction.shift_ns,
                layouts[item.node, tuple(item.report.ports)],
                item.report,
            )
            for item in one.accepted
            if isinstance(item.report, PortSamples)
        ]
        for one in batches
    ]


def _layouts(batches: Sequence[AdmittedBatch]) -> dict[LayoutKey, int]:
    """Those of all samples, read together for the agents of one site."""
    wanted: dict[int, list[LayoutKey]] = {}
    for one in batches:
        wanted.setdefault(one.sender.site_version, []).extend(
            (item.node, tuple(item.report.ports))
            for item in one.accepted
            if isinstance(item.report, PortSamples)
        )
    found: dict[LayoutKey, int] = {}
    for version, keys in sorted(wanted.items()):
        found |= layout_ids(keys, version)
    return found


def late_hours(
    batches: Sequence[AdmittedBatch], rows: Sequence[Sequence[store.SampleRow]]
) -> set[tuple[int, int]]:
    """(node, hour in Unix seconds) of samples in hours that may be rolled up already; usually none."""
    found: set[tuple[int, int]] = set()
    for one, of_batch in zip(batches, rows, strict=True):
        before_us = round(levels.late_before(one.batch.received.timestamp())) * 1_000_000
        kept_us = nanoseconds(partitions.kept_from(one.batch.received)) // 1000 - DAY // 1000
        for row in of_batch:
            begin_us = row.at_us - max(row.samples.duration_ns // 1000, _LEAST_US)
            if begin_us < before_us:
                first, last = max(begin_us, kept_us) // _HOUR_US, (min(row.at_us, before_us) - 1) // _HOUR_US
                found |= {(row.node, hour * levels.HOUR_S) for hour in range(first, last + 1)}
    return found


def late_metric_hours(
    batches: Sequence[AdmittedBatch], rows: Sequence[Sequence[metrics.MetricRow]]
) -> set[tuple[int, int]]:
    """The same of metrics: a report counts where it ends.

    The next one without an interval covers the time since it, even in the next hour.
    """
    found: set[tuple[int, int]] = set()
    for one, of_batch in zip(batches, rows, strict=True):
        before_us = round(levels.late_before(one.batch.received.timestamp())) * 1_000_000
        for row in of_batch:
            if row.at_us <= before_us:
                last_us = row.at_us if row.report.duration_ns else min(row.at_us + _HELD_US, before_us)
                first, last = (row.at_us - 1) // _HOUR_US, (last_us - 1) // _HOUR_US
                found |= {(row.node, hour * levels.HOUR_S) for hour in range(first, last + 1)}
    return found


def _newest(rows: Sequence[store.SampleRow]) -> dict[store.Source, store.Interval]:
    found: dict[store.Source, store.Interval] = {}
    for row in rows:
        source, interval = (row.node, row.layout), (row.at_us, row.samples.duration_ns)
        found[source] = max(interval, found.get(source, interval))
    return found


def _metric_rows(one: AdmittedBatch) -> list[metrics.MetricRow]:
    return [
        metrics.MetricRow(item.node, one.correction.ours(item.report.at) // 1000, item.report)
        for item in one.accepted
        if isinstance(item.report, MetricReport)
    ]


def _end(one: AdmittedBatch, newest: Mapping[store.Source, store.Interval]) -> store.Finish:
    batch = one.batch
    refused = sum(item.code is not RejectionCode.DUPLICATE for item in one.rejected)
    return store.Finish(
        agent=batch.agent,
        now=batch.received,
        keys=[item.key for item in one.accepted],
        newest=newest,
        reporting=_report_times(one),
        offset_ms=one.correction.offset_ms,
        waiting=min(batch.spool.waiting, MAX_COUNTED),
        dropped=min(batch.spool.dropped, MAX_COUNTED),
        refused=batch.malformed + refused,
        sanitised=batch.sanitised,
    )


def _report_times(one: AdmittedBatch) -> dict[int, int]:
    """Node id -> when its device last answered, microseconds by our clock."""
    times: dict[int, int] = {}
    for item in one.accepted:
        if is_answer(item.report, of_own_host=item.node == one.sender.host):
            at_us = one.correction.reported_ns(item.report.at) // 1000
            times[item.node] = max(times.get(item.node, 0), at_us)
    return times
