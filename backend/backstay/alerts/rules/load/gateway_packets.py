"""A gateway near the packet rate that it can forward: small packets exhaust it long before its links are
full.

No device reports what it can forward. The rule knows a gateway's limit only from an override, for example
of the role `gateway`; other gateways are listed, and never alarm.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from django.utils import timezone

from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    Unmeasured,
    held_for,
    is_shown,
)
from backstay.alerts.rule_settings import RuleSettings, as_settings, settings_at
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, opens_after, opens_at, resolves_below
from backstay.core.formatting import per_second, share
from backstay.inventory.models import Site

KINDS = frozenset({"gateway", "router"})
CAPACITY = RuleParameter(
    "capacity",
    "Capacity",
    "packets/s",
    0,
    0,
    1e12,
    "Packets per second that the gateway can forward; 0: unknown.",
)


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Gateways above `raise_at` of their capacity for `after_s`, until below `clear_at`."""
    settings = as_settings(parameters)
    known = capacities(snapshot, settings)
    if not known and not present:
        return RuleResult()
    limits = {name: settings.of_objects("node", name) for name in ("raise_at", "clear_at", "after_s")}
    rates, places = packet_rates(snapshot, known), snapshot.override_targets.place["node"]
    findings, undecided = [], set()
    for node, capacity in known.items():
        fingerprint, place = f"gateway_packets:{node}", places[node]
        incident = present.get(fingerprint)
        if node not in rates:
            undecided.add(fingerprint)
            continue
        rate, at = rates[node]
        if rate / capacity < limits["clear_at" if is_shown(incident) else "raise_at"][place]:
            continue
        name = snapshot.topology.nodes[node].name
        findings.append(
            Finding(
                fingerprint=fingerprint,
                subject=name,
                title=f"{name} forwards {per_second(rate, 'packets')},"
                f" {share(rate / capacity)} of its capacity",
                detail=f"Its capacity is set to {per_second(capacity, 'packets')}. Above it, packets are"
                f" lost although no link is full. Clears below {share(float(limits['clear_at'][place]))}.",
                since=at if incident is None else incident.opened_at,
                node_id=node,
                value=rate / capacity,
                threshold=float(limits["raise_at"][place]),
                count=held_for(float(limits["after_s"][place]), snapshot.now, incident),
            )
        )
    return RuleResult(tuple(findings), frozenset(undecided))


def capacities(snapshot: SiteSnapshot, settings: RuleSettings) -> dict[int, float]:
    """Gateway or router -> the packets/s that it can forward, if known."""
    values = settings.of_objects("node", CAPACITY.name)
    nodes, places = snapshot.topology.nodes, np.nonzero(values > 0)[0].tolist()
    ids = snapshot.override_targets.ids["node"]
    return {int(ids[place]): float(values[place]) for place in places if nodes[int(ids[place])].kind in KINDS}


def packet_limits(site: Site) -> dict[int, float]:
    """Gateway or router -> packets/s, for the study of capacity; two queries. A disabled rule counts too."""
    rule = site.rules.filter(kind=RULE.kind).first()
    if rule is None:
        return {}
    snapshot = SiteSnapshot(site, timezone.now())
    return capacities(snapshot, settings_at(RULE, rule, snapshot))


def packet_rates(snapshot: SiteSnapshot, wanted: dict[int, float]) -> dict[int, tuple[float, datetime]]:
    """Node -> packets/s into its data ports, and when; only of fresh samples."""
    samples = snapshot.newest_samples
    incoming, fresh = (
        samples.per_second("in_packets"),
        samples.is_fresh(snapshot.now, snapshot.site.interval_s),
    )
    found: dict[int, tuple[float, datetime]] = {}
    for node in wanted:
        ports = np.array([port.id for port in snapshot.topology.data_ports.get(node, ())], np.int64)
        places = samples.places(ports)
        places = places[places >= 0]
        places = places[fresh[places] & ~np.isnan(incoming[places])]
        if len(places):
            at = datetime.fromtimestamp(float(samples.at[places].max()), UTC)
            found[node] = float(incoming[places].sum()), at
    return found


def unmeasured(snapshot: SiteSnapshot, parameters: Parameters) -> list[Unmeasured]:
    """Gateways and routers without a known capacity."""
    known = capacities(snapshot, as_settings(parameters))
    return [
        Unmeasured(node.name, "its capacity is unknown: set it by an override", node_id=node.id)
        for node in snapshot.topology.nodes.values()
        if node.kind in KINDS and node.id not in known
    ]


RULE = Rule(
    kind="gateway_packets",
    title="Gateway packet rate",
    severity="warning",
    evaluate=evaluate,
    group="load",
    about="node",
    summary="A gateway or router is near the packet rate that it can forward.",
    parameters=(
        CAPACITY,
        opens_at(0.8, "Share of the capacity"),
        resolves_below(0.65, "Share of the capacity"),
        opens_after(60.0),
    ),
    by_object=True,
    reads_samples=True,
    unmeasured=unmeasured,
    cause_rank=CauseRank.INDEPENDENT,
    runbook="gateway-load",
)
