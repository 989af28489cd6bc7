"""Fixtures of the lab's tests: blueprints, golden files, and running labs driven by the command line.

Running labs are used only through `python -m backstay_lab`, so that the tests see what a user sees, and run
equally as root or, if the kernel allows it, as an unprivileged user.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from backstay_lab import cli
from backstay_lab.blueprint import Blueprint, Parameters
from backstay_lab.naming import lab_id
from backstay_lab.sites import site

GOLDEN = Path(__file__).parent / "golden"
PYCACHE = tempfile.mkdtemp(prefix="bslab-pycache")
atexit.register(shutil.rmtree, PYCACHE, ignore_errors=True)
REGENERATE = "BACKSTAY_REGENERATE_GOLDEN"
"""Set this variable to rewrite the golden files instead of comparing them."""


@pytest.fixture
def argonne() -> Blueprint:
    """The site with three compute nodes."""
    return site("argonne", Parameters(nodes=3))


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with a golden file, or write it when BACKSTAY_REGENERATE_GOLDEN is set."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get(REGENERATE):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert text == path.read_text()

    return check


@dataclass
class Lab:
    """A lab identified by its state folder, controlled by its command line."""

    state: Path
    prefix: tuple[str, ...] = (sys.executable,)
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def _environment(self) -> dict[str, str]:
        """Our environment, with compiled modules kept, since a test starts many short programs."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return kept | {"PYTHONPYCACHEPREFIX": PYCACHE} | self.environment

    def argv(self, *arguments: str) -> list[str]:
        return [*self.prefix, "-m", "backstay_lab", "--state", str(self.state), *arguments]

    def run(self, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        """Run a command; it may fail."""
        if self.prefix == (sys.executable,):
            return run_in_fork(self.argv(*arguments)[2:], self.environment)
        return subprocess.run(
            self.argv(*arguments),
            capture_output=True,
            text=True,
            timeout=timeout,
            env=self._environment,
            check=False,
        )

    def do(self, *arguments: str, timeout: float = 60) -> str:
        """Run a command that must succeed; returns its output."""
        done = self.run(*arguments, timeout=timeout)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Run a command in the background."""
        return subprocess.Popen(
            self.argv(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self._environment,
        )

    def entering(self, node: str) -> list[str]:
        """The command prefix that enters a node like `exec`, without starting Python."""
        enter = ["ip", "netns", "exec", f"bs{lab_id(self.state)}-{node}"]
        holder = self.state / "holder.json"
        if not holder.exists():
            return enter
        pid = json.loads(holder.read_text())["pid"]
        return [
            *self.prefix[:-1],
            "nsenter",
            "-t",
            str(pid),
            "-U",
            "-m",
            "--preserve-credentials",
            "--",
            *enter,
        ]

    def try_inside(self, node: str, *argv: str) -> subprocess.CompletedProcess[str]:
        """Run a program inside a node; it may fail."""
        command = [*self.entering(node), *argv]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    def inside(self, node: str, *argv: str) -> str:
        """Run a program inside a node that must succeed; returns its output."""
        done = self.try_inside(node, *argv)
        assert done.returncode == 0, f"{node}: {argv}: {done.stdout}{done.stderr}"
        return done.stdout

    def status(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.do("status", "--json"))
        return report

    def node(self, name: str) -> dict[str, Any]:
        return next(node for node in self.status()["nodes"] if node["name"] == name)

    def routes(self, node: str) -> dict[str, str]:
        """Prefix -> next hop of the routes that BIRD installed in the node's kernel."""
        shown = json.loads(self.inside(node, "ip", "-json", "route", "show", "proto", "bird"))
        return {route["dst"]: route["gateway"] for route in shown if "gateway" in route}

    def octets(self, node: str, port: str) -> dict[str, int]:
        """The kernel's own octet counters of a port."""
        shown = json.loads(self.inside(node, "ip", "-s", "-json", "link", "show", "dev", port))
        counters = shown[0]["stats64"]
        return {"in": counters["rx"]["bytes"], "out": counters["tx"]["bytes"]}


def run_in_fork(argv: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The command line in its own process, without the half second of Python's imports."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complained:
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(complained.fileno(), 2)
            os._exit(become_command(argv, environment))
        _, status = os.waitpid(child, 0)
        texts = []
        for handle in (output, complained):
            handle.seek(0)
            texts.append(handle.read().decode())
    return subprocess.CompletedProcess(argv, os.waitstatus_to_exitcode(status), *texts)


def become_command(argv: list[str], environment: dict[str, str]) -> int:
    """Run the command line in this process and return its exit status, like the interpreter."""
    os.environ.update(environment)
    sys.argv = argv
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115 - this process ends with them
    status = 0
    try:
        cli.main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return status


def why_no_namespaces() -> str | None:
    """Why labs cannot run here; None: they can."""
    missing = [name for name in ("bird", "snmpd", "nft", "iperf3", "tc", "ip") if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if os.geteuid() == 0:
        tried = ["unshare", "--net", "true"]
    else:
        tried = ["unshare", "--user", "--map-root-user", "--net", "true"]
    done = subprocess.run(tried, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"the kernel forbids network namespaces: {done.stderr.strip()}"


@pytest.fixture(scope="session")
def namespaces_work() -> None:
    """Skip with the reason if labs cannot run."""
    if reason := why_no_namespaces():
        pytest.skip(reason)


@pytest.fixture
def state_folder(namespaces_work: None) -> Iterator[Path]:
    """A folder for one lab; short, because paths of unix sockets are limited. The lab is stopped after the
    test."""
    folder = Path(tempfile.mkdtemp(prefix="bslab"))
    yield folder / "lab"
    if (folder / "lab").exists():
        Lab(folder / "lab").do("down", "argonne")
    shutil.rmtree(folder)


@pytest.fixture
def lab(state_folder: Path) -> Lab:
    """A lab that is not yet up."""
    return Lab(state_folder)


@pytest.fixture(scope="session")
def lab_type() -> type[Lab]:
    """Creates a lab from its state folder."""
    return Lab


@pytest.fixture(scope="session")
def argonne_lab(namespaces_work: None) -> Iterator[Lab]:
    """One running lab with two compute nodes for many tests; each restores it."""
    folder = Path(tempfile.mkdtemp(prefix="bslab"))
    lab = Lab(folder / "lab")
    try:
        lab.do("up", "argonne", "--nodes", "2", "--backend-port", str(free_port()))
        yield lab
    finally:
        lab.do("down", "argonne")
        shutil.rmtree(folder)


def free_port() -> int:
    """A free TCP port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
