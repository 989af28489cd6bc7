"""Checks of the parts of the service, each in a thread with a deadline.

A check that hangs is not started again until it ends, and results are shared for a second: whoever asks often
causes no more work than whoever asks once.
"""

from __future__ import annotations

import logging
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDoneError
from dataclasses import dataclass
from typing import Generic, TypeVar

DEADLINE_S = 2.5
SHARED_S = 1.0
INGEST_S = 2.0
T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """A check's value, or why it failed."""

    value: T | None
    failure: str | None


class Check(Generic[T]):
    """One check of this process."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._running: Future[T] | None = None
        self._began = 0.0

    def start(self) -> Future[T]:
        """The running check, a recent one, or a new one."""
        now = time.monotonic()
        with self._lock:
            done = self._running is None or (self._running.done() and now - self._began > SHARED_S)
            if done:
                self._running, self._began = Future(), now
                threading.Thread(target=self._run, args=[self._running], daemon=True).start()
            assert self._running is not None
            return self._running

    def _run(self, future: Future[T]) -> None:
        try:
            future.set_result(self._work())
        except Exception as problem:
            future.set_exception(problem)


def result_of(future: Future[T], until: float) -> Result[T]:
    """The result by `until` (monotonic seconds)."""
    try:
        return Result(future.result(max(0.0, until - time.monotonic())), None)
    except NotDoneError:
        return Result(None, f"did not answer within {DEADLINE_S:g} s")
    except Exception as problem:
        log.warning("health check failed: %s: %s", type(problem).__name__, problem)
        return Result(None, f"does not work ({type(problem).__name__}); see the log of the web process")


def ingest_answers(url: str) -> bool:
    """A request through the ingest's own port, threads and database. Raises OSError."""
    request = urllib.request.Request(f"{url.rstrip('/')}/api/agent/v1/health")  # noqa: S310 - an operator's setting
    with urllib.request.urlopen(request, timeout=INGEST_S) as reply:  # noqa: S310
        return bool(reply.status == 200)
