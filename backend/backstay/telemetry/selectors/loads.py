"""Loads of links in both directions, from the newest samples of their ports."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from backstay.core.model.load import Load, PortRates, link_loads
from backstay.core.model.topology import Link, Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.telemetry.selectors.link_ends import EndNow, ends_now

Loads = tuple[Load | None, Load | None]
"""(forward, back)."""


def port_ids(links: Iterable[Link]) -> list[int]:
    """Ids of the links' ports."""
    return [port for link in links for port in (link.a, link.b) if port is not None]


def loads(
    topology: Topology, links: Iterable[Link], ends: dict[int, EndNow], now: datetime, interval_s: float
) -> dict[int, Loads]:
    """Link id -> loads; utilisation relative to the fabric's usable rate."""
    found = {}
    for link in links:
        a, b = _reading(ends, link.a), _reading(ends, link.b)
        usable = topology.fabrics[link.fabric_id].usable_rate
        found[link.id] = link_loads(a, b, usable, now, interval_s)
    return found


def _reading(ends: dict[int, EndNow], port_id: int | None) -> PortRates | None:
    end = None if port_id is None else ends.get(port_id)
    return None if end is None else end.reading


def loads_near(site: Site, node_ids: Collection[int], now: datetime) -> dict[int, Loads]:
    """Loads of every link of these nodes, for a live message."""
    topology = snapshot.load(site)
    near = [
        link
        for link in topology.links.values()
        if any(topology.ports[port].node_id in node_ids for port in port_ids([link]))
    ]
    return loads(topology, near, ends_now(port_ids(near)), now, site.interval_s) if near else {}
