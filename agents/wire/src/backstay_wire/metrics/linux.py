"""Family `linux.`: what `ip -s link` shows of a host without an agent beyond packets, errors and drops."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "linux.missed",
        "Missed",
        "growth",
        "packets",
        "The adapter had no room for packets that arrived: the host was too slow to take them.",
        "ip -s link: RX missed (overrun in older releases)",
        error=True,
    ),
    Metric(
        "linux.carrier_errors",
        "Carrier errors",
        "growth",
        "errors",
        "There was no carrier, or it went, while the port was sending: look at the cable.",
        "ip -s link: TX carrier",
        error=True,
    ),
    Metric(
        "linux.collisions",
        "Collisions",
        "growth",
        "collisions",
        "Transmissions that met another one; on a full-duplex port there are none.",
        "ip -s link: TX collsns",
    ),
)
