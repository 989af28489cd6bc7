"""Every metric that agents report, by name: the one definition of each.

A family has a module of its own and is listed in `_FAMILIES`; a duplicate name is an error at import.
"""

from collections.abc import Sequence
from types import MappingProxyType

from backstay_wire.metrics import (
    aix,
    atm,
    bgp,
    chrony,
    entity,
    fddi,
    grf,
    grf_stat,
    hippi,
    host,
    infiniband,
    infiniband_host,
    irix,
    lag,
    linux,
    lnet,
    neighbours,
    routing,
    sonet,
    sp,
    vlan,
    vrrp,
)
from backstay_wire.metrics.metric import Kind, Metric

_FAMILIES: Sequence[Sequence[Metric]] = (
    atm.METRICS,
    entity.METRICS,
    fddi.METRICS,
    grf.METRICS,
    grf_stat.METRICS,
    hippi.METRICS,
    host.METRICS,
    infiniband.METRICS,
    infiniband_host.METRICS,
    lag.METRICS,
    sonet.METRICS,
    sp.METRICS,
    routing.METRICS,
    vrrp.METRICS,
    lnet.METRICS,
    aix.METRICS,
    irix.METRICS,
    linux.METRICS,
    bgp.METRICS,
    chrony.METRICS,
    neighbours.METRICS,
    vlan.METRICS,
)


def _registered(families: Sequence[Sequence[Metric]]) -> dict[str, Metric]:
    found: dict[str, Metric] = {}
    for metric in (metric for family in families for metric in family):
        if metric.name in found:
            raise ValueError(f"the metric {metric.name} is defined twice")
        found[metric.name] = metric
    return found


METRICS = MappingProxyType(_registered(_FAMILIES))

__all__ = ["METRICS", "Kind", "Metric"]
