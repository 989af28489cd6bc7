"""Starts a test's program at its moment, and lets it end when the agent does, however the agent ends.

Run as a script by the agent, without the site's modules, so that it is there in some milliseconds:
`launcher.py PARENT AT PROGRAM [ARGUMENT ...]`; imported by our own programs, which do the same.
The kernel's signal at the parent's death (PR_SET_PDEATHSIG, prctl(2)) outlives execve(2), so that neither
SIGKILL nor a crash of the agent leaves a server behind.
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
    """Have the kernel end this process as soon as `parent` has ended; end now if it has already."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def wait_until(monotonic_ns: int) -> None:
    """Sleep until then by CLOCK_MONOTONIC, which all processes of a host share; 0: no waiting."""
    while (left := monotonic_ns - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def start_at(monotonic_ns: int) -> None:
    """Wait until then, and print the start to stderr.

    Who wakes up goes first (SCHED_FIFO, where we may), or ten tests that begin together on a busy host would
    begin one after the other; the test itself runs as any program does.
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
    """Become the program at its moment."""
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
