"""Reads of inventory rows; `snapshot` has the whole topology as core values."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Func, IntegerField, Model, Q, QuerySet, TextField

from backstay.accounts import selectors as accounts
from backstay.accounts.models import Agent
from backstay.core.model.history import RateChange
from backstay.core.model.state import AGENT_STATES
from backstay.inventory.models import (
    Circuit,
    CircuitVersion,
    Fabric,
    FabricRateChange,
    Link,
    Node,
    Port,
    Site,
)
from backstay.inventory.snapshot import in_snapshot
from backstay.inventory.state_sql import fact, freshness, state_case

R = TypeVar("R", bound=Model)


def site_named(name: str) -> Site | None:
    return Site.objects.filter(name=name).first()


def circuit(ident: int) -> Circuit | None:
    return Circuit.objects.select_related("site").filter(pk=ident).first()


_LABELS = """(
    SELECT coalesce(string_agg(label, ' ' ORDER BY place), '') FROM (
        SELECT side.label #>> '{}' AS label, min(side.place) AS place
        FROM jsonb_path_query(%(expressions)s, '$[*].*.label') WITH ORDINALITY AS side (label, place)
        GROUP BY 1
    ) AS labels
)"""


def circuits_of(
    site: Site, *, kind: str | None = None, node: str | None = None, text: str | None = None
) -> QuerySet[Circuit]:
    """A site's circuits, or those with a hop at a node; `text` searches names, labels and ends.

    `labels`: the distinct labels on the path, in order.
    """
    rows = _matching_circuits(Circuit.objects.filter(site=site), node, text)
    return rows if kind is None else rows.filter(kind=kind)


def circuit_versions(
    site: Site,
    *,
    at: datetime | None = None,
    name: str | None = None,
    node: str | None = None,
    text: str | None = None,
) -> QuerySet[CircuitVersion]:
    """Versions of a site's circuits, of removed ones too: all, or those in force `at`; as `circuits_of`."""
    rows = CircuitVersion.objects.filter(site=site)
    if at is not None:
        begun, not_ended = Q(since=None) | Q(since__lte=at), Q(until=None) | Q(until__gt=at)
        rows = rows.filter(begun, not_ended)
    return _matching_circuits(rows if name is None else rows.filter(name=name), node, text)


def circuit_ids(site: Site, names: Collection[str]) -> dict[str, int]:
    """Name -> id of the circuits that are declared now."""
    return dict(Circuit.objects.filter(site=site, name__in=names).values_list("name", "pk"))


def _matching_circuits(rows: QuerySet[R], node: str | None, text: str | None) -> QuerySet[R]:
    columns: dict[str, Func] = {
        "labels": Func("hops", template=_LABELS, output_field=TextField()),
        "hop_count": Func("hops", function="jsonb_array_length", output_field=IntegerField()),
    }
    matching: QuerySet[R] = rows.annotate(**columns)
    if node is not None:
        matching = matching.filter(hops__contains=[{"node": node}])
    if not text:
        return matching
    found = Q(name__icontains=text) | Q(labels__icontains=text)
    return matching.filter(
        found | Q(hops__0__node__icontains=text) | Q(**{"hops__-1__node__icontains": text})
    )


def fabric(ident: int, *, kind: str | None = None) -> Fabric | None:
    rows = Fabric.objects.select_related("site").filter(pk=ident)
    return (rows if kind is None else rows.filter(kind=kind)).first()


def fabrics_of(site: Site, text: str | None = None, *, name: str | None = None) -> QuerySet[Fabric]:
    """A site's fabrics, all or the one named; `text` searches names and titles."""
    rows = Fabric.objects.filter(site=site)
    rows = rows if name is None else rows.filter(name=name)
    return rows.filter(Q(name__icontains=text) | Q(title__icontains=text)) if text else rows


def with_port_counts(rows: QuerySet[Fabric]) -> QuerySet[Any]:
    """Fabrics with `port_count`: ports of the snapshot."""
    return rows.annotate(port_count=Count("ports", filter=in_snapshot("ports__")))


def link(ident: int) -> Link | None:
    return Link.objects.select_related("site").filter(pk=ident).first()


def port(ident: int) -> Port | None:
    return Port.objects.select_related("node__site").filter(pk=ident).first()


def node(ident: int) -> Node | None:
    return Node.objects.select_related("site").filter(pk=ident).first()


def node_detail(ident: int) -> Node | None:
    """A node with its site, observed state, collector and ports."""
    rows = Node.objects.prefetch_related("ports").select_related("site", "state", "watcher")
    return rows.filter(pk=ident).first()


def has_node(site: Site, name: str) -> bool:
    return Node.objects.filter(site=site, name=name).exists()


def agent_host(agent: Agent) -> Node | None:
    """The node that the agent runs on."""
    return Node.objects.select_related("site").filter(agent=agent).first()


def agents(site: Site, now: datetime, text: str | None = None) -> QuerySet[Agent]:
    """A site's agents with `status`, including revoked ones; `text` searches node names."""
    rows = accounts.agents(site.name).alias(
        is_revoked=fact(Q(revoked_at__isnull=False)),
        is_fresh=freshness("last_reported_at", site, now),
        has_dropped=fact(Q(spool_dropped__gt=0)),
    )
    rows = rows.annotate(status=state_case(AGENT_STATES))
    return rows.filter(node__icontains=text) if text else rows


def collected_nodes(site: Site, agents: Iterable[Agent]) -> dict[UUID, list[Node]]:
    """Agent id -> nodes that it collects from."""
    found: dict[UUID, list[Node]] = {}
    for row in Node.objects.filter(site=site, watcher__agent__in=agents).select_related("watcher"):
        assert row.watcher is not None
        assert row.watcher.agent_id is not None
        found.setdefault(row.watcher.agent_id, []).append(row)
    return found


def sweeping_nodes(fabric: Fabric) -> set[int]:
    """Ids of the nodes whose agents sweep an InfiniBand fabric."""
    source = [{"kind": "infiniband", "fabric": fabric.name}]
    return set(fabric.site.nodes.filter(sources__contains=source).values_list("pk", flat=True))


def fabrics_of_ports(nodes: Collection[int]) -> dict[tuple[int, str], str]:
    """(node id, port) -> fabric, for these nodes."""
    rows = Port.objects.filter(node__in=nodes, fabric__isnull=False)
    return {
        (node, name): fabric for node, name, fabric in rows.values_list("node_id", "name", "fabric__name")
    }


def rate_changes(fabric_id: int) -> list[RateChange]:
    """Replaced usable rates of a fabric in order of time, on the wire as in `inventory.snapshot`."""
    rows = FabricRateChange.objects.filter(fabric=fabric_id).order_by("at", "pk")
    values = rows.values_list("at", "before", "fabric__site__rate_scale")
    return [RateChange(at.timestamp(), round(before * scale)) for at, before, scale in values]


def fabric_names(site: Site) -> dict[int, str]:
    return dict(site.fabrics.values_list("pk", "name"))


def node_names(site: Site, idents: Iterable[int]) -> dict[int, str]:
    return dict(site.nodes.filter(pk__in=list(idents)).values_list("pk", "name"))


def circuit_notes(circuits: Iterable[int]) -> dict[int, str]:
    return dict(Circuit.objects.filter(pk__in=list(circuits)).values_list("pk", "note"))


def contradicted_links(fabric: Fabric) -> dict[int, list[dict[str, Any]]]:
    """Link id -> reports that contradict it."""
    rows = Link.objects.filter(fabric=fabric).exclude(conflicts=[])
    return dict(rows.values_list("pk", "conflicts"))


def link_evidence(
    links: Collection[int],
) -> dict[int, tuple[bool, list[dict[str, Any]], list[dict[str, Any]]]]:
    """Link id -> (declared, evidence, conflicts); one query."""
    values = Link.objects.filter(pk__in=links).values_list("pk", "declared", "evidence", "conflicts")
    return {pk: (declared, evidence, conflicts) for pk, declared, evidence, conflicts in values}
