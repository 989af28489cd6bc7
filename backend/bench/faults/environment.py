"""The running service, its well-behaved agents and their ledger, and a site whose hosts a row may use up."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.service import ledger
from bench.service.calls import Answer, call
from bench.service.fleet import Fleet
from bench.service.processes import Service
from bench.service.sites import Sender, import_hosts
from bench.site import Json, batch

SITE, AGENTS = "steady", 8
JOBS_SITE, JOBS = "jobs", 60
INTERVAL_S = 2
"""Report interval of both sites: a node is stale after two of them."""


@dataclass(slots=True)
class World:
    """What every row works with. Without a service only rows that need none can run."""

    folder: Path
    service: Service
    senders: list[Sender] = field(default_factory=list)
    hosts: list[Sender] = field(default_factory=list)
    """Hosts of the jobs' site; each row takes fresh ones."""
    boot: uuid.UUID = field(default_factory=uuid.uuid4)
    _seq: int = 0

    def start(self) -> None:
        """Import the sites."""
        self.senders = import_hosts(self.service, SITE, AGENTS, INTERVAL_S)
        self.hosts = import_hosts(self.service, JOBS_SITE, JOBS, INTERVAL_S)

    def next_seq(self) -> int:
        self._seq += 1
        return self._seq

    def head(self, sender: Sender, kind: str) -> Json:
        """The fields of every report."""
        return {
            "kind": kind,
            "boot": str(self.boot),
            "seq": self.next_seq(),
            "device": sender.node,
            "at": time.time_ns(),
        }

    def post(self, sender: Sender, *reports: Json, timeout_s: float = 30.0) -> Answer:
        """Send reports as an agent."""
        headers = {"Authorization": sender.identity.authorization, "Content-Encoding": "gzip"}
        body = batch(reports, sent=time.time_ns())
        port = self.service.backend.ingest_port
        return call(port, "POST", "/api/agent/v1/reports", body, headers, timeout_s=timeout_s)

    @contextmanager
    def load(self, senders: Sequence[Sender] = ()) -> Iterator[Load]:
        """The well-behaved agents, or these, report during the block; afterwards they drain."""
        senders = senders or self.senders
        kept = self.folder / f"ledger-{time.monotonic_ns()}"
        kept.touch()
        fleet = Fleet(self.service.backend.ingest_port, senders, kept)
        load = Load(self, kept, fleet, senders)
        try:
            until(load.flows, 60, "the agents' reports are not acknowledged")
            yield load
        finally:
            fleet.stop()


@dataclass(frozen=True, slots=True)
class Load:
    """The agents' ledger while they report."""

    world: World
    path: Path
    fleet: Fleet
    senders: Sequence[Sender]

    def signal(self, number: int) -> None:
        """Send a signal to the process of the agents."""
        self.fleet.signal(number)

    def flows(self, since: float | None = None) -> bool:
        """Whether each agent had a report acknowledged that it made after `since` (Unix seconds)."""
        return len(ledger.acked_since(self.path, since or 0.0)) == len(self.senders)

    def flows_again(self, limit_s: float = 60.0) -> float:
        """Seconds until each agent's new report is acknowledged; infinite after the limit."""
        began, now = time.monotonic(), time.time()
        while time.monotonic() < began + limit_s:
            if self.flows(now):
                return time.monotonic() - began
            time.sleep(0.1)
        return float("inf")

    def compare(self) -> ledger.Comparison:
        """After the load: the ledger against the database."""
        return ledger.compare(self.path, self.world.service)


def until(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Wait; the seconds it took. Raises TimeoutError."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() > began + seconds:
            raise TimeoutError(f"{what} after {seconds:g} s")
        time.sleep(0.1)
    return time.monotonic() - began
