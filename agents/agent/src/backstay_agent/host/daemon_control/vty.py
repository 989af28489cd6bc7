"""A daemon's vty socket of FRR (lib/vty.c, vtysh/vtysh.c): the protocol that vtysh(1) uses.

A command ends with a NUL; its reply ends with three NULs and the command's result (lib/command.h: 0 and 14
mean success). Measured: 0.6 ms per command, while starting vtysh takes 25 to 150 ms; a switch of gateways
takes two commands.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

_END = b"\0\0\0"
_GOOD = {0, 14}  # CMD_SUCCESS, CMD_SUCCESS_DAEMON
_LIMIT = 16 * 1024 * 1024


class VtyGoneError(Exception):
    """Nothing listens on the socket, or the daemon stopped during a reply."""


class VtyRefusedError(Exception):
    """The daemon rejected a command."""


class Vty:
    """One connection to one daemon: `async with Vty(folder, "staticd") as vty`."""

    def __init__(self, folder: str, daemon: str, timeout_s: float = 2.0) -> None:
        self._path = Path(folder, f"{daemon}.vty")
        self._timeout_s = timeout_s
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> "Vty":
        try:
            async with asyncio.timeout(self._timeout_s):
                self._streams = await asyncio.open_unix_connection(self._path, limit=_LIMIT)
        except OSError as error:
            raise VtyGoneError(f"{self._path}: {error.strerror or 'no answer'}") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._streams is not None
        self._streams[1].close()
        with contextlib.suppress(OSError):
            await self._streams[1].wait_closed()

    async def run(self, commands: Sequence[str]) -> str:
        """The daemon's reply to the last command. Raises VtyRefusedError, VtyGoneError."""
        output = ""
        for command in commands:
            output = await self._send(command)
        return output

    async def _send(self, command: str) -> str:
        assert self._streams is not None
        reader, writer = self._streams
        try:
            async with asyncio.timeout(self._timeout_s):
                writer.write(command.encode() + b"\0")
                await writer.drain()
                answer = (await reader.readuntil(_END))[: -len(_END)]
                result = (await reader.readexactly(1))[0]
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            raise VtyGoneError(f"{self._path}: {error}") from error
        output = answer.decode("utf-8", "replace")
        if result not in _GOOD:
            raise VtyRefusedError(f"{command}: {output.strip() or f'result {result}'}")
        return output
