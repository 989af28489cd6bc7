"""Nodes."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.history.history_nodes import NodeRows, nodes_at, past_nodes, with_status
from backstay.alerts.selectors.nodes import nodes, plain_nodes
from backstay.alerts.selectors.state_deadline import next_state_change
from backstay.api.http.auth import Lookup, require_operator, site_of
from backstay.api.http.conditional_reads import INCIDENTS, INVENTORY, PATHS, STATES, depends_on
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import At, Column, Id, ListQuery, Text, past_at, sort_of
from backstay.api.http.schemas import READ, WRITE, Page, State
from backstay.api.nodes.present import NodeContext, collector_out, node_out, past_node_out
from backstay.api.nodes.schemas import CollectorOut, NodeOut
from backstay.core.diagnosis.clocks import SKEWED_S
from backstay.core.model.state import WORST_FIRST, gateway_status
from backstay.inventory import selectors
from backstay.inventory.standby_reads import reads_standby
from backstay.policy.gateway_uses import gateway_counts
from backstay.policy.holds import open_holds
from backstay.rollout import management
from backstay.telemetry.selectors.clocks import far_off, worst
from backstay.telemetry.selectors.nodes import collectors_of, nodes_now

if TYPE_CHECKING:
    from backstay.inventory.models import Node, Site

router = Router(tags=["nodes"])
_node = Lookup("node", selectors.node_detail)
_plain_node = Lookup("node", selectors.node)
_NODE_TABLES = frozenset(
    {
        "policy_hold",
        "rollout_nodemanagement",
        "telemetry_clockstate",
        "telemetry_metriclayout",
        "telemetry_metricset",
    }
)
SORTS = {
    "name": Column("name", natural=True),
    "title": Column("title", natural=True),
    "kind": Column("kind"),
    "role": Column("role"),
    "state": Column("status"),
    "since": Column("state__changed_at", nullable=True),
    "node_number": Column("node_number", nullable=True),
    "agent": Column("watcher__name", natural=True, nullable=True),
    "uptime": Column("state__booted_at", backwards=True, nullable=True),
    "clock_offset": Column("state__clock_offset_ms", nullable=True),
    "age": Column("state__last_reported_at", backwards=True, nullable=True),
}


PAST_SORTS = {
    **{name: SORTS[name] for name in ("name", "title", "kind", "role", "state", "node_number")},
    "uptime": Column("booted_then", backwards=True, nullable=True),
}
"""Of a past moment, with what history keeps."""


class NodeQuery(ListQuery):
    """Filters of `list_nodes`."""

    kind: Text | None = None
    state: State | None = None
    gateway: bool | None = None
    at: At = None


class CollectorQuery(ListQuery):
    """Filters of `list_node_collectors`."""

    state: State | None = None


@router.get("/nodes", response={200: Page[NodeOut], **READ}, operation_id="list_nodes")
@depends_on(INVENTORY, STATES, INCIDENTS, PATHS, _NODE_TABLES, clock=next_state_change)
@reads_standby
def list_nodes(request: HttpRequest, query: Query[NodeQuery]) -> Page[NodeOut]:
    """A site's nodes with their state. `q` searches names and titles.

    At a past moment the state says whether ports were measured, and the worst incident of then; nodes and
    gateways are those of today.
    """
    site, now = site_of(request, query.site), timezone.now()
    filters: dict[str, Any] = {"kind": query.kind, "gateway": query.gateway, "text": query.q}
    if (at := past_at(query.at, now)) is not None:
        return _past_nodes(site, query, nodes_at(site, at, **filters), at, now)
    rows = nodes(site, now, state=query.state, **filters)
    light = plain_nodes(site, **filters) if query.state is None else rows
    shown, following = query.rows(rows, SORTS, "name", light)
    return Page(items=_nodes_out(site, shown, now), next=following)


def _past_nodes(site: "Site", query: NodeQuery, rows: NodeRows, at: datetime, now: datetime) -> Page[NodeOut]:
    """Only a list that depends on the states reads those of more than its page."""
    if query.state is None and sort_of(query.sort, "name", PAST_SORTS).field != "state":
        shown, following = query.rows(rows, PAST_SORTS, "name")
        past = past_nodes(site, at, now, [row.pk for row in shown])
    else:
        past = past_nodes(site, at, now, list(rows.order_by().values_list("pk", flat=True)))
        shown, following = query.rows(with_status(rows, past, query.state), PAST_SORTS, "name")
    return Page(items=[past_node_out(past, row) for row in shown], next=following)


@router.get("/nodes/{id}", response={200: NodeOut, **READ}, operation_id="get_node")
@depends_on(INVENTORY, STATES, INCIDENTS, PATHS, _NODE_TABLES, clock=next_state_change)
def get_node(request: HttpRequest, id: Id) -> NodeOut:  # noqa: A002  (the name in the path)
    """One node."""
    node = _node(request, id)
    return _nodes_out(node.site, [node], timezone.now())[0]


_COLLECTOR_SORTS = {
    "name": lambda row: row.name,
    "state": lambda row: WORST_FIRST[row.state],
    "duration_ms": lambda row: row.duration_ms,
    "age": lambda row: -row.at.timestamp(),  # Ages differ from page to page.
}


@router.get(
    "/nodes/{id}/collectors", response={200: Page[CollectorOut], **READ}, operation_id="list_node_collectors"
)
def list_node_collectors(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    query: Query[CollectorQuery],
) -> Page[CollectorOut]:
    """The collectors of one node and their last reported runs. `q` searches names and details."""
    node, now = _plain_node(request, id), timezone.now()
    items = [collector_out(run, node, now) for run in collectors_of(node)]
    shown = [
        item for item in items if query.state in {None, item.state} and query.matches(item.name, item.detail)
    ]
    return query.page(shown, _COLLECTOR_SORTS, lambda item: item.name, "name")


@router.post("/nodes/{id}/manage-again", response={200: NodeOut, **WRITE}, operation_id="manage_node_again")
@idempotent
def manage_node_again(request: HttpRequest, id: Id) -> NodeOut:  # noqa: A002  (the name in the path)
    """Resume the management of a node that was released or reverted a change. Needs operator.

    Nothing is installed: a policy returns with the next change that is confirmed on the node.
    """
    node = _node(request, id)
    management.manage_again(node, require_operator(request, node.site), timezone.now())
    return _nodes_out(node.site, [_node(request, id)], timezone.now())[0]


def _nodes_out(site: "Site", rows: "Collection[Node]", now: datetime) -> list[NodeOut]:
    """Nodes of one site in this order; a fixed number of queries."""
    idents = [row.pk for row in rows]
    context = NodeContext(
        site=site,
        now=now,
        known=nodes_now(site, idents),
        holds=open_holds(idents),
        troubles=incidents.of_nodes(idents),
        gateways={node: gateway_status(known) for node, known in gateway_counts(site, now, idents).items()},
        released=management.reported(idents),
        clocks=worst(far_off(site, SKEWED_S, nodes=idents)),
    )
    return [node_out(context, row) for row in rows]
