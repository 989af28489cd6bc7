"""At a real terminal: a board with a countdown, and keys that act."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable

from operator_fake import Asked, World
from operator_site import change, member

BOUND_S = 40.0


def read_until(handle: int, text: str, seen: str = "") -> str:
    """What the terminal got up to a text."""
    end = time.monotonic() + BOUND_S
    while text not in seen:
        ready, _, _ = select.select([handle], [], [], max(end - time.monotonic(), 0))
        if not ready:
            raise AssertionError(f"{text!r} did not come: {seen[-300:]!r}")
        try:
            chunk = os.read(handle, 4096)
        except OSError:
            raise AssertionError(f"it ended before {text!r}: {seen[-300:]!r}") from None
        seen += chunk.decode()
    return seen


def at_terminal(arguments: list[str], act: Callable[[int, int], None]) -> int:
    """Run with a terminal of its own, act on it, and return the exit code; the terminal must be as before."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 120))
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "backstay_operator", *arguments]
    environment = os.environ | {"TERM": "xterm-256color"}
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
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


def test_c_at_the_board_confirms_and_the_change_ends_well(world: World) -> None:
    waits = change("confirming", members=[member("sp05", "applied")])
    done = change("done", members=[member("sp05", "confirmed")])
    world.answers["GET", "/changes/42"] = lambda _: (
        done if world.made("POST", "/changes/42/confirm") else waits
    ).model_dump(mode="json")

    def act(handle: int, _: int) -> None:
        seen = read_until(handle, "q leave")
        assert "1 min 13 s until the guards roll back" in seen
        assert "\x1b[" in seen
        os.write(handle, b"c")
        read_until(handle, "Change #42: SP - ")

    assert at_terminal(["change", "42", "--wait"], act) == 0
    assert world.made("POST", "/changes/42/confirm")[0].body == {"wave": 0}


def test_ctrl_c_leaves_and_nothing_is_asked_of_the_change(world: World) -> None:
    def waits(_: Asked) -> object:
        return change("confirming", members=[member("sp05", "applied")]).model_dump(mode="json")

    world.answers["GET", "/changes/42"] = waits

    def act(handle: int, process: int) -> None:
        read_until(handle, "q leave")
        os.kill(process, signal.SIGINT)
        read_until(handle, "It goes on without you")

    assert at_terminal(["change", "42", "--wait"], act) == 0
    assert {each.method for each in world.asked} == {"GET"}
