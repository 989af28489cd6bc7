"""Gathers calls that share their work: all that arrive within a short time are handled together.

One thread handles one group after the other. While it is busy, the next group grows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from backstay.core.errors import Unavailable

RETRY_AFTER_S = 2.0
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class _Call(Generic[ItemT, ResultT]):
    item: ItemT
    future: asyncio.Future[ResultT]
    due_s: float
    """When its group begins at the latest, if the thread is free (the loop's clock)."""


class CallGroups(Generic[ItemT, ResultT]):
    """Calls `handle` with at most `most` items, which have waited for `wait_s` or longer.

    At most `most_waiting` items wait, each at most `patience_s` for its result. `handle` returns a result for
    each item, in their order.
    """

    def __init__(
        self,
        name: str,
        handle: Callable[[Sequence[ItemT]], Sequence[ResultT]],
        *,
        wait_s: float,
        most: int,
        most_waiting: int,
        patience_s: float,
    ) -> None:
        self._name, self._handle = name, handle
        self._wait_s, self._patience_s = wait_s, patience_s
        self._most, self._most_waiting = most, most_waiting
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting: list[_Call[ItemT, ResultT]] = []
        self._task: asyncio.Task[None] | None = None
        self._busy_since: float | None = None

    async def result(self, item: ItemT) -> ResultT:
        """The item's result. Raises Unavailable, and what `handle` raises for its group."""
        if len(self._waiting) >= self._most_waiting:
            raise Unavailable(f"Too many requests ({self._name}); try again.", retry_after_s=RETRY_AFTER_S)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[ResultT] = loop.create_future()
        self._waiting.append(_Call(item, future, loop.time() + self._wait_s))
        if self._task is None:
            self._task = loop.create_task(self._run())
        try:
            async with asyncio.timeout(self._patience_s):
                return await future
        except TimeoutError:
            raise Unavailable(
                f"Not done within {self._patience_s:g} s ({self._name}); try again.",
                retry_after_s=RETRY_AFTER_S,
            ) from None

    @property
    def busy_s(self) -> float:
        """For how long the thread has been handling its group, seconds."""
        return 0.0 if self._busy_since is None else time.monotonic() - self._busy_since

    async def _run(self) -> None:
        """Handle groups until nothing waits."""
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                await asyncio.sleep(self._waiting[0].due_s - loop.time())
                calls, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                await self._handled([call for call in calls if not call.future.done()])
        finally:
            self._task = None

    async def _handled(self, calls: Sequence[_Call[ItemT, ResultT]]) -> None:
        if not calls:
            return
        self._busy_since = time.monotonic()
        items = [call.item for call in calls]
        try:
            results = await asyncio.get_running_loop().run_in_executor(self._thread, self._handle, items)
        except Exception as problem:
            for call in calls:
                if not call.future.done():
                    call.future.set_exception(problem)
            return
        finally:
            self._busy_since = None
        for call, result in zip(calls, results, strict=True):
            if not call.future.done():
                call.future.set_result(result)
