"""Family `routing.`: what a routing daemon thinks of its candidates for one destination.

The subject is a candidate, `0.0.0.0/0 via 10.1.0.16 static`; listed are the default and every
destination with a choice.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "routing.preference",
        "Preference",
        "level",
        "",
        "How the daemon ranks this route; BIRD takes the highest number, FRR and gated the lowest.",
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
)
