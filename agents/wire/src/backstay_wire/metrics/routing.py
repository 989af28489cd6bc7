"""Families `routing.`, `bgp.` and `vrrp.`: candidates of a routing daemon, BGP neighbours, shared addresses.

`routing.`: the subject is a candidate, `0.0.0.0/0 via 10.1.0.16 static`. The default route and every
destination with more than one candidate are listed. `bgp.`: what a speaker (RFC 4271) receives from each
neighbour; the subject is the neighbour. `vrrp.`: the state of keepalived's instances (VRRP, RFC 5798).
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "routing.preference",
        "Preference",
        "level",
        "",
        "How the daemon ranks this route; BIRD prefers the highest number, FRR and gated the lowest.",
        "BIRD preference; FRR administrative distance; gated Preference",
    ),
    Metric(
        "routing.choice",
        "Choice",
        "state",
        "",
        "Whether packets take this route now, it is a standby, or it cannot be used.",
        "BIRD *; FRR selected, nexthops active; gated Active",
        good=frozenset({"selected", "standby"}),
    ),
    Metric(
        "routing.destinations",
        "Destinations",
        "level",
        "",
        "Destinations to which the daemon has a route.",
        "number of prefixes in its table",
    ),
    Metric(
        "bgp.prefixes",
        "Prefixes",
        "level",
        "prefixes",
        "Destinations that the neighbour announces: fewer than usual means that it lost part of its network.",
        "show ip bgp summary: PfxRcd",
    ),
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
        "State that keepalived is moving to; differs from the state only during a change.",
        "keepalived.data Wantstate",
        good=frozenset({"master", "backup"}),
    ),
    Metric(
        "vrrp.priority",
        "Priority",
        "level",
        "",
        "The live router with the highest priority becomes master.",
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
