"""The programs that a test may run: an allow-list, their permitted folders, and their releases."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backstay_agent.host import programs
from backstay_wire import TestState

FOLDERS = (Path("/usr/bin"), Path("/usr/local/bin"))
_VERSION_S = 5.0


class UnableError(Exception):
    """An assignment that cannot be executed here, with its final state."""

    def __init__(self, state: TestState, detail: str) -> None:
        super().__init__(detail)
        self.state = state


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of the allow-list."""

    name: str
    package: str
    """Name of the Debian package."""
    pattern: str
    """Matches the output of `--version`; its only group is the release."""
    least: tuple[int, ...]
    """The oldest supported release."""


IPERF3 = Tool("iperf3", "iperf3", r"^iperf (\d+\.\d+(?:\.\d+)?)", (3, 7))
"""3.7 supports both directions at a time, and reports sums by sender and receiver."""
PERFTEST = {
    name: Tool(name, "perftest", r"[Vv]ersion:?\s+(\d+\.\d+)", (5, 0))
    for name in ("ib_write_bw", "ib_send_lat")
}


@dataclass(frozen=True, slots=True)
class Found:
    """An installed program that is usable."""

    path: str
    program: str
    """`iperf3 3.12`."""


class Tools:
    """This host's programs; a release is queried again if the file has changed."""

    def __init__(self, folders: Sequence[Path] = FOLDERS) -> None:
        self._folders = folders
        self._known: dict[str, tuple[tuple[int, int], str]] = {}

    async def find(self, tool: Tool) -> Found:
        """The program. Raises UnableError: missing_tool or wrong_version."""
        path = self._path(tool)
        stat = path.stat()
        stamp = (stat.st_ino, stat.st_mtime_ns)
        known = self._known.get(tool.name)
        if known is None or known[0] != stamp:
            known = (stamp, await _version_output(path))
            self._known[tool.name] = known
        found = re.search(tool.pattern, known[1], re.MULTILINE)
        if found is None:
            raise _wrong(f"{path} does not report its release of {tool.name}")
        release = found.group(1)
        if tuple(int(part) for part in release.split(".")) < tool.least:
            least = ".".join(map(str, tool.least))
            raise _wrong(f"{tool.name} {release} is too old: {least} or newer is needed")
        return Found(str(path), f"{tool.name} {release}")

    def _path(self, tool: Tool) -> Path:
        for folder in self._folders:
            path = folder / tool.name
            if path.is_file() and os.access(path, os.X_OK):
                return path
        where = ", ".join(map(str, self._folders))
        raise UnableError(
            TestState.MISSING_TOOL, f"{tool.name} is not in {where} (Debian package {tool.package})"
        )


async def _version_output(path: Path) -> str:
    try:
        ended = await programs.run([str(path), "--version"], timeout_s=_VERSION_S)
    except (programs.NoProgramError, programs.TooMuchOutputError) as error:
        raise _wrong(f"{path} does not run to report its release: {error}") from error
    except TimeoutError as error:
        raise _wrong(f"{path} does not report its release") from error
    return ended.out + ended.err


def _wrong(detail: str) -> UnableError:
    return UnableError(TestState.WRONG_VERSION, detail)
