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
from backstay.api.http.response_cache import SharedResponses
from backstay.api.http.schemas import READ
from backstay.api.topology.present import topology_out
from backstay.api.topology.schemas import Topology
from backstay.inventory.standby_reads import reads_standby

router = Router(tags=["topology"])
_topologies = SharedResponses[tuple[bytes, bytes]]()


@router.get("/topology", response={200: Topology, **READ}, operation_id="get_topology")
@reads_standby
def get_topology(request: HttpRequest, site: Text | None = None) -> HttpResponse:
    """Every node, every shared fabric, and every link with its load in both directions."""
    row = site_of(request, site)
    content, lasting = _topologies.get(row.pk, lambda: _topology(SiteSnapshot(row, timezone.now())))
    return json_answer(request, content, lasting)


def _topology(snapshot: SiteSnapshot) -> tuple[bytes, bytes]:
    """The response, and what its ETag covers."""
    current = incidents.current(snapshot.site)
    topology = topology_out(snapshot, incidents.by_node(current), incidents.by_link(current))
    return topology.model_dump_json().encode(), _lasting(topology)


def _lasting(topology: Topology) -> bytes:
    """The content covered by the ETag: without ages, texts and time; the version covers names."""
    return to_json(
        [
            topology.site,
            topology.version,
            [(node.key, node.state, node.since, node.incidents, node.gateway) for node in topology.nodes],
            [
                (
                    link.id,
                    link.state,
                    link.carrier,
                    link.carries,
                    link.forward,
                    link.back,
                    link.incidents,
                )
                for link in topology.links
            ],
        ]
    )
