"""Families `ps32` and `hsg`: HIPPI switch ports (NSCPS32-MIB) and HIPPI-SONET gateways (NSCHippiSonet-MIB).

The MIBs name these objects and their types, but give no unit for counts of time. Descriptions therefore use
shares of the gateway's own clock, not seconds. All counts are INTEGERs of 31 bits.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

_PORT = "1.3.6.1.4.1.10.2.1.4.5.3.1"
_MONITOR = "1.3.6.1.4.1.10.2.1.5.3"

_SWITCH = (
    Metric(
        "ps32.overruns",
        "Overruns",
        "growth",
        "overruns",
        "Data arrived at the port faster than it could be passed on, and some of it was lost.",
        f"ps32PortOverrunCount {_PORT}.7",
        error=True,
    ),
    Metric(
        "ps32.rejects",
        "Rejects",
        "growth",
        "connections",
        "The switch refused connections that this port asked for: the destination was busy and waiting for "
        "it is not allowed, or there is no route to it.",
        f"ps32PortSwitchRejectCount {_PORT}.8",
        error=True,
    ),
    Metric(
        "ps32.campon_delays",
        "Camp-on delays",
        "growth",
        "delays",
        "Connections that this port asked for had to wait for a busy destination: a high share of its "
        "packets means that another connection blocks its destination.",
        f"ps32PortCamponDelayCount {_PORT}.9",
    ),
    Metric(
        "ps32.admin",
        "Switched on",
        "state",
        "",
        "What an operator has set the port to; anything but enable carries no traffic.",
        f"ps32PortAdminStatus {_PORT}.11",
        good=frozenset({"enable"}),
        states={1: "unknown", 2: "enable", 3: "disable", 4: "reset", 5: "test"},
    ),
    Metric(
        "ps32.oper",
        "Port state",
        "state",
        "",
        "Connected: a packet is passing at this moment; operational: the port is ready; in error: it is not.",
        f"ps32PortOperStatus {_PORT}.12",
        good=frozenset({"operational", "connected", "notinstalled"}),
        states={
            1: "unknown",
            2: "notinstalled",
            3: "disabled",
            4: "operational",
            5: "connected",
            6: "intest",
            7: "inerror",
        },
    ),
    Metric(
        "ps32.switch_oper",
        "Switch state",
        "state",
        "",
        "Overall state that the switch reports.",
        "ps32SwitchOperStatus 1.3.6.1.4.1.10.2.1.4.1.6",
        good=frozenset({"operational"}),
        states={
            1: "other",
            2: "invalid",
            3: "testing",
            4: "operational",
            5: "resetInProgress",
            6: "warning",
            7: "nonFatalError",
            8: "fatalError",
            10: "loading",
        },
    ),
)


def _count(name: str, title: str, unit: str, sentence: str, leaf: tuple[str, int], *, error: bool) -> Metric:
    source = f"nscHippiSonetMon{leaf[0]} {_MONITOR}.{leaf[1]}"
    return Metric(f"hsg.{name}", title, "growth", unit, sentence, source, error=error)


_GATEWAY = (
    _count(
        "clock",
        "Clock",
        "ticks",
        "The gateway's own clock: other counts of ticks, divided by it, are shares of time.",
        ("Clock", 1),
        error=False,
    ),
    _count(
        "mf_flow_control",
        "Buffer full",
        "times",
        "The burst buffer filled up and the far gateway was asked to stop: a destination here is blocked "
        "or slower than the line.",
        ("MFFlowControl", 2),
        error=False,
    ),
    _count(
        "dl_flow_control",
        "Stop requests",
        "times",
        "The far gateway's buffer was full, so this one kept its own sources waiting.",
        ("DLFlowControl", 3),
        error=False,
    ),
    _count(
        "bip_errors",
        "Parity errors",
        "errors",
        "Bits arrived wrong over the SONET line.",
        ("BIPErrors", 4),
        error=True,
    ),
    _count(
        "src_busy",
        "Waiting",
        "ticks",
        "Time that packets from the far end waited for a busy destination here; divided by the clock, the "
        "share of time that the destination was blocked when it was wanted.",
        ("SrcBusy", 5),
        error=False,
    ),
    _count(
        "dst_connect_reject",
        "Refused",
        "connections",
        "The gateway refused connections from its LAN: its line is down.",
        ("DstConnectReject", 10),
        error=True,
    ),
    _count(
        "src_connect_fail",
        "Given up",
        "connections",
        "The hold time ran out before a busy destination was free, and everything queued for it was thrown "
        "away: a longer hold time trades this loss for delay.",
        ("SrcConnectFail", 11),
        error=True,
    ),
    _count("lof", "LOF", "times", "A stripe lost its framing.", ("LOF", 12), error=True),
    _count("los", "LOS", "times", "A stripe lost its light.", ("LOS", 13), error=True),
    _count(
        "dst_packets",
        "Taken",
        "packets",
        "Packets taken from the LAN for the far end.",
        ("DstPackets", 15),
        error=False,
    ),
    _count(
        "src_packets",
        "Delivered",
        "packets",
        "Packets from the far end that reached their destination here.",
        ("SrcPackets", 21),
        error=False,
    ),
    _count(
        "dst_llrc",
        "LLRC errors",
        "errors",
        "Bursts from the LAN arrived with a wrong checksum: the HIPPI cable or the source is bad.",
        ("DstLLRC", 17),
        error=True,
    ),
    _count(
        "dst_parity",
        "Parity",
        "errors",
        "Words from the LAN arrived with wrong parity: the HIPPI cable or the source is bad.",
        ("DstPE", 18),
        error=True,
    ),
    Metric(
        "hsg.hold_time",
        "Hold time",
        "level",
        "ticks",
        "How long the gateway retries a busy destination before it throws away what is queued for it; a tick "
        "is 20 µs in the CASA testbed, and 0 means for ever.",
        "nscHippiTimeout 1.3.6.1.4.1.10.2.1.5.6.10",
    ),
)

METRICS: Sequence[Metric] = (*_SWITCH, *_GATEWAY)
