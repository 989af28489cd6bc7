"""A demo's paths: one data folder, and a short one for sockets.

A unix socket's path may have 107 octets (unix(7)), and the database's user must be able to reach its files.
When the data folder is too deep or closed to that user, those parts are placed elsewhere and the supervisor
reports it.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.demo.errors import DemoError

MAX_SOCKET_FOLDER = 80
"""Octets left for a folder of sockets such as `.s.PGSQL.5432.lock`, with some reserve."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one demo."""

    data: Path
    checkout: Path

    @property
    def id(self) -> str:
        """Eight hexadecimal digits derived from the data folder's path."""
        return hashlib.sha256(os.fsencode(self.data)).hexdigest()[:8]

    @property
    def demo_file(self) -> Path:
        """For users and tests: address; user, password and token of two people (mode 600)."""
        return self.data / "demo.json"

    @property
    def run_file(self) -> Path:
        """Running processes with their start times (mode 600)."""
        return self.data / "run.json"

    @property
    def secrets_file(self) -> Path:
        return self.data / "secrets.json"

    @property
    def ports_file(self) -> Path:
        """The ports of the last run, which the next one takes again."""
        return self.data / "ports.json"

    @property
    def lock_file(self) -> Path:
        return self.data / "supervisor.lock"

    @property
    def token_file(self) -> Path:
        """The administrator's API token (mode 600)."""
        return self.data / "token"

    @property
    def second_token_file(self) -> Path:
        """The second person's (mode 600)."""
        return self.data / "second-token"

    @property
    def beat(self) -> Path:
        """State file of the beat."""
        return self.data / "beat" / "schedule"

    @property
    def messages(self) -> Path:
        """Mails and webhooks that the demo's receivers got."""
        return self.data / "messages"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    @property
    def agents(self) -> Path:
        """The agents' state folders, by site."""
        return self.data / "agents"

    @property
    def enrolment(self) -> Path:
        """One-time tokens, by site."""
        return self.data / "enrolment"

    @property
    def manage(self) -> Path:
        return self.checkout / "backend" / "manage.py"

    @property
    def roles_script(self) -> Path:
        return self.checkout / "backend" / "deploy" / "roles.sql"

    def prepare(self) -> None:
        """Create the folders. The data folder is searchable, so that the database's user can enter."""
        self.data.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.logs.mkdir(exist_ok=True)
        self.beat.parent.mkdir(exist_ok=True)
        for private in (self.agents, self.enrolment):
            private.mkdir(mode=0o700, exist_ok=True)


def find_checkout() -> Path:
    """The checkout this package was installed from (editable); DemoError when it was not."""
    folder = Path(__file__).resolve().parents[5]
    if not (folder / "backend" / "manage.py").is_file():
        raise DemoError("The demo needs the whole checkout: install backstay-lab from it with `make demo`.")
    return folder


def fits_socket(folder: Path) -> bool:
    """Whether the folder's path is short enough for sockets."""
    return len(os.fsencode(folder)) <= MAX_SOCKET_FOLDER


def closed_parent(folder: Path) -> Path | None:
    """The first parent folder that other users cannot enter; None when they can enter all."""
    for parent in reversed(folder.parents):
        if parent.exists() and not parent.stat().st_mode & 0o001:
            return parent
    return None
