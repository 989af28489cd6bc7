"""Family `lnet.`: Lustre networks and their routers, as `lnetctl` shows them.

The subject is a local NID (`10.1.0.5@o2ib`) or a route (`tcp1 via 10.1.0.5@o2ib`).
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "lnet.ni_state",
        "Interface",
        "state",
        "",
        "Whether this host's interface on the network is up.",
        "lnetctl net show: status",
        good=frozenset({"up"}),
    ),
    Metric(
        "lnet.health",
        "Health",
        "level",
        "of 1000",
        "1000 is full health; each failed send lowers it, and a lower interface is used less.",
        "lnetctl net show -v: health value",
    ),
    Metric(
        "lnet.sent",
        "Sent",
        "growth",
        "messages",
        "Messages that this interface sent.",
        "lnetctl net show -v: send_count",
    ),
    Metric(
        "lnet.received",
        "Received",
        "growth",
        "messages",
        "Messages that this interface received.",
        "lnetctl net show -v: recv_count",
    ),
    Metric(
        "lnet.dropped",
        "Dropped",
        "growth",
        "messages",
        "Messages that this interface dropped instead of delivering.",
        "lnetctl net show -v: drop_count",
        error=True,
    ),
    Metric(
        "lnet.route_state",
        "Route",
        "state",
        "",
        "Whether the gateway of this route answers; a route that is down is not used.",
        "lnetctl route show -v: state",
        good=frozenset({"up"}),
    ),
    Metric(
        "lnet.route_priority",
        "Priority",
        "level",
        "",
        "Of several routes to a network the lowest number is used first.",
        "lnetctl route show -v: priority",
    ),
    Metric(
        "lnet.route_hops",
        "Hops",
        "level",
        "",
        "Routers on the path, as configured; -1 when not configured.",
        "lnetctl route show -v: hop",
    ),
)
