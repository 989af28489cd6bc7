"""The live clients of this process, with one bounded queue of frames each: a slow client affects no other."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator

from backstay.live.frames import Frame

MOST_WAITING = 200
"""Frames; a full queue means that the client has not read for about a minute."""


class Client:
    """One open stream of one site; `reader` names who reads it: `user:5`, `wallboard:7`.

    `is_withdrawable`: it ends when its permission is withdrawn, and when Redis may have lost that message.
    """

    def __init__(self, site: str, reader: str = "", *, is_withdrawable: bool = False) -> None:
        self.site, self.reader, self.is_withdrawable = site, reader, is_withdrawable
        self.frames: asyncio.Queue[Frame | None] = asyncio.Queue(MOST_WAITING)
        self.is_slow = False

    def give(self, encoded: Frame) -> bool:
        """Queue a frame; False if the queue is full."""
        try:
            self.frames.put_nowait(encoded)
        except asyncio.QueueFull:
            return False
        return True

    def dismiss(self, farewell: Frame) -> None:
        """Drop queued frames, send `farewell` and end the stream; the client reconnects and refetches."""
        self.is_slow = True
        self._drop()
        self.frames.put_nowait(farewell)
        self.frames.put_nowait(None)

    def end(self) -> None:
        """Drop queued frames and end the stream."""
        self._drop()
        self.frames.put_nowait(None)

    def _drop(self) -> None:
        while not self.frames.empty():
            self.frames.get_nowait()


class Clients:
    """All clients by site."""

    def __init__(self) -> None:
        self._by_site: defaultdict[str, set[Client]] = defaultdict(set)

    def __len__(self) -> int:
        return sum(len(clients) for clients in tuple(self._by_site.values()))

    def count_of(self, reader: str) -> int:
        """Open streams of a reader, at all sites."""
        sites = tuple(self._by_site.values())  # Requests are counted in threads of their own.
        return sum(client.reader == reader for clients in sites for client in tuple(clients))

    def sites(self) -> list[str]:
        """Sites with clients."""
        return [site for site, clients in self._by_site.items() if clients]

    def at(self, site: str) -> Iterator[Client]:
        """Clients of a site."""
        return iter(tuple(self._by_site.get(site, ())))

    def add(self, client: Client) -> None:
        """Somebody came."""
        self._by_site[client.site].add(client)

    def remove(self, client: Client) -> None:
        """Somebody went."""
        self._by_site[client.site].discard(client)
