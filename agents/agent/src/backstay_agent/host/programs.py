"""Runs a program of this host, bounded in time and output, never through a shell."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_OUTPUT_LIMIT = 64 * 1024 * 1024
_CHUNK = 256 * 1024
_SHUTDOWN_S = 0.5


class NoProgramError(Exception):
    """The program does not exist on this host, or may not be run."""


class TooMuchOutputError(Exception):
    """The program's output exceeds 64 MiB."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a program."""

    status: int
    """Exit status; negative: the number of the signal that ended it."""
    out: str
    err: str


async def run(
    argv: Sequence[str], *, timeout_s: float, environment: Mapping[str, str] | None = None
) -> Ended:
    """Run a program to its end.

    Raises NoProgramError, TooMuchOutputError, and TimeoutError after `timeout_s` seconds. In each case, and
    when the caller is cancelled, the program is ended first.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
    except OSError as error:
        raise NoProgramError(f"{argv[0]}: {error.strerror}") from error
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.timeout(timeout_s):
            out, err = await asyncio.gather(_read(process.stdout), _read(process.stderr))
            status = await process.wait()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _SHUTDOWN_S)
    return Ended(status, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


async def _read(stream: asyncio.StreamReader) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := await stream.read(_CHUNK):
        size += len(part)
        if size > _OUTPUT_LIMIT:
            raise TooMuchOutputError(f"more than {_OUTPUT_LIMIT} octets")
        parts.append(part)
    return b"".join(parts)
