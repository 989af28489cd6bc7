"""Counters: the metric of each, and its width (IBTA volume 1, 16.1.3.5 and 16.1.4).

The counters of PortCounters do not wrap: they stay at their maximum until someone clears them. We never do,
because others read them too; a counter at its maximum is reported as *saturated*.
"""

from dataclasses import dataclass
from types import MappingProxyType

from backstay_wire import DeltaOutcome

DATA_UNIT = 4
"""Octets per unit of PortXmitData and PortRcvData."""
WIDE = 64


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter: its metric, and its bits in PortCounters or its details."""

    metric: str
    bits: int


BY_TOOL = MappingProxyType(
    {
        "SymbolErrorCounter": Counter("ib.symbol_errors", 16),
        "LinkErrorRecoveryCounter": Counter("ib.link_error_recovery", 8),
        "LinkDownedCounter": Counter("ib.link_downed", 8),
        "PortRcvErrors": Counter("ib.rcv_errors", 16),
        "PortRcvRemotePhysicalErrors": Counter("ib.rcv_remote_physical_errors", 16),
        "PortRcvSwitchRelayErrors": Counter("ib.rcv_switch_relay_errors", 16),
        "PortXmitDiscards": Counter("ib.xmit_discards", 16),
        "PortXmitConstraintErrors": Counter("ib.xmit_constraint_errors", 8),
        "PortRcvConstraintErrors": Counter("ib.rcv_constraint_errors", 8),
        "LocalLinkIntegrityErrors": Counter("ib.local_link_integrity_errors", 4),
        "ExcessiveBufferOverrunErrors": Counter("ib.excessive_buffer_overruns", 4),
        "VL15Dropped": Counter("ib.vl15_dropped", 16),
        "PortXmitWait": Counter("ib.xmit_wait", 32),
        "QP1Dropped": Counter("ib.qp1_dropped", 16),
        "PortLocalPhysicalErrors": Counter("ib.rcv_local_physical", 16),
        "PortMalformedPktErrors": Counter("ib.rcv_malformed", 16),
        "PortBufferOverrunErrors": Counter("ib.rcv_buffer_overrun", 16),
        "PortDLIDMappingErrors": Counter("ib.rcv_dlid_mapping", 16),
        "PortVLMappingErrors": Counter("ib.rcv_vl_mapping", 16),
        "PortLoopingErrors": Counter("ib.rcv_looping", 16),
        "PortInactiveDiscards": Counter("ib.discard_inactive", 16),
        "PortNeighborMTUDiscards": Counter("ib.discard_mtu", 16),
        "PortSwLifetimeLimitDiscards": Counter("ib.discard_lifetime", 16),
        "PortSwHOQLifetimeLimitDiscards": Counter("ib.discard_head_of_queue", 16),
    }
)
"""By the name that infiniband-diags prints."""

TRAFFIC = ("PortRcvData", "PortXmitData", "PortRcvPkts", "PortXmitPkts")
"""In the order of the wire's octets and packets, in and out."""
MULTICAST = MappingProxyType(
    {"PortMulticastRcvPkts": "ib.multicast_in", "PortMulticastXmitPkts": "ib.multicast_out"}
)
EXTENDED_MARK = "PortUnicastRcvPkts"
"""Only PortCountersExtended has it: data and packets then have 64 bits, otherwise possibly 32."""

MISHAPS = ("PortRcvErrors", "PortXmitConstraintErrors", "VL15Dropped", "PortXmitDiscards")
"""The counters summed into the wire's in_errors, out_errors, in_discards and out_discards."""


def sticky_growth(old: int, new: int, bits: int) -> tuple[int, DeltaOutcome]:
    """Growth of a counter that stops at its maximum; unless OK, the value is the raw reading.

    A counter that decreased was cleared: its growth since is unknown.
    """
    if bits < WIDE and new >= (1 << bits) - 1:
        return new, DeltaOutcome.SATURATED
    if new < old:
        return new, DeltaOutcome.RESET
    return new - old, DeltaOutcome.OK
