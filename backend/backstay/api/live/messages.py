"""Live messages for the hub, read in a thread so that the event loop never blocks."""

from collections.abc import Collection

from asgiref.sync import sync_to_async
from django.utils import timezone

from backstay.api.events.present import event_out
from backstay.api.http.connections import closes_connections
from backstay.api.links.present import load_out
from backstay.api.links.schemas import LinkLoad
from backstay.api.live.schemas import LiveMessage
from backstay.inventory import selectors, snapshot
from backstay.telemetry.selectors.events import events_by_id
from backstay.telemetry.selectors.loads import Loads, loads_near


class LiveMessages:
    """Messages from rows. Each read returns its database connection to the pool."""

    async def loads(self, site: str, node_ids: Collection[int] | None, number: int) -> str | None:
        """Loads of the links that touch these nodes, or of all links."""
        return await sync_to_async(_loads, thread_sensitive=False)(site, node_ids, number)

    async def events(self, site: str, ids: Collection[int]) -> dict[int, str]:
        """Each event as a message."""
        return await sync_to_async(_events, thread_sensitive=False)(site, ids)

    def notice(self, kind: str, site: str, nouns: Collection[str] = ()) -> str:
        """Hello, gap or changed."""
        message = LiveMessage(
            type=kind,
            site=site,
            at=timezone.now(),
            nouns=sorted(nouns),
        )
        return message.model_dump_json()


@closes_connections
def _loads(site: str, node_ids: Collection[int] | None, number: int) -> str | None:
    row = selectors.site_named(site)
    if row is None:
        return None
    now = timezone.now()
    nodes = snapshot.load(row).nodes.keys() if node_ids is None else node_ids
    found = loads_near(row, nodes, now)
    if not found:
        return None
    links = [_link_load(link, loads) for link, loads in found.items()]
    return LiveMessage(type="load", site=site, at=now, number=number, links=links).model_dump_json()


def _link_load(link: int, loads: Loads) -> LinkLoad:
    forward, back = loads
    return LinkLoad(id=link, forward=load_out(forward), back=load_out(back))


@closes_connections
def _events(site: str, ids: Collection[int]) -> dict[int, str]:
    now = timezone.now()
    return {
        row.pk: LiveMessage(type="event", site=site, at=now, event=event_out(row, now)).model_dump_json()
        for row in events_by_id(site, ids)
    }
