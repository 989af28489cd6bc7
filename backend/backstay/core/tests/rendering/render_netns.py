"""Network namespaces for tests that run a rendered file; a child process keeps each one open."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Space:
    """A namespace; `enter` is the command prefix that runs a program in it."""

    pid: int

    @property
    def enter(self) -> list[str]:
        return ["nsenter", "--target", str(self.pid), "--net"]

    def ip(self, *lines: str) -> None:
        """Run `ip LINE` for each."""
        for line in lines:
            subprocess.run([*self.enter, "ip", *line.split()], check=True)

    def ask(self, *arguments: str) -> str:
        """What `ip ARGUMENTS` prints."""
        argv = [*self.enter, "ip", *arguments]
        return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


@contextlib.contextmanager
def namespace() -> Iterator[Space]:
    """A new namespace; skips the test if none can be created."""
    unshare = shutil.which("unshare")
    if unshare is None or os.geteuid() != 0:
        pytest.skip("needs root to make network namespaces")
    if subprocess.run([unshare, "--net", "true"], check=False).returncode != 0:
        pytest.skip("network namespaces cannot be made here")
    ready, sentence = os.pipe()
    # unshare(1) runs the program after leaving our namespace, so output means that the namespace exists.
    holder = subprocess.Popen([unshare, "--net", "python3", "-c", _HOLD, str(sentence)], pass_fds=[sentence])
    os.close(sentence)
    try:
        os.read(ready, 1)
        yield Space(holder.pid)
    finally:
        os.close(ready)
        holder.kill()
        holder.wait()


_HOLD = "import os, sys, time; os.write(int(sys.argv[1]), b'x'); time.sleep(120)"
