"""The site as a graph with live load."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router
from pydantic_core import to_json

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import site_of
from backstay.api.http.caching import json_answer
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.sites.present import site_out
from backstay.api.topology.present import topology_fabric, topology_link, topology_node
from backstay.api.topology.schemas import Topology, TopologyLink, TopologyNode
from backstay.inventory.models import Site

router = Router(tags=["topology"])


@router.get("/topology", response={200: Topology, **READ}, operation_id="get_topology")
def get_topology(request: HttpRequest, site: Text | None = None) -> HttpResponse:
    """Every node, every fabric that ports share, every link with its load in both directions."""
    topology = _topology(site_of(request, site))
    return json_answer(request, topology.model_dump_json().encode(), _lasting(topology))


def _topology(row: Site) -> Topology:
    snapshot = SiteSnapshot(row, timezone.now())
    current = incidents.current(row)
    by_node, by_link = incidents.by_node(current), incidents.by_link(current)
    nodes = [topology_node(snapshot, node, by_node) for node in snapshot.topology.nodes.values()]
    links = [topology_link(snapshot, link, by_link) for link in snapshot.topology.links.values()]
    return Topology(
        site=site_out(row),
        at=snapshot.now,
        version=str(row.version),
        nodes=[*nodes, *_fabrics(snapshot, links)],
        links=links,
    )


def _lasting(topology: Topology) -> bytes:
    """What tells two answers apart: all but ages, words and the moment; names are of the version."""
    return to_json(
        [
            topology.site,
            topology.version,
            [(node.key, node.state, node.since, node.incidents) for node in topology.nodes],
            [
                (link.id, link.state, link.carries, link.forward, link.back, link.incidents)
                for link in topology.links
            ],
        ]
    )


def _fabrics(snapshot: SiteSnapshot, links: list[TopologyLink]) -> list[TopologyNode]:
    """Fabrics that are drawn as nodes: those with a shared medium."""
    return [
        topology_fabric(fabric, [link.state for link in links if link.target == f"fabric:{fabric.id}"])
        for fabric in snapshot.topology.fabrics.values()
        if ("fabric", fabric.id) in snapshot.topology.neighbours
    ]
