"""TCP ports on the loopback address: free ones, and the process that holds a busy one."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from pathlib import Path

from backstay_lab.demo.errors import DemoError
from backstay_lab.demo.files import read_json, write_json

LOOPBACK = "127.0.0.1"
LISTEN = "0A"
"""TCP_LISTEN in the `st` column of proc_net(5)."""
TRIES = 100


def is_free(port: int) -> bool:
    """Whether a server can listen on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def any_free() -> int:
    """A port that the kernel picks."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def choose(
    wanted: int, *, insist: bool, free: Callable[[int], bool], holder: Callable[[int], str]
) -> tuple[int, str]:
    """A port, and a remark when it is not the wanted one.

    With `insist` (the user named this port) a busy port is a DemoError that names its holder; otherwise the
    next free one is used.
    """
    if free(wanted):
        return wanted, ""
    if insist:
        raise DemoError(
            f"Port {wanted} is in use by {holder(wanted)}."
            f" Stop that, or choose another: make demo PORT={wanted + 1}"
        )
    for port in range(wanted + 1, min(wanted + TRIES, 65536)):
        if free(port):
            return port, f"port {wanted} is in use by {holder(wanted)}; using {port}"
    raise DemoError(f"No free port between {wanted} and {wanted + TRIES}. Choose one: make demo PORT=...")


def kept(file: Path) -> int | None:
    """The web port of the last run; None without one."""
    port = (read_json(file) or {}).get("web")
    return port if isinstance(port, int) and 0 < port < 65536 else None


def keep(file: Path, web: int) -> None:
    """Remember the web port for the next run: bookmarks, tunnels and scripts name it."""
    write_json(file, {"web": web})


def listening_inodes(table: str, port: int) -> set[str]:
    """Inodes of the sockets that listen on that port, from the text of /proc/net/tcp or tcp6."""
    found = set()
    for line in table.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 9 and fields[3] == LISTEN and int(fields[1].rpartition(":")[2], 16) == port:
            found.add(fields[9])
    return found


def holder(port: int) -> str:
    """The listener on that port: `python3 (process 4711)`; `another program` when unknown."""
    inodes: set[str] = set()
    for table in ("tcp", "tcp6"):
        path = Path("/proc/net") / table
        if path.exists():
            inodes |= listening_inodes(path.read_text(), port)
    links = {f"socket:[{inode}]" for inode in inodes}
    return _owner(links, Path("/proc").glob("[0-9]*")) if links else "another program"


def _owner(links: set[str], processes: Iterable[Path]) -> str:
    for process in processes:
        try:
            if any(str(descriptor.readlink()) in links for descriptor in (process / "fd").iterdir()):
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
        except OSError:
            continue
    return "another user's program"
