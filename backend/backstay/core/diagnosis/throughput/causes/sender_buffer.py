"""Sender-buffer-limited: a small socket buffer, one write per round trip, or a fixed cost per write."""

from __future__ import annotations

from backstay.core.diagnosis.throughput.causes.delayed_ack import period_of
from backstay.core.diagnosis.throughput.facts import NEAR, Facts
from backstay.core.diagnosis.throughput.robust_statistics import LinearFit, relative_line
from backstay.core.formatting import byte_size, interval, rate, share
from backstay.core.model.throughput import Cell, Verdict, VerdictEvidence

_MORE = 1.18
"""Minimum gain of a larger buffer with the same streams."""
_ERROR = 0.15
_COST = 0.4
"""Minimum share of a write's time that is not transfer."""
_FULL = 0.9


def sender_buffer(facts: Facts) -> Verdict | None:
    """Not if the medium is full."""
    if (facts.used or 0) >= NEAR:
        return None
    return _socket(facts) or _round_trip(facts) or _cost(facts)


def _socket(facts: Facts) -> Verdict | None:
    """The socket buffer holds unacknowledged data and is smaller than the window."""
    buffer, rtt = facts.set.send_buffer, facts.idle_rtt
    if not buffer or not rtt or (facts.window and facts.window <= buffer):
        return None
    carries = 8 * buffer / rtt
    if not 0.7 <= facts.per_stream / carries <= 1.15:
        return None
    text = f"{byte_size(buffer)} of socket buffer / {interval(rtt)} = {rate(carries)} per stream"
    needed = (facts.available or 0) * rtt / 8
    fill = f" {byte_size(needed)} would fill the medium." if needed else ""
    return Verdict(
        "sender_buffer",
        "high",
        f"Sender-buffer-limited: {text}.",
        f"Give the sender a larger socket buffer (SO_SNDBUF).{fill}",
        (VerdictEvidence(f"{text}; {rate(facts.per_stream)} was measured."),),
        {"rate": facts.rate, "per_stream": facts.per_stream, "rtt": rtt, "window_needed": needed},
    )


def _round_trip(facts: Facts) -> Verdict | None:
    """Request and acknowledge: one write per round trip."""
    rtt, written = facts.rtt, facts.set.buffer
    if facts.set.load != "blocks" or not rtt or not written or facts.per_stream <= 0:
        return None
    carried = facts.medium.stream_rate or facts.available
    expected = rtt + (8 * written / carried if carried else 0.0)
    took = 8 * written / facts.per_stream
    if not 0.85 <= took / expected <= 1.25 or rtt < _COST * took:
        return None
    is_certain = 0.9 <= took / expected <= 1.1 and (facts.set.no_delay or period_of(took) is None)
    text = f"one write of {byte_size(written)} every {interval(took)}; the round trip is {interval(rtt)}"
    return Verdict(
        "sender_buffer",
        "high" if is_certain and facts.idle_rtt and carried else "medium",
        f"Sender-buffer-limited: {text}.",
        "Write more at a time, or send before the acknowledgement arrives (more streams, read-ahead).",
        (VerdictEvidence(f"{text[0].upper()}{text[1:]}."),),
        {"rate": facts.rate, "rtt": rtt, "wait": took, "writes_per_second": 1 / took},
    )


def _cost(facts: Facts) -> Verdict | None:
    """T(B) = s + B/R over the buffers, and the same streams carry more with a larger buffer."""
    own, larger = (
        facts.set.buffer,
        [rate for at, rate in facts.over("buffer") if at > (facts.set.buffer or 0)],
    )
    if not own or not larger or max(larger) < _MORE * facts.rate:
        return None
    line = _line(facts)
    if line is None or line.error > _ERROR or line.slope <= 0 or line.intercept <= 0:
        return None
    cost = line.intercept / (line.intercept + line.slope * own)
    if cost < _COST:
        return None
    needed = _FULL / (1 - _FULL) * line.intercept / line.slope
    text = f"each write costs {interval(line.intercept)} plus {interval(line.slope * own)} of transfer"
    return Verdict(
        "sender_buffer",
        "high" if line.error < 0.05 and _processors_idle(facts) and facts.set.load == "stream" else "medium",
        f"Sender-buffer-limited: with {byte_size(own)} {text}.",
        f"Write {byte_size(needed)} at a time: then 90 % of the time is transfer.",
        (
            VerdictEvidence(
                f"A write takes {interval(line.intercept)} + B / {rate(8 / line.slope)} over the buffers, "
                f"within {line.error:.0%}."
            ),
            VerdictEvidence(f"With a larger buffer the same streams carry up to {rate(max(larger))}."),
            VerdictEvidence(f"{share(cost)} of a write's time is not transfer."),
        ),
        {
            "rate": facts.rate,
            "write_cost": line.intercept,
            "ceiling": 8 / line.slope,
            "buffer_needed": needed,
        },
    )


def _line(facts: Facts) -> LinearFit | None:
    """Write time over buffers, for the fewest streams measured with at least three buffers."""
    return facts.matrix.once("time of a write", facts.cell, ("streams", "buffer"), _line_of)


def _line_of(alike: list[Cell]) -> LinearFit | None:
    for streams in sorted({one.parameters.streams for one in alike}):
        found = [
            (float(one.parameters.buffer), 8 * one.parameters.buffer * streams / one.measured.rate)
            for one in alike
            if one.parameters.streams == streams
            and one.parameters.buffer
            and one.measured
            and one.measured.rate > 0
        ]
        if len({at for at, _ in found}) >= 3:
            return relative_line(found)
    return None


def _processors_idle(facts: Facts) -> bool:
    return bool(facts.busiest) and all(one.busy / one.cores < NEAR for one in facts.measured.cpu)
