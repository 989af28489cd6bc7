"""Families `lag` and `vlan`: members of aggregated links and of VLANs.

Sources: IEEE8023-LAG-MIB (1.2.840.10006.300.43) and Q-BRIDGE-MIB (RFC 4363).
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "lag.member",
        "Aggregation",
        "state",
        "",
        "Whether the port carries traffic for its aggregate: `distributing` and `static` (up without LACP) "
        "do; `waiting` means that the other end does not agree.",
        "dot3adAggPortActorOperState 1.2.840.10006.300.43.1.2.1.1.21",
        good=frozenset({"distributing", "static", "individual"}),
    ),
    Metric(
        "lag.members",
        "Members",
        "level",
        "ports",
        "Ports that carry traffic for the aggregate: fewer than its cables means less bandwidth.",
        "dot3adAggPortAttachedAggID 1.2.840.10006.300.43.1.2.1.1.13",
    ),
    Metric(
        "vlan.member",
        "VLAN",
        "state",
        "",
        "Whether this port sends frames of this VLAN, and with its tag; a trunk that lacks a VLAN cuts it"
        " in two.",
        "dot1qVlanCurrentEgressPorts 1.3.6.1.2.1.17.7.1.4.2.1.4 and dot1qVlanCurrentUntaggedPorts .5",
        good=frozenset({"tagged", "untagged"}),
    ),
)
