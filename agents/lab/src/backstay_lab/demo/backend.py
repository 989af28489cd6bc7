"""The backend's processes and commands, by their command lines and environment alone.

The same Django is served twice (docs/decisions/0013): to people, and to agents. Secrets travel in the
environment and in files of mode 600, never in arguments, which every user of the machine can read.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.demo.children import Program
from backstay_lab.demo.credentials import SECOND, USER, Credentials
from backstay_lab.demo.databases import APPLICATION, NAME, OWNER, PORT, Databases
from backstay_lab.demo.layout import Layout
from backstay_lab.demo.ports import LOOPBACK

INSIDE = "10.255.0.1"
"""The host name by which agents address the backend: its relay's address."""
PASSWORD_VARIABLE = "BACKSTAY_PASSWORD"  # noqa: S105  # the variable's name
WORKER_PROCESSES = 2
SENDER_THREADS = 8


@dataclass(frozen=True, slots=True)
class Backend:
    """One demo's backend: folders, databases, secrets and ports."""

    layout: Layout
    databases: Databases
    credentials: Credentials
    web_port: int
    ingest_port: int

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.web_port}"

    @property
    def ingest_url(self) -> str:
        return f"http://{LOOPBACK}:{self.ingest_port}"

    def environment(self) -> dict[str, str]:
        """The environment read by `config.settings`."""
        return {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKSTAY_SECRET_KEYS": self.credentials.secret_key,
            "BACKSTAY_ALLOWED_HOSTS": f"localhost,{LOOPBACK},[::1],{INSIDE}",
            "BACKSTAY_DB_HOST": str(self.databases.sockets),
            "BACKSTAY_DB_PORT": str(PORT),
            "BACKSTAY_DB_NAME": NAME,
            "BACKSTAY_DB_USER": APPLICATION,
            "BACKSTAY_DB_PASSWORD": self.credentials.application_password,
            "BACKSTAY_REDIS_URL": f"unix://{self.databases.redis_socket}",
            "BACKSTAY_INGEST_URLS": self.ingest_url,
            # The lab's site files name files below the demo's folder.
            "BACKSTAY_SITE_PATHS": str(self.layout.data),
            "BACKSTAY_EXPORTS": str(self.layout.data / "exports"),
            "BACKSTAY_DB_DISK": str(self.layout.data),
            # The demo's receivers of messages are on the loopback address; messages link to the demo's pages.
            "BACKSTAY_NOTIFY_ALLOWED": f"{LOOPBACK}/32",
            "BACKSTAY_PUBLIC_URL": self.url,
            # Plain HTTP on the loopback address.
            "BACKSTAY_HTTPS": "0",
            "PYTHONUNBUFFERED": "1",
        }

    def _program(
        self, name: str, module: str, arguments: Sequence[str], more: dict[str, str] | None = None
    ) -> Program:
        argv = [sys.executable, "-m", module, *arguments]
        environment = self.environment() | (more or {})
        return Program(name, argv, self.layout.log(name), environment, self.layout.manage.parent)

    def manage(self, name: str, *arguments: str, secret: dict[str, str] | None = None) -> Program:
        """One management command; `secret` goes into its environment."""
        argv = [sys.executable, str(self.layout.manage), *arguments]
        environment = self.environment() | (secret or {})
        return Program(name, argv, self.layout.log(name), environment, self.layout.manage.parent)

    def migrate(self) -> Program:
        """Migrations change tables, so the tables' owner runs them."""
        owner = {"BACKSTAY_DB_USER": OWNER, "BACKSTAY_DB_PASSWORD": self.credentials.owner_password}
        return self.manage("migrate", "migrate", "--no-input", secret=owner)

    def bootstrap(self) -> list[Program]:
        """Create the administrator and the second person with API tokens, unless they exist."""
        return [
            self._person(USER, "admin", self.credentials.admin_password, self.layout.token_file),
            self._person(SECOND, "approver", self.credentials.second_password, self.layout.second_token_file),
        ]

    def _person(self, name: str, role: str, password: str, token_file: Path) -> Program:
        arguments = ["--user", name, "--role", role, "--password-env", PASSWORD_VARIABLE]
        arguments += ["--token-out", str(token_file)]
        secret = {PASSWORD_VARIABLE: password}
        return self.manage(f"bootstrap-{name}", "bootstrap", *arguments, secret=secret)

    def archive(self, sites: Sequence[str]) -> Program:
        """Archive all other sites: those of another demo with the same data would never report."""
        return self.manage("archive", "archive_sites", "--but", *sites)

    def servers(self) -> list[Program]:
        """The web server (pages, public API) and the ingest server (agents' API)."""
        common = [
            "--host",
            LOOPBACK,
            "--workers",
            "1",
            "--workers-kill-timeout",
            "3",
            # Connections that wait to be accepted, and open ones: every agent and every browser has some.
            "--backlog",
            "4096",
            "--backpressure",
            "16384",
            # granian also closes an idle connection after this (ms); agents send each 30 s.
            "--http1-header-read-timeout",
            "60000",
            "--log-level",
            "warning",
        ]
        web = [*common, "--interface", "asginl", "--port", str(self.web_port), "config.asgi:application"]
        ingest = [
            *common,
            "--interface",
            "asginl",
            "--port",
            str(self.ingest_port),
            "config.ingest:application",
        ]
        return [self._program("web", "granian", web), self._program("ingest", "granian", ingest)]

    def workers(self) -> list[Program]:
        """The worker that evaluates the rules, the one that delivers messages, and the scheduler.

        Deliveries wait for foreign servers: in threads of their own process they delay no round.
        """
        quiet = ["--loglevel", "warning"]
        alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        worker = ["-A", "config", "worker", *quiet, "--queues", "celery", *alone]
        worker += ["--concurrency", str(WORKER_PROCESSES)]
        sender = ["-A", "config", "worker", *quiet, "--queues", "deliveries", *alone]
        sender += ["--hostname", "sender@%h", "--pool", "threads", "--concurrency", str(SENDER_THREADS)]
        beat = ["-A", "config", "beat", *quiet, "--schedule", str(self.layout.beat), "--pidfile", ""]
        return [
            self._program("worker", "celery", worker),
            self._program("sender", "celery", sender),
            self._program("beat", "celery", beat),
        ]

    def message_sinks(self, smtp_port: int, web_port: int) -> Program:
        """The demo's receivers of mail and webhooks."""
        arguments = [str(self.layout.messages), "--smtp-port", str(smtp_port), "--web-port", str(web_port)]
        return self._program("messages", "backstay_lab.demo.message_sinks", arguments)
