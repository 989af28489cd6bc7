"""Holds requests for the desired state until the generation of their agent changes.

A waiting request costs a future, no thread: one query reads the generations of all that wait. It reads
PostgreSQL, because any process may raise a generation and Redis may be lost at any time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

log = logging.getLogger(__name__)
LOOK_S = 0.1
"""Interval of the query while any request waits: each phase of a change begins this much later at most."""
ReadGenerations = Callable[[Collection[UUID]], Awaitable[Mapping[UUID, int]]]
"""Agent -> generation; agents that are unknown or revoked are missing."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    known: int
    changed: asyncio.Future[bool]


class GenerationWatch:
    """At most one waiting request per agent: a newer one ends the older."""

    def __init__(self, read: ReadGenerations, look_s: float = LOOK_S) -> None:
        self._read = read
        self._look_s = look_s
        self._waiting: dict[UUID, _Waiting] = {}
        self._watching: asyncio.Task[None] | None = None

    async def changed(self, agent: UUID, known: int, within_s: float) -> bool:
        """Whether the agent's generation is no longer `known`, as soon as it is not; False after the time."""
        waiting = _Waiting(known, asyncio.get_running_loop().create_future())
        self._end(agent, changed=False)
        self._waiting[agent] = waiting
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        try:
            async with asyncio.timeout(within_s):
                return await waiting.changed
        except TimeoutError:
            return False
        finally:
            if self._waiting.get(agent) is waiting:
                del self._waiting[agent]

    def _end(self, agent: UUID, *, changed: bool) -> None:
        waiting = self._waiting.pop(agent, None)
        if waiting is not None and not waiting.changed.done():
            waiting.changed.set_result(changed)

    async def _watch(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(self._look_s)
                await self._look()
        finally:
            self._watching = None

    async def _look(self) -> None:
        asked = dict(self._waiting)
        try:
            newest = await self._read(asked)
        except Exception as problem:
            # Nobody waits longer than without: each request ends at its own time.
            log.warning("generations cannot be read: %s", type(problem).__name__)
            return
        for agent, waiting in asked.items():
            if newest.get(agent) != waiting.known and self._waiting.get(agent) is waiting:
                self._end(agent, changed=True)
