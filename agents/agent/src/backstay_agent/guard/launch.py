"""The agent's side of the guard: starts it if necessary and ensures that it watches a change."""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable

from backstay_agent.guard.store import WAKE_SIGNAL, Store
from backstay_agent.host import processes
from backstay_agent.host.forkserver import ForkServer
from backstay_agent.host.locks import free
from backstay_agent.logs import event

_log = logging.getLogger(__name__)
_PATIENCE_S = 90.0
"""Seconds until a guard runs, on a very busy host; once running it sees a change at once, see `wake`."""
_LOOK_S = 0.05


class GuardGoneError(Exception):
    """The guard cannot be started, so nothing may be touched."""


class Launcher:
    """Keeps one guard alive while it is needed."""

    def __init__(self, store: Store, fork_server: ForkServer | None = None) -> None:
        self._store = store
        self._fork_server = fork_server
        self._started: processes.Started | None = None

    def ensure(self) -> None:
        """Start a guard unless one holds the lock or is still starting. Raises GuardGoneError.

        However long that takes: on an overloaded host, starting more of them would make it worse.
        """
        starting = self._started is not None and self._started.poll() is None
        if starting or not free(self._store.alone):
            return
        try:
            self._started = self._start()
        except OSError as error:
            raise GuardGoneError(f"cannot start the guard: {error.strerror}") from error
        event(_log, logging.INFO, "guard started", forked=self._fork_server is not None)

    def _start(self) -> processes.Started:
        """Raises OSError."""
        if self._fork_server is not None:
            try:
                return self._fork_server.start()
            except OSError as error:
                event(
                    _log, logging.WARNING, "guards are started without the fork server", error=error.strerror
                )
                self._fork_server = None
        argv = [sys.executable, "-m", "backstay_agent.guard", "--state", str(self._store.folder.parent)]
        return processes.start_detached(argv, self._store.folder / "guard.log")

    async def up(self) -> None:
        """Wait until a guard runs. Raises GuardGoneError."""
        await self._until(lambda watched: True)

    async def watched(self, change: int) -> None:
        """Wait until a running guard confirms that it watches the change. Raises GuardGoneError."""
        self.wake()
        await self._until(lambda watched: change in watched)

    async def _until(self, good: Callable[[list[int]], bool]) -> None:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while (watched := self._watched()) is None or not good(watched):
                    self.ensure()
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError:
            raise GuardGoneError(f"no guard watches within {_PATIENCE_S:g} s") from None

    def wake(self) -> None:
        """Have a running guard look now; without one, or if it starts meanwhile, it looks by itself."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            os.kill(int(json.loads(self._store.watching.read_bytes())["pid"]), WAKE_SIGNAL)

    def _watched(self) -> list[int] | None:
        """The changes that a live guard watches; None if there is none."""
        try:
            status = json.loads(self._store.watching.read_bytes())
            os.kill(int(status["pid"]), 0)
            changes = [int(change) for change in status["changes"]]
        except (OSError, ValueError, KeyError):
            return None
        return None if free(self._store.alone) else changes
