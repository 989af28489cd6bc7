"""Converts one iperf3 document to the wire's result: each value's direction and end. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from backstay_agent.parsers.iperf3_values import Extremes, Interval, Result, Span, Stream, Totals
from backstay_wire import (
    MAX_SPANS,
    MAX_STREAMS,
    Flow,
    Role,
    RoundTrip,
    Spans,
    StreamResult,
    TransferResult,
)

_STUB_S = 0.1
"""A remainder this short after the last whole second gives no usable rate."""


def transfer(found: Result, role: Role) -> TransferResult | None:
    """The result; None if the ends never transferred anything."""
    asked, client = found.asked, role is Role.CLIENT
    flows_by_side = _flows(found, client=client)
    if asked is None or not flows_by_side:
        return None
    return TransferResult(
        **flows_by_side,
        mss=asked.segment or None,
        path_mtu=_path_mtu(found),
        send_buffer=asked.send_buffer,
        receive_buffer=asked.receive_buffer,
        congestion=found.congestion[0] if found.congestion else "",
        program_cpu=_positive(found.cpu.total) if found.cpu else None,
        # A server prints nothing about its client.
        peer_cpu=_positive(found.remote_cpu.total) if found.remote_cpu and client else None,
    )


def _flows(found: Result, *, client: bool) -> dict[str, Flow]:
    """`forward` and `reverse`, if the test had them."""
    if found.asked is None:
        return {}
    # By its position in the document: a datagram server's statement of the sender is not reliable.
    if found.asked.bidirectional:
        sums = {"forward": (found.forward, client), "reverse": (found.reverse, not client)}
    else:
        back = found.asked.reverse
        sums = {"reverse" if back else "forward": (found.forward, back is not client)}
    both = len(sums) > 1
    flows = {name: _flow(found, totals, _Side(sending, both)) for name, (totals, sending) in sums.items()}
    return {name: flow for name, flow in flows.items() if flow is not None}


@dataclass(frozen=True, slots=True)
class _Side:
    """One direction, seen from the reporting end."""

    sending: bool
    both: bool
    """The other direction exists too, and each value names its direction."""

    def has(self, span: Span) -> bool:
        return not self.both or span.sending is None or span.sending is self.sending


def _flow(found: Result, totals: Totals, direction: _Side) -> Flow | None:
    sent, received = totals.sent, totals.received
    if sent is None:
        return None
    # The receiver's count is correct, but the end that aborted never learnt the other's.
    counted = received if received is not None and received.octets else sent
    streams = [one for one in found.streams if direction.has(one.sent)]
    return Flow(
        octets=counted.octets,
        seconds=max(0.0, counted.end_s - counted.start_s),
        rate=_positive(counted.bits_per_second),
        sent=sent.bits_per_second if sent.octets else None,
        retransmits=sent.retransmits,
        packets=counted.packets,
        lost=counted.lost,
        out_of_order=_out_of_order(streams) if counted.packets is not None else None,
        jitter_us=counted.jitter_s * 1e6 if counted.jitter_s is not None else None,
        streams=[_stream(one) for one in streams][:MAX_STREAMS],
        spans=_spans(found.intervals, direction),
    )


def _out_of_order(streams: Sequence[Stream]) -> int | None:
    return _sum([one.sent.out_of_order for one in streams])


def _stream(one: Stream) -> StreamResult:
    extremes = one.extremes or Extremes(None, None, None)
    trip = extremes.rtt_us
    return StreamResult(
        sent=_positive(one.sent.bits_per_second) if one.sent.octets else None,
        received=_positive(one.received.bits_per_second) if one.received and one.received.octets else None,
        retransmits=one.sent.retransmits,
        round_trip=RoundTrip(least=trip[0], mean=trip[1], most=trip[2]) if trip else None,
        window=extremes.most_congestion_window,
        offered=extremes.most_send_window,
    )


def _spans(intervals: Sequence[Interval], direction: _Side) -> Spans:
    rows: list[tuple[Span, list[Span]]] = []
    for one in intervals:
        total = next((item for item in (one.total, one.reverse_total) if item and direction.has(item)), None)
        if total is not None and not total.omitted and (not rows or total.end_s - total.start_s > _STUB_S):
            rows.append((total, [stream for stream in one.streams if direction.has(stream)]))
    rows = rows[:MAX_SPANS]
    return Spans(
        start_ms=[round(total.start_s * 1000) for total, _ in rows],
        rate=[_positive(total.bits_per_second) for total, _ in rows],
        retransmits=_column([total.retransmits for total, _ in rows]),
        rtt_us=_column([_mean([stream.rtt_us for stream in streams]) for _, streams in rows]),
        window=_column([_sum([stream.congestion_window for stream in streams]) for _, streams in rows]),
        packets=_column([total.packets for total, _ in rows]),
        lost=_column([total.lost for total, _ in rows]),
    )


def _column(values: Sequence[int | None]) -> list[int] | None:
    """A column that is present in every row."""
    known = [value for value in values if value is not None]
    return known if known and len(known) == len(values) else None


def _mean(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value]
    return round(fmean(known)) if known else None


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _path_mtu(found: Result) -> int | None:
    path_mtus = [span.path_mtu for one in found.intervals for span in one.streams if span.path_mtu]
    return min(path_mtus, default=None)


def _positive(value: float) -> float:
    """iperf3's differences of clock readings are sometimes slightly negative."""
    return max(0.0, value)
