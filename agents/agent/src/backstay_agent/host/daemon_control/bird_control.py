"""BIRD's control socket for writing: makes the daemon read a configuration.

Each command uses its own connection. The collectors' connection (host/daemon_control/bird.py) stays
read-only.
"""

import asyncio
import contextlib
import socket
import struct

from backstay_agent.host.daemon_control.bird import BirdGoneError, BirdSocket

_UCRED = struct.Struct("=iII")
_IN_PROGRESS = "0004"


class BirdRefusedError(Exception):
    """The daemon rejected the configuration; the previous one still runs."""


class _Writer(BirdSocket):
    """The same connection without the read-only restriction."""

    async def _connect(self) -> None:
        self._streams = await asyncio.open_unix_connection(self._path)
        await self._answer()


async def configure(control: str, path: str, timeout_s: float) -> str:
    """Run the configuration in the file `path`; returns BIRD's output.

    Plain `configure`: `soft` would defer changed preferences to the next reload of a protocol. Protocols that
    are identical in both are not touched. Raises BirdRefusedError, BirdGoneError, TimeoutError.
    """
    if '"' in path or "\n" in path:
        raise BirdRefusedError(f"BIRD does not accept a path like {path!r}")
    bird = _Writer(control, timeout_s)
    try:
        lines = await bird.ask(f'configure "{path}"')
    finally:
        await bird.close()
    last = lines[-1]
    if last[:4] >= "8000":
        raise BirdRefusedError(last[5:])
    return last[5:] + (" (in progress)" if last.startswith(_IN_PROGRESS) else "")


async def process(control: str) -> int:
    """The process that opened the socket (unix(7), SO_PEERCRED): changes on each start of the daemon.

    Raises BirdGoneError.
    """
    try:
        _, writer = await asyncio.open_unix_connection(control)
    except OSError as error:
        raise BirdGoneError(f"{control}: {error.strerror}") from error
    peer = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    writer.close()
    return int(_UCRED.unpack(peer)[0])


async def answers(control: str) -> bool:
    """Whether a daemon answers on the socket."""
    bird = BirdSocket(control)
    with contextlib.suppress(BirdGoneError, TimeoutError):
        await bird.ask("show status")
        await bird.close()
        return True
    return False
