"""Bounded thread pools for database work, so that one kind of request never waits behind another kind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from backstay.core.errors import TooMany, Unavailable
from backstay.telemetry.ingest.interruption import Work

RETRY_AFTER_S = 2.0
STOP_AGAIN_S = 0.1
T = TypeVar("T")


class Lane:
    """`threads` threads; at most `most_waiting` calls wait for one, each at most `patience_s`."""

    def __init__(self, name: str, *, threads: int, most_waiting: int, patience_s: float) -> None:
        self._name, self._most_waiting, self._patience_s = name, most_waiting, patience_s
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = asyncio.Semaphore(threads)
        self._waiting = 0

    async def run(self, function: Callable[[], T]) -> T:
        """The function's result, from one of the threads. Raises Unavailable if none is free in time.

        When cancelled, the function is not called, or stopped; then this ends when its thread is free.
        """
        await self._acquire()
        work = Work(function)
        try:
            future = asyncio.get_running_loop().run_in_executor(self._executor, work)
        except BaseException:
            self._free.release()
            raise
        # The thread is free when the call ends, not when its client goes away.
        future.add_done_callback(lambda _: self._free.release())
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            await _stop(work, future)
            raise

    async def _acquire(self) -> None:
        if self._free.locked() and self._waiting >= self._most_waiting:
            raise Unavailable(f"Too many requests ({self._name}); try again.", retry_after_s=RETRY_AFTER_S)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience_s):
                await self._free.acquire()
        except TimeoutError:
            raise Unavailable(
                f"No thread was free within {self._patience_s:g} s ({self._name}); try again.",
                retry_after_s=RETRY_AFTER_S,
            ) from None
        finally:
            self._waiting -= 1


async def _stop(work: Work[T], future: asyncio.Future[Any]) -> None:
    """Cancel the statements of the work until it ends."""
    while not future.done():
        await asyncio.to_thread(work.stop)
        await asyncio.wait([future], timeout=STOP_AGAIN_S)
    future.exception()  # Nobody waits for it.


class OneAtATime:
    """Calls with the same key run one after the other; at most `most_waiting` of them wait."""

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Hold the key's lock. Raises TooMany."""
        lock, users = self._locks.get(key) or (asyncio.Lock(), 0)
        if users > self._most_waiting:
            raise TooMany("Earlier requests of this agent are in progress.", retry_after_s=RETRY_AFTER_S)
        self._locks[key] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(key)
            if users > 1:
                self._locks[key] = (lock, users - 1)
