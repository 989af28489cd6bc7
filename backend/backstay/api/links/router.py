"""Links and their history."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from backstay.api.http.auth import (
    Lookup,
    found,
    site_of,
)
from backstay.api.http.list_query import Id, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page, State
from backstay.api.links.present import history_out, links_out
from backstay.api.links.schemas import LinkHistory, LinkOut
from backstay.core.timerange import span
from backstay.inventory import selectors
from backstay.inventory import snapshot as inventory_snapshot
from backstay.telemetry.selectors.history import best_measured, port_history
from backstay.telemetry.selectors.loads import port_ids

router = Router(tags=["links"])
_link = Lookup("link", selectors.link)
Points = Annotated[int, Field(ge=10, le=5000)]


def _use(link: LinkOut) -> float | None:
    return max((load.utilisation for load in (link.forward, link.back) if load is not None), default=None)


def _reported_at(link: LinkOut) -> datetime | None:
    return max((load.at for load in (link.forward, link.back) if load is not None), default=None)


SORTS: dict[str, Callable[[LinkOut], Any]] = {
    "name": lambda link: link.name,
    "state": lambda link: link.state,
    "fabric": lambda link: link.fabric,
    "carries": lambda link: link.carries,
    "usable_rate": lambda link: link.usable_rate,
    "utilisation": _use,
    "forward": lambda link: link.forward and link.forward.bps,
    "back": lambda link: link.back and link.back.bps,
    "age": lambda link: age_key(_reported_at(link)),
    "since": lambda link: link.since,
    "incidents": lambda link: link.incidents,
}


class LinkQuery(ListQuery):
    """Filters of `list_links`."""

    fabric: Text | None = None
    state: State | None = None
    node: Text | None = None


@router.get("/links", response={200: Page[LinkOut], **READ}, operation_id="list_links")
def list_links(request: HttpRequest, query: Query[LinkQuery]) -> Page[LinkOut]:
    """A site's links with their load in both directions. `utilisation` sorts by the fuller direction."""
    wanted = (query.q or "").casefold()
    items = [
        link
        for link in links_out(site_of(request, query.site))
        if wanted in link.name.casefold()
        and query.fabric in {None, link.fabric}
        and query.state in {None, link.state}
        and query.node in {None, link.source.node, link.target.node}
    ]
    return query.page(items, SORTS, lambda item: item.id, "name")


@router.get("/links/{id}", response={200: LinkOut, **READ}, operation_id="get_link")
def get_link(request: HttpRequest, id: Id) -> LinkOut:  # noqa: A002  (the name in the path)
    """One link."""
    return found(next(iter(links_out(_link(request, id).site, id)), None), "link")


@router.get("/links/{id}/history", response={200: LinkHistory, **READ}, operation_id="get_link_history")
def get_link_history(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    start: Text = "now-1h",
    end: Text = "now",
    points: Points = 600,
) -> LinkHistory:
    """A link's load over time, from the end that has the most samples of the range."""
    site = _link(request, id).site
    since, until = span(start, end, timezone.now())
    topology = inventory_snapshot.load(site)
    link = topology.links[id]
    port = topology.ports[best_measured(port_ids([link]), since, until)]
    bins = port_history(port, since, until, points=points, interval_s=site.interval_s)
    usable = topology.fabrics[link.fabric_id].usable_rate
    name = f"{topology.nodes[port.node_id].name}:{port.name}"
    return history_out(bins, usable, name, at_source=port.id == link.a)
