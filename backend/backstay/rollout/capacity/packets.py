"""Measured packet rates of a site at a moment, where the limit of a gateway is known.

The packets of a load are the load times the packets per bit that the same port counted at that moment. A port
that counts bytes but no packets is unknown, as is a stale one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from backstay.core.model.load import PortRates
from backstay.core.model.topology import Topology
from backstay.core.planning.whatif.packet_rates import MeasuredPackets
from backstay.inventory.models import Site
from backstay.rollout.plans.observation import GatewayUser
from backstay.telemetry.rollups.recent_rates import RecentRates
from backstay.telemetry.selectors.current_samples import newest_samples
from backstay.telemetry.selectors.site_history import LoadStatistic, PacketsPerBit, packets_per_bit_at

LIMITED_BY: list[Callable[[Site], Mapping[int, float]]] = []
"""Sources of the limits of gateways: site -> node id and the packets/s that it can forward. Apps above
register theirs (overrides of alert rules): a study never depends on them."""


def packet_limits(site: Site, topology: Topology) -> dict[int, float]:
    """Gateway or router -> packets/s; one without a known limit is missing."""
    known = {node: limit for source in LIMITED_BY for node, limit in source(site).items()}
    return {node: limit for node, limit in known.items() if node in topology.nodes}


@dataclass(frozen=True, slots=True)
class MeasuredPorts:
    """Loads of ports at one moment, and the packets of each bit of them."""

    rates: Mapping[int, PortRates]
    """Port id -> known rates."""
    per_bit: Mapping[int, PacketsPerBit]

    def packets(self, port: int) -> tuple[float | None, float | None]:
        """(in, out), packets/s; None: unknown."""
        rates = self.rates.get(port)
        if rates is None:
            return None, None
        inward, out = self.per_bit.get(port, (None, None))
        return _packets(rates.in_bps, inward), _packets(rates.out_bps, out)


def _packets(bps: int | None, per_bit: float | None) -> float | None:
    if not bps:
        return None if bps is None else 0.0
    return None if per_bit is None else bps * per_bit


def measured_packets(
    topology: Topology,
    limits: Mapping[int, float],
    ports: MeasuredPorts,
    users: Collection[GatewayUser],
    demand: Mapping[int, tuple[int, int]],
) -> MeasuredPackets:
    """`demand`: node id -> bit/s (out, in) through its gateway, by the port of the node's adjacency."""
    if not limits:
        return MeasuredPackets()
    return MeasuredPackets(
        limits=limits,
        gateways=dict(_entering(topology, limits, ports)),
        demand=dict(_demand(users, demand, ports)),
        ports=dict(_of_hosts(topology, ports)),
    )


def _entering(topology: Topology, nodes: Iterable[int], ports: MeasuredPorts) -> Iterator[tuple[int, float]]:
    """What enters all linked data ports of each node; without nodes of which a port is unknown."""
    for node in nodes:
        own = [port.id for port in topology.data_ports.get(node, ()) if port.id in topology.link_of_port]
        known = [packets for port in own if (packets := ports.packets(port)[0]) is not None]
        if own and len(known) == len(own):
            yield node, sum(known)


def _demand(
    users: Iterable[GatewayUser], demand: Mapping[int, tuple[int, int]], ports: MeasuredPorts
) -> Iterator[tuple[int, tuple[float, float]]]:
    for user in users:
        both = demand.get(user.node_id)
        if both is not None:
            inward, outward = ports.per_bit.get(user.adjacency.own.id, (None, None))
            out, back = _packets(both[0], outward), _packets(both[1], inward)
            if out is not None and back is not None:
                yield user.node_id, (out, back)


def _of_hosts(topology: Topology, ports: MeasuredPorts) -> Iterator[tuple[int, tuple[float, float]]]:
    for port in topology.link_of_port:
        if not topology.forwards(("node", topology.ports[port].node_id)):
            inward, out = ports.packets(port)
            if inward is not None and out is not None:
                yield port, (inward, out)


def packets_per_bit(
    site: Site,
    recent: Mapping[int, RecentRates] | None,
    moment: datetime,
    statistic: LoadStatistic,
    now: datetime,
) -> dict[int, PacketsPerBit]:
    """Port id -> packets per bit. `recent`: means of the last minute, and of ports without one the newest
    sample; None: those of the moment's history.
    """
    if recent is None:
        return packets_per_bit_at(site, moment, statistic, now)
    found = _newest(site)
    found.update(
        (port, (_ratio(item.in_pps, item.in_bps), _ratio(item.out_pps, item.out_bps)))
        for port, item in recent.items()
        if item.in_bps or item.out_bps
    )
    return found


def _newest(site: Site) -> dict[int, PacketsPerBit]:
    samples = newest_samples(site).samples
    columns = []
    for direction in ("in", "out"):
        octets, packets = (samples.counters[f"{direction}_{name}"] for name in ("octets", "packets"))
        is_counted = (octets > 0) & (packets > 0)
        ratios = np.full(len(octets), np.nan)
        np.divide(packets, octets * 8, out=ratios, where=is_counted)
        columns.append(ratios.tolist())
    return {
        port: (_known(inward), _known(out))
        for port, inward, out in zip(samples.port.tolist(), *columns, strict=True)
    }


def _known(ratio: float) -> float | None:
    return None if np.isnan(ratio) else ratio


def _ratio(packets: float | None, bps: int | None) -> float | None:
    return packets / bps if packets and bps else None
