"""A lab's state between commands: a folder with one JSON file, configurations, sockets and logs.

run.json      site, parameters, credentials, processes, faults (mode 600); it exists while the lab runs
run/NODE/     each daemon's configuration and control socket; run/service-NAME/ each service's
logs/         output of the daemons; kept after `down`
lock          held while a command changes the lab
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from backstay_lab.blueprint import Blueprint, Parameters, Running
from backstay_lab.credentials import Credentials
from backstay_lab.errors import LabError, StateUnreadableError
from backstay_lab.naming import Names, lab_id
from backstay_lab.node_files import Home
from backstay_lab.processes import Daemon
from backstay_lab.sites import site as site_of

LOCK_S = 30.0
RUNTIME = Path("/run/backstay-lab")
MAX_SOCKET_PATH = 107
"""Octets of a unix socket's path (unix(7))."""


@dataclass(frozen=True)
class NodeFault:
    """A node's fault: kind and start (RFC 3339)."""

    kind: str
    since: str


@dataclass(frozen=True)
class Run:
    """A running lab."""

    site: str
    id: str
    parameters: Parameters
    backend_port: int
    up_since: str
    credentials: Credentials
    ready: bool = False
    """False while `up` runs, and after it was killed."""
    daemons: tuple[Daemon, ...] = ()
    faults: dict[str, NodeFault] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        """The names of its namespaces."""
        return Names(self.id)

    def plan(self) -> Blueprint:
        """Its blueprint."""
        return site_of(self.site, self.parameters)

    def with_fault(self, node: str, fault: NodeFault | None) -> Run:
        """The lab with that fault on the node, or with none."""
        faults = {name: kept for name, kept in self.faults.items() if name != node}
        return replace(self, faults=faults if fault is None else {**faults, node: fault})


class StateFolder:
    """One lab's state folder."""

    def __init__(self, path: Path, chosen_id: str | None = None) -> None:
        self.path = path.resolve()
        self.id = chosen_id or lab_id(self.path)

    @property
    def run_file(self) -> Path:
        return self.path / "run.json"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    def node_folder(self, node: str) -> Path:
        """A node's configurations and sockets."""
        return self.path / "run" / node

    def service_folder(self, service: str) -> Path:
        """A service's configurations and sockets."""
        return self.path / "run" / f"service-{service}"

    def running(self, run: Run, service: str) -> Running:
        """The running lab as passed to that service."""
        return Running(
            plan=run.plan(),
            names=run.names,
            credentials=run.credentials,
            state=self.path,
            folder=self.service_folder(service),
            alive=self.alive_file(run),
        )

    def bird_socket(self, node: str) -> Path:
        """The control socket of a node's BIRD."""
        return self.node_folder(node) / "bird.ctl"

    def home(self, node: str) -> Home:
        """The paths of a node's engine."""
        return Home(self.node_folder(node), self.runtime / node)

    @property
    def runtime(self) -> Path:
        """Sockets of daemons that drop privileges and cannot enter the state folder."""
        return RUNTIME / self.id

    def log(self, daemon: str, node: str = "") -> Path:
        """The log file of a daemon."""
        return self.logs / (f"{node}-{daemon}.log" if node else f"{daemon}.log")

    def check_length(self, nodes: list[str]) -> None:
        """LabError when a control socket's path would exceed the kernel's limit."""
        longest = max(len(os.fsencode(self.bird_socket(node))) for node in nodes)
        if longest > MAX_SOCKET_PATH:
            raise LabError(
                f"The state folder's path is {longest - MAX_SOCKET_PATH} characters too long for sockets.",
                "Choose a shorter one with --state.",
            )

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder for a change; LabError when another command holds it too long."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as handle:
            deadline = time.monotonic() + LOCK_S
            while not _try_lock(handle):
                if time.monotonic() > deadline:
                    raise LabError(
                        f"Another command is changing the lab in {self.path}.", "Wait until it has finished."
                    )
                time.sleep(0.05)
            yield

    def load(self) -> Run | None:
        """The running lab; None when no lab runs. StateUnreadableError when the file cannot be read."""
        try:
            raw = json.loads(self.run_file.read_text())
            return _run_from(raw)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise StateUnreadableError(
                f"{self.run_file} cannot be read: {error}.", "Run `backstay-lab down SITE` to clean up."
            ) from error

    def require(self, site: str | None = None) -> Run:
        """The running lab; LabError when no lab runs, or another site."""
        run = self.load()
        if run is None:
            raise LabError(
                f"No lab runs in {self.path}.",
                "Start one with `backstay-lab up SITE`, or set --state.",
            )
        if site is not None and site != run.site:
            raise LabError(f"The lab in {self.path} is {run.site}, not {site}.", f"Name {run.site}.")
        return run

    def save(self, run: Run) -> None:
        """Write the lab's state atomically, readable by its owner only."""
        write_private(self.run_file, json.dumps(asdict(run), indent=1))

    def alive_file(self, run: Run) -> Path:
        """A file that exists while this run does; the lab's own processes end without it."""
        return self.path / "run" / f"alive-{run.up_since}"

    def forget(self) -> None:
        """Remove everything except logs."""
        for file in (self.run_file, _fresh(self.run_file)):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.path / "run", ignore_errors=True)
        shutil.rmtree(self.runtime, ignore_errors=True)


def _try_lock(handle: TextIO) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _fresh(path: Path) -> Path:
    """Temporary path of a file's next version; a killed process leaves it behind."""
    return path.with_name(path.name + ".new")


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically, mode 600."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = _fresh(path)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(text)
    fresh.chmod(0o600)
    fresh.replace(path)


def _run_from(raw: dict[str, Any]) -> Run:
    return Run(
        site=raw["site"],
        id=raw["id"],
        parameters=Parameters(**raw["parameters"]),
        backend_port=raw["backend_port"],
        up_since=raw["up_since"],
        ready=raw["ready"],
        credentials=Credentials(**raw["credentials"]),
        daemons=tuple(Daemon(**daemon) for daemon in raw["daemons"]),
        faults={node: NodeFault(**fault) for node, fault in raw["faults"].items()},
    )
