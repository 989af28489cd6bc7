"""The health report of an InfiniBand fabric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING, Any

from backstay.api.fabrics.infiniband.schemas import (
    CableVerdict,
    DegradedLink,
    ErrorRate,
    ExpectedCable,
    InfinibandHealth,
)
from backstay.api.http.schemas import State
from backstay.api.http.urls import link_url, node_url
from backstay.api.metrics.present import counters_out, metric_out
from backstay.core.diagnosis.cables import (
    ACTIONS,
    COUNTED,
    LONG_S,
    SHORT_S,
    Action,
    CableAdvice,
    Grown,
    PortHealth,
    judge,
)
from backstay.core.formatting import count
from backstay.core.model.device_metric import is_fresh
from backstay.core.model.topology import Port, Topology

if TYPE_CHECKING:
    from backstay.alerts.selectors.cables import LimitsOf
    from backstay.inventory.models import Fabric
    from backstay.telemetry.selectors.metrics import MetricNow, Summary, Windows

LEAST_S = 60.0
"""Minimum monitored time, seconds, for a rate per hour."""
STATES = ("ib.port_state", "ib.link_width", "ib.link_speed", "ib.cable", "ib.presence", "ib.sm_state")
"""States used by the report."""
MOST_ERRORS = 200
STATE_OF: dict[Action, State] = {"recable": "critical", "swap": "critical", "watch": "warning"}


@dataclass(frozen=True, slots=True)
class FabricHealth:
    """Input of the report."""

    fabric: Fabric
    now: datetime
    topology: Topology
    ports: Mapping[int, Port]
    """The fabric's, by id."""
    states: Mapping[str, Mapping[tuple[int, str], str]]
    """Metric -> (node id, subject) -> state, if fresh."""
    windows: Windows
    running: Mapping[tuple[int, str], str]
    speeds: Mapping[int, int]
    contradictions: Mapping[int, list[dict[str, Any]]]
    counters: list[Summary]
    limits_of: LimitsOf
    """Errors that each cable may have."""

    def node_name(self, node_id: int) -> str:
        """The node's name."""
        return self.topology.nodes[node_id].name


def fresh_states(
    metrics: Iterable[MetricNow], now: datetime, interval_s: float
) -> dict[str, dict[tuple[int, str], str]]:
    """Metric -> (node id, subject) -> state, if fresh."""
    found: dict[str, dict[tuple[int, str], str]] = {metric: {} for metric in STATES}
    for item in metrics:
        if is_fresh(item.reading, now, interval_s):
            found[item.metric][item.node_id, item.subject] = item.reading.state or ""
    return found


def health_out(health: FabricHealth) -> InfinibandHealth:
    """The whole report."""
    cables = _cables(health)
    degraded = _degraded(health)
    presence = health.states["ib.presence"]
    watched = [long for _, long in health.windows.watched_s.values()]
    absent = sorted(health.node_name(node) for (node, _), state in presence.items() if state == "absent")
    silent = sorted(health.node_name(node) for (node, _), state in presence.items() if state == "silent")
    manager = next(iter(health.states["ib.sm_state"].values()), "")
    state, headline = _headline(cables, [*absent, *silent], manager, any(health.states.values()))
    return InfinibandHealth(
        fabric=health.fabric.name,
        at=health.now,
        headline=headline,
        state=state,
        short_s=SHORT_S,
        long_s=LONG_S,
        watched_s=round(median(watched), 1) if watched else 0.0,
        subnet_manager=manager,
        devices=len({port.node_id for port in health.ports.values()}),
        absent=absent,
        silent=silent,
        ports=len(health.ports),
        degraded=degraded,
        errors=_errors(health),
        more_errors=max(0, len(health.windows.grown) - MOST_ERRORS),
        cables=cables,
        differences=_differences(health),
        counters=counters_out(health.counters),
    )


def _headline(cables: list[CableVerdict], lost: list[str], manager: str, is_swept: bool) -> tuple[State, str]:
    if not is_swept:
        return "unknown", "No sweep of this fabric has been reported yet."
    wrong = sum(cable.action == "recable" for cable in cables)
    swap = sum(cable.action == "swap" for cable in cables)
    watch = sum(cable.action == "watch" for cable in cables)
    parts = [
        f"{count(swap, 'cable')} to swap" if swap else "",
        f"{count(wrong, 'cable')} in the wrong place" if wrong else "",
        f"{count(watch, 'cable')} to watch" if watch else "",
        f"{count(len(lost), 'device')} not reporting" if lost else "",
        "no master subnet manager" if manager not in {"", "master"} else "",
    ]
    summary = ", ".join(part for part in parts if part)
    if not summary:
        return "ok", "Every cable is as expected, runs at full width and speed, and has no errors."
    bad = swap or wrong or manager not in {"", "master"}
    return ("critical" if bad else "warning"), f"{summary[0].upper()}{summary[1:]}."


def _cables(health: FabricHealth) -> list[CableVerdict]:
    ends = {port: _port_health(health, port) for port in health.ports.values()}
    found: list[CableVerdict] = []
    linked: set[int] = set()
    for link in health.topology.links.values():
        if link.fabric_id != health.fabric.pk or link.b is None:
            continue
        linked |= {link.a, link.b}
        joined = (ends[health.ports[port]] for port in (link.a, link.b) if port in health.ports)
        verdict = judge(joined, health.limits_of(link))
        if verdict is not None:
            name = "-".join(_port_name(health, port) for port in (link.a, link.b))
            found.append(_verdict(verdict, name, link.id, link_url(link.id)))
    for port, end in ends.items():
        verdict = None if port.id in linked else judge([end], health.limits_of(None))
        if verdict is not None:
            found.append(_verdict(verdict, end.name, None, node_url(port.node_id)))
    return sorted(found, key=lambda cable: (ACTIONS.index(cable.action), cable.name))


def _verdict(verdict: CableAdvice, name: str, link_id: int | None, url: str) -> CableVerdict:
    return CableVerdict(
        link_id=link_id,
        name=name,
        action=verdict.action,
        state=STATE_OF[verdict.action],
        reasons=list(verdict.reasons),
        url=url,
    )


def _port_health(health: FabricHealth, port: Port) -> PortHealth:
    short_s, long_s = health.windows.watched_s.get(port.node_id, (0.0, 0.0))
    grown = {
        metric: Grown(*values)
        for metric in COUNTED
        if (values := health.windows.grown.get((port.node_id, port.name, metric))) is not None
    }
    states = {
        metric: reported_state
        for metric in ("ib.link_width", "ib.link_speed", "ib.cable")
        if (reported_state := health.states[metric].get((port.node_id, port.name))) is not None
    }
    rate = health.speeds.get(port.id) or health.fabric.media_rate
    return PortHealth(_port_name(health, port.id), rate, short_s, long_s, grown, states)


def _port_name(health: FabricHealth, port_id: int) -> str:
    port = health.topology.ports[port_id]
    return f"{health.node_name(port.node_id)}:{port.name}"


def _degraded(health: FabricHealth) -> list[DegradedLink]:
    width, speed = health.states["ib.link_width"], health.states["ib.link_speed"]
    low = sorted(key for key in width.keys() | speed.keys() if "degraded" in {width.get(key), speed.get(key)})
    return [
        DegradedLink(
            node=health.node_name(node),
            node_id=node,
            port=port,
            width=width.get((node, port)) == "degraded",
            speed=speed.get((node, port)) == "degraded",
            running=health.running.get((node, port), ""),
            url=node_url(node),
        )
        for node, port in low
    ]


def _errors(health: FabricHealth) -> list[ErrorRate]:
    """The greatest of the long window first."""
    ordered = sorted(health.windows.grown.items(), key=lambda item: (-item[1][1], item[0]))
    return list(_rates(health, ordered[:MOST_ERRORS]))


def _rates(
    health: FabricHealth, grown: list[tuple[tuple[int, str, str], tuple[float, float]]]
) -> Iterator[ErrorRate]:
    for (node, port, metric), (short, long) in grown:
        meaning = metric_out(metric)
        short_s, long_s = health.windows.watched_s.get(node, (0.0, 0.0))
        yield ErrorRate(
            node=health.node_name(node),
            node_id=node,
            port=port,
            metric=metric,
            title=meaning.title,
            sentence=meaning.sentence,
            short=short,
            long=long,
            short_per_h=_per_hour(short, short_s),
            long_per_h=_per_hour(long, long_s),
            url=node_url(node),
        )


def _per_hour(errors: float, seconds: float) -> float | None:
    return round(errors * 3600 / seconds, 2) if seconds >= LEAST_S else None


def _differences(health: FabricHealth) -> list[ExpectedCable]:
    return [
        ExpectedCable(
            name="-".join(
                _port_name(health, port) for port in (health.topology.links[link].a, _far(health, link))
            ),
            state="warning",
            reported=f"{conflict['source']} of {conflict['by']} reports {conflict['says']}",
            url=link_url(link),
        )
        for link, conflicts in sorted(health.contradictions.items())
        if link in health.topology.links and health.topology.links[link].b is not None
        for conflict in conflicts
    ]


def _far(health: FabricHealth, link: int) -> int:
    far = health.topology.links[link].b
    assert far is not None
    return far
