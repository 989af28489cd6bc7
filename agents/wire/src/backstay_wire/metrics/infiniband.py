"""Family `ib`: InfiniBand port counters, link states and the subnet manager.

Counters are those of PortCounters and PortCountersExtended (IBTA volume 1, 16.1.3.5 and 16.1.4) with the
names that infiniband-diags prints; a host reads the same ones below /sys/class/infiniband (Linux,
Documentation/ABI/stable/sysfs-class-infiniband).
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

_PMA = "PortCounters"


def _errors(name: str, title: str, sentence: str, counter: str, *, alarming: bool = True) -> Metric:
    return Metric(f"ib.{name}", title, "growth", "errors", sentence, f"{_PMA}:{counter}", error=alarming)


def _packets(name: str, title: str, sentence: str, counter: str) -> Metric:
    return Metric(f"ib.{name}", title, "growth", "packets", sentence, counter, error=True)


_PORT_ERRORS = (
    _errors(
        "symbol_errors",
        "Symbol errors",
        "Bits arrived wrong on a lane: a bad cable, connector or transceiver, when it keeps rising.",
        "SymbolErrorCounter",
    ),
    _errors(
        "link_error_recovery",
        "Link recoveries",
        "The link lost its training and found it again without going down: the cable or an end is failing.",
        "LinkErrorRecoveryCounter",
    ),
    _errors(
        "link_downed",
        "Link downed",
        "The link failed to recover and went down: it was pulled, its other end restarted, or it is broken.",
        "LinkDownedCounter",
    ),
    _errors(
        "rcv_errors",
        "Receive errors",
        "Packets arrived damaged, malformed or without room for them.",
        "PortRcvErrors",
    ),
    _errors(
        "rcv_remote_physical_errors",
        "Remote physical errors",
        "Packets arrived marked bad by an earlier switch: look for the fault upstream, not on this link.",
        "PortRcvRemotePhysicalErrors",
    ),
    _errors(
        "rcv_switch_relay_errors",
        "Relay errors",
        "Packets that a switch could not forward; multicast echoes raise it on healthy fabrics too.",
        "PortRcvSwitchRelayErrors",
        alarming=False,
    ),
    Metric(
        "ib.xmit_discards",
        "Transmit discards",
        "growth",
        "packets",
        "Packets discarded because the port was down or congested for longer than their lifetime.",
        "PortCounters:PortXmitDiscards",
        error=True,
    ),
    _errors(
        "xmit_constraint_errors",
        "Transmit constraints",
        "Packets not sent because a partition or raw-packet filter of the switch port forbids them.",
        "PortXmitConstraintErrors",
    ),
    _errors(
        "rcv_constraint_errors",
        "Receive constraints",
        "Packets refused because a partition or raw-packet filter of the switch port forbids them.",
        "PortRcvConstraintErrors",
    ),
    _errors(
        "local_link_integrity_errors",
        "Link integrity",
        "Local physical errors came faster than the port's threshold: the link is marginal.",
        "LocalLinkIntegrityErrors",
    ),
    _errors(
        "excessive_buffer_overruns",
        "Buffer overruns",
        "Flow control failed for several periods in a row: packets arrived that the port had no buffer for.",
        "ExcessiveBufferOverrunErrors",
    ),
    Metric(
        "ib.vl15_dropped",
        "VL15 dropped",
        "growth",
        "packets",
        "Management packets dropped for want of buffers: this node is overloaded with requests.",
        "PortCounters:VL15Dropped",
        error=True,
    ),
    Metric(
        "ib.xmit_wait",
        "Transmit wait",
        "growth",
        "ticks",
        "Times the port had data to send but no credits from the other end: congestion beyond it.",
        "PortCounters:PortXmitWait",
    ),
    _errors(
        "qp1_dropped",
        "QP1 dropped",
        "General management packets dropped for want of buffers.",
        "QP1Dropped",
    ),
)

_RECEIVE_DETAILS = tuple(
    _packets(name, title, sentence, f"PortRcvErrorDetails:{counter}")
    for name, title, sentence, counter in (
        (
            "rcv_local_physical",
            "Local physical",
            "Receive errors: a bad checksum, so the link damaged the packet.",
            "PortLocalPhysicalErrors",
        ),
        (
            "rcv_malformed",
            "Malformed",
            "Receive errors: the packet's length, lane or header made no sense.",
            "PortMalformedPktErrors",
        ),
        (
            "rcv_buffer_overrun",
            "Buffer overrun",
            "Receive errors: there was no buffer for the packet.",
            "PortBufferOverrunErrors",
        ),
        (
            "rcv_dlid_mapping",
            "DLID mapping",
            "Switch relay errors: the packet's destination leads nowhere.",
            "PortDLIDMappingErrors",
        ),
        (
            "rcv_vl_mapping",
            "VL mapping",
            "Switch relay errors: the service level maps to no virtual lane.",
            "PortVLMappingErrors",
        ),
        (
            "rcv_looping",
            "Looping",
            "Switch relay errors: the packet would leave by the port it came in.",
            "PortLoopingErrors",
        ),
    )
)

_DISCARD_DETAILS = tuple(
    _packets(name, title, sentence, f"PortXmitDiscardDetails:{counter}")
    for name, title, sentence, counter in (
        (
            "discard_inactive",
            "Port inactive",
            "Discards: the port was not active when the packet was due.",
            "PortInactiveDiscards",
        ),
        (
            "discard_mtu",
            "Neighbour MTU",
            "Discards: the packet was longer than the other end takes.",
            "PortNeighborMTUDiscards",
        ),
        (
            "discard_lifetime",
            "Switch lifetime",
            "Discards: the packet was in the switch for too long.",
            "PortSwLifetimeLimitDiscards",
        ),
        (
            "discard_head_of_queue",
            "Head of queue",
            "Discards: the packet stood at the queue's head for too long.",
            "PortSwHOQLifetimeLimitDiscards",
        ),
    )
)

_TRAFFIC = tuple(
    Metric(f"ib.{name}", title, "growth", "packets", sentence, f"PortCountersExtended:{counter}")
    for name, title, sentence, counter in (
        ("multicast_in", "Multicast in", "Multicast packets received.", "PortMulticastRcvPkts"),
        ("multicast_out", "Multicast out", "Multicast packets sent.", "PortMulticastXmitPkts"),
    )
)

_STATES = (
    Metric(
        "ib.port_state",
        "Port state",
        "state",
        "",
        "The port's logical state: only an active port carries data; one that stays in initialize has no "
        "subnet manager.",
        "PortInfo:PortState",
        good=frozenset({"active"}),
    ),
    Metric(
        "ib.link_width",
        "Link width",
        "state",
        "",
        "Degraded when fewer lanes run than both ends support and other links use: reseat or swap the cable.",
        "PortInfo:LinkWidthActive",
        good=frozenset({"full"}),
    ),
    Metric(
        "ib.link_speed",
        "Link speed",
        "state",
        "",
        "Degraded when lanes run slower than both ends support and other links do: reseat or swap the cable.",
        "PortInfo:LinkSpeedActive",
        good=frozenset({"full"}),
    ),
    Metric(
        "ib.cable",
        "Cable",
        "state",
        "",
        "Whether the port is joined as in the cable list: expected, missing, unexpected or swapped.",
        "ibnetdiscover against the cable list",
        good=frozenset({"expected"}),
    ),
    Metric(
        "ib.presence",
        "In the fabric",
        "state",
        "",
        "Whether the last sweep found the device: answered, silent (found, but its counters were not "
        "given) or absent.",
        "ibnetdiscover, ibqueryerrors",
        good=frozenset({"answered"}),
    ),
    Metric(
        "ib.sm_state",
        "Subnet manager",
        "state",
        "",
        "State of the fabric's subnet manager; without a master no link comes up and no cut is healed.",
        "SMInfo:SMState",
        good=frozenset({"master"}),
        states={0: "not_active", 1: "discovering", 2: "standby", 3: "master"},
    ),
)

_FABRIC = (
    Metric(
        "ib.sm_priority",
        "SM priority",
        "level",
        "",
        "Priority of the master subnet manager.",
        "SMInfo:Priority",
    ),
    Metric(
        "ib.nodes", "Nodes", "level", "nodes", "Switches and adapters that the sweep found.", "ibnetdiscover"
    ),
    Metric(
        "ib.cables",
        "Cables",
        "level",
        "cables",
        "Cables that the sweep found, each counted once.",
        "ibnetdiscover",
    ),
    Metric(
        "ib.silent",
        "Silent nodes",
        "level",
        "nodes",
        "Nodes that were found but did not give their counters.",
        "ibqueryerrors",
        error=True,
    ),
    Metric(
        "ib.absent",
        "Absent nodes",
        "level",
        "nodes",
        "Known nodes that the sweep did not find.",
        "ibnetdiscover",
        error=True,
    ),
    Metric(
        "ib.degraded",
        "Degraded links",
        "level",
        "links",
        "Links with fewer or slower lanes than both ends could and most links of their kind do.",
        "iblinkinfo",
        error=True,
    ),
    Metric(
        "ib.could_do_more",
        "Could do more",
        "level",
        "links",
        "Links whose two ends both support more; chips often report more than a cable carries.",
        "iblinkinfo",
    ),
    Metric(
        "ib.cables_wrong",
        "Wrong cables",
        "level",
        "cables",
        "Cables that are missing, unexpected or swapped.",
        "ibnetdiscover against the cable list",
        error=True,
    ),
    Metric(
        "ib.sweep_ms",
        "Sweep",
        "level",
        "ms",
        "Time that the last sweep of the whole fabric took.",
        "the collector",
    ),
)

METRICS: Sequence[Metric] = (
    *_PORT_ERRORS,
    *_RECEIVE_DETAILS,
    *_DISCARD_DETAILS,
    *_TRAFFIC,
    *_STATES,
    *_FABRIC,
)
