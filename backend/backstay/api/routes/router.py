"""Paths between any two nodes."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from backstay.alerts.selectors.incidents import of_links
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.links.present import link_status
from backstay.api.routes.present import node_routes_out
from backstay.api.routes.schemas import RoutesBetween
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby
from backstay.rollout.node_routes import component_named, component_text, node_named, node_routes

router = Router(tags=["routes"])
MOST_FAILURES = 100


class RouteQuery(BaseModel):
    """Ends and failures of `get_routes_between`."""

    site: Text | None = Field(None, description="Name of the site; default: the first site that you may see")
    source: Text = Field(description="Name of the node that sends")
    destination: Text = Field(description="Name of the node that receives")
    failed: list[Text] = Field(
        default_factory=list,
        max_length=MOST_FAILURES,
        description="`node:grf1`, `link:grf1:ga030`, `link:12`, `fabric:sp-switch`; each is one failure",
    )
    each_failure: bool = Field(
        False, description="Also each single failure on the path: its nodes but the ends, media and links"
    )


@router.get("/routes/between", response={200: RoutesBetween, **READ}, operation_id="get_routes_between")
@reads_standby
def get_routes_between(request: HttpRequest, query: Query[RouteQuery]) -> RoutesBetween:
    """The path from one node to another from the present state, and under each given failure.

    Each hop has its ports, fabric, usable rate, MTU and ARP mode. The way back may differ: ask for it too.
    """
    site, now = site_of(request, query.site), timezone.now()
    topology = snapshot.load(site)
    source = node_named(topology, query.source, "source")
    destination = node_named(topology, query.destination, "destination")
    given = [(name, component_named(topology, name)) for name in query.failed]
    routes = node_routes(site, source, now)
    found = routes.between(source, destination, [None, *(component for _, component in given)])
    if query.each_failure:
        known = {component for _, component in given}
        more = [component for component in found[0].components if component not in known][:MOST_FAILURES]
        found += routes.between(source, destination, more)
        given += [(component_text(topology, component), component) for component in more]
    links = sorted({hop.link.id for route in found for hop in route.hops})
    page, troubles = SiteSnapshot(site, now).of_links(links), of_links(links)
    states = {link.id: link_status(page, link, troubles) for link in page.links}
    return RoutesBetween(
        site=site.name,
        source=query.source,
        destination=query.destination,
        routes=node_routes_out(topology, found, [name for name, _ in given], states),
    )
