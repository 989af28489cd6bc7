"""Reads of running and saved state: ports, boot files read by agents, devices' save status."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from backstay.core.diagnosis.saved_ports import RunningPort
from backstay.core.model.state import SAVED_STATES
from backstay.inventory.models import Node, Site
from backstay.inventory.state_sql import fact, rank_case
from backstay.telemetry.models import ArpState, PortState, RoutingState
from backstay.telemetry.selectors.metrics import metrics_now

_LABELS = {"grf.last_operation": "last operation of its backup group", "grf.backup_status": "its status"}


@dataclass(frozen=True, slots=True)
class SavedNow:
    """One node."""

    node_id: int
    node: str
    systems: tuple[str, ...]
    description: str
    own_agent: bool
    ports: tuple[RunningPort, ...]
    files: tuple[tuple[str, str], ...]
    """(path, text) of the boot files read by its agent."""
    reported: tuple[str, ...]
    """The device's own save status."""


def watched_nodes(site: Site, *, node: str | None = None, text: str | None = None) -> QuerySet[Node]:
    """Nodes watched by an agent, with the `rank` of their saved state; `text` searches names."""
    rows = Node.objects.filter(site=site, watcher__isnull=False)
    ports = _data_ports().filter(port__node=OuterRef("pk"))
    rows = rows.alias(
        is_own_agent=fact(Q(watcher=F("pk"))),
        has_files=fact(_has_files("routing_state") | _has_files("arp_state")),
        has_differing=Exists(ports.filter(saved="differs")),
        has_unknown=Exists(ports.filter(saved="unknown")),
    ).annotate(rank=rank_case(SAVED_STATES))
    rows = rows if node is None else rows.filter(name=node)
    return rows.filter(name__icontains=text) if text else rows


def saved_now(site: Site, nodes: Collection[int]) -> list[SavedNow]:
    """Saved state of these nodes, in order. Five queries."""
    files = boot_files(nodes)
    ports = _ports(nodes)
    reported: dict[int, list[str]] = {}
    for item in metrics_now(site, nodes, list(_LABELS)):
        if item.reading.state:
            reported.setdefault(item.node_id, []).append(f"{_LABELS[item.metric]}: {item.reading.state}")
    rows = Node.objects.filter(pk__in=nodes).select_related("state").in_bulk()
    return [
        SavedNow(
            node_id=node.pk,
            node=node.name,
            systems=tuple(source.get("system", "") for source in node.sources),
            description=node.state.sys_descr if hasattr(node, "state") else "",
            own_agent=node.watcher_id == node.pk,
            ports=tuple(ports.get(node.pk, ())),
            files=tuple(files.get(node.pk, {}).items()),
            reported=tuple(reported.get(node.pk, ())),
        )
        for node in (rows[ident] for ident in nodes if ident in rows)
    ]


def _has_files(state: str) -> Q:
    return Q(**{f"{state}__isnull": False}) & ~Q(**{f"{state}__files": []})


def _data_ports() -> QuerySet[PortState]:
    """Without management ports and loopbacks."""
    return PortState.objects.filter(port__management=False, port__fabric__isnull=False)


def boot_files(wanted: Collection[int]) -> dict[int, dict[str, str]]:
    """Node id -> path -> text; a file in both reports appears once."""
    found: dict[int, dict[str, str]] = {}
    for model in (RoutingState, ArpState):
        rows: list[tuple[int, list[dict[str, Any]]]] = list(
            model.objects.filter(node__in=wanted).values_list("node_id", "files")
        )
        for node, files in rows:
            found.setdefault(node, {}).update({file["path"]: file.get("text") or "" for file in files})
    return found


def _ports(wanted: Collection[int]) -> dict[int, list[RunningPort]]:
    """Running data ports by node, without management ports and loopbacks."""
    found: dict[int, list[RunningPort]] = {}
    rows = _data_ports().filter(port__node__in=wanted)
    for node, name, mtu, admin_up, addresses in rows.order_by("port__name").values_list(
        "port__node_id", "port__name", "mtu", "admin_up", "addresses"
    ):
        found.setdefault(node, []).append(RunningPort(name, mtu, admin_up, tuple(addresses)))
    return found
