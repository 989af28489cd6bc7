"""Private network namespaces for tests and benchmarks."""

import contextlib
import ctypes
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_IP = "/usr/sbin/ip"
_CLONE_NEWNET = 0x40000000
_HELD_S = "7200"
"""A forgotten namespace disappears after so long."""
_MAX_START_S = 60.0
"""The kernel makes a namespace only after it has removed others, which takes seconds when there are many."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace held open by a child process, and removed with it."""

    pid: int

    def run(self, *arguments: str) -> None:
        """Run `ip ARGUMENTS` in it. Raises CalledProcessError."""
        subprocess.run([*self.enter(), _IP, *arguments], check=True, capture_output=True)

    def enter(self) -> list[str]:
        """The command prefix that runs a program in it."""
        return ["/usr/bin/nsenter", "--target", str(self.pid), "--net"]


@contextlib.contextmanager
def namespace() -> Iterator[Namespace]:
    """A new network namespace with its loopback up."""
    holder = subprocess.Popen(["/usr/bin/unshare", "--net", "/usr/bin/sleep", _HELD_S])
    try:
        _wait_until_apart(holder.pid)
        space = Namespace(holder.pid)
        space.run("link", "set", "lo", "up")
        yield space
    finally:
        holder.kill()
        holder.wait()


def run_in(space: Namespace, function: Callable[[], object]) -> None:
    """Call `function` in a thread that has entered the namespace, so that its sockets belong to it."""
    failed: list[BaseException] = []

    def enter() -> None:
        try:
            _enter(space.pid)
            function()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def _enter(pid: int) -> None:
    """setns(2) of the calling thread only; the os module has it from Python 3.12."""
    handle = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(handle, _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
    finally:
        os.close(handle)


def _wait_until_apart(pid: int) -> None:
    """Wait until the process has left our namespace (unshare(1) does that before it runs the program)."""
    own = Path("/proc/self/ns/net").readlink()
    deadline = time.monotonic() + _MAX_START_S
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/ns/net").readlink() != own:
                return
        time.sleep(0.01)
    raise TimeoutError("the namespace did not come up")


def join(one: Namespace, port: str, other: Namespace, peer: str) -> None:
    """A veth pair: `port` in `one`, `peer` in `other`, both up."""
    one.run("link", "add", port, "type", "veth", "peer", "name", peer)
    one.run("link", "set", peer, "netns", str(other.pid))
    one.run("link", "set", port, "up")
    other.run("link", "set", peer, "up")
