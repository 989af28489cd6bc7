"""One program of a test as a child process: started at a given time, read to its end, ended by its process
id.

It ends with this agent in every case (launcher.py). Nothing runs through a shell, and its output is
bounded.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from backstay_agent.host.throughput import launcher

_OUTPUT_LIMIT = 64 * 1024 * 1024
_CHUNK = 256 * 1024
_ENVIRONMENT: Mapping[str, str] = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
_REAP_S = 0.5


@dataclass(frozen=True, slots=True)
class Start:
    """When a program actually started, by both clocks."""

    wall_ns: int
    monotonic_ns: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a program."""

    status: int
    """Exit status; negative: the number of the signal that ended it."""
    out: str
    err: str
    """Without the line that marks the start."""
    start: Start | None
    """None: it was ended before its start time."""


class Child:
    """A program that runs or waits for its start time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.started: asyncio.Future[Start] = asyncio.get_running_loop().create_future()
        """Done as soon as the program has started; cancelled if it never did."""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def spawn(cls, argv: Sequence[str], at_monotonic_ns: int) -> Self:
        """Start `argv` (an absolute path first) at that time; 0: at once. Raises OSError."""
        script = str(Path(launcher.__file__))
        python = [sys.executable, "-I", "-S", script, str(os.getpid()), str(at_monotonic_ns)]
        return await cls._spawn([*python, *argv])

    @classmethod
    async def spawn_own(cls, module: str, at_monotonic_ns: int, arguments: Sequence[str]) -> Self:
        """The same for one of our own programs, which waits for the start by itself. Raises OSError."""
        name = f"{launcher.__name__.rpartition('.')[0]}.{module}"
        python = [sys.executable, "-I", "-m", name, str(os.getpid()), str(at_monotonic_ns)]
        return await cls._spawn([*python, *arguments])

    @classmethod
    async def _spawn(cls, argv: Sequence[str]) -> Self:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(_ENVIRONMENT),
            cwd="/",
            limit=_CHUNK,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def moved(self) -> tuple[int, int]:
        """Octets it has read and written so far, from `rchar` and `wchar` of /proc/PID/io (proc(5))."""
        try:
            lines = Path(f"/proc/{self.pid}/io").read_text(encoding="ascii").splitlines()
        except OSError:
            return 0, 0
        found = dict(line.split(": ", 1) for line in lines if ": " in line)
        return int(found.get("rchar", 0)), int(found.get("wchar", 0))

    async def ended(self) -> Ended:
        """Wait for its end. If the caller is cancelled it keeps running: see `end`."""
        return await asyncio.shield(self._reading)

    async def end(self) -> Ended:
        """End it, if it has not ended by itself, and return its output: iperf3 prints its results so far.

        Do not cancel this: it takes at most half a second, or a second if the program must be killed.
        """
        for signal_it in (self._process.terminate, self._process.kill):
            if not self._reading.done():
                with contextlib.suppress(ProcessLookupError):
                    signal_it()
                await asyncio.wait({self._reading}, timeout=_REAP_S)
        return await self.ended()

    async def _read(self) -> Ended:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        try:
            out, err = await asyncio.gather(
                self._gather(self._process.stdout), self._lines(self._process.stderr)
            )
            status = await self._process.wait()
        finally:
            self.started.cancel()
        start = self.started.result() if not self.started.cancelled() else None
        return Ended(status, out.decode("utf-8", "replace"), err, start)

    async def _lines(self, stream: asyncio.StreamReader) -> str:
        first = (await stream.readline()).decode("utf-8", "replace")
        reported = first.split()
        if len(reported) == 3 and reported[0] == launcher.STARTED:
            self.started.set_result(Start(int(reported[1]), int(reported[2])))
            first = ""
        return first + (await self._gather(stream)).decode("utf-8", "replace")

    async def _gather(self, stream: asyncio.StreamReader) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := await stream.read(_CHUNK):
            size += len(part)
            if size > _OUTPUT_LIMIT:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
                break
            parts.append(part)
        return b"".join(parts)
