"""The report of a HIPPI fabric."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.fabrics.hippi.schemas import HippiGateway, HippiPort, HippiReport
from backstay.api.http.schemas import State
from backstay.api.http.urls import node_url
from backstay.api.metrics.present import counters_out
from backstay.core.diagnosis.blocking import GatewayGrowth, blocking_factor_s, hold_time, waiting_share
from backstay.core.formatting import count
from backstay.telemetry.catalogue import state_of

if TYPE_CHECKING:
    from backstay.inventory.models import Fabric
    from backstay.telemetry.selectors.metrics import MetricNow, Summary, Windows

LEVELS = ("ps32.oper", "ps32.admin", "hsg.hold_time")
"""Metrics of the report besides counters."""
_GATEWAY = "hsg."
_LINE = (("hsg.los", "loss of signal"), ("hsg.lof", "loss of frame"), ("hsg.bip_errors", "parity errors"))
Part = tuple[int, str]
"""Node id, subject."""


@dataclass(frozen=True, slots=True)
class HippiNow:
    """Input of the report."""

    fabric: Fabric
    now: datetime
    window_s: float
    metrics: list[MetricNow]
    windows: Windows
    counters: list[Summary]

    def rate(self, part: Part, metric: str) -> float | None:
        """Growth per second within the window; None if the device was not monitored."""
        seconds = self.seconds(part)
        return None if not seconds else round(self.grown(part, metric) / seconds, 4)

    def grown(self, part: Part, metric: str) -> float:
        """Growth within the window."""
        return self.windows.grown.get((*part, metric), (0.0, 0.0))[1]

    def seconds(self, part: Part) -> float:
        """Seconds of the window in which the device was monitored."""
        return self.windows.watched_s.get(part[0], (0.0, 0.0))[1]


def report_out(now: HippiNow) -> HippiReport:
    """The whole report."""
    by_part: dict[Part, dict[str, MetricNow]] = {}
    for item in now.metrics:
        by_part.setdefault((item.node_id, item.subject), {})[item.metric] = item
    ports = [_port(now, part, known) for part, known in by_part.items() if not _is_gateway(known)]
    gateways = [_gateway(now, part, known) for part, known in by_part.items() if _is_gateway(known)]
    rejects = sum(port.rejects_ps or 0 for port in ports)
    camp_ons = sum(port.camp_ons_ps or 0 for port in ports)
    state, headline = _headline(ports, gateways, camp_ons)
    factors = [gateway.blocking_factor_ms for gateway in gateways if gateway.blocking_factor_ms is not None]
    return HippiReport(
        fabric=now.fabric.name,
        at=now.now,
        headline=headline,
        state=state,
        window_s=now.window_s,
        blocking_factor_ms=max(factors, default=None),
        rejects_ps=round(rejects, 4),
        camp_ons_ps=round(camp_ons, 4),
        ports=sorted(ports, key=lambda port: (-(port.rejects_ps or 0), -(port.camp_ons_ps or 0), port.node)),
        gateways=sorted(gateways, key=lambda gateway: gateway.node),
        counters=counters_out(now.counters),
    )


def _is_gateway(known: dict[str, MetricNow]) -> bool:
    return any(metric.startswith(_GATEWAY) for metric in known)


def _headline(ports: list[HippiPort], gateways: list[HippiGateway], camp_ons: float) -> tuple[State, str]:
    if not ports and not gateways:
        return "unknown", "No switch or gateway of this fabric has reported yet."
    given_up = sum((gateway.given_up_ps or 0) > 0 for gateway in gateways)
    refusing = sum((port.rejects_ps or 0) > 0 for port in ports)
    parts = [
        f"{count(given_up, 'gateway')} with packets dropped at busy destinations" if given_up else "",
        f"{count(refusing, 'port')} with rejected connections" if refusing else "",
        f"{count(sum(bool(gateway.line) for gateway in gateways), 'gateway')} with line errors"
        if any(gateway.line for gateway in gateways)
        else "",
    ]
    summary = "; ".join(part for part in parts if part)
    if summary:
        return "warning", f"In the last minute: {summary}."
    if camp_ons:
        return "ok", f"No connection was rejected; {camp_ons:.1f} per second waited."
    return "ok", "No connection was rejected or had to wait in the last minute."


def _port(now: HippiNow, part: Part, known: dict[str, MetricNow]) -> HippiPort:
    first = next(iter(known.values()))
    oper = known.get("ps32.oper")
    return HippiPort(
        node=first.node,
        node_id=first.node_id,
        port=first.subject,
        port_id=first.port_id,
        state=_state(now, oper),
        device_state=(oper.reading.state or "") if oper else "",
        rejects_ps=now.rate(part, "ps32.rejects"),
        camp_ons_ps=now.rate(part, "ps32.campon_delays"),
        overruns_ps=now.rate(part, "ps32.overruns"),
        url=node_url(first.node_id),
    )


def _gateway(now: HippiNow, part: Part, known: dict[str, MetricNow]) -> HippiGateway:
    first = next(iter(known.values()))
    hold = known.get("hsg.hold_time")
    ticks = hold.reading.number if hold else None
    grown = GatewayGrowth(
        seconds=now.seconds(part),
        clock=now.grown(part, "hsg.clock"),
        src_busy=now.grown(part, "hsg.src_busy"),
        delivered=now.grown(part, "hsg.src_packets"),
        given_up=now.grown(part, "hsg.src_connect_fail"),
    )
    factor, share = blocking_factor_s(grown), waiting_share(grown)
    line = ", ".join(label for metric, label in _LINE if now.grown(part, metric) > 0)
    given_up = now.rate(part, "hsg.src_connect_fail")
    watched = now.seconds(part) > 0
    good: State = "warning" if line or given_up else "ok"
    return HippiGateway(
        node=first.node,
        node_id=first.node_id,
        state=good if watched else "unknown",
        hold_ticks=None if ticks is None else round(ticks),
        hold_time=hold_time(ticks),
        waiting=None if share is None else round(share, 4),
        blocking_factor_ms=None if factor is None else round(factor * 1000, 3),
        given_up_ps=given_up,
        refused_ps=now.rate(part, "hsg.dst_connect_reject"),
        buffer_full_ps=now.rate(part, "hsg.mf_flow_control"),
        stop_requests_ps=now.rate(part, "hsg.dl_flow_control"),
        line=line,
        url=node_url(first.node_id),
    )


def _state(now: HippiNow, oper: MetricNow | None) -> State:
    return (
        "unknown"
        if oper is None
        else state_of(oper.metric, oper.reading, now.now, now.fabric.site.interval_s)
    )
