"""Nodes, fabrics and links of the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from backstay.api.http.urls import fabric_url, link_url, node_url
from backstay.api.links.present import kind_of, link_status, load_out
from backstay.api.nodes.present import gateway_out, node_status
from backstay.api.sites.present import site_out
from backstay.api.topology.schemas import Topology, TopologyLink, TopologyNode
from backstay.core.model.state import Carrier, OpenIncidents, fabric_state, seconds
from backstay.core.model.topology import Fabric, Link, Node

if TYPE_CHECKING:
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot

_TIER_OF_KIND = {"switch": 1, "gateway": 2, "router": 3}
_OUTSIDE = frozenset({"server", "management", "storage", "outside", "router"})
FABRIC_TIER = 1


def tier(node: Node) -> int:
    """Left to right on the map: 0 cluster, 1 fabrics and switches, 2 gateways, 3 outside."""
    if node.role == "gateway":
        return 2
    return _TIER_OF_KIND.get(node.kind, 3 if node.role in _OUTSIDE else 0)


def topology_node(snapshot: SiteSnapshot, node: Node, troubles: Mapping[int, OpenIncidents]) -> TopologyNode:
    """A node on the map."""
    known, status = node_status(snapshot, node.id, troubles)
    return TopologyNode(
        key=f"node:{node.id}",
        id=node.id,
        name=node.name,
        title=node.title,
        kind=node.kind,
        role=node.role,
        tier=tier(node),
        state=status.state,
        state_text=status.text,
        since=known.since,
        age_s=seconds(snapshot.now, known.report_times.at),
        incidents=troubles.get(node.id, OpenIncidents()).total,
        gateway=gateway_out(snapshot.gateways.get(node.id)),
        url=node_url(node.id),
    )


def topology_fabric(fabric: Fabric, carriers: list[Carrier]) -> TopologyNode:
    """A shared fabric drawn as a node, with the state of its links."""
    status = fabric_state(Counter(carriers))
    return TopologyNode(
        key=f"fabric:{fabric.id}",
        id=fabric.id,
        name=fabric.name,
        title=fabric.title,
        kind="fabric",
        role=fabric.kind,
        tier=FABRIC_TIER,
        state=status.state,
        state_text=status.text,
        since=None,
        age_s=None,
        incidents=0,
        gateway=None,
        url=fabric_url(fabric.id),
    )


def topology_link(snapshot: SiteSnapshot, link: Link, troubles: Mapping[int, OpenIncidents]) -> TopologyLink:
    """A link on the map."""
    topology = snapshot.topology
    status = link_status(snapshot, link, troubles)
    forward, back = snapshot.loads[link.id]
    source, target = (f"{kind}:{ident}" for kind, ident in topology.ends(link))
    return TopologyLink(
        id=link.id,
        name=snapshot.link_name(link),
        source=source,
        target=target,
        source_port=topology.ports[link.a].name,
        target_port=None if link.b is None else topology.ports[link.b].name,
        fabric=topology.fabrics[link.fabric_id].name,
        kind=kind_of(link),
        circuit=link.circuit,
        usable_rate=topology.fabrics[link.fabric_id].usable_rate,
        state=status.state,
        state_text=status.text,
        carrier=status.carrier,
        carries=snapshot.carries.get(link.id, "none"),
        forward=load_out(forward),
        back=load_out(back),
        incidents=troubles.get(link.id, OpenIncidents()).total,
        url=link_url(link.id),
    )


def topology_out(
    snapshot: SiteSnapshot, by_node: Mapping[int, OpenIncidents], by_link: Mapping[int, OpenIncidents]
) -> Topology:
    """The whole map; `by_node`, `by_link`: open incidents."""
    nodes = [topology_node(snapshot, node, by_node) for node in snapshot.topology.nodes.values()]
    links = [topology_link(snapshot, link, by_link) for link in snapshot.topology.links.values()]
    return Topology(
        site=site_out(snapshot.site),
        at=snapshot.now,
        version=str(snapshot.site.version),
        nodes=[*nodes, *_fabrics(snapshot, links)],
        links=links,
    )


def _fabrics(snapshot: SiteSnapshot, links: list[TopologyLink]) -> list[TopologyNode]:
    """Fabrics that are drawn as nodes: those with a shared medium."""
    return [
        topology_fabric(fabric, [link.carrier for link in links if link.target == f"fabric:{fabric.id}"])
        for fabric in snapshot.topology.fabrics.values()
        if ("fabric", fabric.id) in snapshot.topology.neighbours
    ]
