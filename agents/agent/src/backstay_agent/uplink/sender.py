"""From the spool to the backend: batches one after another, urgent reports past them.

When the backend answers, a report leaves within 30 ms of being made, or within 200 ms where more than 50 a
second are made. A batch that fails waits for the backoff; an urgent report (a path switched, a link fell)
does not: it has its own connection and one attempt of its own, and joins the others only if that fails. An
acknowledgement that gets lost costs nothing but a second sending, for the backend knows each report by
(agent, boot, seq).
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.uplink.backoff import Backoff
from backstay_agent.uplink.client import compress
from backstay_agent.uplink.clock_offset import ClockOffset, Instant
from backstay_agent.uplink.errors import (
    BackendError,
    NoAnswerInTimeError,
    RefusedError,
    TooLargeError,
    UnavailableError,
)
from backstay_agent.uplink.session import Session
from backstay_agent.uplink.spool import Held, Spool
from backstay_wire import MAX_REPORTS, BatchReply, ClockReading, RejectionCode, SpoolState

_log = logging.getLogger(__name__)

_GATHER_S = 0.03
"""Reports of one moment (a tick of several collectors) ride in one batch."""
_PAUSE_S, _BETWEEN_S = 0.02, 0.2
"""A stream of more than 50 reports a second rides five times a second, for a request costs as much as the
poll of some devices. A backlog does not wait."""
_OCTETS = 4 * 1024 * 1024
"""Octets of reports in one batch, before compression: JSON columns shrink to a quarter or less."""
_COMPRESSED = 1024 * 1024
_UNREADABLE = {400, 415, 422}


SLOW_S = 3.0
"""Well below the time limit of a request (client.py)."""
QUICK_S = 1.0


@dataclass(slots=True)
class Pace:
    """The largest batch that is sensible now."""

    most: int = MAX_REPORTS

    def answered(self, count: int, seconds: float) -> None:
        """A batch of so many reports was answered after so long."""
        if seconds > SLOW_S:
            self.too_much(count)
        elif seconds < QUICK_S:
            self.most = min(MAX_REPORTS, self.most * 2)

    def too_much(self, count: int) -> None:
        """So many were too large, or were not answered in time."""
        self.most = max(1, count // 2)


@dataclass(slots=True)
class Delivery:
    """What became of reports since start, for the status file."""

    delivered: int = 0
    rejected: int = 0
    """Reports that the backend will never take, duplicates not counted."""
    last_contact_ns: int | None = None
    """Wall time of the last answer."""
    trouble: str = ""
    """Why nothing gets through right now; empty when it does."""


class Sender:
    """Sends what the spool holds for as long as it runs."""

    def __init__(
        self, spool: Spool, session: Session, clock: Clock, on_generation: Callable[[int], None]
    ) -> None:
        self.delivery = Delivery()
        self._spool = spool
        self._session = session
        self._clock = clock
        self._on_generation = on_generation
        self._wake = asyncio.Event()
        self._express: list[Held] = []
        self._express_wake = asyncio.Event()
        self._pace = Pace()
        self._offset = ClockOffset()

    def on_report(self, held: Held, urgent: bool) -> None:
        """A report was spooled (see Outbox)."""
        if urgent:
            self._express.append(held)
            self._express_wake.set()
        self._wake.set()

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._run_batches())
            group.create_task(self._run_express())

    def clock_reading(self) -> ClockReading | None:
        """How far this host's clock is from the backend's, as far as the requests of late bound it."""
        return self._offset.reading(Instant.of(self._clock))

    async def flush(self) -> None:
        """One attempt to send what waits; for a clean stop."""
        while batch := self._spool.take(self._pace.most, _OCTETS):
            with contextlib.suppress(BackendError):
                if await self._deliver(batch):
                    continue
            return

    async def _run_batches(self) -> None:
        backoff, clock = Backoff(), asyncio.get_running_loop().time
        earliest = 0.0
        while True:
            if self._spool.idle:
                self._wake.clear()
                await self._wake.wait()
            await asyncio.sleep(max(_GATHER_S, earliest - clock()))
            batch = self._spool.take(self._pace.most, _OCTETS)
            if self._spool.idle:
                earliest = clock() + min(len(batch) * _PAUSE_S, _BETWEEN_S)
            if not batch:
                continue
            try:
                await self._deliver(batch)
                backoff.reset()
            except BackendError as error:
                reported = error.retry_after if isinstance(error, UnavailableError) else None
                await self._wait(backoff.next(reported), error)

    async def _wait(self, seconds: float, error: BackendError) -> None:
        reason = f"{type(error).__name__}: {error}"
        if reason != self.delivery.trouble:
            event(
                _log, logging.WARNING, "backend does not take reports", error=reason, wait_s=round(seconds, 1)
            )
        self.delivery.trouble = reason
        await asyncio.sleep(seconds)

    async def _run_express(self) -> None:
        while True:
            await self._express_wake.wait()
            self._express_wake.clear()
            urgent, self._express = self._express, []
            batch = [held for held in urgent if self._spool.take_one(held)]
            if batch:
                with contextlib.suppress(BackendError):
                    await self._deliver(batch[:MAX_REPORTS])
                self._spool.release(batch[MAX_REPORTS:])

    async def _deliver(self, batch: list[Held]) -> bool:
        """Send a batch and act on the answer; whatever happens, no record of it stays taken.

        Raises BackendError when none was delivered and the caller should wait.
        """
        state = SpoolState(waiting=self._spool.waiting, dropped=self._spool.dropped)
        left = Instant.of(self._clock)
        body = compress([held.payload for held in batch], state, left.wall_ns, self._offset.reading(left))
        try:
            if len(body) > _COMPRESSED and len(batch) > 1:
                raise TooLargeError("over our own limit")
            reply = await self._session.call(lambda: self._session.client.report(body))
        except TooLargeError as error:
            return await self._too_much(batch, error)
        except NoAnswerInTimeError:
            self._pace.too_much(len(batch))
            raise
        except RefusedError as error:
            if error.status not in _UNREADABLE:
                raise
            return await self._too_much(batch, error)
        else:
            answered = Instant.of(self._clock)
            if reply.received is not None:
                self._offset.learn(left, reply.received, answered)
            self._pace.answered(len(batch), (answered.monotonic_ns - left.monotonic_ns) / 1e9)
            self._settle(batch, reply)
            return True
        finally:
            self._spool.release(batch)

    async def _too_much(self, batch: list[Held], error: BackendError) -> bool:
        """Too large, or unreadable as a whole: halve, until a single report has to be given up."""
        if len(batch) == 1:
            self._spool.acknowledge(batch)
            self.delivery.rejected += 1
            event(_log, logging.ERROR, "report given up", error=error, octets=len(batch[0].payload))
            return True
        if isinstance(error, TooLargeError):
            self._pace.too_much(len(batch))
        middle = len(batch) // 2
        first = await self._deliver(batch[:middle])
        return await self._deliver(batch[middle:]) and first

    def _settle(self, batch: list[Held], reply: BatchReply) -> None:
        """The backend has answered for each report: none of them is sent again."""
        self._spool.acknowledge(batch)
        bad = [item for item in reply.rejected if item.code is not RejectionCode.DUPLICATE]
        for item in bad[:10]:
            event(_log, logging.WARNING, "report rejected", code=item.code, reason=item.reason)
        self.delivery.rejected += len(bad)
        self.delivery.delivered += len(batch) - len(bad)
        self.delivery.last_contact_ns = self._clock.wall_ns()
        if self.delivery.trouble:
            event(_log, logging.INFO, "backend takes reports again", waiting=self._spool.waiting)
        self.delivery.trouble = ""
        self._on_generation(reply.generation)
