"""The guard's loop: waits for each open change's deadline, and restores the node if necessary.

It needs neither agent nor backend nor network. One runs at a time (a lock). It records the changes it
watches, so that an agent can check that before it touches anything. It ends when nothing has been open for a
while, so that a host without changes runs no guard.
"""

import asyncio
import contextlib
import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from backstay_agent.engines import actuator_for, remove_staged
from backstay_agent.guard.journal import Journal, JournalStep, expired
from backstay_agent.guard.restore import restore
from backstay_agent.guard.store import WAKE_SIGNAL, Store
from backstay_agent.host.files import atomic_write
from backstay_agent.host.kernel import boot_time
from backstay_agent.host.locks import held, owned
from backstay_agent.logs import event
from backstay_wire import Evidence

_log = logging.getLogger(__name__)
_LOOK_S, _IDLE_LOOK_S = 0.1, 5.0
"""Interval with something to watch, and while waiting for the first change: `WAKE_SIGNAL` announces it, and
hosts with many agents have as many guards."""
_LINGER_S = 120.0
"""A change is prepared, then applied: a guard started for it waits this long for it to be armed."""


class Guard:
    """The one guard of an agent's state folder."""

    def __init__(
        self,
        state: Path,
        now_ns: Callable[[], int] = boot_time.now_ns,
        boot_id: Callable[[], str] = boot_time.boot_id,
        linger_s: float = _LINGER_S,
    ) -> None:
        self._store = Store(state, "guard")
        self._now_ns = now_ns
        self._boot_id = boot_id()
        self._linger_s = linger_s
        self._watched: list[int] | None = None
        self._readable: dict[int, bool] = {}
        self._wake = asyncio.Event()

    async def run(self) -> bool:
        """Watch until nothing is open; False if another guard already runs."""
        with owned(self._store.alone) as mine:
            if not mine:
                return False
            asyncio.get_running_loop().add_signal_handler(WAKE_SIGNAL, self._wake.set)
            event(_log, logging.INFO, "guard watches", folder=self._store.folder)
            idle_since = self._now_ns()
            while True:
                self._wake.clear()
                pause_s = _LOOK_S
                if await self.step():
                    idle_since = self._now_ns()
                else:
                    left_s = self._linger_s - (self._now_ns() - idle_since) / 1e9
                    if left_s <= 0 and self._may_go():
                        return True
                    pause_s = min(_IDLE_LOOK_S, max(_LOOK_S, left_s))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause_s):
                        await self._wake.wait()

    async def step(self) -> bool:
        """Check every open change once and act on those that are due; returns whether any is open."""
        waiting = self._store.open()
        changes = [journal.change for journal in waiting]
        known = self._readable
        self._readable = {
            change: known[change] if change in known else self._can_read(change) for change in changes
        }
        self._report([change for change in changes if self._readable[change]])
        for journal in waiting:
            why = expired(journal, self._now_ns(), self._boot_id)
            if why:
                await self._restore(self._take(journal, why))
            elif journal.step is JournalStep.RESTORING:
                await self._restore(journal)
        return bool(waiting)

    def _take(self, journal: Journal, why: str) -> Journal | None:
        """Start restoring; None if the agent was quicker."""
        try:
            return self._store.advance(journal.change, JournalStep.RESTORING, by="guard", reason=why)
        except OSError as error:
            # A full disk must not keep the node unreachable: restoring matters more than the journal.
            event(_log, logging.ERROR, "cannot write the journal", error=error)
            return journal.model_copy(update={"step": JournalStep.RESTORING, "by": "guard", "reason": why})

    async def _restore(self, journal: Journal | None) -> None:
        if journal is None:
            return
        event(_log, logging.WARNING, "restoring the node", change=journal.change, reason=journal.reason)
        good, evidence, after = await self._put_back(journal)
        restored = [item.model_copy(update={"stage": "restored"}) for item in evidence]
        values: dict[str, Any] = {"evidence": (*journal.evidence, *restored)[-256:], "after": after}
        step = JournalStep.RESTORED if good else JournalStep.FAILED
        try:
            self._store.advance(journal.change, step, **values)
        except OSError as error:
            event(_log, logging.ERROR, "cannot write the journal", error=error)
        event(_log, logging.WARNING if good else logging.ERROR, f"node {step}", change=journal.change)

    async def _put_back(self, journal: Journal) -> tuple[bool, list[Evidence], str]:
        try:
            snapshot = self._store.snapshot(journal.change)
        except (OSError, ValidationError) as error:
            return False, [Evidence(what="snapshot", ok=False, found=str(error)[:1000])], ""
        if journal.boot_id != self._boot_id:
            snapshot = snapshot.after_reboot()
            self._remove_staged(journal)
        actuator = actuator_for(journal.engine) if journal.engine else None
        good, evidence = await restore(actuator, snapshot)
        return good, evidence, snapshot.text() if good else ""

    def _remove_staged(self, journal: Journal) -> None:
        """No daemon of this boot runs it."""
        if journal.engine is None:
            return
        try:
            remove_staged(journal.engine)
        except OSError as error:
            event(_log, logging.WARNING, "cannot delete the staged file", error=error)

    def _can_read(self, change: int) -> bool:
        """Whether this guard could restore the node: an agent of another version may write what this guard
        does not understand.

        What is not watched is not applied, so this is detected before anything is touched.
        """
        try:
            self._store.snapshot(change)
        except (OSError, ValidationError) as error:
            event(_log, logging.ERROR, "cannot read the snapshot", change=change, error=error)
            return False
        return True

    def _report(self, changes: list[int]) -> None:
        if changes == self._watched:
            return
        status = json.dumps({"pid": os.getpid(), "changes": changes})
        try:
            atomic_write(self._store.watching, status.encode(), durable=False)
        except OSError as error:
            event(_log, logging.ERROR, "cannot record the watched changes", error=error)
        else:
            self._watched = changes

    def _may_go(self) -> bool:
        """Nothing may be armed between the last check and the end."""
        with held(self._store.lock_file):
            if self._store.open():
                return False
            self._store.watching.unlink(missing_ok=True)
            return True
