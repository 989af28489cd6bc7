"""Fabrics."""

from dataclasses import asdict

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.fabrics.present import FabricNow, detail_out, fabric_out
from backstay.api.fabrics.schemas import FabricDetail, FabricHistoryOut, FabricOut
from backstay.api.http.auth import Lookup, site_of
from backstay.api.http.conditional_reads import INVENTORY, depends_on
from backstay.api.http.list_query import Column, Id, ListQuery, Points, Text
from backstay.api.http.schemas import READ, Page
from backstay.core.timerange import span
from backstay.inventory import selectors, snapshot
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.selectors.fabric_history import fabric_history
from backstay.telemetry.selectors.metrics import recent_counters
from backstay.telemetry.selectors.ports import fabric_totals

router = Router(tags=["fabrics"])
fabric_of = Lookup("fabric", selectors.fabric)
SORTS = {
    "name": Column("name", natural=True),
    "title": Column("title", natural=True),
    "arp": Column("arp"),
    "kind": Column("kind"),
    "media_rate": Column("media_rate"),
    "usable_rate": Column("usable_rate"),
    "mtu": Column("mtu"),
    "ports": Column("port_count"),
}


@router.get("/fabrics", response={200: Page[FabricOut], **READ}, operation_id="list_fabrics")
@depends_on(INVENTORY)
def list_fabrics(request: HttpRequest, query: Query[ListQuery]) -> Page[FabricOut]:
    """A site's fabrics with their rates and number of ports."""
    site = site_of(request, query.site)
    shown, following = query.rows(
        selectors.with_port_counts(selectors.fabrics_of(site, query.q)), SORTS, "name"
    )
    items = [fabric_out(snapshot.fabric(row, site.rate_scale), vars(row)["port_count"]) for row in shown]
    return Page(items=items, next=following)


@router.get("/fabrics/{id}", response={200: FabricDetail, **READ}, operation_id="get_fabric")
def get_fabric(request: HttpRequest, id: Id) -> FabricDetail:  # noqa: A002  (the name in the path)
    """One fabric: load, state, and its devices' metrics."""
    fabric = fabric_of(request, id)
    site, now = fabric.site, timezone.now()
    topology = snapshot.load(site)
    return detail_out(
        FabricNow(
            fabric=topology.fabrics[fabric.pk],
            totals=fabric_totals(site, now, fabric.name),
            links=sum(link.fabric_id == fabric.pk for link in topology.links.values()),
            contradicted=len(selectors.contradicted_links(fabric)),
            counters=recent_counters(fabric, now),
        )
    )


@router.get(
    "/fabrics/{id}/history", response={200: FabricHistoryOut, **READ}, operation_id="get_fabric_history"
)
@reads_standby
def get_fabric_history(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    start: Text = "now-24h",
    end: Text = "now",
    points: Points = 600,
) -> FabricHistoryOut:
    """A fabric's traffic over time: what its ports received and sent."""
    fabric = fabric_of(request, id)
    since, until = span(start, end, timezone.now())
    history = fabric_history(fabric, since, until, points=points, interval_s=fabric.site.interval_s)
    return FabricHistoryOut(**asdict(history))
