"""Reverts the last change of a node that lost its controller right after confirming it.

A change is on probation for one window (10 minutes by default) after it was confirmed: a controller that
answers a new connection at its end ends it. If none answers for a whole window since the last answer, the
guard restores the state before the change, once. An outage that begins later, or without a change, reverts
nothing. CLOCK_BOOTTIME counts; a reboot starts the window again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from uuid import uuid4

from pydantic import ValidationError

from backstay_agent.actuators import static_routes
from backstay_agent.actuators.actuator import Prefix
from backstay_agent.changes.verification import Reach
from backstay_agent.guard.journal import OPEN, Journal, JournalStep
from backstay_agent.guard.store import Store
from backstay_agent.host.clock import Clock
from backstay_agent.host.files import atomic_write
from backstay_agent.host.kernel import boot_time
from backstay_agent.host.kernel.kernel_rows import STATICS, RouteRow
from backstay_agent.logs import event
from backstay_agent.release.record import ReleaseFile, ReleaseRecord
from backstay_wire import ChangeAssignment, NodeRouting
from backstay_wire.base import Message

_log = logging.getLogger(__name__)
_LEAST_S, _MOST_S, _MOST_LOST_S = 0.5, 60.0, 15.0
"""Interval of requests to the controller: a tenth of the window between these bounds, shorter while it does
not answer. Each opens a connection, and all nodes of a change begin together."""
_ATTEMPT_S = 2.5
_IDLE_S = 2.0
_RESTORED_S = 30.0
"""Seconds in which the guard must have restored the node."""
_ACKNOWLEDGED_S = 15.0
"""Seconds in which the checker must have let go; a switch in progress may take ten."""
_POLL_S = 0.2


class Probation(Message):
    """A confirmed change whose effect on the controller's reachability is not proven yet."""

    change: int
    revision: int
    boot_id: str
    since_ns: int
    """CLOCK_BOOTTIME of the confirmation, or of the agent's first look after a reboot."""
    contact_ns: int
    """When the controller last answered."""
    previous: NodeRouting | None
    """The routing in force before the change."""


def judge(
    probation: Probation, now_ns: int, window_ns: int, *, reached: bool
) -> Literal["wait", "proven", "revert"]:
    """What follows from one request to the controller."""
    if reached:
        return "proven" if now_ns - probation.since_ns >= window_ns else "wait"
    return "revert" if now_ns - probation.contact_ns >= window_ns else "wait"


class ControllerLoss:
    """The probation of one agent's last change."""

    def __init__(
        self,
        state: Path,
        *,
        store: Store,
        reach: Reach,
        clock: Clock,
        window_s: float,
        wake: Callable[[], None],
    ) -> None:
        """`window_s` 0: nothing is ever reverted. `wake` lets the driver start the guard."""
        self._path = state / "probation.json"
        self._release = ReleaseFile(state)
        self._store = store
        self._reach = reach
        self._clock = clock
        self._window_ns = round(window_s * 1e9)
        self._wake = wake
        self._probation = _read(self._path) if window_s > 0 else None
        self._reverting: int | None = None
        self._answered = True
        """Whether the last request was answered."""

    @property
    def kept(self) -> tuple[int, ...]:
        """Changes whose journal and snapshot are still needed."""
        found = (self._probation.change if self._probation else None, self._reverting)
        return tuple(change for change in found if change is not None)

    def begin(self, assignment: ChangeAssignment, previous: NodeRouting | None) -> None:
        """The change is about to be saved. Raises OSError."""
        if not self._window_ns:
            return
        now = boot_time.now_ns()
        self._probation = Probation(
            change=assignment.change,
            revision=assignment.revision,
            boot_id=boot_time.boot_id(),
            since_ns=now,
            contact_ns=now,
            previous=previous,
        )
        self._write(self._probation)

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            try:
                await self.step()
            except (OSError, ValidationError) as error:
                event(_log, logging.ERROR, "cannot watch the controller's answers", error=error)
            await asyncio.sleep(self._interval_s() if self._probation else _IDLE_S)

    def _interval_s(self) -> float:
        most_s = _MOST_S if self._answered else _MOST_LOST_S
        return min(most_s, max(_LEAST_S, self._window_ns / 1e10))

    async def step(self) -> None:
        """One request to the controller, and what follows. Raises OSError, ValidationError."""
        probation = self._probation
        if probation is None:
            return
        journal = self._store.load(probation.change)
        if journal is None or journal.step is not JournalStep.CONFIRMED:
            if journal is None or journal.step not in OPEN:
                self._end()  # it was rolled back
            return
        if self._store.open():
            return  # the guard of another change decides first
        released = self._release.read()
        if released is not None and released.revision >= probation.revision:
            self._end()  # an administrator decided since
            return
        if probation.boot_id != boot_time.boot_id():
            now = boot_time.now_ns()
            update = {"boot_id": boot_time.boot_id(), "since_ns": now, "contact_ns": now}
            probation = probation.model_copy(update=update)
        began = boot_time.now_ns()
        reached = self._answered = await self._reached()
        if self._probation is None or self._probation.change != probation.change:
            return  # another change was confirmed meanwhile
        if reached:
            probation = probation.model_copy(update={"contact_ns": began})
        if probation != self._probation:
            self._probation = probation
            self._write(probation)
        verdict = judge(probation, boot_time.now_ns(), self._window_ns, reached=reached)
        if verdict == "proven":
            self._end()
        elif verdict == "revert":
            await self._revert(probation)

    async def _reached(self) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ATTEMPT_S):
                return await self._reach()
        return False

    async def _revert(self, probation: Probation) -> None:
        """Once: the probation ends before anything is touched."""
        window = f"{self._window_ns / 1e9:.0f} s"
        reason = f"no controller for {window} since change {probation.change} was confirmed"
        event(_log, logging.WARNING, "reverting a change", change=probation.change, reason=reason)
        record = ReleaseRecord(
            id=str(uuid4()),
            at_ns=self._clock.wall_ns(),
            by="the agent",
            scope="everything",
            revision=max(probation.revision, self._store.highest()),
            reason=reason,
            left=("the guard is restoring the node",),
            change=probation.change,
            previous=probation.previous,
        )
        self._release.write(record)
        self._reverting = probation.change
        self._end()
        try:
            await self._until(lambda: self._release.acknowledged(record), _ACKNOWLEDGED_S)
            self._store.advance(probation.change, JournalStep.RESTORING, by="agent", reason=reason)
            self._wake()
            left = await self._restored(probation.change)
        finally:
            self._reverting = None
        self._release.write(record.model_copy(update={"left": left}))

    async def _restored(self, change: int) -> tuple[str, ...]:
        """Wait for the guard; what is left to do."""
        await self._until(lambda: not self._is_open(change), _RESTORED_S)
        journal = self._store.load(change)
        if journal is not None and journal.step is JournalStep.RESTORED:
            return await self._restore_static_routes(journal)
        return ("the state read back differs from that before the change: compare routes and boot files",)

    async def _restore_static_routes(self, journal: Journal) -> tuple[str, ...]:
        """Set the operator's static routes: after a boot from the change's file no engine does."""
        if journal.boot_id == boot_time.boot_id():
            return ()
        host = self._store.snapshot(journal.change).host
        prefixes = set(journal.prefixes)
        rows: dict[Prefix, list[RouteRow]] = {prefix: [] for prefix in prefixes}
        for row in host.routes if host else ():
            if row.prefix in rows and row.proto in STATICS:
                rows[row.prefix].append(row)
        refused = await asyncio.to_thread(static_routes.hand_back, prefixes, rows)
        return tuple(f"the kernel refused {row}" for row in refused)

    def _is_open(self, change: int) -> bool:
        journal = self._store.load(change)
        return journal is not None and journal.step in OPEN

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        """Wait until it is done, or for so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    if done():
                        return
                    await asyncio.sleep(_POLL_S)

    def _end(self) -> None:
        self._probation = None
        self._path.unlink(missing_ok=True)

    def _write(self, probation: Probation) -> None:
        atomic_write(self._path, probation.model_dump_json().encode())


def _read(path: Path) -> Probation | None:
    try:
        return Probation.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
