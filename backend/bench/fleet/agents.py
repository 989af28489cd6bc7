"""The agents, in a process of their own, whose processor time is not the servers'.

`python -m bench.fleet.agents` reads its orders, one JSON object, from the first line of standard input, opens
all connections, and prints how many got an answer. On a second line, each agent sends its first reports, as
all do when they start together. On a third, they send for so many seconds; then it prints what was
acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from bench.fleet.connection import AgentConnection, Reply
from bench.fleet.messages import DESIRED, EVERY_S, Author, Schedule
from bench.service.calls import LOOPBACK, NO_ANSWER

AT_ONCE = 256
"""Connections that are opened at the same time."""
LARGEST_BATCH = 512
PAUSE_S = 0.5
START_S, DRAIN_S = 600.0, 60.0
STORED = {200, 409}


@dataclass
class Seen:
    """What all agents sent and received."""

    statuses: Counter[int] = field(default_factory=Counter)
    took_s: list[float] = field(default_factory=list)
    late_s: list[float] = field(default_factory=list)
    """From when the oldest report of a request was due to its acknowledgement."""

    def clear(self) -> None:
        """Begin a new period."""
        self.statuses.clear()
        self.took_s.clear()
        self.late_s.clear()


class FleetAgent:
    """One agent on one connection."""

    def __init__(self, node: str, agent: str, connection: AgentConnection, seen: Seen) -> None:
        self.agent, self._seen = agent, seen
        self._connection = connection
        self._boot = uuid.uuid4()
        self._author = Author(node, self._boot)
        self._generation = 0
        self._acked: list[int] = []

    async def is_answered(self) -> bool:
        """Whether its connection gets an answer."""
        return (await self._connection.call("GET", "reach")).status == 200

    async def start(self, give_up_s: float) -> None:
        """Send one report of each kind, as after a start of the agent."""
        await self._fetch()
        await self._deliver([kind for kind in EVERY_S if kind != DESIRED], time.monotonic(), give_up_s)

    async def send(self, seed: int, start: float, end: float) -> None:
        """Send what is due from `start` to `end` (monotonic seconds), then what is not acknowledged."""
        schedule = Schedule(seed, start)
        while schedule.next_s < end:
            await asyncio.sleep(max(0.0, schedule.next_s - time.monotonic()))
            due_s = schedule.next_s
            kinds = schedule.take(min(time.monotonic(), end))
            if DESIRED in kinds:
                await self._fetch()
            reports = [kind for kind in kinds if kind != DESIRED]
            if reports:
                await self._deliver(reports[:LARGEST_BATCH], due_s, end + DRAIN_S)
        self._connection.close()

    async def _fetch(self) -> None:
        headers = f'If-None-Match: "{self._generation}"\r\n' if self._generation else ""
        reply = await self._timed("GET", DESIRED, b"", headers)
        if reply.status == 200:
            self._generation = json.loads(reply.body)["generation"]

    async def _deliver(self, kinds: list[str], due_s: float, give_up_s: float) -> None:
        """Send one body until it is acknowledged."""
        first = self._author.seq + 1
        body = self._author.body(kinds)
        while time.monotonic() < give_up_s:
            reply = await self._timed("POST", "reports", body)
            if reply.status in STORED:
                self._acked += range(first, self._author.seq + 1)
                self._seen.late_s.append(time.monotonic() - due_s)
                return
            await asyncio.sleep(reply.retry_after_s or PAUSE_S)

    async def _timed(self, method: str, name: str, body: bytes, more: str = "") -> Reply:
        began = time.monotonic()
        reply = await self._connection.call(method, name, body, more)
        self._seen.statuses[reply.status] += 1
        if reply.status != NO_ANSWER:
            self._seen.took_s.append(time.monotonic() - began)
        return reply

    @property
    def ledger(self) -> dict[str, Any]:
        """Its acknowledged reports; of those with counters, the time in us too."""
        counted = [[self._author.counted[seq], seq] for seq in self._acked if seq in self._author.counted]
        return {"agent": self.agent, "boot": str(self._boot), "acked": self._acked, "counted": counted}


def _tls(certificate: str | None) -> ssl.SSLContext | None:
    """Trusts the certificate in this file; None: plain HTTP."""
    return ssl.create_default_context(cafile=certificate) if certificate else None


async def _work(orders: dict[str, Any]) -> None:
    seen = Seen()
    host, tls = orders.get("host", LOOPBACK), _tls(orders.get("certificate"))
    agents = [
        FleetAgent(node, agent, AgentConnection(orders["port"], authorization, host, tls), seen)
        for node, agent, authorization in orders["agents"]
    ]
    gate = asyncio.Semaphore(AT_ONCE)

    async def opened(agent: FleetAgent) -> bool:
        async with gate:
            return await agent.is_answered()

    answers = await asyncio.gather(*map(opened, agents))
    _print({"answered": sum(answers)})
    await asyncio.to_thread(sys.stdin.readline)
    began = time.monotonic()
    await asyncio.gather(*(agent.start(began + START_S) for agent in agents))
    started = {"started_s": time.monotonic() - began, "start_statuses": dict(seen.statuses)}
    _print({**started, "started_late_s": seen.late_s})
    seen.clear()
    seconds = float(await asyncio.to_thread(sys.stdin.readline))
    start = time.monotonic()
    await asyncio.gather(*(agent.send(at, start, start + seconds) for at, agent in enumerate(agents)))
    _print(
        {
            "statuses": dict(seen.statuses),
            "took_s": seen.took_s,
            "late_s": seen.late_s,
            "ledgers": [agent.ledger for agent in agents],
        }
    )


def _print(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_work(json.loads(sys.stdin.readline())))
