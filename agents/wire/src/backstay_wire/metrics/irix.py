"""Family `irix.`: what `netstat -i` of IRIX shows beyond packets and errors."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "irix.collisions",
        "Collisions",
        "growth",
        "collisions",
        "Transmissions that met another one; on a full-duplex or HIPPI port there are none.",
        "netstat -i: Coll",
    ),
)
