"""Parses iperf3's `--json` (iperf3(1); releases 3.0 to 3.22; the format has no published schema).

Pure. A failed run is a result too, with a typed error; only a text that is not an iperf3 document raises.
"""

from collections.abc import Mapping

from backstay_agent.parsers import text
from backstay_agent.parsers.iperf3_values import (
    Asked,
    Connection,
    Cpu,
    Extremes,
    Failure,
    Interval,
    Result,
    Span,
    Stream,
    Totals,
    Trouble,
)
from backstay_agent.parsers.json_object import JsonObject, ShapeError, load

_FAILURES: Mapping[str, Failure] = {
    "connection refused": "refused",
    "server is busy": "busy",
    "access denied": "busy",
    "no route to host": "unreachable",
    "network is unreachable": "unreachable",
    "connection timed out": "unreachable",
    "operation now in progress": "unreachable",
    "name or service not known": "unreachable",
    "authorization failed": "denied",
    "interrupt - ": "stopped",
    "has terminated": "peer ended",
    "closed unexpectedly": "lost",
    "unexpectedly closed": "lost",
    "connection reset": "lost",
    "broken pipe": "lost",
    "idle timeout": "lost",
    "unable to read from": "lost",
    "unable to write to": "lost",
    "unable to receive": "lost",
    "unable to send": "lost",
    "invalid": "setting",
    "unable to set": "setting",
    "buffer size": "setting",
    "not supported": "setting",
    "address already in use": "in use",
    "cannot assign requested address": "setting",
    "unable to start listener": "setting",
    "required bandwidth is larger": "setting",
}
"""Parts of iperf3's error messages (iperf_error.c, strerror(3)), the more specific ones first. Only the end
that was terminated writes `interrupt - `."""
_NEVER_STARTED: Mapping[str, Failure] = {
    "unable to send control message: bad file descriptor": "refused",
    "unable to send control message: connection reset by peer": "busy",
    "unable to send control message: broken pipe": "busy",
}
"""Messages of release 3.9 before a test: it reports the closing of its socket instead of the reason. Without
a socket, the connection was refused or there is no route; a busy server closes the connection at once."""


class Iperf3Error(ValueError):
    """The text is not an iperf3 document: empty, cut off, or of another program."""


def result(output: str) -> tuple[Result, list[str]]:
    """The run, and the paths of unknown values. Raises Iperf3Error."""
    if not output.strip():
        raise Iperf3Error("empty: iperf3 was stopped before it could write its result")
    try:
        document = load(output)
        if not isinstance(document, dict) or not ("start" in document or "error" in document):
            raise Iperf3Error("it has neither a start nor an error")
        whole = JsonObject(document)
        return _result(whole), [text.text(place) for place in whole.rest()]
    except ShapeError as error:
        raise Iperf3Error(text.text(str(error))) from error


def _result(whole: JsonObject) -> Result:
    start = whole.part("start") or JsonObject({})
    end = whole.part("end") or JsonObject({})
    remote = whole.part("server_output_json")
    whole.skip("server_output_text", "title", "extra_data")
    start.skip("cookie", "connecting_to", "accepted_connection", "title", "extra_data")
    cpu = end.part("cpu_utilization_percent")
    connections = tuple(_connection(one) for one in start.parts("connected"))
    return Result(
        version=text.text(start.text("version")).removeprefix("iperf ").strip(),
        system=text.text(start.text("system_info")),
        started_s=_started(start),
        asked=_asked(start, len(connections)),
        connections=connections,
        intervals=tuple(_interval(one) for one in whole.parts("intervals")),
        streams=tuple(_stream(one) for one in end.parts("streams")),
        forward=_totals(end, ""),
        reverse=_totals(end, "_bidir_reverse"),
        cpu=_cpu(cpu, "host"),
        remote_cpu=_cpu(cpu, "remote"),
        congestion=_congestion(end),
        trouble=trouble(whole.text("error"), has_started=bool(connections)),
        remote=_result(remote) if remote is not None else None,
    )


def trouble(message: str, *, has_started: bool = True) -> Trouble | None:
    """An error message of iperf3 with its failure; None if empty.

    `has_started`: the ends agreed on a test.
    """
    if not message:
        return None
    lower = message.lower()
    marks = _FAILURES if has_started else {**_NEVER_STARTED, **_FAILURES}
    known = (failure for mark, failure in marks.items() if mark in lower)
    return Trouble(next(known, "other"), text.text(message.removeprefix("error - ")))


def _started(start: JsonObject) -> int | None:
    moment = start.part("timestamp")
    if moment is None:
        return None
    moment.skip("time", "timemillisecs")
    return moment.maybe("timesecs")


def _asked(start: JsonObject, connections: int) -> Asked | None:
    segment, default = start.maybe("tcp_mss"), start.maybe("tcp_mss_default")
    wanted, sent, received = (start.maybe(key) for key in ("sock_bufsize", "sndbuf_actual", "rcvbuf_actual"))
    target = start.number("target_bitrate", 0)
    start.skip("fq_rate")
    test = start.part("test_start")
    if test is None:
        return None
    test.skip("fqrate", "interval", "gso", "gro")
    streams, bidirectional = test.whole("num_streams"), test.flag("bidir")
    if bidirectional is None:
        # Releases before 3.17 do not report it: there are two connections per stream.
        bidirectional = connections == 2 * streams > 0
    return Asked(
        protocol=text.name(test.text("protocol")),
        streams=streams,
        block=test.whole("blksize"),
        duration_s=test.number("duration", 0),
        omit_s=test.number("omit", 0),
        octets=test.whole("bytes", 0),
        blocks=test.whole("blocks", 0),
        reverse=bool(test.flag("reverse")),
        bidirectional=bidirectional,
        tos=test.whole("tos", 0),
        target_bits_per_second=test.number("target_bitrate", target),
        segment=segment or default,
        buffer_wanted=wanted,
        send_buffer=sent,
        receive_buffer=received,
    )


def _connection(one: JsonObject) -> Connection:
    return Connection(
        socket=one.whole("socket"),
        local=(text.name(one.text("local_host")), one.whole("local_port")),
        remote=(text.name(one.text("remote_host")), one.whole("remote_port")),
    )


def _interval(one: JsonObject) -> Interval:
    total, reverse = one.part("sum"), one.part("sum_bidir_reverse")
    return Interval(
        streams=tuple(_span(stream) for stream in one.parts("streams")),
        total=_span(total) if total is not None else None,
        reverse_total=_span(reverse) if reverse is not None else None,
    )


def _stream(one: JsonObject) -> Stream:
    if (datagrams := one.part("udp")) is not None:
        return Stream(_span(datagrams), None, None)
    sender, receiver = one.part("sender"), one.part("receiver")
    if sender is None:
        raise ShapeError("a stream without a sender")
    return Stream(
        sent=_span(sender),
        received=_span(receiver) if receiver is not None else None,
        extremes=_extremes(sender),
    )


def _extremes(sender: JsonObject) -> Extremes | None:
    least, mean, most = (sender.maybe(key) for key in ("min_rtt", "mean_rtt", "max_rtt"))
    window, offered = sender.maybe("max_snd_cwnd"), sender.maybe("max_snd_wnd")
    if window is None and most is None:
        return None
    # A pure receiver writes zeros.
    measured = (least, mean, most) if least and mean and most else None
    return Extremes(window or None, offered or None, measured)


def _totals(end: JsonObject, suffix: str) -> Totals:
    """Releases before 3.7 have one sum for UDP: the sent octets with the receiver's losses."""
    both, sent, received = (end.part(f"{name}{suffix}") for name in ("sum", "sum_sent", "sum_received"))
    one = both if sent is None else sent
    if both is not None and sent is not None:
        _span(both)
    return Totals(
        sent=_span(one) if one is not None else None,
        received=_span(received) if received is not None else None,
    )


def _span(one: JsonObject) -> Span:
    # `reorder` (3.22) is the kernel's setting of a socket (tcpi_reordering), not a count.
    one.skip("seconds", "lost_percent", "reorder")
    jitter = one.number("jitter_ms") / 1000 if "jitter_ms" in one else None
    return Span(
        socket=one.maybe("socket"),
        start_s=one.number("start"),
        end_s=one.number("end"),
        octets=one.whole("bytes"),
        bits_per_second=one.number("bits_per_second"),
        sending=one.flag("sender"),
        omitted=bool(one.flag("omitted")),
        retransmits=one.maybe("retransmits"),
        congestion_window=one.maybe("snd_cwnd"),
        send_window=one.maybe("snd_wnd"),
        rtt_us=one.maybe("rtt"),
        rtt_variation_us=one.maybe("rttvar"),
        path_mtu=one.maybe("pmtu"),
        packets=one.maybe("packets"),
        lost=one.maybe("lost_packets"),
        out_of_order=one.maybe("out_of_order"),
        jitter_s=jitter,
    )


def _cpu(used: JsonObject | None, which: str) -> Cpu | None:
    if used is None or f"{which}_total" not in used:
        return None
    return Cpu(*(used.number(f"{which}_{part}") for part in ("total", "user", "system")))


def _congestion(end: JsonObject) -> tuple[str, str] | None:
    sender = text.name(end.text("sender_tcp_congestion"))
    receiver = text.name(end.text("receiver_tcp_congestion"))
    return (sender, receiver) if sender != "?" else None
