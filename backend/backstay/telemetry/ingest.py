"""One batch of one agent, stored whole in the caller's transaction: samples, states, ledger, facts.

The stages stand in `store_reports`. The row of the agent is locked first and held to the commit: it orders
the concurrent requests of one agent, so that a report sent on two connections at once is stored once; and it
is read at the same time, so that a revocation or a new assignment holds from the next request on.

The first attempt supposes that no report is stored already, which is true but after a lost acknowledgement;
an overlap in the ledger at the very end shows when it is not. Then the transaction is undone and repeated
with the duplicates sorted out first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from backstay.core.errors import Unauthenticated
from backstay.core.wiring.evidence import LIFETIME_INTERVALS
from backstay.inventory.sweeps import swept_nodes
from backstay.telemetry import figures, partitions, store
from backstay.telemetry.admission import Admitted, Door, admit
from backstay.telemetry.clock import DAY, MAX_AHEAD, Correction, moment, nanoseconds, stepped
from backstay.telemetry.facts import ClockStepped, Facts, SpoolDropped
from backstay.telemetry.layouts import layout_ids
from backstay.telemetry.models import NodeState
from backstay.telemetry.states import apply_states
from backstay.telemetry.tellers import keep_own
from backstay_wire import (
    ClockReading,
    CollectorOutcome,
    CollectorReport,
    FigureReport,
    NoticeReport,
    PortSamples,
    Rejection,
    RejectionCode,
    Report,
    SpoolState,
)


@dataclass(frozen=True, slots=True)
class Batch:
    """What arrived: the readable reports with their places in the request."""

    agent: UUID
    received: datetime
    sent_ns: int
    spool: SpoolState
    reports: Sequence[tuple[int, Report]]
    clock: ClockReading | None = None

    @property
    def correction(self) -> Correction:
        """How this batch's times become ours."""
        return Correction.of(self.sent_ns, nanoseconds(self.received), self.clock)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a batch."""

    site: str
    stored: int
    rejected: list[Rejection]
    generation: int
    facts: Facts


@dataclass(frozen=True, slots=True)
class _Sender:
    """The agent's row, locked, and its site."""

    generation: int
    clock_offset_ms: float | None
    spool_dropped: int
    site: str
    site_id: int
    site_version: int
    interval_s: float
    host: int | None
    """Id of the node that it runs on."""


_SENDER = """
SELECT a.generation, a.clock_offset_ms, a.spool_dropped, a.site, coalesce(s.id, 0), coalesce(s.version, 0),
       coalesce(s.interval_s, 0), (SELECT n.id FROM inventory_node n WHERE n.agent_id = a.id)
FROM accounts_agent a LEFT JOIN inventory_site s ON s.name = a.site
WHERE a.id = %s AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a
"""
_DEVICES = """
SELECT n.name, n.id FROM inventory_node n JOIN inventory_node w ON w.id = n.watcher_id
WHERE w.agent_id = %s
"""
MAX_COUNTED = 2**31 - 1
PARTITIONED = frozenset({PortSamples, FigureReport})
"""Reports that are stored by the day."""
SILENT = frozenset({CollectorOutcome.TIMEOUT, CollectorOutcome.FAILED})


@dataclass(frozen=True, slots=True)
class _Duty:
    """The devices that an agent may tell of, by name, and those of them that others may tell of too."""

    devices: dict[str, int]
    shared: frozenset[int]


_duties: dict[UUID, tuple[tuple[int, int | None], _Duty]] = {}
"""Agent -> ((site version, host), duty): what an import or an enrolment can change."""


def store_reports(batch: Batch, *, careful: bool = False) -> Outcome:
    """Store what may be stored; Unauthenticated when the agent is unknown or revoked.

    store.OverlapError: some of it is stored already; undo the transaction and call again with `careful`.
    django.db.DataError, OverflowError, ValueError: a report holds something that no check foresaw and
    PostgreSQL cannot store; undo the transaction.
    """
    sender = _locked_sender(batch.agent)
    facts = Facts(site_id=sender.site_id)
    correction = batch.correction
    kept_from_ns = nanoseconds(partitions.kept_from(batch.received))
    duty = _assigned(batch.agent, sender)
    door = Door(duty.devices, correction, kept_from_ns)
    admitted, rejected = admit(batch.reports, door)
    if duty.shared:
        patience = timedelta(seconds=LIFETIME_INTERVALS * sender.interval_s)
        admitted, told = keep_own(batch.agent, duty.shared, admitted, batch.received, patience)
        rejected = sorted([*rejected, *told], key=lambda each: each.index)
    if careful:
        admitted, known = _unknown_only(batch.agent, admitted)
        rejected = sorted([*rejected, *known], key=lambda each: each.index)

    newest = _store_samples(admitted, correction, sender.site_version)
    facts.sampled |= newest.keys()
    figures.write_figures(_figure_rows(admitted, correction))
    apply_states(admitted, correction, facts)
    facts.heard += store.finish(
        store.Finish(
            agent=batch.agent,
            now=batch.received,
            keys=[each.key for each in admitted],
            newest=newest,
            heard=_heard(admitted, correction),
            offset_ms=correction.offset_ms,
            waiting=min(batch.spool.waiting, MAX_COUNTED),
            dropped=min(batch.spool.dropped, MAX_COUNTED),
        )
    )
    _tell_of_sender(batch, sender, facts)
    return Outcome(sender.site, len(admitted), rejected, sender.generation, facts)


def prepare_days(batch: Batch) -> None:
    """Make the partitions that a batch needs, before its transaction."""
    correction = batch.correction
    oldest = nanoseconds(partitions.kept_from(batch.received))
    newest = correction.received_ns + MAX_AHEAD
    times = {correction.ours(report.at) // DAY for _, report in batch.reports if type(report) in PARTITIONED}
    for day in times:
        if oldest // DAY <= day <= newest // DAY:
            partitions.ensure_day(moment(day * DAY).date())


def _locked_sender(agent: UUID) -> _Sender:
    found = store.query(_SENDER, [agent])
    if not found:
        raise Unauthenticated("The agent is unknown or revoked: enrol it anew.")
    return _Sender(*found[0])


def _assigned(agent: UUID, sender: _Sender) -> _Duty:
    stamp = (sender.site_version, sender.host)
    known = _duties.get(agent)
    if known is not None and known[0] == stamp:
        return known[1]
    devices: dict[str, int] = dict(store.query(_DEVICES, [agent]))
    swept = {name: node for node, name in swept_nodes(agent).items()}
    devices.update(swept)
    _ensure_states(set(devices.values()))
    duty = _Duty(devices, frozenset(swept.values()))
    transaction.on_commit(lambda: _duties.update({agent: (stamp, duty)}))
    return duty


def _ensure_states(nodes: set[int]) -> None:
    """Every device that reports has a state row."""
    known = set(NodeState.objects.filter(node_id__in=nodes).values_list("node_id", flat=True))
    missing = [NodeState(node_id=node) for node in sorted(nodes - known)]
    NodeState.objects.bulk_create(missing, ignore_conflicts=True)


def _unknown_only(agent: UUID, admitted: list[Admitted]) -> tuple[list[Admitted], list[Rejection]]:
    if not admitted:
        return [], []
    known = store.known(agent, [each.key for each in admitted])
    if not known:
        return admitted, []
    code, reason = RejectionCode.DUPLICATE, "already stored"
    rejected = [Rejection(index=admitted[at].index, code=code, reason=reason) for at in sorted(known)]
    return [each for at, each in enumerate(admitted) if at not in known], rejected


def _store_samples(admitted: list[Admitted], correction: Correction, version: int) -> dict[int, int]:
    """The end of the newest interval of each node that has one, microseconds by our clock."""
    told = [(each.node, each.report) for each in admitted if isinstance(each.report, PortSamples)]
    keys = [(node, tuple(report.ports)) for node, report in told]
    layouts = layout_ids(keys, version)
    rows: list[store.SampleRow] = []
    newest: dict[int, int] = {}
    for key, (node, report) in zip(keys, told, strict=True):
        at_us = correction.ours(report.at) // 1000
        rows.append(store.SampleRow(node, at_us, correction.shift_ns, layouts[key], report))
        newest[node] = max(at_us, newest.get(node, at_us))
    store.write_samples(rows)
    return newest


def _figure_rows(admitted: list[Admitted], correction: Correction) -> list[figures.FigureRow]:
    return [
        figures.FigureRow(each.node, correction.ours(each.report.at) // 1000, each.report)
        for each in admitted
        if isinstance(each.report, FigureReport)
    ]


def _heard(admitted: list[Admitted], correction: Correction) -> dict[int, int]:
    """Node id -> when its device was last known to answer, microseconds by our clock."""
    times: dict[int, int] = {}
    for each in admitted:
        if _from_device(each.report):
            times[each.node] = max(times.get(each.node, 0), correction.heard_ns(each.report.at) // 1000)
    return times


def _from_device(report: Report) -> bool:
    """A collector that got no answer says nothing of when the device was last heard."""
    if isinstance(report, NoticeReport):
        return False  # Its sender's address is all that vouches for it, and UDP's is easily forged.
    return not (isinstance(report, CollectorReport) and report.outcome in SILENT)


def _tell_of_sender(batch: Batch, sender: _Sender, facts: Facts) -> None:
    if sender.host is None:
        return
    offset_ms, before_ms = batch.correction.offset_ms, sender.clock_offset_ms
    if offset_ms is not None and before_ms is not None and stepped(offset_ms, before_ms):
        facts.clocks.append(ClockStepped(sender.host, batch.received, offset_ms, before_ms))
    lost = batch.spool.dropped - sender.spool_dropped
    if lost > 0:
        facts.drops.append(SpoolDropped(sender.host, batch.received, lost))
