"""Links and their history."""

from collections.abc import Collection

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.links import labelled_links, links
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.selectors.state_deadline import next_state_change
from backstay.api.http.auth import (
    Lookup,
    found,
    site_of,
)
from backstay.api.http.conditional_reads import INCIDENTS, INVENTORY, PATHS, SAMPLES, STATES, depends_on
from backstay.api.http.list_query import Column, Id, ListQuery, Points, Text
from backstay.api.http.schemas import READ, Page, State
from backstay.api.links.present import Proof, history_out, link_out
from backstay.api.links.schemas import LinkHistory, LinkOut
from backstay.core.model.history import capacity_over
from backstay.core.timerange import span
from backstay.inventory import selectors
from backstay.inventory import snapshot as inventory_snapshot
from backstay.inventory.lookups import sorts_by
from backstay.inventory.standby_reads import reads_standby
from backstay.policy.link_uses import with_carries
from backstay.telemetry.selectors.history import best_measured, port_baselines, port_history
from backstay.telemetry.selectors.loads import port_ids
from backstay.telemetry.wiring import last_evidence

router = Router(tags=["links"])
_link = Lookup("link", selectors.link)


SORTS = {
    "name": Column("label", natural=True),
    "state": Column("status"),
    "fabric": Column("fabric__name", natural=True),
    "carrier": Column("carrier"),
    "carries": Column("carries"),
    "usable_rate": Column("fabric__usable_rate"),
    "utilisation": Column("utilisation", nullable=True),
    "forward": Column("forward_bps", nullable=True),
    "back": Column("back_bps", nullable=True),
    "age": Column("reported_at", backwards=True, nullable=True),
    "since": Column("up_since", nullable=True),
    "incidents": Column("open_incidents"),
}


class LinkQuery(ListQuery):
    """Filters of `list_links`."""

    fabric: Text | None = None
    state: State | None = None
    node: Text | None = None


@router.get("/links", response={200: Page[LinkOut], **READ}, operation_id="list_links")
@depends_on(INVENTORY, STATES, SAMPLES, INCIDENTS, PATHS, {"telemetry_adjacencyset"}, clock=next_state_change)
@reads_standby
def list_links(request: HttpRequest, query: Query[LinkQuery]) -> Page[LinkOut]:
    """A site's links with load in both directions. `utilisation` sorts by the larger direction."""
    snapshot = SiteSnapshot(site_of(request, query.site), timezone.now())
    rows = labelled_links(snapshot.site, fabric=query.fabric, node=query.node, text=query.q)
    if sorts_by(query.sort, "carries"):
        rows = with_carries(rows, snapshot.site, snapshot.now)
    if query.state is not None or not query.sorts_by_column_of(rows, SORTS, "name"):
        rows = links(snapshot, rows, state=query.state)
    shown, following = query.rows(rows.only("pk"), SORTS, "name")
    return Page(items=_links_out(snapshot, [row.pk for row in shown]), next=following)


@router.get("/links/{id}", response={200: LinkOut, **READ}, operation_id="get_link")
@depends_on(INVENTORY, STATES, SAMPLES, INCIDENTS, PATHS, {"telemetry_adjacencyset"}, clock=next_state_change)
def get_link(request: HttpRequest, id: Id) -> LinkOut:  # noqa: A002  (the name in the path)
    """One link."""
    snapshot = SiteSnapshot(_link(request, id).site, timezone.now())
    return found(next(iter(_links_out(snapshot, [id])), None), "link")


@router.get("/links/{id}/history", response={200: LinkHistory, **READ}, operation_id="get_link_history")
@reads_standby
def get_link_history(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    start: Text = "now-1h",
    end: Text = "now",
    points: Points = 600,
    *,
    baseline: bool = False,
) -> LinkHistory:
    """A link's load over time, from the end with the most samples in the range.

    `baseline`: also the usual load by the hour of the week.
    """
    site = _link(request, id).site
    since, until = span(start, end, timezone.now())
    topology = inventory_snapshot.load(site)
    link = topology.links[id]
    port = topology.ports[best_measured(port_ids([link]), since, until)]
    history = port_history(port, since, until, points=points, interval_s=site.interval_s)
    usable = topology.fabrics[link.fabric_id].usable_rate
    changes = selectors.rate_changes(link.fabric_id)
    capacity = capacity_over(usable, changes, since.timestamp(), until.timestamp())
    name = f"{topology.nodes[port.node_id].name}:{port.name}"
    baselines = port_baselines(port, history.bins) if baseline else None
    return history_out(history, capacity, name, baselines, at_source=port.id == link.a)


def _links_out(snapshot: SiteSnapshot, links: Collection[int]) -> list[LinkOut]:
    """These links in order; links removed meanwhile are omitted."""
    page = snapshot.of_links(links)
    troubles, evidence = incidents.of_links(links), selectors.link_evidence(links)
    nodes = {item["node_id"] for _, known, conflicts in evidence.values() for item in (*known, *conflicts)}
    proof = Proof(evidence, last_evidence(nodes - {None}), snapshot.site.imported_at)
    return [link_out(page, link, troubles, proof) for link in page.links]
