"""The site as a graph with live load."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.situation import Situation
from backstay.api.http.answers import READ
from backstay.api.http.auth import site_of
from backstay.api.http.paging import Text
from backstay.api.present.common import site_out
from backstay.api.present.links import topology_link
from backstay.api.present.nodes import topology_fabric, topology_node
from backstay.api.schemas import Topology, TopologyLink, TopologyNode

router = Router(tags=["topology"])


@router.get("/topology", response={200: Topology, **READ}, operation_id="get_topology")
def get_topology(request: HttpRequest, site: Text | None = None) -> Topology:
    """Every node, every fabric that ports share, every link with its load in both directions."""
    row = site_of(request, site)
    situation = Situation(row, timezone.now())
    current = incidents.current(row)
    by_node, by_link = incidents.by_node(current), incidents.by_link(current)
    nodes = [topology_node(situation, node, by_node) for node in situation.topology.nodes.values()]
    links = [topology_link(situation, link, by_link) for link in situation.topology.links.values()]
    return Topology(
        site=site_out(row),
        at=situation.now,
        version=str(row.version),
        nodes=[*nodes, *_fabrics(situation, links)],
        links=links,
    )


def _fabrics(situation: Situation, links: list[TopologyLink]) -> list[TopologyNode]:
    """Fabrics that are drawn as nodes: those with a shared medium."""
    return [
        topology_fabric(fabric, [link.state for link in links if link.target == f"fabric:{fabric.id}"])
        for fabric in situation.topology.fabrics.values()
        if ("fabric", fabric.id) in situation.topology.neighbours
    ]
