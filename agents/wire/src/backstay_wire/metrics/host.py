"""Families `host` and `chrony.`: processors, memory and devices of a host, and the state of its clock.

Sources: HOST-RESOURCES-MIB (RFC 2790); `chronyc -c tracking` (chronyc(1)).
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "host.processor_load",
        "Processor load",
        "level",
        "%",
        "Share of the last minute in which this processor was not idle.",
        "hrProcessorLoad 1.3.6.1.2.1.25.3.3.1.2",
    ),
    Metric(
        "host.device",
        "Device",
        "state",
        "",
        "State of a part as the host sees it; down or testing means that it is out of service.",
        "hrDeviceStatus 1.3.6.1.2.1.25.3.2.1.5",
        good=frozenset({"running", "unknown"}),
        states={1: "unknown", 2: "running", 3: "warning", 4: "testing", 5: "down"},
    ),
    Metric(
        "host.storage_used",
        "Storage used",
        "level",
        "%",
        "Share of this memory or disk that is in use.",
        "hrStorageUsed 1.3.6.1.2.1.25.2.3.1.6",
    ),
    Metric(
        "host.users",
        "Users",
        "level",
        "",
        "User sessions on the host.",
        "hrSystemNumUsers 1.3.6.1.2.1.25.1.5",
    ),
    Metric(
        "host.processes",
        "Processes",
        "level",
        "",
        "Processes on the host.",
        "hrSystemProcesses 1.3.6.1.2.1.25.1.6",
    ),
    Metric(
        "chrony.offset",
        "Clock offset",
        "level",
        "µs",
        "The host's clock minus NTP's time, which chrony is slewing away.",
        "chronyc tracking: System time, sign inverted",
    ),
    Metric(
        "chrony.error",
        "Clock error",
        "level",
        "µs",
        "Maximum error of NTP's time on this host: root dispersion plus half of the root delay.",
        "chronyc tracking: Root dispersion + Root delay / 2",
    ),
    Metric(
        "chrony.frequency",
        "Clock drift",
        "level",
        "ppm",
        "Drift of the uncorrected clock; chrony compensates for it.",
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
