"""The master of Redis is killed and Sentinel promotes the replica: push and queue go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import kombu
import pytest

from backstay.live import bus
from backstay.live.clients import Client
from backstay.live.hub import Hub
from backstay.live.redis_sentinel import broker_options, broker_url
from backstay.live.tests.test_hub import CountingMessages
from bench.sentinel import ReplicatedRedis

pytestmark = [pytest.mark.slow, pytest.mark.real_clock]
FAILOVER_S = 30.0


@pytest.fixture
def replicated(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[ReplicatedRedis]:
    monkeypatch.setattr(bus, "breaker", bus.Breaker())
    with ReplicatedRedis() as servers:
        settings.REDIS_URL = servers.url
        yield servers


def publish_until_sent(ident: int) -> None:
    """As the next events do; what is published meanwhile is lost."""
    deadline = time.monotonic() + FAILOVER_S
    while not bus.is_up():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(bus.LONGEST_PAUSE_S)
    bus.send(bus.FACTS, bus.MAX_FACTS, [{"kind": "event", "site": "argonne", "event": str(ident)}])


async def kinds_until(client: Client, last: str) -> list[str]:
    """Kinds of the frames up to the first of this kind."""
    kinds: list[str] = []
    while last not in kinds:
        text = (await asyncio.wait_for(client.frames.get(), FAILOVER_S) or b"").decode()
        kinds.append(text.partition("event: ")[2].partition("\n")[0])
    return kinds


def test_live_clients_get_a_gap_and_then_new_events(replicated: ReplicatedRedis) -> None:
    async def run() -> None:
        hub, client = Hub(replicated.url, CountingMessages()), Client("argonne")
        await hub.join(client)
        await asyncio.to_thread(publish_until_sent, 1)
        assert await kinds_until(client, "event") == ["event"]
        before = replicated.master()
        await asyncio.to_thread(replicated.kill_master)
        began = time.monotonic()
        bus.send(bus.FACTS, bus.MAX_FACTS, [{"kind": "event", "site": "argonne", "event": "2"}])
        assert time.monotonic() - began < 1.0  # Nobody waits for a failover.
        sent = asyncio.create_task(asyncio.to_thread(publish_until_sent, 3))
        kinds = await kinds_until(client, "event")
        await sent
        assert "gap" in kinds
        assert replicated.master() not in {0, before}
        hub.leave(client)

    asyncio.run(run())


def test_celery_sends_tasks_to_the_new_master(replicated: ReplicatedRedis) -> None:
    url, options = broker_url(replicated.url), broker_options(replicated.url)
    with kombu.Connection(url, transport_options=options) as connection:
        queue = connection.SimpleQueue("rounds")
        queue.put({"number": 1})
        assert queue.get(timeout=5).payload == {"number": 1}
        replicated.kill_master()
        deadline = time.monotonic() + FAILOVER_S
        while True:
            assert time.monotonic() < deadline
            try:
                with kombu.Connection(url, transport_options=options) as other:
                    again = other.SimpleQueue("rounds")
                    again.put({"number": 2})
                    assert again.get(timeout=5).payload == {"number": 2}
                    return
            except connection.connection_errors:
                time.sleep(0.2)
