"""Delayed-ACK stall: a write waits for an acknowledgement that a timer delays; rate = streams x buffer x f.

Nagle's algorithm (RFC 896) holds the last short segment of a write until all previous segments are
acknowledged, and the receiver delays that acknowledgement (RFC 1122, 4.2.3.2). Each such write takes one
period of the timer.
"""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import Facts
from backstay.core.diagnosis.throughput.matrix import Matrix
from backstay.core.formatting import byte_size, interval, per_second, rate, share
from backstay.core.model.throughput import Cell, Confidence, Verdict, VerdictEvidence

_REMEDY = (
    "Turn Nagle's algorithm off (TCP_NODELAY) or delayed acknowledgements (TCP_QUICKACK), "
    "or pass message and tail in one write."
)
_SAME = 0.06
_WAITING = 0.4
"""Minimum share of waiting time from which stalls are the limit."""


def delayed_ack(facts: Facts) -> Verdict | None:
    """Every write stalls, or stalls of some writes take most of the time."""
    if not facts.set.buffer or facts.rate <= 0:
        return None
    return _every(facts) or _some(facts)


def _per_write(cell: Cell) -> float:
    assert cell.measured is not None
    per_stream = cell.measured.rate / cell.parameters.streams
    return 8 * (cell.parameters.buffer or 0) / per_stream if per_stream > 0 else 0.0


def _every(facts: Facts) -> Verdict | None:
    took = _per_write(facts.cell)
    period = _timer(facts, took)
    if period is None or not _constant(facts, took):
        return None
    evidence: list[VerdictEvidence] = []
    seen, law, short = _seen(facts, period), _law(facts), _round_trip(facts) < 0.5 * period
    if seen:
        evidence.append(VerdictEvidence(seen))
    if law:
        evidence.append(VerdictEvidence(law))
    if short:
        evidence.append(
            VerdictEvidence(
                f"The round trip is {interval(_round_trip(facts))}, so it does not explain the wait."
            )
        )
    confidence = _sureness(facts, bool(seen), bool(law), short)
    if confidence is None:
        return None
    streams, written = facts.set.streams, facts.set.buffer or 0
    numbers = {"rate": facts.rate, "writes_per_second": 1 / took, "wait": period, "share_stalled": 1.0}
    return Verdict(
        "delayed_ack",
        confidence,
        f"Delayed-ACK stall: {streams} x {byte_size(written)} x {per_second(1 / took, 'writes')} = "
        f"{rate(facts.rate)}; every write waits {interval(period)} ({PERIODS[period]}).",
        _REMEDY,
        tuple(evidence),
        numbers,
    )


def _timer(facts: Facts, took: float) -> float | None:
    """The timer period within a write's time. The write's time also contains two round trips: one for the
    segments sent at once, whose acknowledgement the timer delays, and one for the rest.
    """
    idle = facts.idle_rtt or 0.0
    for trips in (2, 1):
        period = period_of(took - trips * idle)
        if period and idle < period and _seen(facts, period):
            return period
    return period_of(took)


def _sureness(facts: Facts, seen: bool, law: bool, short: bool) -> Confidence | None:
    prevented = facts.set.no_delay or facts.set.quick_ack
    if (prevented or (facts.idle_rtt and not short)) and not seen:
        return None
    if seen:
        return "medium" if prevented or not short else "high"
    if law:
        slow = (facts.loaded_rtt or 0.0) >= 0.5 * _per_write(facts.cell)
        return "high" if short else "low" if slow else "medium"
    return "medium" if facts.set.load == "blocks" and short else None


def _constant(facts: Facts, took: float) -> bool:
    """Whether a write takes as long with fewer streams; true for a timer, false for a queue."""
    written = 8 * (facts.set.buffer or 0)
    fewer = [(at, one) for at, one in facts.over("streams") if at < facts.set.streams and one > 0]
    return all(at * written / one >= 0.85 * took for at, one in fewer)


def _seen(facts: Facts, period: float) -> str:
    stalls = facts.measured.stalls
    if stalls is None or stalls.count < 0.5 * stalls.out_of:
        return ""
    if period not in {period_of(stalls.typical_s), period_of(stalls.typical_s - (facts.idle_rtt or 0.0))}:
        return ""
    return f"{stalls.count} of {stalls.out_of} writes waited {interval(stalls.typical_s)}."


def _law(facts: Facts) -> str:
    """Evidence that the number of writes per second is the same with other buffers."""
    own = _per_write(facts.cell)
    alike = facts.matrix.per_buffer(facts.cell)
    buffers = sorted(
        one.parameters.buffer
        for one in alike
        if one.parameters.buffer
        and abs(_per_write(one) - own) <= _SAME * own
        and _constant(Facts(one, facts.matrix), _per_write(one))
    )
    if not buffers or buffers[-1] < 2 * buffers[0]:
        return ""
    return (
        f"{per_second(1 / own, 'writes')} per stream with {byte_size(buffers[0])} as with"
        f" {byte_size(buffers[-1])}: rate = streams x buffer x constant."
    )


def _round_trip(facts: Facts) -> float:
    """The idle round trip, or the shortest write of the run, which contains one.

    Not the round trip under load: TCP's own estimate contains the ACK delay.
    """
    if facts.idle_rtt:
        return facts.idle_rtt
    varying = ("streams", "buffer", "no_delay", "quick_ack")
    return facts.matrix.once("minimum time of a write", facts.cell, varying, _least)


def _least(cells: list[Cell]) -> float:
    return min((took for one in cells if (took := _per_write(one)) > 0), default=float("inf"))


def _some(facts: Facts) -> Verdict | None:
    """Excess over the transfer time, as a share of writes that wait one period."""
    if facts.set.no_delay or facts.set.quick_ack or facts.set.load != "blocks":
        return None
    period, seen = _period_of_run(facts)
    carried = _plain(facts)
    if period is None or not carried:
        return None
    took, moving = _per_write(facts.cell), 8 * (facts.set.buffer or 0) / carried
    waiting = took - moving - (facts.idle_rtt or 0.0)
    stalled = waiting / period
    if not 0 < stalled <= 1.2 or waiting / took < _WAITING:
        return None
    size = byte_size(facts.set.buffer or 0)
    text = f"a write of {size} takes {interval(took)} instead of {interval(moving)}"
    return Verdict(
        "delayed_ack",
        "medium" if seen or stalled >= 0.5 else "low",
        f"Delayed-ACK stall in part: {text}; {share(min(stalled, 1.0))} of writes waiting {interval(period)} "
        "explain it.",
        _REMEDY,
        (
            VerdictEvidence(f"In this run other buffers stall {interval(period)} on every write."),
            VerdictEvidence(f"{share(waiting / took)} of the time is waiting."),
        ),
        {
            "rate": facts.rate,
            "writes_per_second": 1 / took,
            "wait": period,
            "share_stalled": min(stalled, 1.0),
        },
    )


def _plain(facts: Facts) -> float | None:
    """Bit/s of a stream without waits: of a single stream, or an equal share of the medium."""
    alone, part = facts.medium.stream_rate, facts.available
    known = [one for one in (alone, part / facts.set.streams if part else None) if one]
    return min(known, default=None)


def _period_of_run(facts: Facts) -> tuple[float | None, bool]:
    """The timer that stalls every write with other buffers or in this cell, and whether it was seen here."""
    stalls = facts.measured.stalls
    if stalls and stalls.count and (seen := period_of(stalls.typical_s)):
        return seen, True
    other = facts.matrix.once(
        "stalling", facts.cell, ("streams", "buffer"), lambda some: _stalling(facts.matrix, some)
    )
    return other, False


def _stalling(matrix: Matrix, cells: list[Cell]) -> float | None:
    """The timer of the first cell in which every write stalls."""
    for one in cells:
        other = Facts(one, matrix)
        found = period_of(_per_write(one))
        constant = found and _law(other) and _constant(other, _per_write(one))
        if found and constant and _round_trip(other) < 0.5 * found:
            return found
    return None


PERIODS: dict[float, str] = {
    0.04: "Linux's shortest",
    0.1: "Solaris's",
    0.2: "BSD's fast timer",
    0.5: "the longest that RFC 1122 allows",
}
"""ACK delays, s."""


def period_of(seconds: float) -> float | None:
    """The timer that matches a time per write including its transfer."""
    return next((one for one in PERIODS if 0.9 * one <= seconds <= 1.25 * one), None)
