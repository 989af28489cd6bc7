"""Publishing of changes to browsers: sent on commit, dropped on rollback.

If Redis is unreachable the caller loses at most 50 ms once and never gets an error; readers notice the gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from backstay.live import bus


def samples(site: str, node_ids: Iterable[int]) -> None:
    """Publish that these nodes have new samples; the loads of their links are pushed."""
    nodes = ",".join(str(node_id) for node_id in sorted(node_ids))
    if nodes:
        _on_commit(bus.SAMPLES, bus.MAX_SAMPLES, [{"site": site, "nodes": nodes}])


def changed(site: str, nouns: Iterable[str]) -> None:
    """Publish that these collections of the public API changed, e.g. `incidents`."""
    names = ",".join(sorted(nouns))
    if names:
        _on_commit(bus.FACTS, bus.MAX_FACTS, [{"kind": "changed", "site": site, "nouns": names}])


def withdrawn(site: str, reader: str) -> None:
    """Publish that a reader (live.clients) may no longer see the site: its open streams end."""
    _on_commit(bus.FACTS, bus.MAX_FACTS, [{"kind": "withdrawn", "site": site, "reader": reader}])


def event(site: str, event_id: int) -> None:
    """Publish a new or amended event."""
    events(site, [event_id])


def events(site: str, event_ids: Iterable[int]) -> None:
    """Publish events, one entry each, in this order."""
    entries = [{"kind": "event", "site": site, "event": str(event_id)} for event_id in event_ids]
    if entries:
        _on_commit(bus.FACTS, bus.MAX_FACTS, entries)


def _on_commit(stream: str, most: int, entries: Sequence[Mapping[str, str]]) -> None:
    transaction.on_commit(lambda: bus.send(stream, most, entries))
