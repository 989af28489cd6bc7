"""Load of the fallback's links during a drill: peak second of the busiest link."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from backstay.core.model.policy_paths import PolicyPaths
from backstay.core.model.topology import Link, Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy import selectors
from backstay.rollout.models import Move
from backstay.telemetry.selectors.history import best_measured, port_history
from backstay.telemetry.selectors.loads import port_ids

MOST_LINKS = 64
MOST_POINTS = 5000


@dataclass(frozen=True, slots=True)
class Busiest:
    """The link with the highest utilisation, in its busier direction; bit/s and 0..1."""

    bps: int
    utilisation: float


def busiest(site: Site, moves: list[Move], start: datetime, end: datetime) -> Busiest | None:
    """Over the links of the moved paths beyond each node's own link; None: nothing measured."""
    topology = snapshot.load(site)
    found = [
        Busiest(bps, bps / topology.fabrics[link.fabric_id].usable_rate)
        for link in _links(site, topology, moves)[:MOST_LINKS]
        if (bps := _most(site, topology, link, start, end)) is not None
    ]
    return max(found, key=lambda item: item.utilisation, default=None)


def _links(site: Site, topology: Topology, moves: list[Move]) -> list[Link]:
    policies = selectors.policies(site)
    paths = [path for path in selectors.paths(site) if path.policy_id in policies]
    policy_paths = PolicyPaths(topology, [path.view(policies[path.policy_id]) for path in paths])
    gateways = {move.path_id: move.gateway for move in moves}
    numbers = {node.name: node.id for node in topology.nodes.values()}
    wanted: dict[int, Link] = {}
    for path in paths:
        gateway = numbers.get(gateways.get(path.id, ""))
        if gateway is None:
            continue
        for ident in policy_paths.route(path.view(policies[path.policy_id]), gateway).links:
            link = topology.links[ident]
            if ("node", path.node_id) not in topology.ends(link):
                wanted[ident] = link
    return [wanted[ident] for ident in sorted(wanted)]


def _most(site: Site, topology: Topology, link: Link, start: datetime, end: datetime) -> int | None:
    """Only intervals inside the drill: an earlier one may contain other traffic."""
    begin = start + timedelta(seconds=site.interval_s)
    if begin >= end:
        begin = start
    port = topology.ports[best_measured(port_ids([link]), begin, end)]
    bins = port_history(port, begin, end, points=MOST_POINTS, interval_s=site.interval_s).bins
    known = [item for item in (*bins.inward.max, *bins.outward.max) if item is not None]
    return max(known, default=None)
