"""InfiniBand cables whose error counters call for a replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.diagnosis.cables import (
    COUNTED,
    LONG_S,
    SHORT_S,
    CableAdvice,
    CableLimits,
    Grown,
    PortHealth,
    judge,
)
from backstay.core.model.topology import Fabric, Link, Port
from backstay.telemetry.selectors.metrics import Windows, grown_within
from backstay.telemetry.selectors.ports import port_speeds


@dataclass(frozen=True, slots=True)
class BadCable:
    """A cable of a fabric with its verdict; `link` None: the port's other end is unknown."""

    fabric: Fabric
    name: str
    verdict: CableAdvice
    port: Port
    link: Link | None


LimitsOf = Callable[[Link | None], CableLimits]
"""Of the cable of a link; None: of a port whose other end is unknown."""


def bad_cables(snapshot: SiteSnapshot, limits_of: LimitsOf) -> list[BadCable]:
    """Cables to replace because of their counters, by name; states are the rule `device_state`'s."""
    topology = snapshot.topology
    fabrics = {item.id: item for item in topology.fabrics.values() if item.kind == "infiniband"}
    ports = {port.id: port for port in topology.ports.values() if port.fabric_id in fabrics}
    nodes = {port.node_id for port in ports.values() if snapshot.is_fresh(port.node_id)}
    if not nodes:
        return []
    windows = grown_within(nodes, COUNTED, snapshot.now, SHORT_S, LONG_S)
    if not windows.grown:
        return []
    speeds = port_speeds(ports)
    ends = {
        port.id: _health(
            snapshot, port, windows, speeds.get(port.id) or fabrics[port.fabric_id or 0].media_rate
        )
        for port in ports.values()
        if port.node_id in nodes
    }
    found = [
        BadCable(fabrics[ports[joined[0]].fabric_id or 0], name, verdict, ports[joined[0]], link)
        for name, joined, link in _cables(snapshot, ports)
        if (verdict := judge((ends[port] for port in joined if port in ends), limits_of(link))) is not None
        and verdict.action == "swap"
    ]
    return sorted(found, key=lambda cable: cable.name)


def _cables(
    snapshot: SiteSnapshot, ports: dict[int, Port]
) -> Iterator[tuple[str, tuple[int, ...], Link | None]]:
    """(name, port ids, link): links of the fabrics, then ports without one."""
    linked: set[int] = set()
    for link in snapshot.topology.links.values():
        joined = tuple(port for port in (link.a, link.b) if port in ports)
        if link.b is not None and joined:
            linked.update(joined)
            yield snapshot.link_name(link), joined, link
    for port in ports.keys() - linked:
        yield snapshot.port_name(port), (port,), None


def _health(snapshot: SiteSnapshot, port: Port, windows: Windows, rate: int) -> PortHealth:
    short_s, long_s = windows.watched_s.get(port.node_id, (0.0, 0.0))
    keys = {metric: (port.node_id, port.name, metric) for metric in COUNTED}
    grown = {metric: Grown(*windows.grown[key]) for metric, key in keys.items() if key in windows.grown}
    return PortHealth(snapshot.port_name(port.id), rate, short_s, long_s, grown)
