"""A supervisor in the background: started in its own session, followed until it is ready.

Its output goes to `logs/supervisor.log`; the starting command repeats it on the terminal meanwhile.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from backstay_lab.demo import sessions
from backstay_lab.demo.layout import Layout
from backstay_lab.demo.progress import Progress
from backstay_lab.demo.record import Record, load
from backstay_lab.demo.shutdown import Stopping
from backstay_lab.demo.supervisor import forget, take_down_labs

STORES = ("redis", "postgres")


def sweep(layout: Layout, left: Record, progress: Progress) -> None:
    """Stop every process of a dead supervisor, and its lab."""
    mark = str(layout.data)
    others = [child for name, child in left.children.items() if name not in STORES]
    stores = [child for name, child in left.children.items() if name in STORES]
    sessions.end(others, mark, ask=signal.SIGTERM, grace_s=6)
    take_down_labs(layout, left.sites, progress)
    sessions.end(stores, mark, ask=signal.SIGINT, grace_s=5)
    forget(layout, left)
    progress.report("cleaned", "stopped the remains of a killed demo")


POLL_S = 0.1


def start(layout: Layout, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start this program again, without a terminal."""
    log = layout.log("supervisor")
    log.unlink(missing_ok=True)
    argv = [sys.executable, "-m", "backstay_lab.demo", "up", *arguments]
    with log.open("ab") as sink:
        return subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True
        )


def is_ready(layout: Layout) -> bool:
    """Whether the running supervisor has reported that it is ready."""
    running = load(layout)
    return running is not None and running.phase == "ready"


def follow(layout: Layout, child: subprocess.Popen[bytes], out: TextIO, stopping: Stopping) -> int | None:
    """Print its output until it is ready (None) or has exited (its status); forwards a request to stop."""
    passed_on = False
    with layout.log("supervisor").open() as output:
        while True:
            # Checked before the output is read, so that the last lines are never missed.
            ended, ready = child.poll() is not None, is_ready(layout)
            out.write(output.read())
            out.flush()
            if ended:
                return child.returncode
            if ready and not stopping.requested:
                return None
            if stopping.requested and not passed_on:
                os.kill(child.pid, signal.SIGTERM)
                passed_on = True
            time.sleep(POLL_S)
