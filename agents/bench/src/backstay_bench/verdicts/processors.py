"""Processor usage per emulated host, because namespaces show the whole machine's.

A host's work is that of its registered processes and their children. A thread writes it at least twice a
second as a /proc/stat (proc(5)), which is bind-mounted over the real one in the mount namespace of the
host's agent, as lxcfs(1) does for containers. A host has as many processors as the machine; its work fills
the first one first. Forwarding in the kernel is counted where the kernel does it: mostly with the sending
program.
"""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_MS_BIND, _PR_SET_PDEATHSIG = 0x1000, 1
_TICK_NS = 1_000_000
"""Of our own files; only shares are made of it."""
_EVERY_S = 0.2
_COLUMNS = 10
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Host:
    """One host's file and processes."""

    file: Path
    processes: set[int] = field(default_factory=set)
    processors: list[int] = field(default_factory=lambda: [0] * (os.cpu_count() or 1))
    """Work of each, ns."""
    _seen: int = 0

    def note(self, begun_ns: int, elapsed_ns: int, now_ns: int) -> None:
        """Add the last period's work, filling the first processor first."""
        whole = work_ns(self.processes)
        left, self._seen = max(0, whole - self._seen), whole
        for number in range(len(self.processors)):
            part = min(left, elapsed_ns)
            self.processors[number] += part
            left -= part
        self.file.write_bytes(stat_text(self.processors, now_ns - begun_ns).encode())

    def enter(self) -> list[str]:
        """The command prefix that runs a program with this view."""
        apart = ["/usr/bin/unshare", "--mount", "--propagation", "private"]
        return [*apart, sys.executable, "-m", __name__, str(self.file)]


def stat_text(busy_ns: list[int], since_ns: int) -> str:
    """The text of a /proc/stat, of constant length, so that a reader never sees a partial one."""
    rows = [(f"cpu{number}", busy, since_ns) for number, busy in enumerate(busy_ns)]
    rows.insert(0, ("cpu ", sum(busy_ns), since_ns * len(busy_ns)))
    lines = []
    for name, busy, whole in rows:
        columns = [0] * _COLUMNS
        columns[0], columns[3] = busy // _TICK_NS, max(whole - busy, 0) // _TICK_NS
        lines.append(" ".join([name, *(f"{one:012}" for one in columns)]))
    return "\n".join([*lines, ""])


def work_ns(processes: set[int]) -> int:
    """Processor time of these processes and their children; ended ones count with their parents."""
    found, left = 0, list(processes)
    while left:
        process = Path("/proc", str(left.pop()))
        with contextlib.suppress(OSError):  # gone meanwhile
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            found += sum(map(int, fields[11:15]))
            for task in (process / "task").iterdir():
                left += map(int, (task / "children").read_text().split())
    return found * 1_000_000_000 // _CLOCK_TICKS


@contextlib.contextmanager
def hosts(names: tuple[str, ...], folder: Path) -> Iterator[dict[str, Host]]:
    """A host for each name; their files are updated until the block ends."""
    found = {name: Host(folder / f"{name}.stat") for name in names}
    begun, stop = time.monotonic_ns(), threading.Event()
    for item in found.values():
        item.note(begun, 1, begun)

    def keep() -> None:
        last = begun
        while not stop.wait(_EVERY_S):
            now = time.monotonic_ns()
            for item in found.values():
                item.note(begun, now - last, now)
            last = now

    thread = threading.Thread(target=keep)
    thread.start()
    try:
        yield found
    finally:
        stop.set()
        thread.join()


def main() -> None:
    """`... FILE COMMAND`: run COMMAND with FILE in the place of /proc/stat, in a mount namespace apart."""
    file, *command = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)  # kept over execve(2): the agent ends with the bench
    if libc.mount(os.fsencode(file), b"/proc/stat", b"none", _MS_BIND, None):
        raise OSError(ctypes.get_errno(), "mount", file)
    os.execv(command[0], command)  # noqa: S606 - the bench's own command


if __name__ == "__main__":
    main()
