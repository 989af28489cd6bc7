"""Where guards come from within milliseconds: a process that forks them and does nothing else.

A new interpreter reads its modules for a second of processor time, on a busy host for ten, and the nodes of a
change all want their guards at once. What is forked has read them. The nursery itself is forked before the
agent opens a file, starts a thread or has a secret, so that a guard inherits nothing of it but its code. A
guard is a session of its own: it outlives the agent, which the nursery does not.
"""

import asyncio
import gc
import logging
import os
import signal
import socket
import time
from pathlib import Path
from typing import NoReturn

from backstay_agent import logs
from backstay_agent.guard.process import Guard
from backstay_agent.host import processes
from backstay_agent.logs import event

_log = logging.getLogger(__name__)
_ONE = b"one"
_ANSWERS_S = 10.0
"""A nursery that has said nothing for so long is given up, and a guard started without it."""


class Birth:
    """A guard that was asked for, as `subprocess.Popen` would be asked about it."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._asked = time.monotonic()
        self._pid = 0

    def poll(self) -> int | None:
        """None while it starts or lives."""
        if not self._pid:
            try:
                said = self._channel.recv(32)
            except BlockingIOError:
                return None if time.monotonic() - self._asked < _ANSWERS_S else self._failed()
            except OSError:
                said = b""
            self._pid = int(said or b"0")
            if not self._pid:
                return self._failed()
        try:
            os.kill(self._pid, 0)
        except OSError:
            return 0
        return None

    def _failed(self) -> int:
        """The nursery is of no use any more."""
        self._channel.close()
        return 1


class Nursery:
    """The agent's end of it."""

    def __init__(self, channel: socket.socket, pid: int) -> None:
        self._channel = channel
        self.pid = pid

    def start(self) -> Birth:
        """Ask for a guard. Raises OSError when there is no nursery any more."""
        self._channel.send(_ONE)
        return Birth(self._channel)

    def close(self) -> None:
        """End it; its guards stay."""
        self._channel.close()


def fork(state: Path) -> Nursery:
    """A nursery for guards of this agent's state. To be called before anything else. Raises OSError."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # What was read so far stays as it is: the collector would write to every page that both could share.
    gc.collect()
    gc.freeze()
    pid = os.fork()
    if not pid:
        ours.close()
        _keep(theirs, state)
    theirs.close()
    ours.setblocking(False)
    return Nursery(ours, pid)


def _keep(channel: socket.socket, state: Path) -> NoReturn:
    """Fork a guard at each word, until the agent is gone."""
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Nobody asks how a guard ended.
        processes.name("backstay-nurse")
        while channel.recv(len(_ONE)):
            channel.send(str(_bear(channel, state)).encode())
    finally:
        os._exit(0)


def _bear(channel: socket.socket, state: Path) -> int:
    """The process id of a new guard; 0: there can be none."""
    try:
        pid = os.fork()
    except OSError:
        return 0
    if not pid:
        channel.close()
        _guard(state)
    return pid


def _guard(state: Path) -> NoReturn:
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        processes.detach(state / "guard" / "guard.log")
        processes.name("backstay-guard")
        logs.configure()
        code = 0 if asyncio.run(Guard(state).run()) else 1
    except Exception as error:
        event(_log, logging.CRITICAL, "the guard died", error=f"{type(error).__name__}: {error}")
    finally:
        os._exit(code)
