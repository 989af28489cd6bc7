"""Nodes."""

from collections.abc import Mapping

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import found, see, site_of
from backstay.api.http.list_query import Id, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page, State
from backstay.api.nodes.present import node_out
from backstay.api.nodes.schemas import NodeOut
from backstay.core.diagnosis.clocks import SKEWED_S
from backstay.core.model.state import OpenIncidents
from backstay.inventory.models import Node, Site
from backstay.telemetry.selectors.clocks import ClockNow, far_off, worst

router = Router(tags=["nodes"])
SORTS = {
    "name": lambda node: node.name,
    "kind": lambda node: node.kind,
    "role": lambda node: node.role,
    "state": lambda node: node.state,
    "since": lambda node: node.since,
    "node_number": lambda node: node.node_number,
    "agent": lambda node: node.agent,
    "uptime": lambda node: node.uptime_s,
    "clock_offset": lambda node: node.clock_offset_s,
}


class NodeQuery(ListQuery):
    """Filters of `list_nodes`."""

    kind: Text | None = None
    state: State | None = None


@router.get("/nodes", response={200: Page[NodeOut], **READ}, operation_id="list_nodes")
def list_nodes(request: HttpRequest, query: Query[NodeQuery]) -> Page[NodeOut]:
    """A site's nodes with their state. `q` looks into names and titles."""
    row = site_of(request, query.site)
    snapshot, troubles, clocks = _now(row)
    wanted = (query.q or "").casefold()
    nodes = Node.objects.filter(site=row).select_related("state", "watcher").prefetch_related("ports")
    shown = [
        node_out(snapshot, node, troubles, clocks)
        for node in (nodes if query.kind is None else nodes.filter(kind=query.kind))
        if wanted in f"{node.name} {node.title}".casefold()
    ]
    items = [item for item in shown if query.state is None or item.state == query.state]
    keys = {**SORTS, "age": lambda item: age_key(snapshot.nodes[item.id].heard.at)}
    return query.page(items, keys, lambda item: item.id, "name")


@router.get("/nodes/{id}", response={200: NodeOut, **READ}, operation_id="get_node")
def get_node(request: HttpRequest, id: Id) -> NodeOut:  # noqa: A002  (the path's own word)
    """One node."""
    nodes = Node.objects.select_related("site", "state", "watcher").prefetch_related("ports")
    node = found(nodes.filter(pk=id).first(), "node")
    see(request, node.site, "node")
    snapshot, troubles, clocks = _now(node.site)
    return node_out(snapshot, node, troubles, clocks)


def _now(site: Site) -> tuple[SiteSnapshot, Mapping[int, OpenIncidents], Mapping[int, ClockNow]]:
    troubles = incidents.by_node(incidents.current(site))
    return SiteSnapshot(site, timezone.now()), troubles, worst(far_off(site, SKEWED_S))
