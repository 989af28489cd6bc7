"""Access to an InfiniBand fabric: infiniband-diags as bounded programs, and /sys/class/infiniband.

A program runs from an argument list in a private folder, with a time limit after which it is killed by its
process id. Its output until then is kept: a partial fabric is better than none.
"""

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

SYSFS = Path("/sys/class/infiniband")
_MAX_OCTETS = 64 * 1024 * 1024
"""A 10,000-node fabric's counters are about 30 MB of text."""
_CHUNK = 1 << 18
_MAX_ERRORS = 1000
_SBIN = ("/usr/sbin", "/sbin", "/usr/local/sbin")
_FILE_OCTETS = 4096


class ToolMissingError(Exception):
    """The program is not installed on this host."""


@dataclass(frozen=True, slots=True)
class Output:
    """A program's output. `cut`: we ended it, so its last line may be incomplete (and is left out)."""

    lines: list[str]
    errors: list[str]
    status: int
    cut: bool


class InfinibandTools:
    """Runs the programs; `folder` holds their files, and `close` removes it."""

    def __init__(self, ca: str = "", ca_port: int = 0) -> None:
        self._adapter = [*(("-C", ca) if ca else ()), *(("-P", str(ca_port)) if ca_port else ())]
        self._folder: Path | None = None

    @property
    def folder(self) -> Path:
        """A private folder for caches and maps."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="backstay-ib-"))
        return self._folder

    def write(self, name: str, content: str) -> Path:
        """Put a file into the folder."""
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        return path

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    async def run(
        self,
        program: str,
        *arguments: str,
        limit_s: float,
        stop_at: Callable[[str], bool] | None = None,
        feed: Callable[[list[str]], None] | None = None,
    ) -> Output:
        """Run `program` for at most `limit_s` seconds, or until `stop_at` is true for a line of its errors.

        With `feed`, whole lines are passed on as they arrive, and the output has none. Raises
        ToolMissingError.
        """
        path = shutil.which(program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *_SBIN)))
        if path is None:
            raise ToolMissingError(f"{program} is not installed (Debian package infiniband-diags)")
        process = await asyncio.create_subprocess_exec(
            path,
            *arguments,
            *self._adapter,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C"},
        )
        lines = _Lines(feed)
        output = await _watch(process, limit_s, stop_at, lines)
        return replace(output, lines=lines.rest(torn=output.cut))


class _Lines:
    """Octets into lines: kept, or passed on as they arrive."""

    def __init__(self, feed: Callable[[list[str]], None] | None) -> None:
        self._feed = feed
        self._kept: list[bytes] = []

    def take(self, chunk: bytes) -> None:
        """More octets."""
        if self._feed is None or b"\n" not in chunk:
            self._kept.append(chunk)
            return
        whole, _, tail = chunk.rpartition(b"\n")
        self._feed(_split((*self._kept, whole)))
        self._kept = [tail]

    def rest(self, *, torn: bool) -> list[str]:
        """At the end: the kept lines. The last line is left out if it is incomplete."""
        lines = _split(self._kept)
        if torn:
            lines.pop()
        if self._feed is None:
            return lines
        self._feed(lines)
        return []


def _split(chunks: Iterable[bytes]) -> list[str]:
    return b"".join(chunks).decode("utf-8", "replace").split("\n")


async def _watch(
    process: asyncio.subprocess.Process,
    limit_s: float,
    stop_at: Callable[[str], bool] | None,
    lines: _Lines,
) -> Output:
    """Read both streams to their end. Killing the process ends them early."""
    assert process.stdout is not None
    assert process.stderr is not None
    errors: list[str] = []
    cut = True
    try:
        async with asyncio.timeout(limit_s):
            whole = await asyncio.gather(
                _collect(process, process.stdout, lines),
                _complaints(process, process.stderr, errors, stop_at),
            )
            await process.wait()
        cut = not all(whole)
    except TimeoutError:
        pass
    finally:
        # Also when the collector itself is cancelled: none of our programs outlives its run.
        _kill(process)
        status = await process.wait()
    return Output([], errors, status, cut)


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def _collect(process: asyncio.subprocess.Process, stream: asyncio.StreamReader, lines: _Lines) -> bool:
    """Read to the end; False if the output exceeded the limit."""
    size = 0
    while chunk := await stream.read(_CHUNK):
        if size <= _MAX_OCTETS:
            lines.take(chunk)
            size += len(chunk)
        else:
            _kill(process)
    return size <= _MAX_OCTETS


async def _complaints(
    process: asyncio.subprocess.Process,
    stream: asyncio.StreamReader,
    errors: list[str],
    stop_at: Callable[[str], bool] | None,
) -> bool:
    """Read standard error to the end, keeping its first lines; False if one of them requires a stop."""
    stopped = False
    async for raw in stream:
        line = raw.decode("utf-8", "replace").rstrip("\n")
        if len(errors) < _MAX_ERRORS:
            errors.append(line)
        if stop_at is not None and not stopped and stop_at(line):
            stopped = True
            _kill(process)
    return not stopped


@dataclass(frozen=True, slots=True)
class AdapterPort:
    """One port below /sys/class/infiniband: the files of its folder, and those of its two counter folders."""

    adapter: str
    number: int
    facts: dict[str, str]
    """Its own files, and `gid`, its first GID."""
    counters: dict[str, str]
    hw_counters: dict[str, str]


def adapter_ports(root: Path = SYSFS) -> list[AdapterPort]:
    """Every port of every adapter of this host (Linux, Documentation/ABI/stable/sysfs-class-infiniband)."""
    return [port for adapter in _entries(root) for port in _ports(adapter)]


def _ports(adapter: Path) -> Iterator[AdapterPort]:
    for port in _entries(adapter / "ports"):
        if port.name.isdecimal():
            counters, hw_counters = _files(port / "counters"), _files(port / "hw_counters")
            facts = _files(port) | {"gid": _read(port / "gids" / "0") or ""}
            yield AdapterPort(adapter.name, int(port.name), facts, counters, hw_counters)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _files(folder: Path) -> dict[str, str]:
    """The readable files of a folder; one that is currently unreadable (EINVAL, EIO) is left out."""
    content = ((entry.name, _read(entry)) for entry in _entries(folder) if entry.is_file())
    return {name: text for name, text in content if text is not None}


def _read(path: Path) -> str | None:
    try:
        with path.open("rb") as handle:
            return handle.read(_FILE_OCTETS).decode("utf-8", "replace").strip()
    except OSError:
        return None
