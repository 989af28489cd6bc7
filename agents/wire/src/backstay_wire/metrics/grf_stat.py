"""Family `grf.`, continued: a GigaRouter's `grstat` counters of a port. `grf` holds the MIB's metrics."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric


def _layer2(name: str, title: str, sentence: str, row: str) -> Metric:
    return Metric(f"grf.{name}", title, "growth", "events", sentence, f"grstat -a l2: {row}", error=True)


def _packets(name: str, title: str, sentence: str, row: str) -> Metric:
    return Metric(f"grf.{name}", title, "growth", "packets", sentence, f"grstat: ipstat, {row}")


def _drop(name: str, title: str, sentence: str, reason: str) -> Metric:
    return Metric(
        f"grf.{name}", title, "growth", "packets", sentence, f"grstat: ipdrop, {reason}", error=True
    )


METRICS: Sequence[Metric] = (
    _layer2(
        "fifo_full",
        "FIFO full",
        "The card's queue was full: it sends slower than the switch fills it.",
        "FIFO full",
    ),
    _layer2(
        "line_down",
        "Line down",
        "The port's line was lost: check the cable and the other end.",
        "Line down",
    ),
    _packets(
        "ip_dropped",
        "IP dropped",
        "Packets that the port did not forward; other metrics count the reasons.",
        "packets dropped",
    ),
    _packets(
        "ip_by_card",
        "Handled by card",
        "Packets that the card's processor had to answer itself: many of them slow the card down.",
        "packets handled by the card",
    ),
    _drop(
        "drop_port_down",
        "Received while down",
        "Packets came in on a port that is configured down.",
        "packet received on down interface",
    ),
    _drop("drop_checksum", "Bad checksum", "IP headers arrived damaged.", "bad header checksum"),
    _drop(
        "drop_no_route",
        "No route",
        "There was no route to the destination: check gated.",
        "no route to destination address",
    ),
    _drop(
        "drop_destination_down",
        "Output port down",
        "The port towards the destination was down.",
        "destination interface is down",
    ),
    _drop(
        "drop_ttl", "TTL expired", "Packets exceeded their hop limit: usually a routing loop.", "TTL expired"
    ),
    _drop(
        "drop_dont_fragment",
        "Too large",
        "Packets exceeded the MTU of the output port and must not be fragmented: MTUs differ.",
        "needed to frag packet but DF set",
    ),
    _drop(
        "drop_by_table",
        "Dropped by rule",
        "The routing table says to drop this destination.",
        "route table says to drop dest addr",
    ),
    _drop(
        "drop_echo_port_down",
        "Echo to a down port",
        "A port of the router that is down was pinged.",
        "local interface is down for ICMP ECHO",
    ),
    _drop(
        "drop_echo_no_route",
        "No return route",
        "There was no route back to the host that pinged the router.",
        "no route back for reply to ICMP ECHO",
    ),
    _drop(
        "drop_control_board",
        "Control board",
        "Packets would have had to pass through the control board, which forwards none.",
        "can't forward to/through control board",
    ),
    Metric(
        "grf.icmp_errors",
        "ICMP errors",
        "growth",
        "messages",
        "ICMP messages that the port could not handle.",
        "grstat: icmperr",
        error=True,
    ),
    Metric(
        "grf.icmp_received",
        "ICMP received",
        "growth",
        "messages",
        "ICMP messages to the router itself, such as pings and error reports.",
        "grstat: icmpin",
    ),
    Metric(
        "grf.icmp_sent",
        "ICMP sent",
        "growth",
        "messages",
        "ICMP messages of the router: answers, and complaints about packets it dropped.",
        "grstat: icmpout",
    ),
)
