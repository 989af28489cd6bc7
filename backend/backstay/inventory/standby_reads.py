"""Reads that a streaming standby answers instead of the primary, without showing anything older.

Before each of them, the primary is asked how far its log (WAL) is on its disk: every commit that a client
knows of is before that position. The standby answers once it has replayed the position; if it has not within
`READ_DB_LAG_S`, the primary answers. So a reader sees its own writes and what a live message announced, and
no clock is involved.

A standby that fails is not asked again until a probe, in a thread of its own, finds it able to serve: after
a second at first, then in growing intervals. So it costs later requests nothing.

Selectors use `django.db.connection` for their own SQL, which a database router does not see. So the thread's
default connection is exchanged while a function reads.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import psycopg
from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    connections,
)

log = logging.getLogger(__name__)
ALIAS = "standby"
REPLY_S = 1.0
"""Longest wait for a standby's reply to how far it is."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 15.0
SHORT_S, LONG_S = 0.001, 0.02
"""Between two questions while it catches up."""
_WRITTEN = """
SELECT current_setting('synchronous_commit'), pg_current_wal_flush_lsn()::text,
    (SELECT system_identifier FROM pg_control_system())
"""
_REPLAYED = """
SELECT pg_is_in_recovery(), EXISTS (SELECT FROM pg_stat_wal_receiver),
    pg_wal_lsn_diff(%s::pg_lsn, pg_last_wal_replay_lsn())::bigint,
    (SELECT system_identifier FROM pg_control_system())
"""
P = ParamSpec("P")
R = TypeVar("R")
Position = tuple[str, int]
"""Position in the log, as PostgreSQL writes it, and the identifier of the database cluster."""


class StandbyUnusable(Exception):  # noqa: N818 - a condition of another server
    """Why the standby cannot answer, a predicate; `behind`: bytes of log that it has not replayed."""

    def __init__(self, reason: str, behind: int | None = None) -> None:
        super().__init__(reason)
        self.behind = behind


@dataclass(frozen=True, slots=True)
class StandbyStatus:
    """What was found last."""

    serves: bool
    """Whether it answers reads; otherwise the primary does."""
    reason: str = ""
    """Why it does not, a predicate."""
    lag_s: float | None = None
    """Seconds until it had replayed what the primary had written; None: not within the limit."""
    behind_bytes: int | None = None
    """Log that it has not replayed; None: unknown."""


class StandbyGate:
    """Whether reads may try the standby; of this process."""

    def __init__(self, probe: Callable[[], StandbyStatus]) -> None:
        self._probe = probe
        self._lock = threading.Lock()
        self._probing = threading.Lock()
        self._status = StandbyStatus(serves=False, reason="was not asked yet")
        self._due, self._pause = 0.0, FIRST_PAUSE_S

    @property
    def serves(self) -> bool:
        """Whether it served last."""
        return self._status.serves

    def admits(self) -> bool:
        """Whether it served last. If not, this starts a probe when one is due, and does not wait for it."""
        with self._lock:
            if self._status.serves:
                return True
            if time.monotonic() < self._due:
                return False
            self._due = time.monotonic() + self._pause
        threading.Thread(target=self.status, name="standby probe", daemon=True).start()
        return False

    def status(self) -> StandbyStatus:
        """Probe now, unless another thread does."""
        if not self._probing.acquire(blocking=False):
            return self._status
        try:
            found = self._probe()
            with self._lock:
                self._set(found)
            return found
        finally:
            self._probing.release()

    def close(self, status: StandbyStatus) -> None:
        """A read has failed; the others that fail with it change nothing."""
        with self._lock:
            if self._status.serves:
                self._set(status)

    def _set(self, found: StandbyStatus) -> None:
        has_changed = found.serves != self._status.serves
        if has_changed and found.serves:
            log.info("the standby answers reads")
        elif has_changed:
            log.warning("the standby %s; the primary answers reads", found.reason)
        is_first = found.serves or has_changed
        self._pause = FIRST_PAUSE_S if is_first else min(self._pause * 2, LONGEST_PAUSE_S)
        self._due = time.monotonic() + self._pause
        self._status = found


def is_configured() -> bool:
    """Whether there is a standby for reads."""
    return ALIAS in connections.settings


def reads_standby(function: Callable[P, R]) -> Callable[P, R]:
    """Let the standby answer what the function reads, if it can; never within a transaction.

    Each statement sees the newest data, as on the primary, or those of a read_transaction one snapshot. One
    snapshot around the whole function would miss a day that is archived and dropped meanwhile.

    The function must only read, and return values, no querysets or generators. If the standby is lost, it
    runs again on the primary.
    """

    @functools.wraps(function)
    def read(*args: P.args, **kwargs: P.kwargs) -> R:
        if not is_configured() or connection.alias == ALIAS or connection.in_atomic_block:
            return function(*args, **kwargs)
        if not gate.admits() or not _has_caught_up():
            return function(*args, **kwargs)
        try:
            with _standby_as_default():
                return function(*args, **kwargs)
        except (OperationalError, InterfaceError, InternalError) as problem:
            _check_cause(problem)
        return function(*args, **kwargs)

    return read


def _has_caught_up() -> bool:
    try:
        _catch_up(_written())
    except (StandbyUnusable, DatabaseError, InterfaceError) as problem:
        gate.close(_failed(problem))
        return False
    return True


def _check_cause(problem: Exception) -> None:
    """Raise what the primary would raise too; otherwise it answers."""
    match problem.__cause__:
        case psycopg.errors.QueryCanceled() if settings.DB_STATEMENT_S:  # The same limit as the primary's.
            raise problem
        case psycopg.errors.ReadOnlySqlTransaction():
            log.error("a read writes and is repeated on the primary", exc_info=problem)
        case psycopg.errors.SerializationFailure() | psycopg.errors.QueryCanceled():
            log.info("the standby cancelled a read that held up its replay or took too long: %s", problem)
        case psycopg.errors.InternalError():
            raise problem
        case _:
            gate.close(_failed(problem))


@contextmanager
def _standby_as_default() -> Iterator[None]:
    """This thread's default connection is the standby's."""
    primary = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connections[ALIAS]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = primary


def _written() -> Position:
    """How far the primary has written. Raises StandbyUnusable and the primary's errors."""
    with connection.cursor() as cursor:
        cursor.execute(_WRITTEN)
        commit, position, cluster = cursor.fetchone()
    if commit == "off":
        raise StandbyUnusable("cannot be used with synchronous_commit = off")
    return position, cluster


def _catch_up(position: Position) -> float:
    """Seconds until the standby had replayed the position. Raises StandbyUnusable and Django's errors."""
    began, pause = time.monotonic(), SHORT_S
    with _hurried() as cursor:
        while (behind := _behind(cursor, position)) > 0:
            if time.monotonic() - began > settings.READ_DB_LAG_S:
                raise StandbyUnusable(f"is more than {settings.READ_DB_LAG_S:g} s behind", behind)
            time.sleep(pause)
            pause = min(pause * 2, LONG_S)
    return time.monotonic() - began


def _behind(cursor: Any, position: Position) -> int:
    """Bytes of log before the position that it has not replayed. Raises StandbyUnusable."""
    cursor.execute(_REPLAYED, [position[0]])
    is_standby, receives, behind, cluster = cursor.fetchone()
    if cluster != position[1]:
        raise StandbyUnusable("is not a copy of the primary")
    if not is_standby or behind is None:
        raise StandbyUnusable("is not a standby any more")
    if not receives:  # It may have replayed what the primary lost; the same position is then other data.
        raise StandbyUnusable("receives nothing from the primary", max(behind, 0))
    return int(behind)


@contextmanager
def _hurried() -> Iterator[Any]:
    """A cursor of the standby with a short limit; its connection is closed after a failure."""
    standby = connections[ALIAS]
    try:
        standby.ensure_connection()
        driver: Any = standby.connection
        usual, driver.reply_s = driver.reply_s, REPLY_S
        try:
            with standby.cursor() as cursor:
                yield cursor
        finally:
            driver.reply_s = usual
    except BaseException:
        standby.close()
        raise


def _failed(problem: Exception) -> StandbyStatus:
    if isinstance(problem, StandbyUnusable):
        return StandbyStatus(serves=False, reason=str(problem), behind_bytes=problem.behind)
    return StandbyStatus(
        serves=False, reason=f"does not answer ({type(problem.__cause__ or problem).__name__})"
    )


def measure() -> StandbyStatus:
    """Ask both servers, on connections of this thread, which it closes."""
    try:
        if not gate.serves:
            connections[ALIAS].close_pool()  # type: ignore[attr-defined]  # Its connections may be lost.
        lag_s = _catch_up(_written())
    except (StandbyUnusable, DatabaseError, InterfaceError) as problem:
        return _failed(problem)
    finally:
        connections.close_all()
    return StandbyStatus(serves=True, lag_s=round(lag_s, 4), behind_bytes=0)


gate = StandbyGate(measure)


def status() -> StandbyStatus:
    """What this process finds now; it takes a few seconds at most, and closes this thread's connections."""
    return gate.status()
