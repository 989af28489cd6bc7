"""Who listens in this process: one bounded queue of frames each, so that a slow one harms nobody else."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator

MOST_WAITING = 200
"""Frames; more means that the client has not read for a minute or so."""


class Client:
    """One open stream of one site."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.frames: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)
        self.is_slow = False

    def give(self, text: str) -> bool:
        """Queue a frame; False when the client does not keep up."""
        try:
            self.frames.put_nowait(text)
        except asyncio.QueueFull:
            return False
        return True

    def dismiss(self, farewell: str) -> None:
        """Forget what waits, say farewell and end the stream: the client comes back and refetches."""
        self.is_slow = True
        while not self.frames.empty():
            self.frames.get_nowait()
        self.frames.put_nowait(farewell)
        self.frames.put_nowait(None)


class Clients:
    """All clients by site."""

    def __init__(self) -> None:
        self._by_site: defaultdict[str, set[Client]] = defaultdict(set)

    def __len__(self) -> int:
        return sum(len(clients) for clients in self._by_site.values())

    def sites(self) -> list[str]:
        """Sites that somebody listens to."""
        return [site for site, clients in self._by_site.items() if clients]

    def at(self, site: str) -> Iterator[Client]:
        """Those who listen to a site."""
        return iter(tuple(self._by_site.get(site, ())))

    def add(self, client: Client) -> None:
        """Somebody came."""
        self._by_site[client.site].add(client)

    def remove(self, client: Client) -> None:
        """Somebody went."""
        self._by_site[client.site].discard(client)
