"""Limits of storing one request, so that no agent can keep a worker or a row for long.

| limit | value | beyond it |
|---|---|---|
| requests of one agent at a time | 1, and 1 that waits up to `WAIT_MS` | 429, Retry-After |
| wait for another transaction's row | `LOCK_MS` | 503, Retry-After |
| one statement | `STATEMENT_MS` | the reports are stored one by one, with `ALONE_MS` each |
| one request | `REQUEST_S`, less than the agent's own time limit (10 s) | 503; what is stored stays stored |
| entries of one report | `MAX_ENTRIES` | the report is refused, the others are stored |

A report that exceeds `ALONE_MS` is refused if it has more than `SMALL` entries; otherwise
the database is slow, and the agent tries again later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction
from psycopg import errors

from backstay.core.errors import TooMany
from backstay.telemetry.ingest import store
from backstay_wire import (
    AdjacencyReport,
    ForwardingReport,
    MetricReport,
    NeighbourReport,
    NoticeReport,
    Report,
    RouteReport,
)

LOCK_MS = 2000
STATEMENT_MS = 3000
ALONE_MS = 6000
"""As `STATEMENT_MS`, for a report that is stored alone, so that a loaded machine does not refuse it."""
WAIT_MS = 1000
REQUEST_S = 8.0
RETRY_AFTER_S = 1.0
MAX_ENTRIES: Mapping[type, int] = {
    NeighbourReport: 32_768,
    RouteReport: 32_768,
    ForwardingReport: 32_768,
    AdjacencyReport: 32_768,
    MetricReport: 100_000,
    NoticeReport: 1000,
}
"""By kind of report: meant to be stored within 3 s; extrapolated from 20,000 entries in 1.3 s of CPU time."""
SMALL = 1000
"""A batch with more entries gets plans of its own: the plan for a few rows is wrong for thousands."""
_AGENT, _WAITING = 0x1A6E, 0x1A6F
"""Classes of the advisory locks: the agent's request that is being stored, and the one that waits."""

_ENTRIES: Mapping[type, Callable[[Any], int]] = {
    NeighbourReport: lambda report: len(report.neighbours),
    RouteReport: lambda report: len(report.routes) + len(report.removed),
    ForwardingReport: lambda report: len(report.entries),
    AdjacencyReport: lambda report: len(report.adjacencies),
    MetricReport: lambda report: len(report.metrics),
    NoticeReport: lambda report: len(report.notices),
}
_BEGIN = """
SELECT pg_try_advisory_xact_lock(%s, %s), set_config('lock_timeout', %s, true),
    set_config('statement_timeout', %s, true)
"""


class BusyError(TooMany):
    """The agent has a request under way already."""

    def __init__(self) -> None:
        super().__init__(
            "Another request of this agent is being stored; try again.", retry_after_s=RETRY_AFTER_S
        )


def entries(report: Report) -> int:
    """Number of table entries, metrics or notices in a report; 1 for other kinds."""
    count = _ENTRIES.get(type(report))
    return 1 if count is None else count(report)


def excess(report: Report) -> str | None:
    """Why a report is too large to be stored, or None."""
    most = MAX_ENTRIES.get(type(report))
    if most is None or (found := entries(report)) <= most:
        return None
    return f"{found:,} entries; at most {most:,} are stored of one {report.kind} report"


def begin(agent: UUID, size: int, *, alone: bool = False) -> None:
    """Set the transaction's limits and take the agent's lock until its end.

    `size`: entries of the batch; `alone`: it is the second attempt, with one report.

    BusyError: another request of the agent holds the lock, in whichever process.
    """
    key, limit = _key(agent), ALONE_MS if alone else STATEMENT_MS
    ((is_free, *_),) = store.query(_BEGIN, [_AGENT, key, f"{LOCK_MS}ms", f"{limit}ms"])
    if not is_free:
        _wait(key)
    if size > SMALL:
        store.query("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)", [])


def is_timeout(problem: OperationalError) -> bool:
    """Whether a statement ran longer than `STATEMENT_MS`."""
    return isinstance(problem.__cause__, errors.QueryCanceled)


def is_locked(problem: OperationalError) -> bool:
    """Whether a row stayed locked for longer than `LOCK_MS`."""
    return isinstance(problem.__cause__, errors.LockNotAvailable)


def _key(agent: UUID) -> int:
    """32 bits of the agent's id, signed, for PostgreSQL."""
    return int.from_bytes(agent.bytes[:4], "big", signed=True)


def _wait(key: int) -> None:
    """Wait for the agent's other request, such as a batch during an urgent report; one may wait."""
    ((is_first,),) = store.query("SELECT pg_try_advisory_lock(%s, %s)", [_WAITING, key])
    if not is_first:
        raise BusyError
    try:
        with transaction.atomic():
            store.query("SELECT set_config('lock_timeout', %s, true)", [f"{WAIT_MS}ms"])
            store.query("SELECT pg_advisory_xact_lock(%s, %s)", [_AGENT, key])
            store.query("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_MS}ms"])
    except OperationalError as problem:
        if is_locked(problem):
            raise BusyError from None
        raise
    finally:
        store.query("SELECT pg_advisory_unlock(%s, %s)", [_WAITING, key])
