"""Stops a request's work, which runs in a thread, from outside: its client has closed the connection.

A request to cancel that arrives between two statements has no effect, so `stop` is repeated until the work
ends. What is committed takes its whole effect: from a commit to the next transaction nothing is cancelled.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import psycopg
from django.db import connection, connections, transaction

from backstay.core.errors import Abandoned

CANCEL_S = 1.0
"""Longest wait for PostgreSQL to take a request to cancel."""
T = TypeVar("T")

log = logging.getLogger(__name__)


class _Thread(threading.local):
    work: Work[Any] | None = None


_thread = _Thread()


class Work(Generic[T]):
    """A call for a thread; `stop` cancels its statements, and prevents its next transaction."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._database: Any = None
        """Connection of the thread while its statements may be cancelled."""
        self._is_stopped = False

    def __call__(self) -> T:
        """Call the function in this thread. Raises Abandoned if stopped before."""
        self.allow()
        _thread.work = self
        try:
            return self._function()
        finally:
            _thread.work = None
            self.protect()

    def allow(self) -> None:
        """From now on, `stop` may cancel what runs in this thread. Raises Abandoned if it was called."""
        with self._lock:
            if self._is_stopped:
                raise Abandoned
            self._database = connections[connection.alias]

    def protect(self) -> None:
        """From now on, nothing is cancelled; waits for a `stop` that does."""
        with self._lock:
            self._database = None

    def stop(self) -> None:
        """Cancel the statement that runs, if any; call it from another thread, until the work ends."""
        with self._lock:
            self._is_stopped = True
            running: psycopg.Connection[Any] | None = self._database and self._database.connection
            if running is None or running.closed:
                return
            # PostgreSQL has signalled the process when this returns: no later statement is hit.
            try:
                running.cancel_safe(timeout=CANCEL_S)
            except psycopg.Error as problem:
                log.warning("a statement could not be cancelled: %s", problem)

    @property
    def is_stopped(self) -> bool:
        return self._is_stopped


def begin() -> None:
    """In a new transaction: this thread's work may be stopped until it commits. Raises Abandoned."""
    work = _thread.work
    if work is not None:
        work.allow()
        transaction.on_commit(work.protect)


def is_stopped() -> bool:
    """Whether this thread's work was stopped: then a cancelled statement was not too slow."""
    return _thread.work is not None and _thread.work.is_stopped


def check() -> None:
    """Raise Abandoned if this thread's work was stopped."""
    if is_stopped():
        raise Abandoned
