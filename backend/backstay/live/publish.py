"""What services call to tell browsers that something changed. Sent on commit, lost with a rollback.

Redis being away costs the caller at most 50 ms once and never an error; readers notice the gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from backstay.live import bus


def samples(site: str, node_ids: Iterable[int]) -> None:
    """These nodes have new samples: loads of their links are to be pushed."""
    nodes = ",".join(str(node_id) for node_id in sorted(node_ids))
    if nodes:
        _on_commit(bus.SAMPLES, bus.MAX_SAMPLES, [{"site": site, "nodes": nodes}])


def changed(site: str, nouns: Iterable[str]) -> None:
    """Collections of the public API that are no longer what they were, e.g. `incidents`."""
    names = ",".join(sorted(nouns))
    if names:
        _on_commit(bus.FACTS, bus.MAX_FACTS, [{"kind": "changed", "site": site, "nouns": names}])


def event(site: str, event_id: int) -> None:
    """An event was recorded, or a recorded one now says more."""
    events(site, [event_id])


def events(site: str, event_ids: Iterable[int]) -> None:
    """Events were recorded; one entry each, in this order."""
    entries = [{"kind": "event", "site": site, "event": str(event_id)} for event_id in event_ids]
    if entries:
        _on_commit(bus.FACTS, bus.MAX_FACTS, entries)


def _on_commit(stream: str, most: int, entries: Sequence[Mapping[str, str]]) -> None:
    transaction.on_commit(lambda: bus.send(stream, most, entries))
