"""The devices that an agent reports by sweeping an InfiniBand fabric, with their GUIDs.

A sweep covers a whole fabric from one host, and two hosts may sweep the same fabric. Each is assigned every
device of the fabric that has a GUID and whose `agent` is one of the sweeping hosts. A device with another
source that describes its ports (its own kernel, SNMP, ssh) is left to that source, because two descriptions
would alternate; the switches still report its cables.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from backstay.inventory.models import Link, Node

KIND = "infiniband"
DESCRIBING = frozenset({"linux", "snmp", "ssh"})
"""Kinds of source that describe a device's ports."""


def fabrics_swept(sources: list[dict[str, object]]) -> set[str]:
    """Names of the fabrics that these sources sweep."""
    return {str(source["fabric"]) for source in sources if source.get("kind") == KIND}


def swept_nodes(agents: Collection[UUID]) -> dict[UUID, dict[int, str]]:
    """Of the agents that sweep a fabric: agent -> node id -> name of every device that they report so."""
    hosts = Node.objects.filter(agent_id__in=agents, sources__contains=[{"kind": KIND}])
    found: dict[UUID, dict[int, str]] = {}
    for agent, site, sources in hosts.values_list("agent_id", "site_id", "sources"):
        devices = found.setdefault(agent, {})
        for fabric in sorted(fabrics_swept(sources)):
            devices |= {node.pk: node.name for node in swept_devices(site, fabric)}
    return found


def swept_devices(site_id: int, fabric: str) -> list[Node]:
    """Devices of a fabric that its sweeps report, by name."""
    sweeping = [
        node.pk
        for node in Node.objects.filter(site_id=site_id, sources__contains=[{"kind": KIND, "fabric": fabric}])
    ]
    nodes = Node.objects.filter(~Q(guid=""), site_id=site_id, watcher_id__in=sweeping)
    described = Q()
    for kind in sorted(DESCRIBING):
        described |= Q(sources__contains=[{"kind": kind}])
    on_fabric = nodes.exclude(described).filter(ports__fabric__name=fabric)
    return list(on_fabric.distinct().order_by("name"))


def declared_cables(site_id: int, fabric: str) -> list[tuple[str, str, str, str]]:
    """Cables of a fabric in the site file: (node, port, other node, its port), in this order."""
    cables = Link.objects.filter(site_id=site_id, fabric__name=fabric, declared=True, b__isnull=False)
    return list(cables.order_by("a_id").values_list("a__node__name", "a__name", "b__node__name", "b__name"))
