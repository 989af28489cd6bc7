"""The worst hour of the last 30 days: the one in which the gateways' links carried most."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from backstay.core.errors import Invalid
from backstay.core.model.topology import Topology
from backstay.core.rollups.levels import HOUR_S
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy.models import PolicyGateway
from backstay.telemetry.selectors.site_history import hourly_totals

DAYS = 30
MOST_PORTS = 2_000
"""Of sites without gateways, all ports of switches and routers count, up to so many."""
LEAST_OBSERVED = 0.5
"""Part of an hour that a port must have been observed."""


def worst_hour(site: Site, now: datetime) -> datetime:
    """The end of that hour, whose p95 is the statistic of this moment. Raises `Invalid` without history."""
    topology = snapshot.load(site)
    ports = _ports(site, topology)
    nodes = sorted({topology.ports[port].node_id for port in ports})
    end = now.timestamp() // HOUR_S * HOUR_S
    start = end - timedelta(days=DAYS).total_seconds()
    octets = np.zeros(round((end - start) / HOUR_S))
    known = np.zeros_like(octets)
    for inward in (True, False):
        counted, lasted = hourly_totals(
            nodes, np.array(ports, np.int64), np.full(len(ports), inward), start, end
        )
        octets += counted.sum(axis=0)
        known += (lasted >= LEAST_OBSERVED * HOUR_S).any(axis=0)
    if not known.any():
        raise Invalid(
            f"No hour of the last {DAYS} days is stored.", fields={"load": "expected mean, p95 or peak"}
        )
    worst = int(np.where(known > 0, octets, -1.0).argmax())
    return datetime.fromtimestamp(start + (worst + 1) * HOUR_S, UTC)


def _ports(site: Site, topology: Topology) -> list[int]:
    """Data ports of the policies' gateways, else of whatever forwards."""
    gateways = set(PolicyGateway.objects.filter(policy__site=site).values_list("node", flat=True))
    chosen = [node for node in sorted(topology.nodes) if node in gateways]
    if not chosen:
        chosen = [node for node in sorted(topology.nodes) if topology.forwards(("node", node))]
    return [port.id for node in chosen for port in topology.data_ports.get(node, ())][:MOST_PORTS]
