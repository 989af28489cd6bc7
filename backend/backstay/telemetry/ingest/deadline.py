"""The time that the statements of one transaction may take together.

PostgreSQL's statement_timeout limits one statement, and a report takes several. So a statement begins with
what is left of the transaction's time. A quick transaction pays nothing for it.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from psycopg.pq import TransactionStatus

SLACK_S = 0.25
"""The limit in force is renewed when it differs from the time left by more than this."""
LEAST_MS = 1
"""0 would mean no limit."""


class _Thread(threading.local):
    ends_at = math.inf
    """Monotonic seconds."""
    in_force_s = math.inf
    """The transaction's statement_timeout."""


_thread = _Thread()


@contextmanager
def within(seconds: float, in_force_s: float | None = None) -> Iterator[None]:
    """In a transaction: all statements of the block together take at most about `seconds`.

    The one that runs then ends with OperationalError, from QueryCanceled. `in_force_s`: the statement_timeout
    that the caller sets; None: that of the block around this one, or unknown.
    """
    before = _thread.ends_at
    _thread.ends_at = time.monotonic() + seconds
    if in_force_s is not None or before == math.inf:
        _thread.in_force_s = math.inf if in_force_s is None else in_force_s
    try:
        with connection.execute_wrapper(_limited):
            yield
    finally:
        _thread.ends_at = before


def limit_statement() -> None:
    """Call it before a statement on psycopg's own cursor; Django's cursors do it by themselves."""
    if _thread.ends_at == math.inf:
        return
    left_s = _thread.ends_at - time.monotonic()
    if left_s > 0 and abs(left_s - _thread.in_force_s) < SLACK_S:
        return
    # Not in a failed transaction, whose savepoint is being rolled back.
    if connection.connection.info.transaction_status is TransactionStatus.INTRANS:
        milliseconds = max(round(left_s * 1000), LEAST_MS)
        psycopg.Cursor(connection.connection).execute(
            "SELECT set_config('statement_timeout', %s, true)", [f"{milliseconds}ms"], prepare=True
        )
        _thread.in_force_s = left_s


def _limited(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> object:
    limit_statement()
    return execute(sql, params, many, context)
