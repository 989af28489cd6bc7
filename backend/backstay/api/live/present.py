"""What live messages say: the hub's `Teller`, which reads in a thread so that the loop never waits."""

from collections.abc import Collection

from asgiref.sync import sync_to_async
from django.db import connections
from django.utils import timezone

from backstay.api.events.present import event_out
from backstay.api.links.present import load_out
from backstay.api.links.schemas import LinkLoad
from backstay.api.live.schemas import LiveMessage
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.telemetry.models import Event
from backstay.telemetry.selectors.loads import Loads, loads_near


class LiveTeller:
    """Messages from rows. Each reading gives its database connection back to the pool."""

    async def loads(self, site: str, node_ids: Collection[int] | None) -> str | None:
        """Loads of the links that touch these nodes, or of all links."""
        return await sync_to_async(_loads, thread_sensitive=False)(site, node_ids)

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


def _loads(site: str, node_ids: Collection[int] | None) -> str | None:
    try:
        row = Site.objects.filter(name=site).first()
        if row is None:
            return None
        now = timezone.now()
        nodes = snapshot.load(row).nodes.keys() if node_ids is None else node_ids
        found = loads_near(row, nodes, now)
        if not found:
            return None
        links = [_link_load(link, loads) for link, loads in found.items()]
        return LiveMessage(type="load", site=site, at=now, links=links).model_dump_json()
    finally:
        connections.close_all()


def _link_load(link: int, loads: Loads) -> LinkLoad:
    forward, back = loads
    return LinkLoad(id=link, forward=load_out(forward), back=load_out(back))


def _events(site: str, ids: Collection[int]) -> dict[int, str]:
    try:
        now = timezone.now()
        rows = Event.objects.filter(pk__in=ids, site__name=site).select_related("node")
        return {
            row.pk: LiveMessage(type="event", site=site, at=now, event=event_out(row, now)).model_dump_json()
            for row in rows
        }
    finally:
        connections.close_all()
