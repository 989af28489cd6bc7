"""Family `host`: processors, memory and devices of a host (HOST-RESOURCES-MIB, RFC 2790)."""

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
        "State of a part as the host sees it; down or testing means that it does not do its work.",
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
        "Sessions of people on the host.",
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
)
