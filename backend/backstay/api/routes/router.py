"""Paths between any two nodes."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import BaseModel, Field

from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.routes.present import node_routes_out
from backstay.api.routes.schemas import RoutesBetween
from backstay.inventory import snapshot
from backstay.inventory.standby_reads import reads_standby
from backstay.rollout.node_routes import component_named, node_named, node_routes

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


@router.get("/routes/between", response={200: RoutesBetween, **READ}, operation_id="get_routes_between")
@reads_standby
def get_routes_between(request: HttpRequest, query: Query[RouteQuery]) -> RoutesBetween:
    """The path from one node to another from the present state, and under each given failure.

    Each hop has its ports, fabric, usable rate, MTU and ARP mode. The way back may differ: ask for it too.
    """
    site = site_of(request, query.site)
    topology = snapshot.load(site)
    source, destination = (node_named(topology, name) for name in (query.source, query.destination))
    failures = [component_named(topology, name) for name in query.failed]
    found = node_routes(site, source, timezone.now()).between(source, destination, [None, *failures])
    return RoutesBetween(
        site=site.name,
        source=query.source,
        destination=query.destination,
        routes=node_routes_out(topology, found, query.failed),
    )
