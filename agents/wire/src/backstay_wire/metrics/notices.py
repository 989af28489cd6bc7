"""Family `notices`: what became of the traps and syslog datagrams that a host received.

Subjects are the ports, `trap` and `syslog`. A received datagram is sent as a notice, suppressed, lost,
malformed, refused, or part of an inform's handshake; one that the kernel dropped was never received.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "notices.received",
        "Received",
        "growth",
        "datagrams",
        "Datagrams that the agent read from this port.",
        "recvfrom(2)",
    ),
    Metric(
        "notices.kernel_drops",
        "Kernel drops",
        "growth",
        "datagrams",
        "Datagrams that the kernel dropped because the port's receive buffer was full: notices are missing.",
        "SO_MEMINFO of socket(7), SK_MEMINFO_DROPS",
        error=True,
    ),
    Metric(
        "notices.suppressed",
        "Suppressed",
        "growth",
        "notices",
        "Notices beyond a device's rate that a newer one of the same kind and subject replaced.",
        "counted by the agent",
    ),
    Metric(
        "notices.overflows",
        "Lost above the rate",
        "growth",
        "notices",
        "Notices beyond a device's rate for which there was no room or no time: alarms may be missing.",
        "counted by the agent",
        error=True,
    ),
    Metric(
        "notices.malformed",
        "Malformed",
        "growth",
        "datagrams",
        "Datagrams that are no SNMP notification.",
        "counted by the agent",
    ),
    Metric(
        "notices.untrusted",
        "Not trusted",
        "growth",
        "datagrams",
        "Notifications with an unknown community or user, a wrong digest, or an old time.",
        "counted by the agent",
    ),
    Metric(
        "notices.unknown_senders",
        "Unknown senders",
        "growth",
        "datagrams",
        "Datagrams from addresses of no device that this agent collects.",
        "counted by the agent",
    ),
)
