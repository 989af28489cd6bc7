"""Families `aix.`, `irix.` and `linux.`: port counters of hosts without an agent, read over ssh.

They go beyond traffic, errors and drops. Sources: AIX entstat(1), `netstat -v`, the SP send pool
(`vdidl3 -i`) and vmstat(1); IRIX `netstat -i`; Linux `ip -s link`.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric


def _count(name: str, title: str, sentence: str, row: str) -> Metric:
    return Metric(f"aix.{name}", title, "growth", "events", sentence, f"entstat: {row}", error=True)


def _level(name: str, title: str, unit: str, sentence: str, column: str) -> Metric:
    return Metric(f"aix.{name}", title, "level", unit, sentence, f"vmstat 1 2: {column}")


METRICS: Sequence[Metric] = (
    _level("run_queue", "Run queue", "threads", "Threads that run or wait for a processor.", "r"),
    _level("blocked_threads", "Blocked threads", "threads", "Threads that wait for memory or a disk.", "b"),
    _level("free_frames", "Free memory", "frames", "Frames of 4 KiB on the free list.", "fre"),
    _level("page_ins", "Page-ins", "pages/s", "Pages read from paging space: memory is too small.", "pi"),
    _level("page_outs", "Page-outs", "pages/s", "Pages written to paging space: memory is too small.", "po"),
    _level("cpu_user", "CPU user", "%", "Processor time in programs.", "us"),
    _level("cpu_system", "CPU system", "%", "Processor time in the kernel, which forwards packets.", "sy"),
    _level("cpu_idle", "CPU idle", "%", "Idle processor time.", "id"),
    _level("cpu_wait", "CPU wait", "%", "Idle processor time while a disk request was pending.", "wa"),
    _count("no_mbuf", "No mbuf", "The host had no memory buffer for a packet.", "No mbuf Errors"),
    _count(
        "queue_overflow",
        "Queue overflow",
        "The driver's transmit queue was full and a packet was lost.",
        "S/W Transmit Queue Overflow",
    ),
    _count("no_resource", "No resource", "The adapter had no receive buffer left.", "No Resource Errors"),
    _count("crc_errors", "CRC errors", "A frame arrived damaged: check the cable.", "CRC Errors"),
    _count(
        "no_carrier",
        "No carrier",
        "There was no carrier when the adapter wanted to send.",
        "No Carrier Sense",
    ),
    _count("timeouts", "Timeouts", "A transmission did not end in time.", "Timeout Errors"),
    _count(
        "late_collisions",
        "Late collisions",
        "Collisions after the time in which they may happen: mostly a duplex mismatch.",
        "Late Collision Errors",
    ),
    _count("adapter_resets", "Resets", "The driver restarted the adapter.", "Adapter Reset Count"),
    _count(
        "adapter_discards",
        "Adapter discards",
        "The adapter discarded received packets.",
        "Packets Discarded by Adapter",
    ),
    Metric(
        "aix.send_pool_failures",
        "Pool failures",
        "growth",
        "failures",
        "The SP switch adapter's send pool was exhausted: spoolsize is too small for the load.",
        "vdidl3 -i: send pool, fail",
        error=True,
    ),
    Metric(
        "irix.collisions",
        "Collisions",
        "growth",
        "collisions",
        "Collisions while sending; full-duplex and HIPPI ports have none.",
        "netstat -i: Coll",
    ),
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
        "The carrier was absent or lost while the port was sending: check the cable.",
        "ip -s link: TX carrier",
        error=True,
    ),
    Metric(
        "linux.collisions",
        "Collisions",
        "growth",
        "collisions",
        "Collisions while sending; full-duplex ports have none.",
        "ip -s link: TX collsns",
    ),
)
