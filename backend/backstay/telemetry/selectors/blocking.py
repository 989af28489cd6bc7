"""Measured blocking: HIPPI gateways and switch ports, and InfiniBand ports that wait for credits."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from backstay.core.diagnosis.blocking import GatewayGrowth
from backstay.core.model.device_metric import is_fresh as is_fresh_metric
from backstay.core.model.freshness import is_fresh
from backstay.core.model.topology import Port, Topology
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.models import DeviceMetric
from backstay.telemetry.selectors.metrics import MetricNow, Windows, grown_within, metrics_now, values_of

SWITCH_COUNTERS = ("ps32.rejects", "ps32.campon_delays")
GATEWAY_COUNTERS = ("hsg.clock", "hsg.src_busy", "hsg.src_packets", "hsg.src_connect_fail")
HOLD = "hsg.hold_time"
WAIT, DISCARDS = "ib.xmit_wait", "ib.xmit_discards"
MOST_PORTS = 50
"""InfiniBand ports listed: those that wait most, and those that discard most."""
_TRAFFIC = """
    SELECT port.id, extract(epoch FROM latest.ts)::float8, latest.duration_ns / 1e9,
           latest.in_octets[slot], latest.out_octets[slot], latest.in_packets[slot], latest.out_packets[slot]
    FROM inventory_port AS port
    JOIN telemetry_latest AS latest ON latest.node_id = port.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = latest.layout_id
    CROSS JOIN LATERAL array_position(layout.ports, port.id) AS slot
    WHERE port.id = ANY(%s) AND slot IS NOT NULL AND (port.id = ANY (latest.elsewhere)) IS NOT TRUE
"""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Packets in one direction of a port in its newest interval."""

    packets_ps: float
    packet_bytes: float | None
    """Mean size; None: no packet, or raw transfers, of which no size is counted."""


@dataclass(frozen=True, slots=True)
class GatewayMeasurement:
    """What a HIPPI-SONET gateway delivers to its LAN; None: not measured."""

    node_id: int
    node: str
    grown: GatewayGrowth | None
    hold_ticks: float | None
    """0: unlimited."""
    delivery: Traffic | None


@dataclass(frozen=True, slots=True)
class SwitchPortMeasurement:
    """Connections that the source at one switch port requests; None: not measured."""

    node_id: int
    node: str
    port: str
    port_id: int | None
    requests: Traffic | None
    deliveries: Traffic | None
    """Toward the destination at this port."""
    rejects_ps: float | None
    camp_ons_ps: float | None


@dataclass(frozen=True, slots=True)
class CongestedPort:
    """An InfiniBand port that waited for credits or discarded packets in its newest interval."""

    node_id: int
    node: str
    port: str
    seconds: float
    wait_ticks: float | None
    discards: float | None


@dataclass(frozen=True, slots=True)
class HippiMeasurements:
    """All of a site."""

    gateways: list[GatewayMeasurement]
    ports: list[SwitchPortMeasurement]


def hippi_measurements(site: Site, topology: Topology, now: datetime, window_s: float) -> HippiMeasurements:
    """Gateways by name, and switch ports with the most rejects and camp-ons first; four queries."""
    fabrics = {fabric.id for fabric in topology.fabrics.values() if fabric.kind == "hippi"}
    ports = [port for port in topology.ports.values() if port.fabric_id in fabrics]
    nodes = {port.node_id for port in ports}
    if not nodes:
        return HippiMeasurements([], [])
    counters = (*SWITCH_COUNTERS, *GATEWAY_COUNTERS)
    known = metrics_now(site, nodes, [*counters, HOLD])
    windows = grown_within(nodes, counters, now, window_s, window_s)
    traffic = _traffic([port.id for port in ports], now, site.interval_s)
    gateways = {item.node_id: item for item in known if item.metric.startswith("hsg.")}
    parts = {(item.node_id, item.subject): item for item in known if item.metric in SWITCH_COUNTERS}
    holds = {item.node_id: item.reading.number for item in known if item.metric == HOLD}
    by_node: dict[int, list[Port]] = {}
    for port in ports:
        by_node.setdefault(port.node_id, []).append(port)
    found = [
        GatewayMeasurement(
            node_id, item.node, _grown(windows, node_id), holds.get(node_id),
            _delivery(by_node.get(node_id, ()), topology, traffic),
        )
        for node_id, item in gateways.items()
    ]  # fmt: skip
    switches = [_switch_port(item, windows, traffic) for item in parts.values()]
    return HippiMeasurements(
        sorted(found, key=lambda item: item.node),
        sorted(
            switches,
            key=lambda item: (-(item.rejects_ps or 0), -(item.camp_ons_ps or 0), item.node, item.port),
        ),
    )


def _switch_port(
    item: MetricNow, windows: Windows, traffic: dict[int, tuple[Traffic, Traffic]]
) -> SwitchPortMeasurement:
    inward, outward = (None, None) if item.port_id is None else traffic.get(item.port_id, (None, None))
    rejects, camp_ons = (_per_s(windows, item, metric) for metric in SWITCH_COUNTERS)
    return SwitchPortMeasurement(
        item.node_id, item.node, item.subject, item.port_id, inward, outward, rejects, camp_ons
    )


def _per_s(windows: Windows, item: MetricNow, metric: str) -> float | None:
    _, seconds = windows.watched_s.get(item.node_id, (0.0, 0.0))
    _, grown = windows.grown.get((item.node_id, item.subject, metric), (0.0, 0.0))
    return None if not seconds else grown / seconds


def _grown(windows: Windows, node_id: int) -> GatewayGrowth | None:
    """A gateway's counters within the window; it has one monitor, whose subject is the device."""
    _, seconds = windows.watched_s.get(node_id, (0.0, 0.0))
    if not seconds:
        return None
    values = [windows.grown.get((node_id, "", metric), (0.0, 0.0))[1] for metric in GATEWAY_COUNTERS]
    return GatewayGrowth(seconds, *values)


def _delivery(
    ports: Iterable[Port], topology: Topology, traffic: dict[int, tuple[Traffic, Traffic]]
) -> Traffic | None:
    """What a gateway sends to its LAN: at its own port, else at the switch port that receives it."""
    own = [traffic[port.id][1] for port in ports if port.id in traffic]
    if own:
        return max(own, key=lambda sent: sent.packets_ps)
    for port in ports:
        link = topology.link_of_port.get(port.id)
        other = None if link is None else link.b if link.a == port.id else link.a
        if other in traffic:
            return traffic[other][0]
    return None


def _traffic(
    port_ids: Collection[int], now: datetime, interval_s: float
) -> dict[int, tuple[Traffic, Traffic]]:
    """Port id -> (in, out) of the newest fresh sample that counts packets; one query."""
    found = {}
    for port, at, seconds, *values in fetch_rows(_TRAFFIC, [list(port_ids)]):
        if not is_fresh(datetime.fromtimestamp(at, UTC), now, interval_s) or min(values, default=-1) < 0:
            continue
        in_octets, out_octets, in_packets, out_packets = values
        found[port] = (
            _direction(in_packets, in_octets, seconds),
            _direction(out_packets, out_octets, seconds),
        )
    return found


def _direction(packets: int, octets: int, seconds: float) -> Traffic:
    return Traffic(packets / float(seconds), octets / packets if packets and octets else None)


def congested_ports(site: Site, now: datetime) -> list[CongestedPort]:
    """Ports that wait or discard most in their newest interval, the longest wait first; three queries."""
    worst: dict[tuple[int, str], MetricNow] = {}
    for metric in (WAIT, DISCARDS):
        rows = DeviceMetric.objects.filter(node__site=site, metric=metric, number__gt=0)
        for item in values_of(rows.order_by("-number", "node_id", "subject")[:MOST_PORTS]):
            if is_fresh_metric(item.reading, now, site.interval_s):
                worst.setdefault((item.node_id, item.subject), item)
    if not worst:
        return []
    known = metrics_now(site, {node for node, _ in worst}, [WAIT, DISCARDS])
    numbers = {(item.node_id, item.subject, item.metric): item.reading.number for item in known}
    ports = [
        CongestedPort(
            item.node_id, item.node, item.subject, item.reading.duration_s or 0.0,
            numbers.get((*part, WAIT)), numbers.get((*part, DISCARDS)),
        )
        for part, item in worst.items()
    ]  # fmt: skip
    return sorted(
        ports, key=lambda port: (-(port.wait_ticks or 0), -(port.discards or 0), port.node, port.port)
    )
