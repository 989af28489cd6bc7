"""Families `aix.`, `irix.` and `linux.`: port counters of hosts without an agent, read over ssh.

They go beyond traffic, errors and drops. Sources: AIX entstat(1), `netstat -v` and the SP send pool
(`vdidl3 -i`); IRIX `netstat -i`; Linux `ip -s link`.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric


def _count(name: str, title: str, sentence: str, row: str) -> Metric:
    return Metric(f"aix.{name}", title, "growth", "events", sentence, f"entstat: {row}", error=True)


METRICS: Sequence[Metric] = (
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
