"""BIRD's control socket (BIRD 2 User's Guide, "Remote control"): one read-only connection, kept open.

Each line of a reply starts with a four-digit code: `1002-` means that more follows, `1002 ` ends the reply, a
space continues the previous line. Codes from 8000 up are errors.
"""

import asyncio
import contextlib
import re

_END = re.compile(r"\d{4}(?: |$)")
_LINES_LIMIT = 100_000
_LINE_OCTETS = 65536


class BirdGoneError(Exception):
    """Nothing listens on the socket, or the daemon stopped during a reply."""


class BirdSocket:
    """One daemon's control socket at `path`."""

    def __init__(self, path: str, timeout_s: float = 2.0) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, command: str) -> list[str]:
        """The lines of the reply to `command`, with their codes. Raises BirdGoneError, TimeoutError."""
        try:
            async with asyncio.timeout(self._timeout_s):
                if self._streams is None:
                    await self._connect()
                return await self._talk(command)
        except (OSError, EOFError, ValueError) as error:
            await self.close()
            if isinstance(error, TimeoutError):
                raise
            raise BirdGoneError(
                f"{self._path}: {error.strerror if isinstance(error, OSError) else error}"
            ) from error

    async def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            _, writer = self._streams
            self._streams = None
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _connect(self) -> None:
        self._streams = await asyncio.open_unix_connection(self._path, limit=_LINE_OCTETS)
        await self._answer()  # 0001 BIRD 2.0.12 ready.
        await self._talk("restrict")  # read-only from here on, whatever the command

    async def _talk(self, command: str) -> list[str]:
        assert self._streams is not None
        _, writer = self._streams
        writer.write(command.encode() + b"\n")
        await writer.drain()
        return await self._answer()

    async def _answer(self) -> list[str]:
        assert self._streams is not None
        reader, _ = self._streams
        lines: list[str] = []
        while len(lines) < _LINES_LIMIT:
            raw = await reader.readline()
            if not raw.endswith(b"\n"):
                raise EOFError("the daemon closed the connection")
            line = raw.decode("utf-8", "replace").rstrip("\n")
            lines.append(line)
            if _END.match(line):
                return lines
        raise ValueError("endless answer")
