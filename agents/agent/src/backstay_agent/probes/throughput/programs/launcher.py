"""Starts a test's program at its moment, and lets it end when the agent does, however the agent ends.

Run as a script by the agent, without the site's modules, so that it is there in some milliseconds:
`launcher.py PARENT AT PROGRAM [ARGUMENT ...]`; imported by our own programs, which do the same.
The kernel's word that the parent died (PR_SET_PDEATHSIG, prctl(2)) outlives execve(2), so that neither
SIGKILL nor a crash of the agent leaves a server behind.
"""

import ctypes
import os
import signal
import sys
import time

_PR_SET_PDEATHSIG = 1
_SPIN_NS = 300_000
"""The last of the waiting is done awake: a sleeper is woken late by about this on a busy host."""
STARTED = "started"
"""First word of the line on stderr: `started WALL MONOTONIC`, nanoseconds."""


def die_with(parent: int) -> None:
    """Have the kernel end this process as soon as `parent` has ended; end now if it has already."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def wait_until(monotonic_ns: int) -> None:
    """Sleep until then by CLOCK_MONOTONIC, which all processes of a host share; 0: no waiting."""
    while (left := monotonic_ns - time.monotonic_ns()) > 0:
        if left > _SPIN_NS:
            time.sleep((left - _SPIN_NS) / 1e9)


def tell_start() -> None:
    """Say on stderr that it begins now."""
    os.write(2, f"{STARTED} {time.time_ns()} {time.monotonic_ns()}\n".encode())


def main() -> None:
    """Become the program at its moment."""
    die_with(int(sys.argv[1]))
    wait_until(int(sys.argv[2]))
    tell_start()
    program = sys.argv[3:]
    try:
        os.execv(program[0], program)  # noqa: S606 - an absolute path of the agent's allow-list
    except OSError as error:
        os.write(2, f"{program[0]}: {error.strerror}\n".encode())
        os._exit(127)


if __name__ == "__main__":
    main()
