"""Family `vlan`: which ports carry which VLANs (Q-BRIDGE-MIB, RFC 4363)."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
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
