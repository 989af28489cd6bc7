"""What people and agents notice, several times a second: pages, reports, live streams, rounds."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import ssl
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from bench.fleet.fleet_sites import Enrolled
from bench.fleet.messages import Author
from bench.hosts.machines import SERVICE
from bench.hosts.services import NAME

EVERY_S, CALL_S = 0.2, 10.0
NEWEST_ROUND = "SELECT extract(epoch FROM max(finished_at)) FROM alerts_siteround"


class Probe(threading.Thread, ABC):
    """Notes when something worked (monotonic seconds); `work` raises OSError if it did not."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.worked: list[float] = []
        self.stopping = threading.Event()

    def run(self) -> None:
        """Until stopped."""
        while not self.stopping.wait(EVERY_S):
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError, psycopg.Error):
                self.work()

    @abstractmethod
    def work(self) -> None:
        """One try."""

    def note(self) -> None:
        """It has worked just now."""
        self.worked.append(time.monotonic())

    def longest_gap(self, start: float, end: float) -> float:
        """Seconds between two times without a success in between, at most."""
        times = [start, *(at for at in self.worked if start < at < end), end]
        return max(later - earlier for earlier, later in itertools.pairwise(times))


class Https:
    """Calls through HAProxy, on a connection that is kept."""

    def __init__(self, certificate: Path, port: int, timeout_s: float = CALL_S) -> None:
        self._tls = ssl.create_default_context(cafile=str(certificate))
        self._port, self._timeout_s = port, timeout_s
        self._open: http.client.HTTPSConnection | None = None

    def request(self, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> Any:
        """The response, unread. Raises OSError, HTTPException."""
        if self._open is None:
            self._open = http.client.HTTPSConnection(
                SERVICE, self._port, timeout=self._timeout_s, context=self._tls
            )
        try:
            self._open.request(method, path, body, {"Host": NAME, **headers})
            return self._open.getresponse()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class Pages(Probe):
    """A list of the public API."""

    def __init__(self, certificate: Path, token: str) -> None:
        super().__init__("pages")
        self._https, self._headers = Https(certificate, 443), {"Authorization": f"Bearer {token}"}

    def work(self) -> None:
        """One request."""
        reply = self._https.request("GET", "/api/v1/sites", self._headers)
        reply.read()
        if reply.status == 200:
            self.note()


class Reports(Probe):
    """An agent that sends counters again and again; each report until it is acknowledged."""

    def __init__(self, certificate: Path, agent: Enrolled) -> None:
        super().__init__("reports")
        self._https, self._agent = Https(certificate, 8443), agent
        self._boot = uuid.uuid4()
        self._author = Author(agent.node, self._boot)
        self._body: bytes | None = None
        self._acked: list[int] = []

    def work(self) -> None:
        """Send the current report."""
        self._body = self._body or self._author.body(["ports"])
        headers = {"Authorization": self._agent.authorization, "Content-Encoding": "gzip"}
        headers["Content-Type"] = "application/json"
        reply = self._https.request("POST", "/api/agent/v1/reports", headers, self._body)
        reply.read()
        if reply.status in {200, 409}:
            self._acked.append(self._author.seq)
            self._body = None
            self.note()

    @property
    def ledger(self) -> dict[str, Any]:
        """As that of the fleet's agents."""
        counted = [[self._author.counted[seq], seq] for seq in self._acked]
        return {"agent": self._agent.agent, "boot": str(self._boot), "acked": self._acked, "counted": counted}


class Live(Probe):
    """A page's live stream: reopened as a browser does; works when an update arrives that is no greeting."""

    def __init__(self, certificate: Path, token: str, site: str) -> None:
        super().__init__("live")
        self._certificate, self._site = certificate, site
        self._headers = {"Authorization": f"Bearer {token}"}
        self.gaps: list[float] = []
        """When a gap message came."""

    def work(self) -> None:
        """Read one stream until it ends."""
        https = Https(self._certificate, 443, timeout_s=15.0)
        reply, greeted = https.request("GET", f"/api/v1/live?site={self._site}", self._headers), False
        while not self.stopping.is_set() and (line := reply.readline()):
            if not line.startswith(b"event:"):
                continue
            event = line.partition(b":")[2].strip()
            if event == b"gap":
                self.gaps.append(time.monotonic())
            if greeted and event in {b"load", b"event", b"changed"}:
                self.note()
            greeted = greeted or event == b"load"
        https.close()


class Rounds(Probe):
    """A newer round of rules, read from the database."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        super().__init__("rounds")
        self._connect, self._connection = connect, None
        self._newest = 0.0

    _connection: psycopg.Connection[Any] | None

    def work(self) -> None:
        """Look for a newer one."""
        try:
            self._connection = self._connection or self._connect()
            row = self._connection.execute(NEWEST_ROUND).fetchone()
        except psycopg.Error:
            self._connection = None
            raise
        newest = float(row[0]) if row and row[0] is not None else 0.0
        if newest > self._newest:
            self._newest = newest
            self.note()
