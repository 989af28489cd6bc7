"""Every metric that agents report, by name: the one definition of each.

One module per family or group of small families, listed in `_FAMILIES`; a duplicate name fails at import.
"""

from collections.abc import Sequence
from types import MappingProxyType

from backstay_wire.metrics import (
    atm,
    bridge,
    entity,
    ethtool,
    fddi,
    grf,
    grf_stat,
    hippi,
    host,
    infiniband,
    infiniband_host,
    lnet,
    neighbours,
    notices,
    routing,
    sonet,
    sp,
    unix_hosts,
)
from backstay_wire.metrics.metric import Kind, Metric

_FAMILIES: Sequence[Sequence[Metric]] = (
    atm.METRICS,
    bridge.METRICS,
    entity.METRICS,
    ethtool.METRICS,
    fddi.METRICS,
    grf.METRICS,
    grf_stat.METRICS,
    hippi.METRICS,
    host.METRICS,
    infiniband.METRICS,
    infiniband_host.METRICS,
    sonet.METRICS,
    sp.METRICS,
    routing.METRICS,
    unix_hosts.METRICS,
    lnet.METRICS,
    neighbours.METRICS,
    notices.METRICS,
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
