"""Hosts as network and mount namespaces on one bridge of the calling process's own network namespace.

Nothing outside is touched: a namespace and its ports end with the process that holds it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.processes import tree

BRIDGE, NETWORK = "br0", "192.0.2."
SERVICE, OUTSIDE = "192.0.2.10", "192.0.2.1"
"""Address of HAProxy, on the first host; that of agents and browsers."""
STOP_S = 8.0
Program = subprocess.Popen[bytes]


def run(*command: str) -> None:
    """Raises CalledProcessError; its text is in the bench's output."""
    subprocess.run(command, check=True)


def prepare_bridge() -> None:
    """The bridge and the address of agents, in a namespace without ports."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", BRIDGE, "type", "bridge")
    run("ip", "address", "add", f"{OUTSIDE}/24", "dev", BRIDGE)
    run("ip", "link", "set", BRIDGE, "up")


@dataclass
class Machine:
    """One host; `folder` has its files and logs."""

    name: str
    address: str
    folder: Path
    programs: dict[str, Program] = field(default_factory=dict)
    _holder: Program | None = None

    def create(self, *addresses: str) -> None:
        """The namespaces, and the port with the host's address and these."""
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "--mount", "sleep", "infinity"]
        self._holder = subprocess.Popen(command)
        self._until_unshared()
        port = f"v-{self.name}"
        run("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", str(self._holder.pid))
        run("ip", "link", "set", port, "master", BRIDGE, "up")
        self.run("ip", "link", "set", "lo", "up")
        for address in (self.address, *addresses):
            self.run("ip", "address", "add", f"{address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")

    def _until_unshared(self) -> None:
        assert self._holder is not None
        ours, deadline = Path("/proc/self/ns/mnt").readlink(), time.monotonic() + 10
        while Path(f"/proc/{self._holder.pid}/ns/mnt").readlink() == ours:
            if time.monotonic() > deadline:
                raise TimeoutError("unshare(1) made no namespace")
            time.sleep(0.01)

    def command(self, *command: str) -> list[str]:
        """A command line that runs on this host."""
        assert self._holder is not None
        return ["nsenter", "-t", str(self._holder.pid), "-n", "-m", *command]

    def run(self, *command: str, environment: Mapping[str, str] | None = None) -> str:
        """Its output. Raises CalledProcessError with it."""
        done = subprocess.run(
            self.command(*command),
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        if done.returncode:
            raise RuntimeError(f"{command[0]} on {self.name} failed: {done.stdout.strip()[-800:]}")
        return done.stdout

    def bind(self, place: str) -> Path:
        """A folder of this host alone in the place of one that a package made; returns where it is."""
        own = self.folder / place.strip("/").replace("/", "-")
        own.mkdir()
        own.chmod(0o755)
        self.run("mount", "--bind", str(own), place)
        return own

    def start(
        self, name: str, *command: str, environment: Mapping[str, str] | None = None, cwd: Path
    ) -> None:
        """A program; its output is in `NAME.log`."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.programs[name] = subprocess.Popen(
                self.command("setpriv", "--pdeathsig", "KILL", *command),
                env={**os.environ, **(environment or {})},
                cwd=cwd,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )

    def kill(self, *names: str) -> None:
        """Kill -9 each program with all its processes."""
        for name in names:
            program = self.programs.pop(name)
            for pid in tree([program.pid]):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            program.wait(STOP_S)

    def lose(self) -> None:
        """Disconnect the host, then kill all that runs on it: nobody gets a reset."""
        run("ip", "link", "set", f"v-{self.name}", "down")
        self.kill(*list(self.programs))

    def connect(self) -> None:
        """Connect the host again."""
        run("ip", "link", "set", f"v-{self.name}", "up")
