"""The hub with a real Redis and a counting message source: merging, separate sites, slow clients."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Collection
from typing import Any

import pytest
import redis
from django.conf import settings

from backstay.live import bus
from backstay.live.clients import MOST_WAITING, Client
from backstay.live.frames import KEEP_ALIVE, PACKED_HEAD, frame, order, position
from backstay.live.hub import Hub


class CountingMessages:
    """Returns its request."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, frozenset[int]]] = []

    async def loads(self, site: str, node_ids: Collection[int] | None, number: int) -> str | None:
        self.asked.append((site, frozenset(node_ids or ())))
        return "{}"

    async def events(self, site: str, ids: Collection[int]) -> dict[int, str]:
        return {ident: f'{{"event":{ident}}}' for ident in ids if ident != 404}

    def notice(self, kind: str, site: str, nouns: Collection[str] = ()) -> str:
        return f'{{"type":"{kind}","nouns":"{",".join(sorted(nouns))}"}}'


@pytest.fixture
def server(private_databases: None) -> redis.Redis:
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete(bus.FACTS, bus.SAMPLES)
    return client


async def frames(client: Client, count: int) -> list[bytes]:
    """This number of frames, in order."""
    async with asyncio.timeout(20 * count):
        return [await client.frames.get() or b"" for _ in range(count)]


def samples(server: redis.Redis, site: str, *nodes: int) -> None:
    server.xadd(bus.SAMPLES, {"site": site, "nodes": ",".join(map(str, nodes))})


def event(server: redis.Redis, site: str, ident: int) -> str:
    added: Any = server.xadd(bus.FACTS, {"kind": "event", "site": site, "event": str(ident)})
    return str(added.decode())


def test_sample_notices_are_merged_into_one_message(server: redis.Redis) -> None:
    async def run() -> None:
        messages = CountingMessages()
        hub, client = Hub(settings.REDIS_URL, messages), Client("argonne")
        await hub.join(client)
        for node in range(40):
            samples(server, "argonne", node)
        assert await frames(client, 1) == [frame("load", "{}")]
        assert messages.asked[0][0] == "argonne"
        assert len(messages.asked[0][1]) >= 2
        assert len(messages.asked) <= 5
        hub.leave(client)

    asyncio.run(run())


def test_client_receives_only_its_site_and_events_have_positions(server: redis.Redis) -> None:
    async def run() -> None:
        hub = Hub(settings.REDIS_URL, CountingMessages())
        here, there = Client("argonne"), Client("elsewhere")
        await hub.join(here)
        await hub.join(there)
        event(server, "elsewhere", 1)
        event(server, "argonne", 404)
        ident = event(server, "argonne", 2)
        server.xadd(bus.FACTS, {"kind": "changed", "site": "argonne", "nouns": "incidents,links"})
        server.xadd(bus.FACTS, {"kind": "changed", "site": "argonne", "nouns": "links"})
        received = await frames(here, 2)
        assert received[0] == frame("event", '{"event":2}', ident)
        assert received[1].startswith(b"event: changed\n")
        assert b"incidents,links" in received[1]
        assert (await frames(there, 1))[0].startswith(b"id: ")
        assert there.frames.empty()
        hub.leave(here)
        hub.leave(there)

    asyncio.run(run())


def test_missed_events_are_replayed_once_and_trimmed_ones_are_a_gap(server: redis.Redis) -> None:
    async def run() -> None:
        hub, client = Hub(settings.REDIS_URL, CountingMessages()), Client("argonne")
        first, second, third = (event(server, "argonne", number) for number in (1, 2, 3))
        served_from = await hub.join(client)
        assert served_from == third
        assert await hub.replay("argonne", first, served_from) == [
            frame("event", '{"event":2}', second),
            frame("event", '{"event":3}', third),
        ]
        assert await hub.replay("argonne", third, served_from) == []
        assert await hub.replay("argonne", "99999999999999-0", served_from) is None
        server.xdel(bus.FACTS, first)
        assert await hub.replay("argonne", first, served_from) is None
        hub.leave(client)

    asyncio.run(run())


def test_slow_client_is_disconnected_with_a_gap_without_affecting_others(server: redis.Redis) -> None:
    async def run() -> None:
        hub = Hub(settings.REDIS_URL, CountingMessages())
        slow, quick = Client("argonne"), Client("argonne")
        await hub.join(slow)
        await hub.join(quick)
        reading = asyncio.create_task(frames(quick, MOST_WAITING + 5))
        for number in range(MOST_WAITING + 5):
            event(server, "argonne", number + 1000)
            await asyncio.sleep(0)
        assert len(await reading) == MOST_WAITING + 5
        assert slow.is_slow
        assert await frames(slow, 1) == [frame("gap", '{"type":"gap","nouns":""}')]
        assert slow.frames.get_nowait() is None
        hub.leave(slow)
        hub.leave(quick)

    asyncio.run(run())


def withdraw(server: redis.Redis, site: str, reader: str) -> None:
    server.xadd(bus.FACTS, {"kind": "withdrawn", "site": site, "reader": reader})


def test_withdrawn_reader_loses_its_streams_of_the_site_before_the_next_frame(server: redis.Redis) -> None:
    async def run() -> None:
        hub = Hub(settings.REDIS_URL, CountingMessages())
        gone = [Client("argonne", "wallboard:1") for _ in range(2)]
        kept = [Client("argonne", "wallboard:2"), Client("argonne", "user:1")]
        elsewhere = Client("elsewhere", "wallboard:1")
        for client in (*gone, *kept, elsewhere):
            await hub.join(client)
        withdraw(server, "argonne", "wallboard:1")
        event(server, "argonne", 1)
        event(server, "elsewhere", 2)
        for client in (*kept, elsewhere):
            assert b"event" in (await frames(client, 1))[0]
        assert [client.frames.get_nowait() for client in gone] == [None, None]
        assert all(client.frames.empty() for client in gone)
        assert hub.clients.count_of("wallboard:1") == 1
        for client in (*kept, elsewhere):
            hub.leave(client)

    asyncio.run(run())


def test_break_of_redis_ends_streams_whose_withdrawal_may_be_lost(server: redis.Redis) -> None:
    async def run() -> None:
        hub = Hub(settings.REDIS_URL, CountingMessages())
        screen = Client("argonne", "wallboard:1", is_withdrawable=True)
        person = Client("argonne", "user:1")
        await hub.join(screen)
        await hub.join(person)
        await asyncio.sleep(0.2)  # Until the hub waits for messages.
        server.client_kill_filter(_type="normal", skipme=True)
        gap = frame("gap", '{"type":"gap","nouns":""}')
        assert await frames(person, 2) == [gap, gap]
        assert await asyncio.wait_for(screen.frames.get(), 20) is None
        hub.leave(person)

    asyncio.run(run())


def test_clients_begin_with_loads_that_are_computed_once(server: redis.Redis) -> None:
    async def run() -> None:
        messages = CountingMessages()
        hub = Hub(settings.REDIS_URL, messages)
        first, second, third = Client("argonne"), Client("argonne"), Client("argonne")
        await hub.join(first)
        await hub.join(second)
        begun = list(await asyncio.gather(hub.first_loads("argonne"), hub.first_loads("argonne")))
        assert begun == [[frame("load", "{}")]] * 2
        assert begun[0][0] is begun[1][0], "encoded once for both"
        assert messages.asked == [("argonne", frozenset())]
        samples(server, "argonne", 7)
        await frames(first, 1)
        await hub.join(third)
        assert await hub.first_loads("argonne") == [frame("load", "{}")] * 2, "and what changed since"
        assert messages.asked == [("argonne", frozenset()), ("argonne", frozenset({7}))]
        server.xadd(bus.FACTS, {"kind": "changed", "site": "argonne", "nouns": "links,topology"})
        await frames(first, 1)
        assert await hub.first_loads("argonne") == [frame("load", "{}")], "the links are others"
        assert messages.asked[2:] == [("argonne", frozenset())]
        for client in (first, second, third):
            hub.leave(client)
        await hub.join(first)
        await hub.first_loads("argonne")
        assert messages.asked[3:] == [("argonne", frozenset())], "without a client nothing was followed"
        hub.leave(first)

    asyncio.run(run())


def test_first_loads_are_computed_anew_when_they_are_old(
    server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        messages = CountingMessages()
        hub, client = Hub(settings.REDIS_URL, messages), Client("argonne")
        await hub.join(client)
        await hub.first_loads("argonne")
        monkeypatch.setattr("backstay.live.hub.FIRST_LOADS_S", 0.0)
        await hub.first_loads("argonne")
        assert len(messages.asked) == 2
        samples(server, "argonne", 7)
        await frames(client, 1)
        assert not hub._first, "they do not grow while no client joins"
        hub.leave(client)

    asyncio.run(run())


class NumberedMessages(CountingMessages):
    """Returns the number; fails on node 13."""

    def __init__(self) -> None:
        super().__init__()
        self.failed = asyncio.Event()

    async def loads(self, site: str, node_ids: Collection[int] | None, number: int) -> str | None:
        if node_ids == {13}:
            self.failed.set()
            raise ValueError("node 13")
        return f'{{"number":{number}}}'


def test_loads_have_consecutive_numbers_unless_some_are_lost(
    server: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        monkeypatch.setattr("backstay.live.hub.RETRY_S", 0.01)
        messages, client = NumberedMessages(), Client("argonne")
        hub = Hub(settings.REDIS_URL, messages)
        await hub.join(client)
        assert await hub.first_loads("argonne") == [frame("load", '{"number":0}')]
        for number in (1, 2):
            samples(server, "argonne", number)
            assert await frames(client, 1) == [frame("load", f'{{"number":{number}}}')]
        assert (await hub.first_loads("argonne"))[-1] == frame("load", '{"number":2}')
        samples(server, "argonne", 13)
        await messages.failed.wait()
        await asyncio.sleep(0)
        samples(server, "argonne", 14)
        assert await frames(client, 1) == [frame("load", '{"number":4}')], "3 is missing"
        hub.leave(client)

    asyncio.run(run())


def test_compressed_frames_decode_one_by_one_and_are_made_once() -> None:
    sent = [frame("load", f'{{"number":{number}}}' * 100) for number in range(3)]
    assert sent[0].packed is sent[0].packed
    reader = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    assert reader.decompress(PACKED_HEAD) == b""
    for encoded in [*sent, KEEP_ALIVE, sent[0]]:
        assert reader.decompress(encoded.packed) == encoded
    assert len(sent[0].packed) * 5 < len(sent[0])


def test_frames_and_positions_round_trip_through_browsers() -> None:
    assert frame("load", "{}") == b"event: load\ndata: {}\n\n"
    assert frame("event", "{}", "5-1") == b"id: 5-1\nevent: event\ndata: {}\n\n"
    assert [position(text) for text in ("5-1", "", None, "5", "5-1\n", "x" * 99)] == ["5-1"] + [None] * 5
    assert order("10-2") > order("9-11")
