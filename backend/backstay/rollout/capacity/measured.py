"""Measured loads of a site at a moment: demand of each host through its gateway, and load of each link.

Stale or unmeasured values are unknown, never zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Q

from backstay.core.model.freshness import is_fresh
from backstay.core.model.load import Load, PortRates, link_loads
from backstay.core.model.routing import NodeRouting
from backstay.core.model.search import SharedRiskGroup
from backstay.core.model.topology import Topology
from backstay.core.planning.whatif.fallback_verdict import MeasuredLoad
from backstay.core.planning.whatif.node_routes import present_routes
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy.intents import intents
from backstay.policy.models import Path, PathGap, PathSwitch
from backstay.policy.selectors import PathState, paths, recent_paths
from backstay.rollout.capacity.failure_groups import shared_risks
from backstay.rollout.capacity.network_demand import NetworkDemand, network_demand
from backstay.rollout.capacity.packets import (
    MeasuredPorts,
    measured_packets,
    packet_limits,
    packets_per_bit,
)
from backstay.rollout.node_routes import add_paths
from backstay.rollout.plans.observation import demand, uses
from backstay.rollout.plans.plan_inputs import without_removed_gateways
from backstay.rollout.wire_codec import confirmed
from backstay.telemetry.rollups.recent_rates import RecentRates, recent_rates
from backstay.telemetry.selectors.link_ends import ends_now
from backstay.telemetry.selectors.loads import port_ids
from backstay.telemetry.selectors.site_history import LoadStatistic, node_groups, rates_at

LEAST_INTERVAL_S = 15.0
"""Loads of agents that report more often count as long as those of this interval: a study looks at minutes,
and a report that is a few seconds late does not make it unknown."""
PAST_AFTER = timedelta(minutes=1)
"""A moment that is older is read from history."""


@dataclass(frozen=True, slots=True)
class CapacityInputs:
    """All that a study of a site's capacity depends on, at one moment."""

    topology: Topology
    routes: dict[int, NodeRouting]
    """Node id -> routes, the gateway in use first."""
    measured: MeasuredLoad
    rates: Mapping[int, PortRates]
    """Port id -> known rates."""
    at: datetime
    is_past: bool
    statistic: LoadStatistic
    risks: tuple[SharedRiskGroup, ...] = ()
    returns: frozenset[tuple[str, int]] = frozenset()
    """Policies and the routers of their return paths."""

    @property
    def routing(self) -> tuple[dict[int, NodeRouting], frozenset[tuple[str, int]]]:
        """What decides the paths of the traffic over the topology."""
        return self.routes, self.returns


def capacity_inputs(
    site: Site, now: datetime, at: datetime | None = None, statistic: LoadStatistic = "mean"
) -> CapacityInputs:
    """The inputs now, or at a past moment: the loads and the gateways in use then, with today's policies and
    wiring.
    """
    topology, interval_s = snapshot.load(site), _interval_s(site)
    moment = now if at is None or now - at < PAST_AFTER else at
    is_past = moment is not now
    states = paths(site)
    if is_past:
        states = _past(site, states, moment)
    limits = packet_limits(site, topology)
    recent = None
    if not is_past and (statistic == "mean" or (statistic == "peak" and limits)):
        recent = recent_rates(node_groups(site), now)
    rates = _rates(site, topology, statistic, moment, now, recent=recent or {})
    known_paths = recent_paths(site, states, moment)
    policies = intents(site)
    users = uses(topology, known_paths, policies)
    steady_since = max((path.since for path in known_paths if path.since), default=None)
    is_newest = not is_past and statistic == "mean"
    estimated = NetworkDemand()
    if is_newest:
        estimated = network_demand(
            topology, users, rates, now=now, interval_s=interval_s, steady_since=steady_since
        )
    known = demand(topology, users, rates) | estimated.demand
    per_bit = packets_per_bit(site, recent, moment, statistic, now) if limits else {}
    return CapacityInputs(
        topology=topology,
        routes=_routes(site, topology, states, moment),
        measured=MeasuredLoad(
            demand=known,
            links=_links(topology, rates, moment, interval_s),
            by_link=estimated.by_link,
            packets=measured_packets(topology, limits, MeasuredPorts(rates, per_bit), users, known),
        ),
        rates=rates,
        at=moment,
        is_past=is_past,
        statistic=statistic,
        risks=shared_risks(site, topology),
        returns=frozenset(
            (policy.name, router)
            for policy in policies.values()
            if policy.back is not None
            for router in policy.back.routers
        ),
    )


def _interval_s(site: Site) -> float:
    return max(site.interval_s, LEAST_INTERVAL_S)


def _routes(
    site: Site, topology: Topology, states: Iterable[PathState], moment: datetime
) -> dict[int, NodeRouting]:
    routes = {node: without_removed_gateways(routing) for node, routing in confirmed(site).items()}
    reported = add_paths(site, topology, routes, states, moment)
    return present_routes(topology, routes, reported)


def _rates(
    site: Site,
    topology: Topology,
    statistic: LoadStatistic,
    moment: datetime,
    now: datetime,
    *,
    recent: Mapping[int, RecentRates],
) -> dict[int, PortRates]:
    """Port id -> rates of ports whose both directions are known at the moment."""
    if moment is not now or statistic == "p95":
        found = rates_at(site, moment, statistic, now)
    else:
        ends = ends_now(port_ids(topology.links.values()))
        fresh = {
            port: end.reading
            for port, end in ends.items()
            if end.reading is not None and is_fresh(end.reading.at, moment, _interval_s(site))
        }
        found = {
            port: _peaks(reading) if statistic == "peak" else _minute(reading, recent.get(port))
            for port, reading in fresh.items()
        }
    return {
        port: item for port, item in found.items() if item.in_bps is not None and item.out_bps is not None
    }


def _peaks(reading: PortRates) -> PortRates:
    """The busiest second; of a device that measures none, the mean."""
    return replace(
        reading,
        in_bps=reading.in_bps if reading.in_peak is None else reading.in_peak,
        out_bps=reading.out_bps if reading.out_peak is None else reading.out_peak,
    )


def _minute(reading: PortRates, recent: RecentRates | None) -> PortRates:
    """The mean of the last minute; of a device that reports more rarely, the newest one. A direction without
    a newest value stays unknown.
    """
    if recent is None:
        return reading
    return replace(
        reading,
        in_bps=reading.in_bps if reading.in_bps is None or recent.in_bps is None else recent.in_bps,
        out_bps=reading.out_bps if reading.out_bps is None or recent.out_bps is None else recent.out_bps,
    )


def _links(
    topology: Topology, rates: Mapping[int, PortRates], moment: datetime, interval_s: float
) -> dict[int, tuple[int | None, int | None]]:
    found = {}
    for link in topology.links.values():
        a = rates.get(link.a)
        b = None if link.b is None else rates.get(link.b)
        if a is not None or b is not None:
            forward, back = link_loads(a, b, 1, moment, interval_s)
            found[link.id] = (_bps(forward), _bps(back))
    return found


def _bps(load: Load | None) -> int | None:
    return None if load is None else load.bps


def _past(site: Site, states: Iterable[PathState], moment: datetime) -> list[PathState]:
    """The paths with the gateways that they used at a past moment, as reported then; without those that no
    report covers. History does not say which standby gateways were dead.
    """
    of_site = Q(path__policy__site=site)
    unknown = set(
        PathGap.objects.filter(of_site, start__lte=moment, end__gt=moment).values_list("path_id", flat=True)
    )
    switches = PathSwitch.objects.filter(of_site)
    before = dict(
        switches.filter(at__lte=moment)
        .order_by("path_id", "-at")
        .distinct("path_id")
        .values_list("path_id", "to_gateway")
    )
    after = dict(
        switches.filter(at__gt=moment)
        .order_by("path_id", "at")
        .distinct("path_id")
        .values_list("path_id", "from_gateway")
    )
    observed = set(
        Path.objects.filter(policy__site=site, observed_from__lte=moment).values_list("pk", flat=True)
    )
    numbers = dict(site.nodes.values_list("name", "id"))
    found = []
    for path in states:
        if path.at is None or path.id in unknown or path.id not in observed:
            found.append(replace(path, at=None))
            continue
        name = before.get(path.id, after.get(path.id, path.active_text))
        reported_at = min(path.at, moment)
        active = numbers.get(name)
        found.append(replace(path, at=reported_at, active_text=name, active_id=active, liveness={}))
    return found
