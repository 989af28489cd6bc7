"""Which requests are admitted when there are more than can be served: bounded waits, and nobody starves."""

from __future__ import annotations

import asyncio
import heapq
import math
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.utils import timezone

from backstay.accounts import credentials
from backstay.api.edge.admission import Admission
from backstay.core.errors import Unavailable
from bench.site import batch
from config.agent_server import PREFIX, AgentServer


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def admission(clock: Clock, *, least: int = 4, rate: float = 2.0) -> Admission:
    return Admission("test", longest_wait_s=2.0, least=least, rate=rate, clock=clock)


def refused_s(admission: Admission, sender: str) -> float:
    """After how many seconds it is to come again; 0 if it is admitted, and served at once."""
    try:
        with admission.admitted(sender):
            return 0.0
    except Unavailable as problem:
        return problem.retry_after_s or 0.0


@contextmanager
def serving(admission: Admission, *senders: str) -> Iterator[None]:
    with ExitStack() as stack:
        for sender in senders:
            stack.enter_context(admission.admitted(sender))
        yield


def test_as_many_are_admitted_as_are_served_within_the_longest_wait(clock: Clock) -> None:
    full = admission(clock, least=1, rate=3.0)
    with serving(full, *"abcdef"):
        assert refused_s(full, "g") > 0
    assert refused_s(full, "h") == 0


def test_each_refused_sender_gets_a_later_place_and_keeps_it(clock: Clock) -> None:
    full = admission(clock)
    with serving(full, *"abcd"):
        assert [refused_s(full, name) for name in "efgh"] == [3, 3, 4, 4]
        assert [refused_s(full, name) for name in "hgfe"] == [4, 4, 3, 3]


def test_sender_whose_place_is_due_is_admitted_before_those_without_one(clock: Clock) -> None:
    full = admission(clock)
    with serving(full, *"abcd"):
        wait_s = refused_s(full, "e")
        refused_s(full, "f")
    clock.now += wait_s
    with serving(full, "a", "b"):
        assert refused_s(full, "new") > 0  # Half of all is kept for those with a place.
        assert refused_s(full, "e") == 0


def test_sender_with_a_place_comes_again_soon_when_all_is_full(clock: Clock) -> None:
    full = admission(clock)
    with serving(full, *"abcd"):
        clock.now += refused_s(full, "e")
        assert refused_s(full, "e") == 2
    clock.now += 2
    assert refused_s(full, "e") == 0


def test_places_of_senders_that_do_not_come_are_forgotten(clock: Clock) -> None:
    full = admission(clock)
    with serving(full, *"abcd"):
        for number in range(100):
            refused_s(full, f"gone{number}")
    clock.now += 200
    with serving(full, "a", "b", "c"):
        assert refused_s(full, "new") == 0


@dataclass
class Senders:
    """Start together, and come again after Retry-After and up to a quarter more, as agents do.

    Who comes first is served first, at a rate that the admission does not know.
    """

    limit: Admission
    clock: Clock
    served_per_s: float
    together: int
    """Requests that end at the same time, as those of a group."""
    coming: list[tuple[float, int]]
    leaving: list[tuple[float, int, ExitStack]] = field(default_factory=list)
    served_at: list[float] = field(default_factory=list)
    asked: int = 0
    free_s: float = 0.0
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def run(self) -> None:
        """Until all are served."""
        while self.coming or self.leaving:
            if self.leaving and (not self.coming or self.leaving[0][0] <= self.coming[0][0]):
                self.clock.now, _, stack = heapq.heappop(self.leaving)
                stack.close()
                self.served_at.append(self.clock.now)
            else:
                self.clock.now, sender = heapq.heappop(self.coming)
                self.ask(sender)

    def ask(self, sender: int) -> None:
        self.asked += 1
        stack = ExitStack()
        try:
            stack.enter_context(self.limit.admitted(sender))
        except Unavailable as problem:
            again_s = (problem.retry_after_s or 0.0) * (1 + self.chance.random() / 4)
            heapq.heappush(self.coming, (self.clock.now + again_s, sender))
            return
        self.free_s = max(self.free_s, self.clock.now) + 1 / self.served_per_s
        assert self.free_s - self.clock.now < 8, "it waits for longer than its sender does"
        group_s = self.together / self.served_per_s
        heapq.heappush(self.leaving, (math.ceil(self.free_s / group_s) * group_s, sender, stack))


@pytest.mark.parametrize("together", [1, 50])
@pytest.mark.parametrize("served_per_s", [60, 200, 400])
def test_all_of_many_that_start_together_are_served_in_bounded_time(
    clock: Clock, served_per_s: int, together: int
) -> None:
    number = 25 * served_per_s
    limit = Admission("test", longest_wait_s=2.0, least=16, rate=200.0, clock=clock)
    coming = [(at / number, at) for at in range(number)]
    senders = Senders(limit, clock, served_per_s, together, coming)
    senders.run()
    assert len(senders.served_at) == number
    assert max(senders.served_at) < 2.5 * 25 + 10
    assert senders.asked < 6 * number
    assert limit.rate == pytest.approx(served_per_s, rel=0.5)


def answered(application: AgentServer, body: bytes) -> dict[str, Any]:
    """The start of the response to a request of reports."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    bearer = credentials.issue(uuid4(), timezone.now()).text
    headers = [(b"authorization", f"Bearer {bearer}".encode()), (b"content-length", str(len(body)).encode())]
    scope = {"type": "http", "method": "POST", "path": f"{PREFIX}reports", "headers": headers}
    asyncio.run(application(scope, receive, send))
    return sent[0]


def body_with(**news: Any) -> bytes:
    head = {"boot": str(uuid4()), "seq": 1, "device": "sp01", "at": time.time_ns()}
    gateways = [{"name": "gw", "alive": True}]
    path = {"kind": "path", "policy": "p", "prefix": "0.0.0.0/0", "active": "gw", "gateways": gateways}
    return batch([{**head, **path, **news}], sent=time.time_ns())


@pytest.fixture
def crowded() -> AgentServer:
    application = AgentServer()
    application._gathering._inside = application._gathering.most
    return application


def test_plain_reports_beyond_what_is_served_in_time_are_refused_and_their_connection_stays_open(
    crowded: AgentServer,
) -> None:
    start = answered(crowded, body_with())
    headers = dict(start["headers"])
    assert (start["status"], headers[b"retry-after"]) == (503, b"3")
    assert b"connection" not in headers


def test_event_is_stored_at_once_however_many_wait(
    crowded: AgentServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stored(_: object) -> HttpResponse:
        return HttpResponse(status=200)

    monkeypatch.setattr(crowded, "_alone", stored)
    switch = {"id": str(uuid4()), "at": time.time_ns(), "from_gateway": "gw2", "to_gateway": "gw"}
    start = answered(crowded, body_with(switch={**switch, "probe_interval_ms": 50}))
    assert start["status"] == 200
