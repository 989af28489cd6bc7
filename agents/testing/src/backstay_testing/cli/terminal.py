"""The program at its own terminal, whose settings must be restored at its end."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable

BOUND_S = 40.0


def read_until(handle: int, text: str, seen: str = "") -> str:
    """The terminal's output up to a text."""
    end = time.monotonic() + BOUND_S
    while text not in seen:
        ready, _, _ = select.select([handle], [], [], max(end - time.monotonic(), 0))
        if not ready:
            raise AssertionError(f"{text!r} was not printed: {seen[-300:]!r}")
        try:
            chunk = os.read(handle, 4096)
        except OSError:
            raise AssertionError(f"the program ended before {text!r}: {seen[-300:]!r}") from None
        seen += chunk.decode()
    return seen


def at_terminal(arguments: list[str], act: Callable[[int, int], None]) -> int:
    """Run at its own terminal, call `act`, and return the exit code; the terminal must be restored."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 120))
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "backstay_cli", *arguments]
    environment = os.environ | {"TERM": "xterm-256color"}
    # A shell's background job ignores SIGINT, and its children inherit that.
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    finally:
        signal.signal(signal.SIGINT, inherited)
    try:
        act(ours, running.pid)
        code = running.wait(BOUND_S)
        assert termios.tcgetattr(theirs) == before
        return code
    finally:
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            running.wait()
        os.close(ours)
        os.close(theirs)
