"""Nodes, fabrics and links of the map, as JSON.

A site has tens of thousands of links, nearly all of them well: what the map shows of these comes from arrays,
and a model for each would cost more than all else. `Topology` is the schema of the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from backstay.api.http.urls import fabric_url, link_url, node_url
from backstay.api.links.present import WELL, kind_of, link_status, past_link_status
from backstay.api.nodes.present import gateway_out, node_status
from backstay.api.sites.present import site_out
from backstay.core.model.state import (
    NOT_MEASURED,
    Carrier,
    LinkState,
    OpenIncidents,
    State,
    StateText,
    fabric_state,
    link_state,
    past_node_state,
    seconds,
)
from backstay.core.model.topology import Fabric, Link, Node, Topology

if TYPE_CHECKING:
    from backstay.alerts.selectors.history.history_snapshot import PastMapFacts, PastSnapshot
    from backstay.alerts.selectors.site_map import MapFacts
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot
    from backstay.telemetry.selectors.loads import Loads

Row = dict[str, Any]
Troubles = Mapping[int, OpenIncidents]
_TIER_OF_KIND = {"switch": 1, "gateway": 2, "router": 3}
_OUTSIDE = frozenset({"server", "management", "storage", "outside", "router"})
FABRIC_TIER = 1
NO_TROUBLE = OpenIncidents()
_QUIET = {known: past_node_state(NO_TROUBLE, is_measured=known) for known in (True, False)}
"""State of a node without incidents at a past moment, by whether it was measured."""
_UNKNOWN = LinkState("unknown", NOT_MEASURED, "unknown")
"""State of a link at a past moment of which no end is known."""


def tier(node: Node) -> int:
    """Left to right on the map: 0 cluster, 1 fabrics and switches, 2 gateways, 3 outside."""
    if node.role == "gateway":
        return 2
    return _TIER_OF_KIND.get(node.kind, 3 if node.role in _OUTSIDE else 0)


def topology_out(facts: MapFacts) -> tuple[bytes, bytes]:
    """The whole map as JSON of `Topology`, and what its ETag covers: not ages, texts and time.

    The version covers names.
    """
    snapshot = facts.snapshot
    nodes = [_node(snapshot, node, facts.node_incidents) for node in snapshot.topology.nodes.values()]
    links = [*_links(facts)]
    nodes += _fabrics(snapshot, links)
    answer = {
        "site": site_out(snapshot.site).model_dump(),
        "at": snapshot.now,
        "version": str(snapshot.site.version),
        "nodes": nodes,
        "links": links,
    }
    lasting = [
        answer["site"],
        answer["version"],
        [[node[name] for name in ("key", "state", "since", "incidents", "gateway")] for node in nodes],
        [[link[name] for name in ("id", "state", "carrier", "carries", "incidents")] for link in links],
    ]
    rates = snapshot.link_rates
    arrays = (rates.bps, rates.peak_bps, rates.at, rates.used, rates.fresh)
    return to_json(answer), to_json(lasting) + b"".join(values.tobytes() for values in arrays)


def past_topology_out(facts: PastMapFacts) -> bytes:
    """The map at a past moment as JSON of `Topology`. What was not stored is unknown."""
    snapshot = facts.snapshot
    nodes = [_past_node(snapshot, node, facts.node_incidents) for node in snapshot.topology.nodes.values()]
    links = [*_past_links(facts)]
    answer = {
        "site": site_out(snapshot.site).model_dump(),
        "at": snapshot.now,
        "version": str(snapshot.site.version),
        "nodes": nodes + _fabrics(snapshot, links),
        "links": links,
    }
    return to_json(answer)


def _past_node(snapshot: PastSnapshot, node: Node, troubles: Troubles) -> Row:
    """Whether a node that reports no port was alive is not stored."""
    trouble, is_measured = troubles.get(node.id, NO_TROUBLE), node.id in snapshot.measured
    status = _QUIET[is_measured]
    if trouble.total:
        status = past_node_state(trouble, is_measured=is_measured)
    return {
        **_described(node, status, trouble),
        "since": None,
        "age_s": 0.0 if is_measured else None,
        "gateway": None,
    }


def _past_links(facts: PastMapFacts) -> Iterator[Row]:
    """`TopologyLink` of every link; those of which no end was known, or that were well, are alike."""
    snapshot, ill, troubles = facts.snapshot, facts.ill, facts.link_incidents
    decided = {link.id: past_link_status(ill, link, troubles) for link in ill.links}
    well: dict[float, LinkState] = {}
    for link, loads in zip(snapshot.topology.links.values(), facts.loads, strict=True):
        if link.id in facts.unknown:
            status = _UNKNOWN
        else:
            status = decided.get(link.id) or _well(snapshot, loads, well)
        yield _link(snapshot, link, (status.state, status.text, status.carrier), loads, troubles)


def _node(snapshot: SiteSnapshot, node: Node, troubles: Troubles) -> Row:
    """`TopologyNode` of a node."""
    known, status = node_status(snapshot, node.id, troubles)
    return {
        **_described(node, status, troubles.get(node.id, NO_TROUBLE)),
        "since": known.since,
        "age_s": seconds(snapshot.now, known.report_times.at),
        "gateway": None
        if (role := gateway_out(snapshot.gateways.get(node.id))) is None
        else role.model_dump(),
    }


def _described(node: Node, status: StateText, trouble: OpenIncidents) -> Row:
    """`TopologyNode`, without what only the present has."""
    return {
        "key": f"node:{node.id}",
        "id": node.id,
        "name": node.name,
        "title": node.title,
        "kind": node.kind,
        "role": node.role,
        "tier": tier(node),
        "state": status.state,
        "state_text": status.text,
        "incidents": trouble.total,
        "url": node_url(node.id),
    }


def _fabric(fabric: Fabric, carriers: Sequence[Carrier]) -> Row:
    """`TopologyNode` of a shared fabric, with the state of its links."""
    status = fabric_state(Counter(carriers))
    return {
        "key": f"fabric:{fabric.id}",
        "id": fabric.id,
        "name": fabric.name,
        "title": fabric.title,
        "kind": "fabric",
        "role": fabric.kind,
        "tier": FABRIC_TIER,
        "state": status.state,
        "state_text": status.text,
        "since": None,
        "age_s": None,
        "incidents": 0,
        "gateway": None,
        "url": fabric_url(fabric.id),
    }


def _fabrics(snapshot: SiteSnapshot, links: Sequence[Row]) -> list[Row]:
    """Fabrics that are drawn as nodes: those with a shared medium."""
    return [
        _fabric(fabric, [link["carrier"] for link in links if link["target"] == f"fabric:{fabric.id}"])
        for fabric in snapshot.topology.fabrics.values()
        if ("fabric", fabric.id) in snapshot.topology.neighbours
    ]


def _links(facts: MapFacts) -> Iterator[Row]:
    """`TopologyLink` of every link; the states of links that are well differ by their load only."""
    snapshot, ill, troubles = facts.snapshot, facts.ill, facts.link_incidents
    decided = {link.id: link_status(ill, link, troubles) for link in ill.links}
    well: dict[float, LinkState] = {}
    for link, loads in zip(snapshot.topology.links.values(), facts.loads, strict=True):
        status = decided.get(link.id) or _well(snapshot, loads, well)
        yield _link(snapshot, link, (status.state, status.text, status.carrier), loads, troubles)


def _link(
    snapshot: SiteSnapshot, link: Link, status: tuple[State, str, Carrier], loads: Loads, troubles: Troubles
) -> Row:
    """`TopologyLink` of a link; `status`: state, text and carrier."""
    state, text, carrier = status
    return {
        **_wiring(snapshot.topology, link),
        "state": state,
        "state_text": text,
        "carrier": carrier,
        "carries": snapshot.carries.get(link.id, "none"),
        "forward": loads[0],
        "back": loads[1],
        "incidents": troubles[link.id].total if link.id in troubles else 0,
    }


def _well(snapshot: SiteSnapshot, loads: Loads, known: dict[float, LinkState]) -> LinkState:
    """State of a link that is well."""
    used = max((load.utilisation for load in loads if load is not None and load.fresh), default=-1.0)
    if used not in known:
        known[used] = link_state(WELL, loads, OpenIncidents(), snapshot.now)
    return known[used]


def _wiring(topology: Topology, link: Link) -> Row:
    """What only the site's version changes."""
    a, fabric = topology.ports[link.a], topology.fabrics[link.fabric_id]
    b = None if link.b is None else topology.ports[link.b]
    far = fabric.name if b is None else f"{topology.nodes[b.node_id].name}:{b.name}"
    return {
        "id": link.id,
        "name": f"{topology.nodes[a.node_id].name}:{a.name}-{far}",
        "source": f"node:{a.node_id}",
        "target": f"fabric:{fabric.id}" if b is None else f"node:{b.node_id}",
        "source_port": a.name,
        "target_port": None if b is None else b.name,
        "fabric": fabric.name,
        "kind": kind_of(link),
        "circuit": link.circuit,
        "usable_rate": fabric.usable_rate,
        "url": link_url(link.id),
    }
