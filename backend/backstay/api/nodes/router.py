"""Nodes."""

from django.http import HttpRequest
from ninja import Query, Router

from backstay.api.http.auth import Lookup, site_of
from backstay.api.http.list_query import Id, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page, State
from backstay.api.nodes.present import NodeContext
from backstay.api.nodes.schemas import NodeOut
from backstay.inventory import selectors

router = Router(tags=["nodes"])
_node = Lookup("node", selectors.node_detail)
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
    """A site's nodes with their state. `q` searches names and titles.

    States depend on freshness and open incidents of the whole site, so the list is sorted in memory.
    """
    site = site_of(request, query.site)
    shown = NodeContext(site)
    rows = (row for row in selectors.nodes(site, query.kind) if query.matches(f"{row.name} {row.title}"))
    items = [item for item in map(shown.node_out, rows) if query.state in {None, item.state}]
    keys = {**SORTS, "age": lambda item: age_key(shown.snapshot.nodes[item.id].report_times.at)}
    return query.page(items, keys, lambda item: item.id, "name")


@router.get("/nodes/{id}", response={200: NodeOut, **READ}, operation_id="get_node")
def get_node(request: HttpRequest, id: Id) -> NodeOut:  # noqa: A002  (the name in the path)
    """One node."""
    node = _node(request, id)
    return NodeContext(node.site).node_out(node)
