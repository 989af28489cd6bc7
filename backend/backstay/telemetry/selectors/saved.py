"""Reads of what runs and what is saved: ports, boot files that agents read, what devices say of saving."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backstay.core.diagnosis.saved_ports import RunningPort
from backstay.inventory.models import Node, Site
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
    """(path, text) of the boot files that its agent reads."""
    reported: tuple[str, ...]
    """What it says itself of saving."""


def saved_now(site: Site) -> list[SavedNow]:
    """Every node that anybody watches, by name. Five queries."""
    files = _files(site)
    ports = _ports(site)
    reported: dict[int, list[str]] = {}
    for figure in metrics_now(site, metrics=list(_LABELS)):
        if figure.reading.state:
            reported.setdefault(figure.node_id, []).append(
                f"{_LABELS[figure.metric]}: {figure.reading.state}"
            )
    nodes = Node.objects.filter(site=site, watcher__isnull=False).select_related("state").order_by("name")
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
        for node in nodes
    ]


def _files(site: Site) -> dict[int, dict[str, str]]:
    """Node id -> path -> text; a file that both parts read stands once."""
    found: dict[int, dict[str, str]] = {}
    for model in (RoutingState, ArpState):
        rows: list[tuple[int, list[dict[str, Any]]]] = list(
            model.objects.filter(node__site=site).values_list("node_id", "files")
        )
        for node, files in rows:
            found.setdefault(node, {}).update({file["path"]: file.get("text") or "" for file in files})
    return found


def _ports(site: Site) -> dict[int, list[RunningPort]]:
    """Data ports as they run, by node; those of the management network and loopbacks are nobody's concern."""
    found: dict[int, list[RunningPort]] = {}
    rows = PortState.objects.filter(port__node__site=site, port__management=False, port__fabric__isnull=False)
    for node, name, mtu, admin_up, addresses in rows.order_by("port__name").values_list(
        "port__node_id", "port__name", "mtu", "admin_up", "addresses"
    ):
        found.setdefault(node, []).append(RunningPort(name, mtu, admin_up, tuple(addresses)))
    return found
