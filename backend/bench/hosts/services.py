"""Web, ingest, worker, beat and HAProxy on the machines, with deploy/hosts/backstay.env and haproxy.cfg."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bench.hosts.machines import Machine
from bench.hosts.stores import BACKEND, RECIPE
from bench.servers import CONNECTIONS

GRANIAN = (
    "-m",
    "granian",
    "--interface",
    "asginl",
    "--host",
    "0.0.0.0",  # noqa: S104 - in a namespace
    "--workers",
    "1",
    "--log-level",
    "warning",
)
CELERY = ("-m", "celery", "-A", "config")
WORKER = ("worker", "--loglevel", "warning", "--concurrency", "2", "--without-gossip", "--without-mingle")
PAGES = {"BACKSTAY_DB_NAME": "backstay_pages"}
SERVICES = ("web", "ingest", "worker", "beat")
CONNECTIONS_HERE = "4000"
NAME = "backstay.example.org"


class Services:
    """The application's processes: web and ingest on the first two machines, worker and beat on all."""

    def __init__(self, machines: Sequence[Machine], password: str, keys: str) -> None:
        self._machines = machines
        self.environment = recipe_environment() | {
            "BACKSTAY_DB_PASSWORD": password,
            "BACKSTAY_REDIS_PASSWORD": password,
            "BACKSTAY_SECRET_KEYS": keys,
            "BACKSTAY_LOG_LEVEL": "WARNING",
        }
        self.certificate = machines[0].folder.parent / "certificate.pem"

    def start_all(self) -> None:
        """Everything of the recipe."""
        self.start_proxy()
        for machine in self._machines:
            self.start(machine, *self.of(machine))

    def of(self, machine: Machine) -> tuple[str, ...]:
        """The services of a machine."""
        return SERVICES if machine in self._machines[:2] else SERVICES[2:]

    def start(self, machine: Machine, *names: str) -> None:
        """Start services of a machine."""
        commands = {
            "web": (*GRANIAN, "--port", "8080", *CONNECTIONS, "config.asgi:application"),
            "ingest": (*GRANIAN, "--port", "8000", *CONNECTIONS, "config.ingest:application"),
            "worker": (*CELERY, *WORKER, "--hostname", f"worker@{machine.name}"),
            "beat": (
                *CELERY,
                "beat",
                "--loglevel",
                "warning",
                "--schedule",
                f"{machine.folder}/beat",
                "--pidfile",
                "",
            ),
        }
        for name in names:
            more = PAGES if name in {"web", "ingest"} else {}
            command = ("nice", "-n", "5", sys.executable, *commands[name])
            machine.start(name, *command, environment=self.environment | more, cwd=BACKEND)

    def start_proxy(self) -> None:
        """HAProxy on the first machine; its certificate is made at the first start."""
        machine = self._machines[0]
        if not self.certificate.exists():
            self._make_certificate(machine)
        # Fewer connections than in the file, whatever the limit of files is here.
        command = ("haproxy", "-db", "-n", CONNECTIONS_HERE, "-f", str(RECIPE / "haproxy.cfg"))
        machine.start("haproxy", *command, cwd=machine.folder)

    def _make_certificate(self, machine: Machine) -> None:
        key, made = machine.folder / "key.pem", self.certificate
        names = f"subjectAltName=DNS:{NAME},IP:192.0.2.10"
        request = (
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            f"/CN={NAME}",
        )
        machine.run(*request, "-addext", names, "-keyout", str(key), "-out", str(made))
        (machine.bind("/etc/haproxy") / "backstay.pem").write_text(made.read_text() + key.read_text())


def recipe_environment() -> dict[str, str]:
    """backstay.env as systemd reads it."""
    lines = (RECIPE / "backstay.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
