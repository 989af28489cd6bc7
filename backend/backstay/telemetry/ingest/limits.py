"""Limits of storing one request, so that no agent can keep a worker or a row for long.

| limit | value | beyond it |
|---|---|---|
| requests of one agent at a time | 1, and 1 that waits up to `WAIT_MS` | 429, Retry-After |
| wait for another transaction's row | `LOCK_MS` | 503, Retry-After |
| the same, of a group | `GROUP_LOCK_MS` | its batches are stored alone |
| storing the reports of a request together | `STORE_S` | they are stored one by one, with `ALONE_S` each |
| storing a group | `GROUP_STORE_S` | its batches are stored alone |
| one request | `REQUEST_S`, less than the agent's time limit (10 s) | 413: the agent sends fewer at once |
| entries of one report | `MAX_ENTRIES` | the report is refused, the others are stored |

A report that exceeds its time is refused if it has more than `SMALL` entries and had `STORE_S`; a small one
gets 503, because then the database is slow. What was stored before stays stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction
from psycopg import errors

from backstay.core.errors import TooMany
from backstay.telemetry.ingest import deadline, interruption, store
from backstay_wire import (
    AdjacencyReport,
    ArpReport,
    DeviceReport,
    ForwardingReport,
    MetricReport,
    NeighbourReport,
    NoticeReport,
    Report,
    RouteReport,
)

LOCK_MS = 2000
STORE_S = 3.0
ALONE_S = 4.5
"""As `STORE_S`, for a report that is stored alone, so that a loaded machine does not refuse it."""
GROUP_LOCK_MS, GROUP_STORE_S = 200, 1.5
"""Other agents' reports wait for a group. Its wait for a row is less than the time after which PostgreSQL
looks for deadlocks, so that a group gives way at once."""
WAIT_MS = 1000
REQUEST_S = 8.0
RETRY_AFTER_S = 1.0
MAX_ENTRIES: Mapping[type, int] = {
    NeighbourReport: 20_480,
    RouteReport: 16_384,
    ForwardingReport: 32_768,
    MetricReport: 80_000,
}
"""By kind of report: at most 1.5 s of processor time, parsing included, half of `STORE_S`
(`bench/report_limits.py`, docs/benchmarks.md). The wire limits the others."""
SMALL = 1000
"""A batch with more entries gets plans of its own: the plan for a few rows is wrong for thousands."""
_AGENT, _WAITING = 0x1A6E, 0x1A6F
"""Classes of the advisory locks: the agent's request that is being stored, and the one that waits."""

_ENTRIES: Mapping[type, Callable[[Any], int]] = {
    NeighbourReport: lambda report: len(report.neighbours),
    RouteReport: lambda report: sum(
        max(len(route.next_hops), 1) for route in (*report.routes, *report.removed)
    ),
    ForwardingReport: lambda report: len(report.entries),
    AdjacencyReport: lambda report: len(report.adjacencies),
    MetricReport: lambda report: len(report.metrics),
    NoticeReport: lambda report: len(report.notices),
    DeviceReport: lambda report: len(report.ports),
    ArpReport: lambda report: sum(1 + len(port.neighbours) for port in report.ports),
}
_BEGIN = """
SELECT pg_try_advisory_xact_lock(%s, %s), set_config('lock_timeout', %s, true),
    set_config('statement_timeout', %s, true)
"""


_BEGIN_GROUP = "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true)"


class BusyError(TooMany):
    """The agent has a request under way already."""

    def __init__(self) -> None:
        super().__init__(
            "Another request of this agent is being stored; try again.", retry_after_s=RETRY_AFTER_S
        )


def entries(report: Report) -> int:
    """Number of table entries (rows), metrics, notices or ports in a report; 1 for other kinds."""
    count = _ENTRIES.get(type(report))
    return 1 if count is None else count(report)


def excess(report: Report) -> str | None:
    """Why a report is too large to be stored, or None."""
    most = MAX_ENTRIES.get(type(report))
    if most is None or (found := entries(report)) <= most:
        return None
    return f"{found:,} entries; at most {most:,} are stored of one {report.kind} report"


@contextmanager
def limited(agent: UUID, size: int, seconds: float) -> Iterator[None]:
    """A transaction with the agent's lock, whose statements take at most `seconds` together.

    `size`: entries of the batch.

    BusyError: another request of the agent holds the lock, in whichever process. Abandoned: nobody waits.
    """
    with transaction.atomic():
        interruption.begin()
        with deadline.within(seconds, in_force_s=seconds):
            _begin(agent, size, seconds)
            yield


def _begin(agent: UUID, size: int, seconds: float) -> None:
    key = _key(agent)
    ((is_free, *_),) = store.query(_BEGIN, [_AGENT, key, f"{LOCK_MS}ms", f"{round(seconds * 1000)}ms"])
    if not is_free:
        _wait(key)
    if size > SMALL:
        store.query("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)", [])


@contextmanager
def limited_group() -> Iterator[None]:
    """A transaction of a group, whose statements take at most `GROUP_STORE_S` together; it locks no agent."""
    with transaction.atomic(), deadline.within(GROUP_STORE_S, in_force_s=GROUP_STORE_S):
        store.query(_BEGIN_GROUP, [f"{GROUP_LOCK_MS}ms", f"{round(GROUP_STORE_S * 1000)}ms"])
        yield


def is_timeout(problem: OperationalError) -> bool:
    """Whether the transaction's time was over; not if its request was stopped."""
    return isinstance(problem.__cause__, errors.QueryCanceled) and not interruption.is_stopped()


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
