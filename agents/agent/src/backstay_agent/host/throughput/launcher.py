"""Starts a test's program at its start time, and makes it end with the agent, however the agent ends.

The agent runs it as a script without the site's modules, so that it starts within milliseconds: `launcher.py
PARENT AT PROGRAM [ARGUMENT ...]`. Our own programs import it and do the same. The kernel's signal at the
parent's death (PR_SET_PDEATHSIG, prctl(2)) survives execve(2), so that neither SIGKILL nor a crash of the
agent leaves a server behind.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

_PR_SET_PDEATHSIG = 1
_PR_SET_TIMERSLACK = 29
STARTED = "started"
"""First token of the line on stderr: `started WALL MONOTONIC`, nanoseconds."""


def die_with(parent: int) -> None:
    """Have the kernel end this process as soon as `parent` ends; end now if it already has."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def wait_until(monotonic_ns: int) -> None:
    """Sleep until then by CLOCK_MONOTONIC, which all processes of a host share; 0: no waiting."""
    while (left := monotonic_ns - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def start_at(monotonic_ns: int) -> None:
    """Wait until then, and print the start time to stderr.

    The wake-up has real-time priority (SCHED_FIFO, if permitted). Otherwise ten tests that start together on
    a busy host would start one after the other. The test itself runs with normal priority.
    """
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    wait_until(monotonic_ns)
    os.write(2, f"{STARTED} {time.time_ns()} {time.monotonic_ns()}\n".encode())
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    prctl(_PR_SET_TIMERSLACK, 0, 0, 0, 0)


def main() -> None:
    """Become the program at its start time."""
    die_with(int(sys.argv[1]))
    start_at(int(sys.argv[2]))
    program = sys.argv[3:]
    try:
        os.execv(program[0], program)  # noqa: S606 - an absolute path of the agent's allow-list
    except OSError as error:
        os.write(2, f"{program[0]}: {error.strerror}\n".encode())
        os._exit(127)


if __name__ == "__main__":
    main()
