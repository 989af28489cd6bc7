"""Clock measurements -> state, history, and a fact for each step.

An agent bounds its host's clock with every request; each bound is checked for steps. One is stored each
minute until the drift is known, then one each five minutes. A device's clock comes with its description.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from backstay.core.diagnosis.clocks import Offset, at_reboot, rate, remembered, step
from backstay.telemetry.facts import ClockStepped, Facts
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.clock import TOLERATED_OFFSET, Correction, moment
from backstay.telemetry.ingest.senders import Sender
from backstay.telemetry.models import ClockReading, ClockState, NodeState

AGENT = "agent"
KEPT_EVERY, DRIFT_KEPT_EVERY = timedelta(seconds=60), timedelta(seconds=300)
"""Between two stored measurements: until the drift is known, and then."""
SUSPECT_MS = 1000.0
"""A clock that moved by more than this since its last stored measurement is checked for a step."""
# The hosts are sorted: one order for all writers, no deadlocks.
_OFFSETS = """
UPDATE telemetry_nodestate AS state SET clock_offset_ms = measured.offset_ms
FROM unnest(%s::bigint[], %s::float8[]) AS measured (node_id, offset_ms)
WHERE state.node_id = measured.node_id RETURNING state.node_id
"""
_WRITTEN = [
    "at",
    "offset_ms",
    "error_ms",
    "stepped_at",
    "step_ms",
    "step_at_reboot",
    "rate_ppm",
    "rate_error_ppm",
    "recent",
]


@dataclass(frozen=True, slots=True)
class Look:
    """One measurement of one node's clock."""

    node_id: int
    source: str
    at: datetime
    """By our clock."""
    offset_ns: int
    error_ns: int
    booted_at: datetime | None

    @property
    def offset(self) -> Offset:
        return Offset(self.at.timestamp(), self.offset_ns / 1e9, self.error_ns / 1e9)


def observe_agents(measured: Iterable[tuple[Sender, Correction]], facts: Facts) -> None:
    """Measure the clocks of agents' own nodes from their batches.

    A row is only written when it is due or when the clock seems to have moved. A bound too wide
    to be stored (an agent's first request, or the first after its clock was set) may still show a step.
    """
    due = {
        sender.host: correction
        for sender, correction in measured
        if sender.host is not None and _is_due(sender, correction)
    }
    if not due:
        return
    hosts = sorted(due)
    booted_at = dict(NodeState.objects.filter(node__in=hosts).values_list("node_id", "booted_at"))
    looks = []
    for host in hosts:
        correction = due[host]
        assert correction.offset_ns is not None
        now = moment(correction.received_ns)
        looks.append(Look(host, AGENT, now, correction.offset_ns, correction.error_ns, booted_at.get(host)))
    observe(looks, facts)
    store.query(_OFFSETS, [hosts, [due[host].offset_ms for host in hosts]])


def _is_due(sender: Sender, correction: Correction) -> bool:
    if correction.offset_ns is None:
        return False
    now, is_wide = moment(correction.received_ns), correction.error_ns > TOLERATED_OFFSET
    every = DRIFT_KEPT_EVERY if sender.has_drift else KEPT_EVERY
    due = sender.clock_kept_at is None or now - sender.clock_kept_at >= every
    before, unsure_ms = sender.clock_kept_ms, correction.error_ns / 1e6
    moved = before is not None and abs(correction.offset_ns / 1e6 - before) > SUSPECT_MS + unsure_ms
    return moved or (due and not is_wide)


def observe(looks: Sequence[Look], facts: Facts) -> None:
    """Store measurements, oldest first; those older than the stored state are skipped."""
    if not looks:
        return
    known = _locked({look.node_id for look in looks})
    changed: dict[tuple[int, str], ClockState] = {}
    for look in looks:
        key = (look.node_id, look.source)
        state = known.get(key)
        if state is None:
            known[key] = changed[key] = _first(look)
        elif look.at > state.at:
            _follow(state, look, facts)
            changed[key] = state
    ClockState.objects.bulk_create(
        [changed[key] for key in sorted(changed)],
        update_conflicts=True,
        unique_fields=["node", "source"],
        update_fields=_WRITTEN,
    )


def points_of(state: ClockState | ClockReading) -> list[Offset]:
    """The stored measurements, oldest first."""
    return [Offset(*point) for point in state.recent]


def _locked(nodes: Iterable[int]) -> dict[tuple[int, str], ClockState]:
    """Lock the rows in the order that all writers use, which avoids deadlocks."""
    rows = ClockState.objects.select_for_update().filter(node__in=list(nodes)).order_by("node_id", "source")
    return {(row.node_id, row.source): row for row in rows}


def _first(look: Look) -> ClockState:
    state = ClockState(node_id=look.node_id, source=look.source)
    _take(state, look, [])
    return state


def _follow(state: ClockState, look: Look, facts: Facts) -> None:
    before = Offset(state.at.timestamp(), state.offset_ms / 1000, state.error_ms / 1000)
    moved = step(before, look.offset)
    if moved is not None:
        started = None if look.booted_at is None else look.booted_at.timestamp()
        state.step_at_reboot = at_reboot(started, before.at, look.offset.at)
        state.stepped_at, state.step_ms = look.at, moved * 1000
        facts.clocks.append(
            ClockStepped(
                node_id=look.node_id,
                at=look.at,
                source=look.source,
                offset_ms=look.offset_ns / 1e6,
                before_ms=state.offset_ms,
                at_reboot=state.step_at_reboot,
            )
        )
    _take(state, look, points_of(state))


def _take(state: ClockState, look: Look, past: Sequence[Offset]) -> None:
    points = remembered(past, look.offset)
    since = None if state.stepped_at is None else state.stepped_at.timestamp()
    found = rate(points, since)
    state.at, state.offset_ms, state.error_ms = look.at, look.offset_ns / 1e6, look.error_ns / 1e6
    state.rate_ppm = None if found is None else found.ppm
    state.rate_error_ppm = None if found is None else found.error_ppm
    state.recent = [
        [round(point.at, 3), round(point.offset_s, 6), round(point.error_s, 6)] for point in points
    ]
