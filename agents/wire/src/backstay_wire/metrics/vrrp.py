"""Family `vrrp.`: which router holds a shared address, as keepalived reports it (VRRP, RFC 5798)."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "vrrp.state",
        "VRRP state",
        "state",
        "",
        "Master holds the shared address, backup is standby, and one in fault cannot take over.",
        "keepalived.data State",
        good=frozenset({"master", "backup"}),
    ),
    Metric(
        "vrrp.wanted_state",
        "Wanted state",
        "state",
        "",
        "What keepalived is moving to; unlike the state only while it changes.",
        "keepalived.data Wantstate",
        good=frozenset({"master", "backup"}),
    ),
    Metric(
        "vrrp.priority",
        "Priority",
        "level",
        "",
        "The highest priority of the routers that are alive becomes master.",
        "keepalived.data Effective priority",
    ),
    Metric(
        "vrrp.faults",
        "Faults",
        "level",
        "faults",
        "Ports and checks that keep this instance from being master.",
        "keepalived.data Number of interface and track script faults, Number of config faults",
        error=True,
    ),
    Metric(
        "vrrp.seconds_in_state",
        "In this state",
        "level",
        "s",
        "How long ago the instance last changed its state.",
        "keepalived.data Last transition",
    ),
)
