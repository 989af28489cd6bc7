"""Relays TCP from inside the lab to the backend outside, without changing the host's network.

It listens on the management network's first address, inside the lab, and connects to 127.0.0.1 in the
namespace where it was started. A socket belongs to the namespace that created it, so one process can hold
both. It does not parse HTTP: bytes pass with back-pressure in each direction, a half-close is forwarded,
and a backend that is down causes a connection reset, which clients retry.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import struct
import sys
from pathlib import Path

from backstay_lab.blueprint import RELAY_PORT
from backstay_lab.network import netns
from backstay_lab.state import StateFolder

CHUNK = 64 * 1024
CONNECT_S = 3.0
MAX_CONNECTIONS = 1024
ALIVE_CHECK_S = 1.0

log = logging.getLogger("relay")


class Relay:
    """Accepts on one socket and pairs each connection with one to `backend`, (host, port)."""

    def __init__(self, backend: tuple[str, int]) -> None:
        self._backend = backend
        self._open = 0

    async def serve(self, client: asyncio.StreamReader, reply: asyncio.StreamWriter) -> None:
        """Relay one connection; reset it when the backend is unreachable."""
        if self._open >= MAX_CONNECTIONS:
            log.warning("refused: %d connections are open", self._open)
            reset(reply)
            return
        self._open += 1
        try:
            await self._carry(client, reply)
        except asyncio.CancelledError:
            # Only the relay's own end cancels; this is the task's outermost frame, so no caller waits for it.
            reset(reply)
        finally:
            self._open -= 1

    async def _carry(self, client: asyncio.StreamReader, reply: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(CONNECT_S):
                answer, request = await asyncio.open_connection(*self._backend, limit=CHUNK)
        except (OSError, TimeoutError) as error:
            log.info("backend %s:%d: %s", *self._backend, error or "no answer")
            reset(reply)
            return
        both = await asyncio.gather(copy(client, request), copy(answer, reply), return_exceptions=True)
        broken = any(isinstance(outcome, BaseException) for outcome in both)
        for writer in (request, reply):
            if broken:
                reset(writer)
            writer.close()


async def copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Copy until the end of the source, at most one chunk at a time, and forward the end."""
    try:
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
    except OSError:
        # The other direction must not wait for a disconnected peer.
        sink.transport.abort()
        raise


def reset(writer: asyncio.StreamWriter) -> None:
    """End a connection with RST (SO_LINGER 0, socket(7)), so that the client notices at once."""
    with contextlib.suppress(OSError):
        handle = writer.get_extra_info("socket")
        handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def listen(address: str, port: int) -> socket.socket:
    """A listening TCP socket in the caller's namespace."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen(128)
    listener.setblocking(False)
    return listener


async def run(listener: socket.socket, backend: tuple[str, int], alive: Path) -> None:
    """Serve until SIGTERM or until the lab is gone."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    server = await asyncio.start_server(Relay(backend).serve, sock=listener, limit=CHUNK)
    while not stopped.is_set() and alive.exists():  # noqa: ASYNC240 - one stat per second
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), ALIVE_CHECK_S)
    server.close()


def main() -> None:
    """`python -m backstay_lab.network.relay STATE`: the relay of the lab in that state folder."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    folder = StateFolder(Path(sys.argv[1]))
    lab = folder.require()
    plan = lab.plan()
    namespace = lab.names.fabric(plan.management.name)
    listener = netns.inside(namespace, lambda: listen(str(plan.relay.ip), RELAY_PORT))
    log.info("%s:%d in %s to 127.0.0.1:%d", plan.relay.ip, RELAY_PORT, namespace, lab.backend_port)
    asyncio.run(run(listener, ("127.0.0.1", lab.backend_port), folder.alive_file(lab)))


if __name__ == "__main__":
    main()
