"""Privileges: root, or a user namespace kept open by a small process.

Unprivileged, `up` starts a holder in a new user and mount namespace (user_namespaces(7)) with its own
/run/netns; later commands enter it by the holder's process ID. The holder stays in the host's *network*
namespace, so the relay started from it reaches the backend.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from backstay_lab import processes
from backstay_lab.errors import LabError
from backstay_lab.processes import Daemon
from backstay_lab.state import StateFolder, write_private

START_S = 5.0
HINT = (
    "Run as root, or enable user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "user.max_user_namespaces above 0, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0)."
)


def has_real_root() -> bool:
    """Whether this process is the machine's root, not only a user namespace's."""
    everyone = Path("/proc/self/uid_map").read_text().split() == ["0", "0", "4294967295"]
    return os.geteuid() == 0 and everyone


def enter(folder: StateFolder, argv: list[str], *, start: bool, alone: bool) -> None:
    """Continue as root: return at once if we are, else re-execute this command inside the holder.

    Without a holder, `start` starts one and `alone` continues without; otherwise a lab in the state folder
    is no longer reachable (LabError), and without a lab there is nothing to enter.
    """
    if os.geteuid() == 0:
        return
    holder = _load(folder)
    if holder is None and start:
        holder = _start(folder)
    if holder is not None:
        _become(holder, argv)
    if folder.run_file.exists() and not alone:
        raise LabError(
            "The process that kept this lab's namespaces open has ended.", "Run `backstay-lab down SITE`."
        )


def stop_holder(folder: StateFolder) -> None:
    """End the holder, if there is one."""
    holder = _load(folder)
    if holder is not None:
        processes.stop([holder])
    _file(folder).unlink(missing_ok=True)


def _file(folder: StateFolder) -> Path:
    return folder.path / "holder.json"


def _load(folder: StateFolder) -> Daemon | None:
    """The holder, when it still runs."""
    try:
        holder = Daemon(**json.loads(_file(folder).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return holder if processes.running(holder) else None


def _start(folder: StateFolder) -> Daemon:
    """Start the holder and wait for its mounts; LabError when the kernel forbids it."""
    folder.path.mkdir(parents=True, exist_ok=True)  # the holder ends when it is gone
    argv = ["unshare", "--user", "--map-root-user", "--mount", "--"]
    argv += [sys.executable, "-m", "backstay_lab.network.namespace_holder", str(folder.path)]
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    line = _first_line(process)
    if line != "ready":
        process.kill()
        process.wait()
        raise LabError(f"Not root, and no user namespace: {line or 'the holder printed nothing'}.", HINT)
    holder = processes.identify("holder", process.pid)
    write_private(_file(folder), json.dumps(asdict(holder)))
    return holder


def _first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        return process.stdout.readline().strip() if selector.select(START_S) else ""


def _become(holder: Daemon, argv: list[str]) -> NoReturn:
    enter = ["nsenter", "--target", str(holder.pid), "--user", "--mount", "--preserve-credentials"]
    command = [*enter, f"--wd={Path.cwd()}", "--", sys.executable, "-m", "backstay_lab", *argv]
    os.execvp(command[0], command)  # noqa: S606 - this command continues inside the namespace
