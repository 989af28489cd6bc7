"""Family `bgp.`: what a BGP speaker (RFC 4271) receives from each neighbour, which is the subject."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "bgp.prefixes",
        "Prefixes",
        "level",
        "prefixes",
        "Destinations that the neighbour offers: fewer than usual means that it lost a part of its network.",
        "show ip bgp summary: PfxRcd",
    ),
)
