"""Demand of hosts through their gateways, from what all attachments of a network sent and received lately.

A gateway counts as one attachment for each link beyond it, so that the demand is known by link too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np

from backstay.core.model.load import PortRates
from backstay.core.model.topology import Port, Topology
from backstay.core.planning.whatif.fallback_verdict import DemandByLink
from backstay.core.planning.whatif.network_matrix import LEAST_BINS, Floats, network_matrix
from backstay.rollout.plans.observation import Demand, GatewayUser
from backstay.telemetry.rollups.binned_rates import binned_rates

MOST_PORTS = 64
"""Attachments of a network; of larger ones each host has the same part of its traffic through the gateway."""
MOST_NETWORKS = 8
WINDOW = timedelta(minutes=10)
LEAST_STEP_S = 15.0


@dataclass(frozen=True, slots=True)
class NetworkDemand:
    """Of the hosts for which it can be estimated."""

    demand: Demand = field(default_factory=dict)
    """Node id -> bit/s out, in through its gateway."""
    by_link: DemandByLink = field(default_factory=dict)
    """The same by the first link beyond the gateway."""


@dataclass(frozen=True, slots=True)
class _Attachment:
    """One row and column of a network's matrix: a host's port, or a port beyond a gateway."""

    node: int
    port: int
    is_beyond: bool
    """Then it sends into the network what the port receives."""
    link: int


def network_demand(
    topology: Topology,
    users: Collection[GatewayUser],
    rates: Mapping[int, PortRates],
    *,
    now: datetime,
    interval_s: float,
    steady_since: datetime | None = None,
) -> NetworkDemand:
    """Only for small networks with enough samples of all attachments.

    `steady_since`: the newest switch between gateways, before which the traffic went elsewhere; None: there
    is none.
    """
    gateways = {user.adjacency.theirs.node_id for user in users}
    networks = {fabric for user in users if (fabric := user.adjacency.own.fabric_id) is not None}
    chosen = [found for fabric in sorted(networks) if (found := _attached(topology, fabric, gateways))]
    edges = _edges(now, interval_s, steady_since)
    if not chosen or len(chosen) > MOST_NETWORKS or len(edges) <= LEAST_BINS:
        return NetworkDemand()
    history = binned_rates({item.node for found in chosen for item in found}, edges)
    demand: Demand = {}
    by_link: DemandByLink = {}
    for found in chosen:
        bps = _matrix(found, rates, history)
        if bps is not None:
            own = {item.port for item in found if not item.is_beyond}
            here = [user for user in users if user.adjacency.own.id in own]
            _add(found, here, bps * _through(found, here, bps, rates), demand, by_link)
    return NetworkDemand(demand, by_link)


def _edges(now: datetime, interval_s: float, steady_since: datetime | None) -> Floats:
    """The newest interval is left out: not all devices have reported it."""
    step = max(LEAST_STEP_S, interval_s)
    start = now - WINDOW if steady_since is None else max(now - WINDOW, steady_since)
    count = int(((now - start).total_seconds() - interval_s) // step)
    return now.timestamp() - interval_s - step * np.arange(count, -1, -1, dtype=np.float64)


def _attached(topology: Topology, fabric: int, gateways: Collection[int]) -> list[_Attachment]:
    """None if they are too many. Switches only pass on what the others send."""
    ports = [port for port in topology.ports.values() if port.fabric_id == fabric and not port.management]
    ports = [port for port in ports if topology.nodes[port.node_id].kind != "switch"]
    if not 3 <= len(ports) <= MOST_PORTS:
        return []
    return [item for port in ports for item in _of_port(topology, port, fabric, gateways)]


def _of_port(topology: Topology, port: Port, fabric: int, gateways: Collection[int]) -> Iterator[_Attachment]:
    links = topology.link_of_port
    beyond = [
        other
        for other in topology.data_ports.get(port.node_id, ())
        if port.node_id in gateways and other.fabric_id != fabric and other.id in links
    ]
    for other in beyond:
        yield _Attachment(port.node_id, other.id, True, links[other.id].id)
    if not beyond:
        yield _Attachment(port.node_id, port.id, False, 0)


def _matrix(
    found: list[_Attachment], rates: Mapping[int, PortRates], history: Mapping[int, Floats]
) -> Floats | None:
    if any(item.port not in rates or item.port not in history for item in found):
        return None
    is_beyond = np.array([item.is_beyond for item in found])
    past = np.stack([history[item.port] for item in found]).transpose(1, 2, 0)
    into, out_of = past[0], past[1]
    known = [rates[item.port] for item in found]
    into_now = np.array([item.in_bps or 0 for item in known], np.float64)
    out_of_now = np.array([item.out_bps or 0 for item in known], np.float64)
    return network_matrix(
        np.where(is_beyond, into, out_of),
        np.where(is_beyond, out_of, into),
        np.where(is_beyond, into_now, out_of_now),
        np.where(is_beyond, out_of_now, into_now),
        [item.node for item in found],
    )


def _through(
    found: list[_Attachment], users: Collection[GatewayUser], bps: Floats, rates: Mapping[int, PortRates]
) -> Floats:
    """Part that counts, (from, to): a gateway's port on the network carries all, and may carry less than the
    ports beyond it, which exchange traffic with each other too.
    """
    part = np.ones_like(bps)
    for port in {user.adjacency.theirs for user in users}:
        through = np.array([item.node == port.node_id and item.is_beyond for item in found])
        carried = rates.get(port.id)
        if carried is None or not through.any():
            continue
        into, out_of = bps[~through][:, through].sum(), bps[through][:, ~through].sum()
        part[:, through] *= min((carried.in_bps or 0) / into, 1.0) if into > 0 else 1.0
        part[through] *= min((carried.out_bps or 0) / out_of, 1.0) if out_of > 0 else 1.0
    return part


def _add(
    found: list[_Attachment],
    users: Iterable[GatewayUser],
    bps: Floats,
    demand: Demand,
    by_link: DemandByLink,
) -> None:
    own = {item.port: at for at, item in enumerate(found) if not item.is_beyond}
    for user in users:
        at = own.get(user.adjacency.own.id)
        through = [number for number, item in enumerate(found) if item.node == user.adjacency.theirs.node_id]
        if at is None or not through:
            continue
        demand[user.node_id] = round(float(bps[at, through].sum())), round(float(bps[through, at].sum()))
        by_link[user.node_id] = {
            found[number].link: (float(bps[at, number]), float(bps[number, at]))
            for number in through
            if found[number].is_beyond
        }
