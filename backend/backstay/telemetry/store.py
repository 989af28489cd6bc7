"""The only writer of samples, of the newest samples, and of the ledger of stored reports.

`telemetry_samples` and `telemetry_latest` have the same columns:

    node_id, ts      the device and the interval's end by our clock
    duration_ns      the interval's length by the agent's monotonic clock: rates are growth over this
    shift_ns         what was taken off the agent's time to get `ts`
    layout_id        `PortLayout`: position i of each array is the port with id ports[i]
    in_octets ..     growth in the interval per port; -1 where there is no figure (wire: NO_VALUE)
    in_errors ..     NULL: zero for every port
    in_peak, ..      octets of the busiest second; NULL: not measured
    outcome          `DeltaOutcome` per port; NULL: all OK

All SQL here runs on psycopg's own cursors with prepared statements: it is the hot path, and Django's cursor
binds on the client, which makes the server parse and plan each statement anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection

from backstay.telemetry import copybinary
from backstay_wire import PortSamples

COLUMNS = (
    "node_id, ts, duration_ns, shift_ns, layout_id, in_octets, out_octets, in_packets, out_packets,"
    " in_errors, out_errors, in_discards, out_discards, in_peak, out_peak, outcome"
)
ALWAYS = ("in_octets", "out_octets", "in_packets", "out_packets")
ZERO_WHEN_ABSENT = ("in_errors", "out_errors", "in_discards", "out_discards")
UNKNOWN_WHEN_ABSENT = ("in_peak", "out_peak")
METRICS = (*ALWAYS, *ZERO_WHEN_ABSENT, *UNKNOWN_WHEN_ABSENT)
FIELDS = 5 + len(METRICS) + 1

_COPY = f"COPY telemetry_samples ({COLUMNS}) FROM STDIN (FORMAT binary)"
# LATERAL with LIMIT pins the plan to one index look-up a device, whatever the statistics of a new day say.
_LATEST = f"""
INSERT INTO telemetry_latest ({COLUMNS})
SELECT newest.* FROM unnest(%s::bigint[], %s::timestamptz[]) AS stored (node_id, ts)
CROSS JOIN LATERAL (
    SELECT {COLUMNS} FROM telemetry_samples s
    WHERE s.node_id = stored.node_id AND s.ts = stored.ts LIMIT 1
) AS newest
ON CONFLICT (node_id) DO UPDATE SET
({COLUMNS}) = ROW (EXCLUDED.*)
WHERE telemetry_latest.ts < EXCLUDED.ts
"""  # noqa: S608 - only column names of this module are put in
_KNOWN = """
SELECT report.position FROM unnest(%s::uuid[], %s::bigint[]) WITH ORDINALITY AS report (boot, seq, position)
JOIN telemetry_reportledger l ON l.agent_id = %s AND l.boot = report.boot
WHERE l.seqs @> report.seq
"""
_RECORD = """
INSERT INTO telemetry_reportledger AS l (agent_id, boot, at, seqs)
SELECT %s, report.boot, %s, range_agg(int8range(report.seq, report.seq + 1))
FROM unnest(%s::uuid[], %s::bigint[]) AS report (boot, seq) GROUP BY report.boot
ON CONFLICT (agent_id, boot) DO UPDATE SET seqs = l.seqs + EXCLUDED.seqs, at = EXCLUDED.at
"""

Key = tuple[UUID, int]
"""(boot, seq): with the agent's id, what a report is known by."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One accepted report with its ids and its time by our clock."""

    node: int
    at_us: int
    shift_ns: int
    layout: int
    samples: PortSamples


def cursor() -> psycopg.Cursor[Any]:
    """psycopg's own cursor on Django's connection, in Django's transaction."""
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


def known(agent: UUID, keys: Sequence[Key]) -> set[int]:
    """Positions of the keys that are stored already. The caller holds the agent's row lock."""
    rows = cursor().execute(_KNOWN, [*_unzipped(keys), agent], prepare=True).fetchall()
    return {position - 1 for (position,) in rows}


def record(agent: UUID, keys: Sequence[Key], now: datetime) -> None:
    """Say that these reports are stored, in the transaction that stores them."""
    if keys:
        cursor().execute(_RECORD, [agent, now, *_unzipped(keys)], prepare=True)


def forget_ledgers(before: datetime) -> int:
    """Remove the ledgers of processes that stored nothing since; how many. Their reports would be expired."""
    return cursor().execute("DELETE FROM telemetry_reportledger WHERE at < %s", [before]).rowcount


def write_samples(rows: Sequence[SampleRow]) -> None:
    """Store the rows; the days' partitions must exist."""
    if not rows:
        return
    pieces = [copybinary.HEADER]
    for row in rows:
        pieces += _encoded(row)
    pieces.append(copybinary.TRAILER)
    with cursor().copy(_COPY) as copy:
        copy.write(b"".join(pieces))


def write_latest(newest: Iterable[tuple[int, datetime]]) -> None:
    """Make these stored rows (node, ts) the newest of their devices, unless a newer one is known."""
    ordered = sorted(newest)  # One order for all writers: no deadlocks.
    if ordered:
        nodes, times = [node for node, _ in ordered], [at for _, at in ordered]
        cursor().execute(_LATEST, [nodes, times], prepare=True)


def _encoded(row: SampleRow) -> list[bytes]:
    samples = row.samples
    columns = {name: _column(samples, name) for name in METRICS}
    present = [column for column in columns.values() if column is not None]
    arrays = iter(copybinary.int8_arrays(present))
    head = copybinary.scalars(
        FIELDS,
        node=row.node,
        at_us=row.at_us,
        duration_ns=samples.duration_ns,
        shift_ns=row.shift_ns,
        layout=row.layout,
    )
    fields = [next(arrays) if column is not None else copybinary.NULL for column in columns.values()]
    outcome = samples.outcome
    last = copybinary.int2_array(outcome) if outcome is not None and any(outcome) else copybinary.NULL
    return [head, *fields, last]


def _column(samples: PortSamples, name: str) -> Sequence[int] | None:
    column: list[int] | None = getattr(samples, name)
    if name in ZERO_WHEN_ABSENT and column is not None and not any(column):
        return None
    return column


def _unzipped(keys: Sequence[Key]) -> tuple[list[UUID], list[int]]:
    return [boot for boot, _ in keys], [seq for _, seq in keys]
