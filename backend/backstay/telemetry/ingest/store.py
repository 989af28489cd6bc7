"""The only writer of samples, of the newest-sample index, and of the ledger of stored reports.

The columns of `telemetry_samples`, and of `telemetry_latest`, which holds the newest row per source of each
device (a layout identifies a source: a kernel and its adapters report different ports):

    node_id, ts      the device and the interval's end by our clock
    duration_ns      the interval's length by the agent's monotonic clock: rate = growth / length
    shift_ns         subtracted from the agent's time to get `ts`
    layout_id        `PortLayout`: position i of each array is the port with id ports[i]
    in_octets ..     growth in the interval per port; -1: no value (wire: NO_VALUE)
    in_errors ..     NULL: zero for every port
    in_peak, ..      octets of the busiest second; NULL: not measured
    outcome          `DeltaOutcome` per port; NULL: all OK
    elsewhere        `telemetry_latest` only: ports taken from another source; NULL: none

This is the hot path. All SQL runs on psycopg's own cursors with prepared statements, because Django's cursor
binds on the client and makes the server parse and plan each statement again. Arrays are passed as text,
because psycopg encodes them item by item in Python. Statements are combined, because a round trip costs more
than most of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection

from backstay.telemetry.facts import NodeReporting
from backstay.telemetry.ingest import copybinary, deadline
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
REPORT_RESOLUTION = "interval '500 milliseconds'"
"""Minimum age of a device's last report before it is rewritten; saves writes."""

MOMENT = "(timestamptz 'epoch' + {} * interval '1 microsecond')"
"""A time from microseconds: exact, because a double holds integers up to 2^53, and cheaper than text."""
_COPY = f"COPY telemetry_samples ({COLUMNS}) FROM STDIN (FORMAT binary)"
# Rows without a key: the roll-up that deletes older ones blocks no insert.
_LATE, _LATE_METRICS = (
    f"""
INSERT INTO {table} (node_id, hour)
SELECT node_id, to_timestamp(hour) FROM unnest(%s::bigint[], %s::bigint[]) AS late (node_id, hour) RETURNING 1
"""  # noqa: S608 - only constants are put in
    for table in ("telemetry_rolluplate", "telemetry_metricrolluplate")
)
_KNOWN = """
SELECT report.position
FROM unnest(%s::uuid[], %s::uuid[], %s::bigint[]) WITH ORDINALITY AS report (agent, boot, seq, position)
JOIN telemetry_reportledger l ON l.agent_id = report.agent AND l.boot = report.boot
WHERE l.seqs @> report.seq
"""
# ledger: an overlap leaves the row unchanged, which the count shows.
# reporting: _REVIVE updates stale devices, because their previous state is needed; that is rare.
_FINISH = f"""
WITH ledger AS (
    INSERT INTO telemetry_reportledger AS l (agent_id, boot, at, seqs)
    SELECT agent, boot, %(now)s, seqs::int8multirange
    FROM unnest(%(owners)s::uuid[], %(boots)s::uuid[], %(seqs)s::text[]) AS stored (agent, boot, seqs)
    ON CONFLICT (agent_id, boot) DO UPDATE SET seqs = l.seqs + EXCLUDED.seqs, at = EXCLUDED.at
    WHERE NOT l.seqs && EXCLUDED.seqs
    RETURNING 1
), newest AS (
    INSERT INTO telemetry_newest AS known (node_id, layout_id, ts, duration_ns)
    SELECT node_id, layout_id, {MOMENT.format("us")}, duration_ns
    FROM unnest(%(sampled)s::bigint[], %(layouts)s::bigint[], %(ends)s::bigint[], %(durations)s::bigint[])
        AS stored (node_id, layout_id, us, duration_ns)
    ON CONFLICT (node_id, layout_id) DO UPDATE SET ts = EXCLUDED.ts, duration_ns = EXCLUDED.duration_ns
    WHERE known.ts < EXCLUDED.ts
    RETURNING node_id, xmax = 0 AS made
), reporting AS (
    UPDATE telemetry_nodestate AS state SET last_reported_at = {MOMENT.format("news.us")}
    FROM unnest(%(reporting)s::bigint[], %(times)s::bigint[]) AS news (node_id, us)
    WHERE state.node_id = news.node_id AND state.stale_since IS NULL
      AND (state.last_reported_at IS NULL
           OR {MOMENT.format("news.us")} > state.last_reported_at + {REPORT_RESOLUTION})
), sender AS (
    UPDATE accounts_agent AS agent SET last_reported_at = %(now)s,
        clock_offset_ms = coalesce(sent.offset_ms, agent.clock_offset_ms),
        spool_waiting = sent.waiting, spool_dropped = sent.dropped,
        reports_refused = agent.reports_refused + sent.refused,
        reports_sanitised = agent.reports_sanitised + sent.sanitised
    FROM unnest(%(agents)s::uuid[], %(offsets)s::float8[], %(waiting)s::int[], %(dropped)s::int[],
            %(refused)s::int[], %(sanitised)s::int[])
        AS sent (id, offset_ms, waiting, dropped, refused, sanitised)
    WHERE agent.id = sent.id
)
SELECT (SELECT count(*) FROM ledger), ARRAY (
    SELECT node_id FROM telemetry_nodestate
    WHERE node_id = ANY (%(reporting)s::bigint[]) AND stale_since IS NOT NULL
), ARRAY (SELECT node_id FROM newest WHERE made)
"""  # noqa: S608 - only constants of this module are put in
# Remove layouts that a device replaced because its number of ports changed.
_RETIRE = """
DELETE FROM telemetry_newest AS old USING telemetry_newest AS new, telemetry_portlayout AS former,
    telemetry_portlayout AS present
WHERE new.node_id = ANY (%s::bigint[]) AND old.node_id = new.node_id AND old.layout_id <> new.layout_id
  AND former.id = old.layout_id AND present.id = new.layout_id AND former.ports && present.ports
  AND old.ts + greatest(old.duration_ns / 1000 * 2, 5000000) * interval '1 microsecond' < new.ts
RETURNING old.node_id
"""
_REVIVE = f"""
WITH before AS (
    SELECT known.node_id, coalesce(known.last_reported_at, known.stale_since) AS last,
        {MOMENT.format("news.us")} AS at
    FROM unnest(%(reporting)s::bigint[], %(times)s::bigint[]) AS news (node_id, us)
    JOIN telemetry_nodestate known ON known.node_id = news.node_id
    WHERE {MOMENT.format("news.us")} > known.stale_since
    ORDER BY known.node_id FOR NO KEY UPDATE OF known
)
UPDATE telemetry_nodestate AS state
SET last_reported_at = before.at, changed_at = before.at, stale_since = NULL
FROM before WHERE state.node_id = before.node_id
RETURNING state.node_id, before.at, before.last
"""  # noqa: S608 - only constants of this module are put in

Key = tuple[UUID, int]
"""(boot, seq): identifies a report within an agent."""
Source = tuple[int, int]
"""(node id, layout id): one of the sources of a device's samples."""
Interval = tuple[int, int]
"""(end, microseconds since the Unix epoch by our clock; length, nanoseconds)."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One accepted report with its ids and its time by our clock."""

    node: int
    at_us: int
    shift_ns: int
    layout: int
    samples: PortSamples


@dataclass(frozen=True, slots=True)
class Finish:
    """What one agent's batch writes in addition to samples and states."""

    agent: UUID
    now: datetime
    keys: Sequence[Key]
    newest: Mapping[Source, Interval]
    """The newest stored interval of each source."""
    reporting: Mapping[int, int]
    """Node id -> when the device last reported, microseconds since the Unix epoch by our clock."""
    offset_ms: float | None
    """None: keep the stored value."""
    waiting: int
    dropped: int
    refused: int
    sanitised: int


class OverlapError(Exception):
    """A report is already stored."""


def query(statement: str, values: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Run a prepared statement on Django's connection, in its transaction, and return all rows.

    Raises Django's errors (django.db.OperationalError, DataError, ...).
    """
    with connection.wrap_database_errors:
        deadline.limit_statement()
        return _cursor().execute(statement, values, prepare=True).fetchall()


def _cursor() -> psycopg.Cursor[Any]:
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


def known(keys: Sequence[tuple[UUID, Key]]) -> set[int]:
    """Positions of the keys, each with its agent, that are stored; the caller has locked the agents."""
    columns = zip(*((agent, boot, seq) for agent, (boot, seq) in keys), strict=True)
    return {position - 1 for (position,) in query(_KNOWN, [array(column) for column in columns])}


def finish(ends: Sequence[Finish]) -> list[NodeReporting]:
    """Write everything except samples and states; returns the devices that had been stale.

    `ends`: one for each agent, in the order of their ids, with devices of its own.

    OverlapError if a report is already stored; the caller must roll back.
    """
    seqs: dict[tuple[UUID, UUID], list[int]] = {}
    for end in ends:
        for boot, seq in end.keys:
            seqs.setdefault((end.agent, boot), []).append(seq)
    newest = {source: interval for end in ends for source, interval in end.newest.items()}
    times = {node: at for end in ends for node, at in end.reporting.items()}
    sampled, reporting = sorted(newest), sorted(times)  # One order for all writers: no deadlocks.
    values = {
        "now": max(end.now for end in ends),
        "owners": array(agent for agent, _ in seqs),
        "boots": array(boot for _, boot in seqs),
        "seqs": array(f'"{multirange(numbers)}"' for numbers in seqs.values()),
        "sampled": array(node for node, _ in sampled),
        "layouts": array(layout for _, layout in sampled),
        "ends": array(newest[source][0] for source in sampled),
        "durations": array(newest[source][1] for source in sampled),
        "reporting": array(reporting),
        "times": array(times[node] for node in reporting),
        "agents": array(end.agent for end in ends),
        "offsets": array("NULL" if end.offset_ms is None else end.offset_ms for end in ends),
        "waiting": array(end.waiting for end in ends),
        "dropped": array(end.dropped for end in ends),
        "refused": array(end.refused for end in ends),
        "sanitised": array(end.sanitised for end in ends),
    }
    ((recorded, stale, made),) = query(_FINISH, values)
    if recorded != len(seqs):
        raise OverlapError
    if made:
        query(_RETIRE, [array(made)])
    if not stale:
        return []
    revived = query(_REVIVE, {"reporting": values["reporting"], "times": values["times"]})
    return [NodeReporting(node, at, (at - last).total_seconds()) for node, at, last in revived]


def forget_ledgers(before: datetime) -> int:
    """Remove ledgers unused since `before`, whose reports have expired; returns the count."""
    return len(query("DELETE FROM telemetry_reportledger WHERE at < %s RETURNING 1", [before]))


def write_samples(rows: Sequence[SampleRow]) -> None:
    """Store the rows; the days' partitions must exist."""
    if not rows:
        return
    with connection.wrap_database_errors:
        deadline.limit_statement()
        with _cursor().copy(_COPY) as copy:
            copy.write(b"".join([copybinary.HEADER, *_encoded(rows), copybinary.TRAILER]))


def mark_late(samples: Collection[tuple[int, int]], metrics: Collection[tuple[int, int]]) -> None:
    """Have these hours, (node, Unix seconds), rolled up again; no statement if there are none."""
    for statement, hours in ((_LATE, samples), (_LATE_METRICS, metrics)):
        if hours:
            nodes, starts = zip(*sorted(hours), strict=True)
            query(statement, [array(nodes), array(starts)])


def _encoded(rows: Sequence[SampleRow]) -> list[bytes]:
    """Rows in COPY format; the columns of all rows are converted together."""
    columns = [_columns(row.samples) for row in rows]
    arrays = iter(copybinary.int8_arrays([column for row in columns for column in row if column is not None]))
    pieces: list[bytes] = []
    for row, present in zip(rows, columns, strict=True):
        pieces.append(
            copybinary.scalars(
                FIELDS,
                node=row.node,
                at_us=row.at_us,
                duration_ns=row.samples.duration_ns,
                shift_ns=row.shift_ns,
                layout=row.layout,
            )
        )
        pieces += [copybinary.NULL if column is None else next(arrays) for column in present]
        outcome = row.samples.outcome
        pieces.append(copybinary.int2_array(outcome) if outcome and any(outcome) else copybinary.NULL)
    return pieces


def _columns(samples: PortSamples) -> list[Sequence[int] | None]:
    """The columns in the order of METRICS; None if zero for every port."""
    found = list(_metrics(samples))
    for at, column in enumerate(found[_FIRST_ZERO:_FIRST_UNKNOWN], _FIRST_ZERO):
        if column is not None and not any(column):
            found[at] = None
    return found


_metrics = attrgetter(*METRICS)
_FIRST_ZERO = len(ALWAYS)
_FIRST_UNKNOWN = _FIRST_ZERO + len(ZERO_WHEN_ABSENT)


def array(values: Iterable[object]) -> str:
    """An array literal of PostgreSQL; the values need no quotes or have them."""
    return "{" + ",".join(map(str, values)) + "}"


def multirange(numbers: Iterable[int]) -> str:
    """Numbers as an int8multirange literal: 1, 2, 3 and 7 are `{[1,4),[7,8)}`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number:
            runs[-1][1] = number + 1
        else:
            runs.append([number, number + 1])
    return "{" + ",".join(f"[{low},{high})" for low, high in runs) + "}"
