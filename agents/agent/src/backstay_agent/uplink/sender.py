"""Sends the spool to the backend: batches one after another; urgent reports bypass them.

When the backend answers, a report is sent within 30 ms of its creation, or within 200 ms if there are more
than 50 per second. A batch that fails waits for the backoff. An urgent report (a path switched, a link
failed) does not: it has its own connection and one attempt of its own, and joins the others only if that
fails. A lost acknowledgement only causes a resend, because the backend identifies each report by (agent,
boot, seq).

A report that can wait (nothing new) causes no request: it leaves with the next report that cannot, so a quiet
host sends one request per report of its counters. It waits until `patience_s` after the last request or until
many wait, and not at all in the minute after an urgent report: evidence about a fault is sent at once.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.schedule import SECOND, UNREST_NS
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
from backstay_agent.uplink.session import UplinkSession
from backstay_agent.uplink.spool import Spool, TakenRecord, in_order
from backstay_wire import MAX_REPORTS, BatchReply, ClockReading, RejectionCode, SpoolState

_log = logging.getLogger(__name__)

_GATHER_S = 0.03
"""Reports of one moment (a tick of several collectors) are sent in one batch."""
_PAUSE_S, _BETWEEN_S = 0.02, 0.2
"""A stream of more than 50 reports per second is sent five times a second, because a request costs as much as
the poll of some devices. A backlog does not wait."""
_OCTETS = 4 * 1024 * 1024
"""Octets of reports in one batch, before compression: JSON columns shrink to a quarter or less."""
_COMPRESSED = 1024 * 1024
_MOST_WAITING, _WAITING_OCTETS = 64, 64 * 1024
"""More reports or octets than this do not wait. An urgent report takes at most so many with it."""
_UNREADABLE = {400, 415, 422}


SLOW_S = 3.0
"""Well below the time limit of a request (client.py)."""
QUICK_S = 1.0


@dataclass(slots=True)
class Pace:
    """The largest sensible batch at present."""

    most: int = MAX_REPORTS

    def answered(self, count: int, seconds: float) -> None:
        """A batch of `count` reports was answered after `seconds`."""
        if seconds > SLOW_S:
            self.too_much(count)
        elif seconds < QUICK_S:
            self.most = min(MAX_REPORTS, self.most * 2)

    def too_much(self, count: int) -> None:
        """A batch of `count` reports was too large, or was not answered in time."""
        self.most = max(1, count // 2)


@dataclass(slots=True)
class Delivery:
    """Delivery statistics since start, for the status file."""

    delivered: int = 0
    rejected: int = 0
    """Reports that the backend will never accept, not counting duplicates."""
    last_contact_ns: int | None = None
    """Wall time of the last answer."""
    trouble: str = ""
    """Why nothing is delivered right now; empty if it is."""


@dataclass(slots=True)
class Waiting:
    """The reports that wait for the next request."""

    count: int = 0
    octets: int = 0

    def has_room_for(self, held: TakenRecord) -> bool:
        """Count one more; whether it can wait too."""
        self.count += 1
        self.octets += len(held.payload)
        return self.count <= _MOST_WAITING and self.octets <= _WAITING_OCTETS


class Sender:
    """Sends the spool's content while it runs."""

    def __init__(
        self, spool: Spool, session: UplinkSession, clock: Clock, on_generation: Callable[[int], None]
    ) -> None:
        self.delivery = Delivery()
        self.patience_s = 0.0
        """Seconds after a request until which a report that can wait does; 0: none waits."""
        self._spool = spool
        self._session = session
        self._clock = clock
        self._on_generation = on_generation
        self._leaving = asyncio.Event()
        """Something in the spool does not wait, as what an earlier run left there."""
        if not spool.idle:
            self._leaving.set()
        self._waiting = Waiting()
        self._patience: asyncio.TimerHandle | None = None
        self._left_ns: int | None = None
        """When a request left."""
        self._unrest_until_ns = 0
        self._express: list[TakenRecord] = []
        self._express_wake = asyncio.Event()
        self._pace = Pace()
        self._offset = ClockOffset()

    def on_report(self, held: TakenRecord, urgent: bool, can_wait: bool) -> None:
        """A report was spooled (see Outbox)."""
        now = self._clock.monotonic_ns()
        if urgent:
            self._unrest_until_ns = now + UNREST_NS
            self._express.append(held)
            self._express_wake.set()
        wait_s = self._wait_s(now) if can_wait and self._waiting.has_room_for(held) else 0
        if wait_s <= 0:
            self._leaving.set()
        elif self._patience is None:
            self._patience = asyncio.get_running_loop().call_later(wait_s, self._leaving.set)

    def _wait_s(self, now: int) -> float:
        """How long a report that can wait does, from now."""
        if self._left_ns is None or now < self._unrest_until_ns:
            return 0
        return self.patience_s - (now - self._left_ns) / SECOND

    async def run(self) -> None:
        """Send until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._run_batches())
            group.create_task(self._run_express())

    def clock_reading(self) -> ClockReading | None:
        """Offset of this host's clock, as far as recent requests bound it."""
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
            await self._leaving.wait()
            await asyncio.sleep(max(_GATHER_S, earliest - clock()))
            batch = self._spool.take(self._pace.most, _OCTETS)
            if self._spool.idle:
                self._left()
                earliest = clock() + min(len(batch) * _PAUSE_S, _BETWEEN_S)
            if not batch:
                continue
            try:
                await self._deliver(batch)
                backoff.reset()
            except BackendError as error:
                self._leaving.set()
                reported = error.retry_after if isinstance(error, UnavailableError) else None
                await self._wait(backoff.next(reported), error)

    def _left(self) -> None:
        """All that waited is on its way."""
        self._leaving.clear()
        self._left_ns = self._clock.monotonic_ns()
        self._waiting = Waiting()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

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
            if not batch:
                continue
            if not self.delivery.trouble:
                batch += self._spool.take(_MOST_WAITING, _WAITING_OCTETS)
            with contextlib.suppress(BackendError):
                await self._deliver(in_order(batch[:MAX_REPORTS]))
            self._spool.release(batch[MAX_REPORTS:])
            if not self._spool.idle:
                self._leaving.set()

    async def _deliver(self, batch: list[TakenRecord]) -> bool:
        """Send a batch and process the answer; in every case, no record of it stays taken.

        Raises BackendError if none was delivered and the caller should wait.
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
                self._offset.learn(left, reply.received, reply.replied or reply.received, answered)
            self._pace.answered(len(batch), (answered.monotonic_ns - left.monotonic_ns) / 1e9)
            self._settle(batch, reply)
            return True
        finally:
            self._spool.release(batch)

    async def _too_much(self, batch: list[TakenRecord], error: BackendError) -> bool:
        """Too large, or unreadable as a whole: halve it, until a single report has to be discarded."""
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

    def _settle(self, batch: list[TakenRecord], reply: BatchReply) -> None:
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
