"""A bulk TCP transfer (cubic) between two hosts of the fabric, with the paper's socket buffers.

The connection is opened before the measurement, and only octets read by the receiver count. So a path that
loses almost everything also yields a result, unlike with a program that must first exchange its parameters.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType

from backstay_lab.errors import LabError
from backstay_lab.network import netns

WINDOW = 400 * 1024
"""Receiver's socket buffer in the paper's section 6, octets; also limits its window."""
TCP_WINDOW_CLAMP, TCP_CONGESTION, TCP_INFO = 10, 13, 11
TOTAL_RETRANS = slice(100, 104)
"""tcpi_total_retrans of struct tcp_info (linux/tcp.h)."""
CONNECT_S = 5.0
CHUNK = bytes(256 * 1024)


@dataclass(frozen=True)
class Endpoint:
    """A host: its namespace and its address on the fabric."""

    namespace: str
    address: str


@dataclass(frozen=True)
class Goodput:
    """Octets received in a period."""

    octets: int
    seconds: float
    retransmits: int

    @property
    def mbps(self) -> float:
        """Mb/s of payload."""
        return self.octets * 8 / self.seconds / 1e6


class Transfer:
    """A saturated connection from `source` to `target`, as a context manager."""

    def __init__(self, source: Endpoint, target: Endpoint) -> None:
        self._source, self._target = source, target
        self._octets = 0
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._closing = False

    def __enter__(self) -> Transfer:
        listener = netns.inside(self._target.namespace, lambda: _listener(self._target.address))
        with contextlib.closing(listener):
            try:
                sender = netns.inside(
                    self._source.namespace, lambda: _connected(self._source.address, listener.getsockname())
                )
                receiver, _ = listener.accept()
            except OSError as error:
                raise LabError(f"The transfer could not start: {error}.", "Is the path blocked?") from error
        self._ends = [sender, receiver]
        self._threads = [
            threading.Thread(target=self._send, args=(sender,), daemon=True),
            threading.Thread(target=self._receive, args=(receiver,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        for thread in self._threads:
            thread.join()
        for end in self._ends:
            # Reset: data in flight do not matter.
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.close()

    def measure(self, seconds: float) -> Goodput:
        """Goodput over the next `seconds`."""
        began, before, resent = time.monotonic(), self._octets, self._retransmits()
        time.sleep(seconds)
        octets = self._octets - before
        return Goodput(octets, time.monotonic() - began, self._retransmits() - resent)

    def _retransmits(self) -> int:
        info = self._ends[0].getsockopt(socket.IPPROTO_TCP, TCP_INFO, 104)
        return int.from_bytes(info[TOTAL_RETRANS], "little")

    def _send(self, end: socket.socket) -> None:
        with self._ready(end, selectors.EVENT_WRITE) as wait:
            while wait():
                with contextlib.suppress(BlockingIOError):
                    end.send(CHUNK)

    def _receive(self, end: socket.socket) -> None:
        into = bytearray(len(CHUNK))
        with self._ready(end, selectors.EVENT_READ) as wait:
            while wait():
                with contextlib.suppress(BlockingIOError):
                    self._octets += end.recv_into(into)

    @contextlib.contextmanager
    def _ready(self, end: socket.socket, event: int) -> Iterator[Callable[[], bool]]:
        """A function that waits until the socket is ready; False when the transfer ends."""
        with selectors.DefaultSelector() as selector:
            end.setblocking(False)
            selector.register(end, event)

            def wait() -> bool:
                while not self._closing:
                    if selector.select(0.1):
                        return True
                return False

            yield wait


def _listener(address: str) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.settimeout(CONNECT_S)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
    listener.setsockopt(socket.IPPROTO_TCP, TCP_WINDOW_CLAMP, WINDOW)
    listener.bind((address, 0))
    listener.listen(1)
    return listener


def _connected(own: str, target: tuple[str, int]) -> socket.socket:
    sender = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sender.settimeout(CONNECT_S)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * WINDOW)
    sender.setsockopt(socket.IPPROTO_TCP, TCP_CONGESTION, b"cubic")
    sender.bind((own, 0))
    sender.connect(target)
    return sender
