"""The ASGI side of push: one Redis reader per process serves all open streams.

A client begins with the loads of all links, which are computed once for all clients of a site that join
within `FIRST_LOADS_S`: later ones get the same message and those that changed it since. Messages with loads
have consecutive numbers; one with all links has that of the last before it. So a client ignores what it has,
and notices what it lacks.

Events are sent at once. Notices of new samples and changed collections are batched for 250 ms, so that loads
are computed once for all nodes and clients of a site. After a Redis outage every client gets a gap message:
messages published meanwhile are lost, and refetching is cheap.

The API supplies the content through a `MessageSource`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from backstay.live import bus
from backstay.live.clients import Client, Clients
from backstay.live.frames import Frame, frame, order
from backstay.live.redis_sentinel import SentinelAddress

GATHER_S = 0.25
BLOCK_S = 5.0
CONNECT_S = 2.0
RETRY_S = 1.0
MOST_ENTRIES = 500
FIRST_LOADS_S = 10.0
"""Nothing else is sent when a load is no longer fresh, so a client must not begin with older ones."""
REWIRED = "topology"
"""Noun of a change after which a site has other links."""
NOTHING_YET = "0-0"
"""Position in an empty stream."""

log = logging.getLogger(__name__)
Entries = list[tuple[str, dict[str, str]]]


class MessageSource(Protocol):
    """Renders messages: JSON of a `LiveMessage`."""

    async def loads(self, site: str, node_ids: Collection[int] | None, number: int) -> str | None:
        """Loads of the links of these nodes, or of all links; None if there are none.

        `number`: the message's.
        """

    async def events(self, site: str, ids: Collection[int]) -> dict[int, str]:
        """Event id -> message; deleted events are missing."""

    def notice(self, kind: str, site: str, nouns: Collection[str] = ()) -> str:
        """A hello, gap or changed message."""


@dataclass(slots=True)
class _FirstLoads:
    """The frames with which clients of one site begin; kept only while it has a client."""

    began_at: float
    """Monotonic seconds."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    frames: list[Frame] = field(default_factory=list)
    """All links, once they are computed."""
    later: list[Frame] = field(default_factory=list)
    """Links that changed since they began to be computed."""

    @property
    def is_old(self) -> bool:
        """Whether the next client needs new ones."""
        return time.monotonic() - self.began_at > FIRST_LOADS_S


class Hub:
    """The clients of this process and the task that serves them; the task ends with the last client."""

    def __init__(self, url: str, messages: MessageSource) -> None:
        # redis-py types every reply as a union of all protocols' shapes; ours is RESP2, decoded.
        self._redis: Any = _client(url)
        self._messages = messages
        self._task: asyncio.Task[None] | None = None
        self._nodes: defaultdict[str, set[int]] = defaultdict(set)
        self._nouns: defaultdict[str, set[str]] = defaultdict(set)
        self._first: dict[str, _FirstLoads] = {}
        self._loads_sent: defaultdict[str, int] = defaultdict(int)
        self._due: float | None = None
        self._samples_at = NOTHING_YET
        self.clients = Clients()
        self.position = NOTHING_YET
        """Position of the newest fact sent to the clients."""

    async def join(self, client: Client) -> str:
        """Add a client; returns the position from which it is served."""
        if self._task is None or self._task.done():
            await self._find_ends()
        self.clients.add(client)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._serve())
        return self.position

    def leave(self, client: Client) -> None:
        """Remove a client; the reader ends with the last one."""
        self._remove(client)
        if not len(self.clients) and self._task is not None:
            reader, self._task = self._task, None
            reader.cancel()

    async def first_loads(self, site: str) -> list[Frame]:
        """Frames with the current loads of all links, for a client that has joined."""
        known = self._first.get(site)
        if known is None or known.is_old:
            known = self._first[site] = _FirstLoads(time.monotonic())
        async with known.lock:
            if not known.frames:
                loads = await self._messages.loads(site, None, self._loads_sent[site])
                known.frames = [] if loads is None else [frame("load", loads)]
        return [*known.frames, *known.later]

    async def replay(self, site: str, after: str, until: str) -> list[Frame] | None:
        """Frames of a site's events in (after, until]; None if the stream no longer has them."""
        if order(after) >= order(until):
            return [] if after == until else None
        try:
            if not await self._redis.xrange(bus.FACTS, after, after, count=1):
                return None
            entries: Entries = await self._redis.xrange(bus.FACTS, f"({after}", until)
        except RedisError:
            return None
        return await self._event_frames(site, [entry for entry in entries if _is_event(entry, site)])

    async def _find_ends(self) -> None:
        try:
            self.position = await self._end(bus.FACTS)
            self._samples_at = await self._end(bus.SAMPLES)
        except RedisError as cause:
            log.warning("live: Redis is unreachable: %s", cause)

    async def _end(self, stream: str) -> str:
        newest: Entries = await self._redis.xrevrange(stream, count=1)
        return newest[0][0] if newest else NOTHING_YET

    def _is_current(self) -> bool:
        """Whether the running task is the current reader. Cancelling alone does not end a task: redis-py
        loses a cancellation that arrives while it opens a connection."""
        return self._task is asyncio.current_task()

    async def _serve(self) -> None:
        while self._is_current():
            try:
                await self._read()
            except RedisError as cause:
                log.warning("live: Redis is unreachable: %s", cause)
                self._first.clear()
                await self._after_break()
            except Exception:
                log.exception("live: a round failed")
                self._first.clear()
                for site in self.clients.sites():  # Loads may be lost: the next message shows it.
                    self._loads_sent[site] += 1
                await asyncio.sleep(RETRY_S)

    async def _read(self) -> None:
        wait = BLOCK_S if self._due is None else max(self._due - time.monotonic(), 0.001)
        positions: dict[Any, Any] = {bus.FACTS: self.position, bus.SAMPLES: self._samples_at}
        reply = await self._redis.xread(positions, count=MOST_ENTRIES, block=max(round(wait * 1000), 1))
        if not self._is_current():
            return
        for stream, entries in reply:
            if stream == bus.FACTS:
                await self._take_facts(entries)
            else:
                self._take_samples(entries)
        if self._due is not None and time.monotonic() >= self._due:
            await self._flush()

    async def _take_facts(self, entries: Entries) -> None:
        for _, fields in entries:
            if fields.get("kind") == "withdrawn":
                self._withdraw(fields.get("site", ""), fields.get("reader", ""))
        for site in self.clients.sites():
            mine = [entry for entry in entries if entry[1].get("site") == site]
            for encoded in await self._event_frames(
                site, [entry for entry in mine if _is_event(entry, site)]
            ):
                self._give(site, encoded)
            for _, fields in mine:
                if fields.get("kind") == "changed":
                    self._nouns[site].update(fields.get("nouns", "").split(","))
                    self._gather()
            if REWIRED in self._nouns.get(site, ()):
                self._first.pop(site, None)
        self.position = entries[-1][0]

    def _take_samples(self, entries: Entries) -> None:
        for _, fields in entries:
            self._nodes[fields.get("site", "")].update(map(int, fields.get("nodes", "").split(",")))
            self._gather()
        self._samples_at = entries[-1][0]

    def _gather(self) -> None:
        if self._due is None:
            self._due = time.monotonic() + GATHER_S

    async def _flush(self) -> None:
        nodes, nouns, self._due = dict(self._nodes), dict(self._nouns), None
        self._nodes.clear()
        self._nouns.clear()
        for site in self.clients.sites():
            number = self._loads_sent[site] + 1
            if site in nodes and (loads := await self._messages.loads(site, nodes[site], number)) is not None:
                self._loads_sent[site] = number
                encoded = frame("load", loads)
                self._give(site, encoded)
                self._follow(site, encoded)
            if site in nouns:
                self._give(site, frame("changed", self._messages.notice("changed", site, nouns[site])))

    async def _event_frames(self, site: str, entries: Entries) -> list[Frame]:
        if not entries:
            return []
        rendered = await self._messages.events(site, {int(fields["event"]) for _, fields in entries})
        found = ((ident, rendered.get(int(fields["event"]))) for ident, fields in entries)
        return [frame("event", message, ident) for ident, message in found if message is not None]

    def _give(self, site: str, encoded: Frame) -> None:
        for client in self.clients.at(site):
            if not client.give(encoded):
                client.dismiss(frame("gap", self._messages.notice("gap", site)))
                self._remove(client)

    def _withdraw(self, site: str, reader: str) -> None:
        """End the streams of a reader who may no longer see the site, before anything else is sent."""
        for client in self.clients.at(site):
            if client.reader == reader:
                client.end()
                self._remove(client)

    def _end_withdrawable(self) -> None:
        """End streams whose withdrawal may be lost; they are authenticated anew when they reconnect."""
        for site in self.clients.sites():
            for client in self.clients.at(site):
                if client.is_withdrawable:
                    client.end()
                    self._remove(client)

    def _follow(self, site: str, encoded: Frame) -> None:
        """Add a frame to the first loads, or forget them, so that they do not grow without new clients."""
        known = self._first.get(site)
        if known is not None and known.is_old:
            del self._first[site]
        elif known is not None:
            known.later.append(encoded)

    def _remove(self, client: Client) -> None:
        """Also the site's first loads with its last client: nothing is computed without one."""
        self.clients.remove(client)
        if client.site not in self.clients.sites():
            self._first.pop(client.site, None)

    async def _after_break(self) -> None:
        """Wait until Redis is back, then send every client a gap message."""
        self._send_gap()
        while self._is_current():
            await asyncio.sleep(RETRY_S)
            try:
                self.position = await self._end(bus.FACTS)
                self._samples_at = await self._end(bus.SAMPLES)
            except RedisError:
                continue
            self._end_withdrawable()
            self._send_gap()
            return

    def _send_gap(self) -> None:
        for site in self.clients.sites():
            self._give(site, frame("gap", self._messages.notice("gap", site)))


def _client(url: str) -> redis.asyncio.Redis:
    """Without retries: after a lost connection the server may be another one, with other positions."""
    once: dict[str, Any] = {"decode_responses": True, "retry": Retry(NoBackoff(), 0)}
    once |= {"socket_timeout": BLOCK_S + 2, "socket_connect_timeout": CONNECT_S}
    address = SentinelAddress.parse(url)
    if address is None:
        return redis.asyncio.Redis.from_url(url, **once)
    secret = address.password or None
    limits = {"socket_timeout": CONNECT_S, "socket_connect_timeout": CONNECT_S, "password": secret}
    sentinels: Any = Sentinel  # redis-py has no types here.
    known = sentinels(address.sentinels, sentinel_kwargs={**limits, "retry": once["retry"]})
    return cast(
        redis.asyncio.Redis,
        known.master_for(address.service, db=address.database, password=secret, **once),
    )


def _is_event(entry: tuple[str, dict[str, str]], site: str) -> bool:
    return entry[1].get("kind") == "event" and entry[1].get("site") == site
