"""Well-behaved agents in a process of their own: they send reports and keep a ledger of what was stored.

`python -m bench.service.fleet` reads its orders, one JSON object, from the first line of standard input, and
ends when the input closes and everything is acknowledged or DRAIN_S have passed. The ledger is outside of the
tested processes: a line when a report is made, before it is sent, and one when it is acknowledged.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from bench.service.calls import LOOPBACK, NO_ANSWER
from bench.service.sites import PORTS, Sender
from bench.site import batch, port_samples

EVERY_S = 1.0
"""Each agent makes a report at this interval."""
ANSWER_S = 30.0
"""How long it waits for a response, as the agent does."""
PAUSE_S = 0.5
"""Its pause after a failure; a Retry-After is obeyed."""
LARGEST_BATCH = 64
DRAIN_S = 60.0


@dataclass(frozen=True, slots=True)
class Made:
    """A report that waits for its acknowledgement; `at` in ns, also its key in the database."""

    seq: int
    at: int
    text: dict[str, Any]


class Ledger:
    """Appends lines: `[kind, site, node, seq, at_us, time]`; kinds: made, acked, refused, failed."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._lock = threading.Lock()

    def note(self, kind: str, sender: tuple[str, str], seq: int, at: int) -> None:
        """One line; of a failed request `seq` is the status."""
        line = json.dumps([kind, *sender, seq, at // 1000, time.time()])
        with self._lock:
            self._file.write(line + "\n")
            self._file.flush()


class Agent(threading.Thread):
    """One agent: makes a report each EVERY_S and sends whatever waits."""

    def __init__(self, port: int, ledger: Ledger, site: str, node: str, authorization: str) -> None:
        super().__init__(name=node, daemon=True)
        self._port, self._who, self._authorization = port, (site, node), authorization
        self._ledger = ledger
        self._boot = uuid.uuid4()
        self._seq = 0
        self._waiting: deque[Made] = deque()
        self._connection: http.client.HTTPConnection | None = None
        self.stopping = threading.Event()

    def run(self) -> None:
        """Until stopped and drained."""
        threading.Thread(target=self._make_each_second, daemon=True).start()
        deadline = 0.0
        while True:
            if self.stopping.is_set():
                deadline = deadline or time.monotonic() + DRAIN_S
                if not self._waiting or time.monotonic() > deadline:
                    return
            time.sleep(self._send() if self._waiting else 0.02)

    def _make_each_second(self) -> None:
        """Also while a request is unanswered, or an outage would count as one late report."""
        # Spread over the interval, as processes that started at different times.
        due = time.monotonic() + hash(self._who) % 1000 / 1000 * EVERY_S
        while not self.stopping.wait(max(0.0, due - time.monotonic())):
            self._make()
            due += EVERY_S

    def _make(self) -> None:
        self._seq += 1
        at = time.time_ns() // 1000 * 1000
        text = port_samples(self._who[1], PORTS, self._seq, boot=self._boot, at=at)
        text["duration_ns"] = int(EVERY_S * 1e9)
        self._ledger.note("made", self._who, self._seq, at)
        self._waiting.append(Made(self._seq, at, text))

    def _send(self) -> float:
        """Send what waits; seconds to pause."""
        sent = [self._waiting[index] for index in range(min(len(self._waiting), LARGEST_BATCH))]
        status, body, pause_s = self._post(batch([made.text for made in sent], sent=time.time_ns()))
        if status not in {200, 409, 422} or body is None:
            self._ledger.note("failed", self._who, status, 0)
            return pause_s
        refused = {item["index"]: item["code"] for item in body["rejected"]}
        for index, made in enumerate(sent):
            kind = "acked" if refused.get(index, "duplicate") == "duplicate" else "refused"
            self._ledger.note(kind, self._who, made.seq, made.at)
            self._waiting.popleft()
        return 0.0

    def _post(self, body: bytes) -> tuple[int, dict[str, Any] | None, float]:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        headers["Authorization"] = self._authorization
        if self._connection is None:
            self._connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=ANSWER_S)
        try:
            self._connection.request("POST", "/api/agent/v1/reports", body, headers)
            reply = self._connection.getresponse()
            data = reply.read()
            pause_s = float(reply.headers.get("Retry-After") or PAUSE_S)
            found = json.loads(data) if reply.status in {200, 409, 422} else None
        except (OSError, http.client.HTTPException, ValueError):
            self._connection.close()
            self._connection = None
            return NO_ANSWER, None, PAUSE_S
        return reply.status, found if isinstance(found, dict) and "rejected" in found else None, pause_s


class Fleet:
    """The process of the agents, seen from the bench."""

    def __init__(self, port: int, senders: Sequence[Sender], ledger: Path) -> None:
        self.ledger = ledger
        argv = [sys.executable, "-m", "bench.service.fleet"]
        folder = Path(__file__).resolve().parents[2]
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, text=True, cwd=folder)
        agents = [[one.site, one.node, one.identity.authorization] for one in senders]
        orders = {"port": port, "agents": agents, "ledger": str(ledger)}
        cast(IO[str], self._process.stdin).write(json.dumps(orders) + "\n")
        cast(IO[str], self._process.stdin).flush()

    def signal(self, number: int) -> None:
        """Stop and continue the agents."""
        self._process.send_signal(number)

    def stop(self) -> None:
        """Let the agents drain, then end them."""
        cast(IO[str], self._process.stdin).close()
        try:
            self._process.wait(DRAIN_S + ANSWER_S + 10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> None:
    """The agents' process."""
    orders = json.loads(sys.stdin.readline())
    with Path(orders["ledger"]).open("a", encoding="utf-8") as file:
        ledger = Ledger(file)
        agents = [Agent(orders["port"], ledger, *given) for given in orders["agents"]]
        for agent in agents:
            agent.start()
        while os.read(sys.stdin.fileno(), 1):
            continue
        for agent in agents:
            agent.stopping.set()
        for agent in agents:
            agent.join()


if __name__ == "__main__":
    main()
