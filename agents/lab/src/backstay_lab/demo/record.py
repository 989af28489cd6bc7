"""The running processes on disk: supervisor and children, for the cleanup after a kill -9.

The running supervisor holds the lock next to it (flock(2) ends with its holder), so `run.json` without a
held lock means leftovers.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from backstay_lab.demo.files import read_json, write_json
from backstay_lab.demo.layout import Layout
from backstay_lab.demo.sessions import ChildSession

Phase = Literal["starting", "ready", "stopping"]


@dataclass(slots=True)
class Record:
    """One run: its phase, address, sockets' folder and processes."""

    supervisor: ChildSession
    sites: list[str]
    url: str = ""
    phase: Phase = "starting"
    sockets: str = ""
    """Folder of the sockets if outside the data folder: removed at the end."""
    children: dict[str, ChildSession] = field(default_factory=dict)

    def save(self, layout: Layout) -> None:
        write_json(layout.run_file, asdict(self))


def load(layout: Layout) -> Record | None:
    """The record of the running or killed supervisor; None without one."""
    raw = read_json(layout.run_file)
    if raw is None:
        return None
    raw["supervisor"] = ChildSession(**raw["supervisor"])
    raw["children"] = {name: ChildSession(**child) for name, child in raw["children"].items()}
    return Record(**raw)


class BusyError(Exception):
    """Another supervisor uses this data folder."""


@contextlib.contextmanager
def hold(lock_file: Path) -> Iterator[None]:
    """Lock a data folder for this supervisor; raises BusyError when another one holds it."""
    with lock_file.open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError from error
        yield


def is_held(lock_file: Path) -> bool:
    """Whether a supervisor is running."""
    if not lock_file.exists():
        return False
    try:
        with hold(lock_file):
            return False
    except BusyError:
        return True
