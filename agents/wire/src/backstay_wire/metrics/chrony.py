"""Family `chrony.`: how chrony keeps a host's clock, as `chronyc -c tracking` reports it (chronyc(1))."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "chrony.offset",
        "Clock offset",
        "level",
        "µs",
        "The host's clock minus NTP's time, which chrony is slewing away.",
        "chronyc tracking: System time, its sign turned",
    ),
    Metric(
        "chrony.error",
        "Clock error",
        "level",
        "µs",
        "How far NTP's time itself may be off here: root dispersion and half of the root delay.",
        "chronyc tracking: Root dispersion + Root delay / 2",
    ),
    Metric(
        "chrony.frequency",
        "Clock drift",
        "level",
        "ppm",
        "What the clock would gain by itself; chrony makes up for it.",
        "chronyc tracking: Frequency",
    ),
    Metric(
        "chrony.skew",
        "Drift error",
        "level",
        "ppm",
        "How well the drift is known.",
        "chronyc tracking: Skew",
    ),
    Metric(
        "chrony.stratum",
        "Stratum",
        "level",
        "",
        "Hops to a reference clock; 0: chrony has no source.",
        "chronyc tracking: Stratum",
    ),
    Metric(
        "chrony.leap",
        "Synchronisation",
        "state",
        "",
        "Whether chrony has a source; not synchronised means that the clock runs free.",
        "chronyc tracking: Leap status",
        good=frozenset({"normal", "insert-second", "delete-second"}),
    ),
)
