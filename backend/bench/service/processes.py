"""The service started as the demo starts it, without a lab: databases, web, ingest, worker and beat.

The demo's supervisor does the work, so that a bench attacks what is delivered. It writes below a folder of
its own and listens on free loopback ports. `backstay-demo down --data FOLDER` cleans up after a kill -9.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from backstay_lab.demo import ports, sessions
from backstay_lab.demo.backend import Backend
from backstay_lab.demo.children import Children, Program
from backstay_lab.demo.credentials import USER, load_or_create
from backstay_lab.demo.layout import Layout, find_checkout
from backstay_lab.demo.progress import Progress
from backstay_lab.demo.record import Record
from backstay_lab.demo.shutdown import Stopping
from backstay_lab.demo.steps import ParallelStep
from backstay_lab.demo.supervisor import Supervisor, forget
from bench.processes import tree
from bench.service.calls import Answer, bearer, call

DATABASE, REDIS = "postgres", "redis"
SERVERS = ("web", "ingest", "worker", "sender", "beat")
UP_S = 60.0


class PromptChildren(Children):
    """Restarts at once: a bench kills a process more often than the demo's growing pauses allow."""

    def restart(self, name: str) -> None:
        """Start a child again that has ended or is to end."""
        self._restart(self._children[name], time.monotonic())

    def ended(self) -> list[str]:
        """Children that have exited."""
        return [name for name, child in self._children.items() if child.process.poll() is not None]


class Service(Supervisor):
    """One running service; use it as a context manager."""

    children: PromptChildren
    backend: Backend
    token: str
    keeps_data = False
    """Whether the folder stays, to be started again sooner."""

    def __enter__(self) -> Service:
        try:
            self._start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _start(self) -> None:
        stores = self._plan_databases()
        credentials = load_or_create(self.layout.secrets_file)
        self.backend = Backend(self.layout, stores, credentials, ports.any_free(), ports.any_free())
        self.record.url = self.backend.url
        self._start_databases(stores, credentials)
        no_lab = ParallelStep(Program("lab", ["true"], self.layout.log("lab")), self.mark)
        self._start_backend(self.backend, no_lab)
        self.token = self.layout.token_file.read_text().strip()

    @property
    def user(self) -> tuple[str, str]:
        """Name and password of the administrator."""
        return USER, self.backend.credentials.admin_password

    @property
    def environment(self) -> dict[str, str]:
        return self.backend.environment()

    def connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        """A connection of the application's own database role."""
        given = self.environment
        return psycopg.connect(
            host=given["BACKSTAY_DB_HOST"],
            port=given["BACKSTAY_DB_PORT"],
            dbname=given["BACKSTAY_DB_NAME"],
            user=given["BACKSTAY_DB_USER"],
            password=given["BACKSTAY_DB_PASSWORD"],
            autocommit=True,
            connect_timeout=5,
            options="-c statement_timeout=20s",
        )

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of one query."""
        with self.connect() as connection:
            return connection.execute(sql, values).fetchall()

    def call(self, method: str, path: str, body: bytes | None = None, **more: Any) -> Answer:
        """A call of the public API as administrator."""
        return call(self.backend.web_port, method, path, body, bearer(self.token), **more)

    def processes(self, *names: str) -> list[int]:
        """Ids of the living processes of these children; of all without names.

        By parentage: each backend of PostgreSQL leads a session of its own.
        """
        known = self.children.sessions()
        chosen = [known[name] for name in names or known if name in known]
        roots = [session.pid for session in chosen if sessions.alive(session)]
        return list({*tree(roots), *(process.pid for process in sessions.members(chosen, self.mark))})

    def signal(self, number: signal.Signals, *names: str) -> list[int]:
        """Send a signal to every process of these children; their ids."""
        found = self.processes(*names)
        for pid in found:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
        return found

    def kill(self, *names: str) -> None:
        """Kill -9 every process of these children, and wait until they are gone."""
        leaders = [self.children.sessions()[name] for name in names]
        killed = self.signal(signal.SIGKILL, *names)
        deadline = time.monotonic() + UP_S
        while any(sessions.look_up(pid) for pid in killed) and time.monotonic() < deadline:
            sessions.reap(leaders)
            time.sleep(0.01)

    def restart(self, *names: str) -> None:
        """Start children again."""
        for name in names:
            self.children.restart(name)

    def revive(self) -> list[str]:
        """Restart children that ended by themselves; their names."""
        ended = self.children.ended()
        self.restart(*ended)
        return ended

    def wait_up(self, seconds: float = UP_S) -> float:
        """Seconds until web and ingest answer; raises TimeoutError."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            reach = call(self.backend.ingest_port, "GET", "/api/agent/v1/reach", timeout_s=2)
            if reach.status and self.call("GET", "/api/v1/sites", timeout_s=5).status == 200:
                return time.monotonic() - began
            self.revive()
            time.sleep(0.1)
        raise TimeoutError(f"the service did not answer within {seconds:g} s; logs: {self.layout.logs}")

    def end(self) -> None:
        """Stop everything, and remove the folder unless it is kept."""
        self.signal(signal.SIGCONT)
        self.children.end([name for name in self.children.names() if name in SERVERS], grace_s=6)
        self.children.end([DATABASE, REDIS], ask=signal.SIGINT, grace_s=5)
        forget(self.layout, self.record)
        if not self.keeps_data:
            shutil.rmtree(self.layout.data, ignore_errors=True)


def prepare(data: Path | None = None) -> Service:
    """A service that is not yet started, in a new folder or in `data`, which stays.

    Temporary files of its programs are in there too.
    """
    folder = data or Path(tempfile.mkdtemp(prefix="backstay-bench-", dir="/var/tmp"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    temporary.chmod(0o1777)
    os.environ["TMPDIR"] = str(temporary)
    layout = Layout(folder, find_checkout())
    layout.prepare()
    record = Record(sessions.identify("supervisor", os.getpid()), [])

    def save(children: dict[str, sessions.ChildSession]) -> None:
        record.children = children
        record.save(layout)

    # The signal's exception, not a polled flag: it ends whatever a bench waits for, and __exit__ cleans up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    progress = Progress(sys.stderr, time.monotonic)
    service = Service(layout, progress, Stopping(), record, PromptChildren(str(folder), save))
    service.keeps_data = data is not None
    return service
