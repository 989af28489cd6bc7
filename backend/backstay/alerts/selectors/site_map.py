"""Everything that the map shows, read at one point in time.

A site has tens of thousands of links, nearly all of them well. Loads come from arrays; the ports of links are
read as values only where something is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.state import OpenIncidents
from backstay.core.model.topology import Link
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.telemetry.selectors.loads import Loads, port_ids


@dataclass(frozen=True, slots=True)
class MapFacts:
    """One site at one moment."""

    snapshot: SiteSnapshot
    """With its nodes, gateways, loads as arrays and uses of links; without its ports."""
    ill: SiteSnapshot
    """Limited to links with an incident, or with an end that is not up, reporting or reachable."""
    loads: list[Loads]
    """Of every link, in the order of the topology."""
    node_incidents: Mapping[int, OpenIncidents]
    link_incidents: Mapping[int, OpenIncidents]


def map_facts(site: Site) -> MapFacts:
    """Read a site now, in one transaction."""
    with read_transaction():
        snapshot, current = SiteSnapshot(site, timezone.now()), incidents.current(site)
        by_link, rates = incidents.by_link(current), snapshot.link_rates
        ill = snapshot.of_links([link.id for link in snapshot.links if not _is_well(snapshot, link, by_link)])
        # Of all nodes already.
        vars(ill).update(nodes=snapshot.nodes, gateways=snapshot.gateways)
        for known, part in ((snapshot, "carries"), (ill, "ends"), (ill, "loads")):
            getattr(known, part)
        return MapFacts(
            snapshot=snapshot,
            ill=ill,
            loads=[*zip(rates.loads(0), rates.loads(1), strict=True)],
            node_incidents=incidents.by_node(current),
            link_incidents=by_link,
        )


def _is_well(snapshot: SiteSnapshot, link: Link, troubles: Mapping[int, OpenIncidents]) -> bool:
    if link.id in troubles:
        return False
    ports, not_up = snapshot.topology.ports, snapshot.ends_not_up
    nodes = [ports[port].node_id for port in port_ids([link]) if port not in not_up]
    if len(nodes) < 1 + (link.b is not None):
        return False
    return all(node in snapshot.fresh_nodes and node not in snapshot.unreachable_nodes for node in nodes)
