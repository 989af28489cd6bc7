"""Reachability of gateways by the probes of many nodes: per gateway and per link over which it is probed.

A node whose own port is down says nothing about a gateway. A single node whose probes fail does not accuse
the gateway either, unless the gateway does not report.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.diagnosis.faults.observations import GatewayProbe, Observations, PathObservation
from backstay.core.formatting import count, part_of

MOST = 0.8
"""Share of the probing nodes that must fail."""
SEVERAL = 2
CERTAIN = timedelta(seconds=2)
"""A report this much later than the first lost probe was sent after the fault began."""


@dataclass(slots=True)
class GatewayAttachment:
    """Probes of a gateway over one of its links, by node."""

    gateway: int
    link_id: int
    fabric_id: int
    is_shared: bool
    alive: dict[int, bool] = field(default_factory=dict)
    """Prober -> whether the gateway answers it under any policy."""
    since: dict[int, datetime] = field(default_factory=dict)
    at: datetime | None = None

    @property
    def failed(self) -> list[int]:
        return sorted(node for node, alive in self.alive.items() if not alive)

    @property
    def failing(self) -> bool:
        """Whether all probing nodes fail, up to a few exceptions."""
        return bool(self.alive) and len(self.failed) >= MOST * len(self.alive) and bool(self.failed)

    def evidence(self, seen: Observations, *, supports: bool = True) -> FaultEvidence:
        """How many probing nodes get an answer; `supports`: whether a failure is the expected result."""
        name, fabric = seen.name(self.gateway), seen.topology.fabrics[self.fabric_id].name
        failed, total = self.failed, count(len(self.alive), "node")
        if supports:
            text = f"{len(failed)} of {total} on {fabric} get no answer from {name}"
            return FaultEvidence("probe", text, self.at, seen.names(failed))
        answered = sorted(node for node, alive in self.alive.items() if alive)
        text = f"{name} answers {len(answered)} of {total} on {fabric}"
        return FaultEvidence("probe", text, self.at, seen.names(answered), supports=False)


def attachments(
    seen: Observations, lost: Collection[int], gateways: Collection[int]
) -> dict[int, list[GatewayAttachment]]:
    """Gateway -> its attachments that are probed, by link; of `gateways`. `lost`: links that are down."""
    wanted = frozenset(gateways)
    found: dict[tuple[int, int], GatewayAttachment] = {}
    steps: dict[tuple[int, int], tuple[int, ...]] = {}
    for path in seen.observers:
        for gateway, probe in path.probes.items():
            if probe.is_alive is None or gateway not in wanted:
                continue
            key = (path.node_id, gateway)
            if key not in steps:
                steps[key] = first_links(seen, path, gateway)
            links = steps[key]
            if links and not (len(links) > 1 and links[0] in lost):
                _add(_attachment(seen, found, gateway, links[-1]), path, probe)
    by_gateway: dict[int, list[GatewayAttachment]] = {}
    for (gateway, _), item in sorted(found.items()):
        by_gateway.setdefault(gateway, []).append(item)
    return by_gateway


def first_links(seen: Observations, path: PathObservation, gateway: int) -> tuple[int, ...]:
    """Links from the path's node to the gateway, the gateway's last; empty if they share none."""
    route = seen.route(path, gateway)
    vertex = ("node", gateway)
    return route.links[: route.hops.index(vertex)] if vertex in route.hops else ()


def _attachment(
    seen: Observations, found: dict[tuple[int, int], GatewayAttachment], gateway: int, link_id: int
) -> GatewayAttachment:
    link = seen.topology.links[link_id]
    new = GatewayAttachment(gateway, link_id, link.fabric_id, is_shared=link.b is None)
    return found.setdefault((gateway, link_id), new)


def _add(item: GatewayAttachment, path: PathObservation, probe: GatewayProbe) -> None:
    node, at = path.node_id, path.at
    item.alive[node] = item.alive.get(node, False) or bool(probe.is_alive)
    since = probe.since or at
    if since is not None:
        item.since[node] = min(since, item.since.get(node, since))
    if at is not None:
        item.at = max(at, item.at or at)


@dataclass(frozen=True, slots=True)
class Broken:
    """What carriers already explain."""

    links: frozenset[int]
    nodes: frozenset[int]
    fabrics: frozenset[int]


def silent_fabrics(
    seen: Observations, probed: Mapping[int, list[GatewayAttachment]], broken: Broken
) -> dict[int, Fault]:
    """Fabric id -> the fault of a shared fabric on which no gateway answers although each works elsewhere."""
    failing: dict[int, list[GatewayAttachment]] = {}
    working: set[int] = set()
    for gateway, items in probed.items():
        if gateway in broken.nodes:
            continue
        for item in items:
            if item.is_shared and item.link_id not in broken.links:
                if item.failing and _works_elsewhere(seen, item, items):
                    failing.setdefault(item.fabric_id, []).append(item)
                else:
                    working.add(item.fabric_id)
    return {
        fabric: _silent_fabric(seen, fabric, items)
        for fabric, items in sorted(failing.items())
        if fabric not in working | broken.fabrics and len(items) >= SEVERAL and _probers(items) >= SEVERAL
    }


def _works_elsewhere(seen: Observations, failing: GatewayAttachment, items: list[GatewayAttachment]) -> bool:
    """Whether the gateway answers on another link, or has reported since its probes fail."""
    reported = seen.reported_at.get(failing.gateway)
    if any(not item.failing for item in items):
        return True
    return reported is not None and reported > _since(seen, [failing]) + CERTAIN


def _probers(items: list[GatewayAttachment]) -> int:
    return len({node for item in items for node in item.failed})


def _silent_fabric(seen: Observations, fabric: int, items: list[GatewayAttachment]) -> Fault:
    name = seen.topology.fabrics[fabric].name
    evidence = [item.evidence(seen) for item in items]
    for item in items:
        if item.gateway in seen.reporting:
            text = f"{seen.name(item.gateway)} reports and has carrier on {name}"
            at = seen.reported_at.get(item.gateway)
            evidence.append(FaultEvidence("report", text, at, seen.reporter(item.gateway)))
    return Fault(
        kind=FaultKind.FABRIC_DOWN,
        subject=name,
        since=_since(seen, items),
        fabric_id=fabric,
        links=tuple(sorted(item.link_id for item in items)),
        evidence=tuple(evidence),
    )


def _since(seen: Observations, items: list[GatewayAttachment]) -> datetime:
    """The median: a node whose probes failed long before does not date the fault."""
    times = sorted(item.since[node] for item in items for node in item.failed if node in item.since)
    return times[len(times) // 2] if times else seen.now


def unreachable_gateways(
    seen: Observations, probed: Mapping[int, list[GatewayAttachment]], broken: Broken
) -> list[Fault]:
    """Gateways that no probe reaches, on all their links or on one shared fabric."""
    found = []
    for gateway, items in sorted(probed.items()):
        if gateway in broken.nodes:
            continue
        counted = [
            item
            for item in items
            if item.link_id not in broken.links and item.fabric_id not in broken.fabrics
        ]
        failing = [item for item in counted if item.failing]
        if not failing:
            continue
        is_whole = len(failing) == len(counted)
        if is_whole and (_probers(failing) >= SEVERAL or gateway in seen.silent):
            found.append(_unreachable(seen, gateway, failing, None))
        elif not is_whole:
            found += [
                _unreachable(seen, gateway, [item], item.fabric_id)
                for item in failing
                if item.is_shared and len(item.failed) >= SEVERAL
            ]
    return found


def _unreachable(
    seen: Observations, gateway: int, items: list[GatewayAttachment], fabric: int | None
) -> Fault:
    links = seen.data_links(gateway)
    return Fault(
        kind=FaultKind.GATEWAY_UNREACHABLE,
        subject=seen.name(gateway),
        since=_since(seen, items),
        node_id=gateway,
        fabric_id=fabric,
        links=tuple(link.id for link in links if fabric is None or link.fabric_id == fabric),
        nodes=(gateway,) if fabric is None else (),
        evidence=(*(item.evidence(seen) for item in items), *_reports(seen, gateway)),
    )


def _reports(seen: Observations, gateway: int) -> list[FaultEvidence]:
    """Whether the gateway itself reports, and its carriers."""
    name, at = seen.name(gateway), seen.reported_at.get(gateway)
    if gateway not in seen.reported_at:
        return []
    if gateway not in seen.reporting:
        return [FaultEvidence("report", f"{name} does not report", at, seen.reporter(gateway))]
    found = [FaultEvidence("report", f"{name} reports", at, seen.reporter(gateway), supports=False)]
    ports = [port for port in seen.topology.data_ports.get(gateway, ()) if port.id in seen.ports]
    up = [port for port in ports if seen.ports[port.id].is_up]
    if up:
        source = seen.carrier_source(gateway)
        text = f"{part_of(len(up), len(ports), 'port')} of {name} have carrier"
        found.append(FaultEvidence(source, text, at, seen.reporter(gateway), supports=False))
    return found
