"""A fork server: a process that only forks children, within milliseconds.

A new interpreter needs a second of processor time to import its modules, ten on a busy host; a fork has them
already. The fork server is forked before its parent opens a file, starts a thread or holds a secret, so that
a child inherits only its code. A child that starts its own session survives the parent; the fork server does
not.
"""

import gc
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from typing import NoReturn

from backstay_agent.host import processes

_ONE = b"one"
_ANSWERS_S = 10.0
"""A fork server that does not answer for this many seconds is abandoned."""


class ForkedChild:
    """A requested child, with the interface of `subprocess.Popen`."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._asked = time.monotonic()
        self._child = -1
        """Handle of the process itself (pidfd_open(2)): its id is reused once it has ended."""
        self._ended: int | None = None

    def poll(self) -> int | None:
        """None while it starts or runs."""
        if self._ended is None:
            self._ended = self._looked() if self._child >= 0 else self._born()
        return self._ended

    def _born(self) -> int | None:
        try:
            answer = self._channel.recv(32)
        except BlockingIOError:
            return None if time.monotonic() - self._asked < _ANSWERS_S else self._failed()
        except OSError:
            answer = b""
        if not int(answer or b"0"):
            return self._failed()
        try:
            self._child = os.pidfd_open(int(answer))
        except OSError:
            return 0
        return None

    def _looked(self) -> int | None:
        look = select.poll()
        look.register(self._child, select.POLLIN)
        if not look.poll(0):
            return None
        os.close(self._child)
        return 0

    def _failed(self) -> int:
        """the fork server is no longer usable."""
        self._channel.close()
        return 1


class ForkServer:
    """The parent's side."""

    def __init__(self, channel: socket.socket, pid: int) -> None:
        self._channel = channel
        self.pid = pid

    def start(self) -> ForkedChild:
        """Request a child. Raises OSError if the fork server is gone."""
        self._channel.send(_ONE)
        return ForkedChild(self._channel)

    def close(self) -> None:
        """End it; its children continue."""
        self._channel.close()


def fork(name: str, child: Callable[[], NoReturn]) -> ForkServer:
    """A fork server of `child`, called `name` by ps(1). Create it before anything else. Raises OSError."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # Freeze existing objects: the collector would write to every page that both processes share.
    gc.collect()
    gc.freeze()
    pid = os.fork()
    if not pid:
        ours.close()
        _keep(theirs, name, child)
    theirs.close()
    ours.setblocking(False)
    return ForkServer(ours, pid)


def _keep(channel: socket.socket, name: str, child: Callable[[], NoReturn]) -> NoReturn:
    """Fork a child at each request, until the parent is gone."""
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Exit statuses of children are not needed.
        processes.name(name)
        while channel.recv(len(_ONE)):
            channel.send(str(_bear(channel, child)).encode())
    finally:
        os._exit(0)


def _bear(channel: socket.socket, child: Callable[[], NoReturn]) -> int:
    """The process id of a new child; 0: it could not be forked."""
    try:
        pid = os.fork()
    except OSError:
        return 0
    if not pid:
        channel.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        child()
    return pid
