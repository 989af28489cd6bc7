"""What an attack gets to work with, and what it reports."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from bench.service.calls import Answer, Tally, call
from bench.service.processes import Service
from bench.service.sites import Sender

SITE = "attacked"
"""The attacker's own site; the well-behaved agents are at others."""


@dataclass(frozen=True, slots=True)
class Target:
    """The service, the attacker's own enrolled agents, and how long an attack lasts."""

    service: Service
    attackers: Sequence[Sender]
    seconds: float
    ingest_port: int
    web_port: int

    def ingest(self, path: str, body: bytes, sender: Sender | None = None, **more: Any) -> Answer:
        """One POST of the agents' protocol, with an attacker's credential or none."""
        headers = {"Content-Type": "application/json"}
        if sender is not None:
            headers |= {"Authorization": sender.identity.authorization, "Content-Encoding": "gzip"}
        return call(self.ingest_port, "POST", f"/api/agent/v1/{path}", body, headers, **more)


@dataclass(slots=True)
class Result:
    """What the attacker and the other users of the pages saw."""

    attacker: Tally = field(default_factory=Tally)
    others: Tally = field(default_factory=Tally)
    remarks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Goals of this attack alone that were missed."""

    def expect(self, is_met: bool, text: str) -> None:
        """A figure with a goal of its own."""
        self.remarks.append(text)
        if not is_met:
            self.faults.append(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack: `run` lasts about `Target.seconds`."""

    name: str
    title: str
    run: Callable[[Target], Result]
    judges_latency: bool = True
    """Whether acknowledgements must stay quick: not while the database itself is stopped."""


def in_parallel(count: int, seconds: float, work: Callable[[int], object]) -> None:
    """Repeat `work(number)` on `count` threads until the time is over; raises the first failure."""
    end = time.monotonic() + seconds
    stopped = threading.Event()

    def repeat(number: int) -> None:
        try:
            while time.monotonic() < end and not stopped.is_set():
                work(number)
        except BaseException:
            stopped.set()
            raise

    with ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(repeat, number) for number in range(count)]:
            done.result()
