"""Starts everything in order, monitors it, and stops it in reverse: the demo's composition root.

Independent slow steps run in parallel: the lab is built while the database is migrated, the users are
created while the servers start.
"""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstay_lab import public_api as api
from backstay_lab.demo import agents, databases, message_sinks, network, ports, readiness
from backstay_lab.demo.agents import ApiAccess
from backstay_lab.demo.backend import Backend
from backstay_lab.demo.children import Children
from backstay_lab.demo.credentials import SECOND, USER, Credentials, load_or_create
from backstay_lab.demo.databases import Databases
from backstay_lab.demo.errors import DemoError, Interrupted, StepError
from backstay_lab.demo.files import write_json
from backstay_lab.demo.layout import Layout
from backstay_lab.demo.progress import Progress
from backstay_lab.demo.record import Record
from backstay_lab.demo.shutdown import Stopping
from backstay_lab.demo.site_dirs import SiteDirs, places
from backstay_lab.demo.steps import ParallelStep, run

COMMAND_S, SERVER_S, READY_S = 180.0, 90.0, 90.0
"""Time limits of a command, of a server's start, and of a map without progress, seconds: many agents on a
small machine need minutes, but they appear one after the other.
"""
DOWN_S = 20.0
POLL_S, REPORT_S = 0.3, 5.0
EASE = 5
"""Pause between polls, as a multiple of the last response time."""


@dataclass(slots=True)
class Supervisor:
    """One demo from start to stop."""

    layout: Layout
    progress: Progress
    stopping: Stopping
    record: Record
    children: Children
    scale: network.Scale = network.AS_IT_IS
    """Of the first site."""

    @property
    def mark(self) -> str:
        return str(self.layout.data)

    @property
    def places(self) -> list[SiteDirs]:
        """The paths of each site."""
        return places(self.layout, self.record.sites)

    def start(self, web_port: int, ingest_port: int) -> dict[str, Any]:
        """Run all steps; returns the content of `demo.json`. Raises DemoError or Interrupted."""
        stores = self._plan_databases()
        credentials = load_or_create(self.layout.secrets_file)
        backend = Backend(self.layout, stores, credentials, web_port, ingest_port)
        self.record.url = backend.url
        self.record.save(self.layout)
        first, *others = self.places
        lab = ParallelStep(network.up(first, ingest_port, self.scale), self.mark)
        try:
            self._start_databases(stores, credentials)
            self._start_backend(backend, lab)
            self._report_lab(lab.finish(self.stopping, COMMAND_S))
        finally:
            lab.cancel()
        for place in others:
            # One after the other: two labs at once would miss the timers by which routing settles.
            self._report_lab(run(network.up(place, ingest_port), self.mark, self.stopping, COMMAND_S))
        token = self.layout.token_file.read_text().strip()
        self._start_agents(ApiAccess(backend.url, token))
        self._start_messages(backend, ApiAccess(backend.url, token))
        self._put_away_others(backend, token)
        for place in self.places:
            self._await_live_map(f"{backend.url}/api/v1/topology?site={place.site}", token)
        return {
            "url": backend.url,
            "user": USER,
            "password": credentials.admin_password,
            "token": token,
            "second": {
                "user": SECOND,
                "password": credentials.second_password,
                "token": self.layout.second_token_file.read_text().strip(),
            },
            "ingest": backend.ingest_url,
            "lab_state": str(first.lab),
            "site": first.site,
            "sites": [{"site": place.site, "lab_state": str(place.lab)} for place in self.places],
            "messages": str(self.layout.messages),
        }

    def _report_lab(self, output: str) -> None:
        self.progress.report("lab", output.splitlines()[0])

    def _start_agents(self, access: ApiAccess) -> None:
        for place in self.places:
            self.progress.report("site", agents.import_site(place, access))
            nodes = agents.start(place, access, self.children, self.stopping)
            self.progress.report("agents", f"{place.site}: {len(nodes)} started: {', '.join(nodes)}")

    def _start_messages(self, backend: Backend, access: ApiAccess) -> None:
        """Start the receivers of mail and webhooks, and configure them at every site."""
        smtp_port, web_port = ports.any_free(), ports.any_free()
        self.layout.messages.mkdir(exist_ok=True)
        self.children.start(backend.message_sinks(smtp_port, web_port))
        chosen = [
            place.site
            for place in self.places
            if message_sinks.configure(access, place.site, smtp_port, web_port)
        ]
        self.progress.report("messages", f"mail and webhooks of {', '.join(chosen)}: {self.layout.messages}")

    def _put_away_others(self, backend: Backend, token: str) -> None:
        """Archive sites that only an earlier demo with these data ran."""
        known = api.call(f"{backend.url}/api/v1/sites", token=token)["items"]
        if any(site["name"] not in self.record.sites for site in known):
            output = run(backend.archive(self.record.sites), self.mark, self.stopping, COMMAND_S)
            self.progress.report("site", output.strip())

    def _plan_databases(self) -> Databases:
        remarks: list[str] = []
        stores = databases.plan(self.layout, remarks)
        for remark in remarks:
            self.progress.report("database", remark)
        if not stores.sockets.is_relative_to(stores.data.parent):
            self.record.sockets = str(stores.sockets)
            self.record.save(self.layout)
        return stores

    def _start_databases(self, stores: Databases, credentials: Credentials) -> None:
        password = credentials.database_password
        if databases.prepare(stores):
            program = databases.initdb(stores, password, self.layout.log("initdb"))
            run(program, self.mark, self.stopping, COMMAND_S)
            databases.adopt(stores)
            self.progress.report("database", f"made a cluster in {stores.data}")
        self.children.start(databases.postgres(stores, self.layout.log("postgres")))
        self.children.start(databases.redis(stores, self.layout.log("redis")))
        self._until(lambda: self._database_answers(stores, password), "postgres", "redis")
        self._until(lambda: databases.redis_answers(stores), "postgres", "redis")
        script, log = self.layout.roles_script, self.layout.log("roles")
        run(databases.roles(stores, credentials, script, log), self.mark, self.stopping, COMMAND_S)
        self.progress.report("database", f"PostgreSQL {stores.programs.parent.name} and Redis are up")

    def _database_answers(self, stores: Databases, password: str) -> bool:
        """Whether our database exists; creates it once the server is up."""
        log = self.layout.log("psql")
        question = "select count(*) from pg_database where datname = 'backstay'"
        try:
            ask = databases.psql(stores, password, question, log, database="postgres")
            if run(ask, self.mark, self.stopping, COMMAND_S).strip() == "0":
                make = databases.psql(stores, password, "create database backstay", log, database="postgres")
                run(make, self.mark, self.stopping, COMMAND_S)
        except StepError:
            return False
        return True

    def _until(self, done: Any, *children: str, seconds: float = SERVER_S) -> None:
        """Poll until done; StepError when one of the children exits or on timeout."""
        deadline = time.monotonic() + seconds
        while not done():
            self.children.require(*children)
            if time.monotonic() > deadline:
                log = self.layout.log(children[0])
                raise StepError(f"{children[0]} does not answer within {seconds:g} s.", log)
            self.stopping.sleep(POLL_S)

    def _start_backend(self, backend: Backend, lab: ParallelStep) -> None:
        """Migrate, then create the two users while the servers start."""
        run(backend.migrate(), self.mark, self.stopping, COMMAND_S)
        self.progress.report("backend", "migrations are applied")
        lab.check()
        for program in [*backend.servers(), *backend.workers()]:
            self.children.start(program)
        people = [ParallelStep(program, self.mark) for program in backend.bootstrap()]
        try:
            self._until(lambda: api.listens(f"{backend.url}/api/v1/alive"), "web")
            self._until(lambda: api.listens(backend.ingest_url), "ingest")
            lab.check()
            for person in people:
                person.finish(self.stopping, COMMAND_S)
        finally:
            for person in people:
                person.cancel()
        self.children.require("worker", "sender", "beat")
        self.progress.report("backend", f"web on {backend.url}, ingest on {backend.ingest_url}, worker, beat")

    def _await_live_map(self, topology: str, token: str) -> None:
        better = reported_at = time.monotonic()
        least: int | None = None
        while True:
            asked = time.monotonic()
            verdict = readiness.judge(api.call(topology, token=token))
            now = time.monotonic()
            if verdict.ready:
                self.progress.report("map", str(verdict))
                return
            if least is None or verdict.missing < least:
                least, better = verdict.missing, now
            if now > better + READY_S:
                raise StepError(
                    f"The map is not live, and made no progress for {READY_S:g} s: {verdict}.",
                    self.layout.logs,
                )
            if now > reported_at + REPORT_S:
                reported_at = now
                self.progress.report("map", f"waiting; {verdict}")
            self.children.look_after(now, self.progress.report)
            # A large site's map is expensive for the backend, which is busy with agents.
            self.stopping.sleep(max(POLL_S, EASE * (now - asked)))

    def watch(self) -> None:
        """Monitor the children until a stop is requested."""
        try:
            self.children.watch(self.progress.report, self.stopping)
        except Interrupted:
            return

    def stop(self) -> None:
        """Stop everything including the lab's namespaces; never raises, never waits long."""
        began = time.monotonic()
        self.record.phase = "stopping"
        self.record.save(self.layout)
        self.layout.demo_file.unlink(missing_ok=True)
        names = self.children.names()
        stores = [name for name in ("redis", "postgres") if name in names]
        self.children.end([name for name in names if name not in stores], grace_s=6)
        take_down_labs(self.layout, self.record.sites, self.progress)
        # SIGINT is PostgreSQL's fast shutdown: sessions end, committed data are on disk.
        self.children.end(stores, ask=signal.SIGINT, grace_s=5)
        forget(self.layout, self.record)
        self.progress.report("stopped", f"all processes stopped ({time.monotonic() - began:.1f} s)")


def take_down_labs(layout: Layout, sites: Sequence[str], progress: Progress) -> None:
    """Stop all labs in parallel; reports failures."""
    steps = [ParallelStep(network.down(place), str(layout.data)) for place in places(layout, sites)]
    for step in steps:
        try:
            step.finish(Stopping(), DOWN_S)
        except (DemoError, api.ApiError) as error:
            progress.report("lab", str(error))


def forget(layout: Layout, run_record: Record) -> None:
    """Remove the files of a running demo."""
    shutil.rmtree(layout.enrolment, ignore_errors=True)
    if run_record.sockets:
        shutil.rmtree(Path(run_record.sockets), ignore_errors=True)
    layout.demo_file.unlink(missing_ok=True)
    layout.run_file.unlink(missing_ok=True)


def publish(layout: Layout, demo: dict[str, Any], run_record: Record) -> None:
    """Publish that the demo is ready, to users and programs."""
    write_json(layout.demo_file, demo)
    run_record.phase = "ready"
    run_record.save(layout)
