"""Nodes as they were at a past moment, for lists.

Names, kinds and roles are those of today. A state follows from what was measured and from the incidents of
the moment. Which agent collected a node, its clock and its description are not kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, CharField, DateTimeField, QuerySet, Value, When

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.history.history_snapshot import PastSnapshot
from backstay.alerts.selectors.nodes import plain_nodes
from backstay.core.model.state import OpenIncidents, State, StateText, past_node_state
from backstay.inventory.models import Node, Site
from backstay.inventory.read_transaction import read_transaction

NodeRows = QuerySet[Node]


def nodes_at(site: Site, at: datetime, **filters: Any) -> NodeRows:
    """Rows of `plain_nodes` with `booted_then`, the start of a node that was up at the moment and reported
    the same start afterwards; NULL: not kept."""
    is_same = When(state__booted_at__lte=at, state__last_reported_at__gte=at, then="state__booted_at")
    booted = Case(is_same, output_field=DateTimeField(null=True))
    return plain_nodes(site, **filters).prefetch_related("ports").annotate(booted_then=booted)


@dataclass(frozen=True, slots=True)
class PastNodes:
    """States of nodes at a past moment."""

    at: datetime
    measured: Collection[int]
    """Ids of those of which a port was measured."""
    incidents: Mapping[int, OpenIncidents]
    """Node id -> those that were open."""

    def status(self, node: int) -> StateText:
        """State of a node."""
        trouble = self.incidents.get(node, OpenIncidents())
        return past_node_state(trouble, is_measured=node in self.measured)


def past_nodes(site: Site, at: datetime, present: datetime, nodes: Collection[int]) -> PastNodes:
    """States of these nodes at a moment, from one transaction; few queries for any number."""
    with read_transaction():
        snapshot = PastSnapshot(site, at, present, nodes=nodes)
        return PastNodes(at, snapshot.measured, incidents.of_nodes(nodes, at))


def with_status(rows: NodeRows, past: PastNodes, state: str | None = None) -> NodeRows:
    """Rows with `status`, as `past` has decided it of each node; only those in `state`."""
    found: dict[State, list[int]] = {}
    for node in rows.order_by().values_list("pk", flat=True):
        found.setdefault(past.status(node).state, []).append(node)
    whens = [When(pk__in=ids, then=Value(state)) for state, ids in found.items()]
    rows = rows.annotate(status=Case(*whens, default=Value("unknown"), output_field=CharField()))
    return rows if state is None else rows.filter(status=state)
