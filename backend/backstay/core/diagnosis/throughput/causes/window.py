"""One window a round trip: rate a stream = W / RTT (RFC 7323, 1.1), whatever the medium."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.facts import NEAR, Facts, cpu_share
from backstay.core.diagnosis.throughput.fits import exponent
from backstay.core.diagnosis.throughput.queueing import closed_rate, streams_for
from backstay.core.diagnosis.throughput.series import CONSTANT, PROPORTIONAL, growth
from backstay.core.formatting import byte_size, count, interval, rate, share
from backstay.core.model.throughput import Confidence, Evidence, Verdict

_FITS = (0.7, 1.4)
"""Rate over what the windows would carry by mean value analysis.

More than all of it, since a system may give a larger window than was asked for (socket(7): Linux doubles it).
"""
_SET = 1.15
"""Above this much of it the window is not the one that was told."""
_AS_ASKED = 0.05
_SURELY, _BLIND = 0.8, 0.9
"""Least share of it for a sure verdict, with losses known to be none and not known."""
_BENDING = 1.5
"""Windows that together could do up to this many times the medium bend below it by queueing."""
_FLAT = 0.20
"""Buffers whose rates lie this near their median do not matter."""
_INFLATED = 1.3
_NEARLY = (0.6, 1.5)
"""A round trip that is derived over one that was measured."""
_REMEDY = "Let both ends use larger windows (window scaling, RFC 7323; socket buffers)."


@dataclass(frozen=True, slots=True)
class _Fit:
    """The round trip that explains the rate, and how sure it is."""

    rtt: float
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    alone: float
    """Bit/s of one stream alone."""
    idle: float | None = None
    """The idle round trip where this one is far longer."""
    window: int | None = None
    """What is out at a time, where it is not what the peer offered."""


def window_limited(facts: Facts) -> Verdict | None:
    """By a known round trip; by the pattern over windows; by that over buffers and streams."""
    window = facts.window
    if not window or (facts.used or 0) >= NEAR or facts.rate <= 0 or not _streams(facts, window):
        return None
    laws = (_by_rtt, _over_windows, _over_buffers, _by_loaded_rtt)
    fit = next((one for law in laws if (one := law(facts, window))), None)
    return _verdict(facts, fit.window or window, fit) if fit else None


def _streams(facts: Facts, window: int) -> bool:
    """Whether a window can bind: a program that waits for each write's answer has no more than that out."""
    load, written = facts.set.load, facts.set.buffer
    return load in {"stream", "file"} or (load == "blocks" and bool(written) and (written or 0) > window)


def _by_rtt(facts: Facts, window: int) -> _Fit | None:
    """One window an idle round trip, with the time that a full segment takes on the medium."""
    idle = facts.idle_rtt
    if idle is None:
        return None
    rtt = idle + _on_the_medium_s(facts)
    asked = facts.set.window or window
    # A system that gives twice what is asked for may not use it: whole segments, its own bookkeeping.
    used = min((window, min(asked, window)), key=lambda item: _far(facts, item, rtt))
    part = _part(facts, used, rtt)
    if part is None:
        return _inflated(facts, window, idle, facts.loaded_rtt)
    lost = (Evidence("Segments were retransmitted.", False),) if facts.measured.retransmits else ()
    against = (*_unmoved(facts), *lost)
    within = facts.set.streams * facts.direction_count * 8 * used / rtt <= (facts.available or math.inf)
    least = _SURELY if facts.loss is not None else _BLIND
    surely = least <= part <= _SET and within and not against
    evidence = (_window_evidence(facts, used, rtt), *against)
    return _Fit(rtt, "high" if surely else "medium", evidence, 8 * used / rtt, window=used)


def _far(facts: Facts, window: int, rtt: float) -> float:
    return abs(math.log(facts.rate / _carried(facts, window, rtt)))


def _on_the_medium_s(facts: Facts) -> float:
    """What an echo of few octets does not tell of: a full segment takes so long to be sent."""
    per_direction = (facts.available or 0.0) / facts.direction_count
    return 8 * facts.mss / per_direction if facts.mss and per_direction else 0.0


def _by_loaded_rtt(facts: Facts, window: int) -> _Fit | None:
    """One window a busy round trip: only if more streams carry more, for a queue fills windows too."""
    loaded = facts.loaded_rtt
    if facts.idle_rtt or loaded is None or _part(facts, window, loaded) is None:
        return None
    grown = growth(facts.over_streams())
    if grown is not None and grown < CONSTANT:
        return None
    evidence = (
        _window_evidence(facts, window, loaded),
        *_unmoved(facts),
        Evidence("The idle round trip was not measured: a queue elsewhere fills windows too.", False),
    )
    return _Fit(loaded, "medium" if grown and grown >= PROPORTIONAL else "low", evidence, facts.per_stream)


def _part(facts: Facts, window: int, rtt: float) -> float | None:
    """Rate over what the windows would carry at a round trip; None where they are not what binds."""
    together = facts.set.streams * facts.direction_count * 8 * window / rtt
    room = (facts.available or together) * (_BENDING if facts.set.streams > 1 else 1.0)
    part = facts.rate / _carried(facts, window, rtt)
    return part if _FITS[0] <= part <= _FITS[1] and together <= room else None


def _window_evidence(facts: Facts, window: int, rtt: float) -> Evidence:
    law = f"{byte_size(window)} / {interval(rtt)} = {rate(8 * window / rtt)} a stream"
    asked = facts.set.window
    given = f" {byte_size(asked)} were asked for." if asked and abs(window / asked - 1) > _AS_ASKED else ""
    return Evidence(f"{law}; {rate(facts.per_stream)} came.{given}")


def _inflated(facts: Facts, window: int, idle: float | None, loaded: float | None) -> _Fit | None:
    """The window is full and nothing is lost, yet it takes far longer to come round than when idle."""
    filled = (facts.measured.cwnd or 0) >= 0.9 * window and facts.measured.retransmits == 0
    rtt = 8 * window / facts.per_stream
    seen = [one for one in (loaded, facts.measured.rtt_s) if one is not None]
    fits = any(0.8 <= one / rtt <= 1.25 for one in seen) if seen else filled
    if idle is None or rtt < _INFLATED * idle or not fits or (facts.used or 1.0) > 0.6:
        return None
    return _Fit(
        rtt,
        "medium",
        (
            Evidence(f"The window of {byte_size(window)} is full and no segment is lost."),
            Evidence(f"Its round trip is {interval(rtt)}; the idle path takes {interval(idle)}."),
            Evidence("Reduce the delay on the path; a larger window only hides it.", False),
        ),
        facts.per_stream,
        idle,
    )


def _over_windows(facts: Facts, window: int) -> _Fit | None:
    """Rate proportional to the window."""
    series = facts.over("window", "send_buffer")
    if len(series) < 2 or series[-1][0] < 1.5 * series[0][0]:
        return None
    below = [point for point in series if point[0] <= (facts.set.window or window)]
    nearest = below[-2:] if len(below) > 1 else series[:2]
    grown = exponent(nearest[0], nearest[-1])
    if grown < 0.8:
        return None
    surely = len(series) > 2 and grown >= 0.93 and not facts.measured.retransmits
    rtt = 8 * window / facts.per_stream
    text = f"Rate grows with the window: {rate(nearest[0][1])} at {byte_size(nearest[0][0])}, "
    text += f"{rate(nearest[-1][1])} at {byte_size(nearest[-1][0])}."
    if facts.set.streams > 1 and (alone := facts.single()):
        rtt = 8 * window / alone
    return _Fit(rtt, "high" if surely else "medium", (Evidence(text),), facts.per_stream)


def _unmoved(facts: Facts) -> tuple[Evidence, ...]:
    """Against: another window carried the same."""
    series = facts.over("window", "send_buffer")
    larger = [one for one in series if one[0] >= 1.5 * (facts.set.window or 0)]
    if larger and larger[0][1] < 1.15 * facts.rate:
        return (Evidence(f"A window of {byte_size(larger[0][0])} carried no more.", False),)
    return ()


def _over_buffers(facts: Facts, window: int) -> _Fit | None:
    """One stream carries the same with every buffer, and more carry more: then W / X is the round trip."""
    alone, tried = facts.single(), facts.singles()
    singles = {buffer: one for buffer, one in tried.items() if buffer and one}
    if alone is None or len(singles) < 3 or max(singles) < 4 * min(singles) or facts.idle_rtt:
        return None
    middle = median(singles.values())
    near = [at for at, one in singles.items() if abs(one - middle) <= _FLAT * middle]
    if len(near) < 0.8 * len(singles) or abs(alone - middle) > _FLAT * middle or _unmoved(facts):
        return None
    series = facts.over_streams()
    more = [(at, one) for at, one in series if at > 1]
    if not more or more[0][1] < 1.4 * alone:
        return None
    rtt = 8 * window / alone
    if facts.loaded_rtt and not _NEARLY[0] <= rtt / facts.loaded_rtt <= _NEARLY[1]:
        return None
    evidence = (
        Evidence(
            f"One stream carries {rate(middle)} with {byte_size(min(near))} as with {byte_size(max(near))}, "
            "so it is not the buffer."
        ),
        Evidence(f"{int(more[0][0])} streams carry {rate(more[0][1])}, so it is not the medium."),
        *_unlike(facts),
    )
    return _Fit(rtt, "medium" if any(not one.supports for one in evidence) else "high", evidence, alone)


def _unlike(facts: Facts) -> tuple[Evidence, Evidence]:
    """What else holds each stream alone: a processor for each, and loss at random."""
    cpu, lost = facts.measured.cpu, facts.loss
    if not cpu:
        busy = Evidence("Processors were not measured: a full one for each stream looks the same.", False)
    elif all(cpu_share(one) < 0.8 for one in cpu):
        busy = Evidence("No processor is busy.")
    else:
        busy = Evidence("A processor is busy.", False)
    if lost is None:
        return busy, Evidence("Retransmits were not measured: random loss looks the same.", False)
    return busy, Evidence("Nothing was retransmitted.") if lost == 0 else Evidence(
        "Segments were lost.", False
    )


def _carried(facts: Facts, window: int, rtt: float) -> float:
    """What the streams' windows carry together when those of a direction share what it has."""
    direction_count, alone = facts.direction_count, 8 * window / rtt
    if not facts.available:
        return facts.set.streams * direction_count * alone
    return direction_count * closed_rate(facts.set.streams, window, rtt, facts.available / direction_count)


def _verdict(facts: Facts, window: int, fit: _Fit) -> Verdict:
    text = f"Window-limited: {byte_size(window)} / {interval(fit.rtt)} = {rate(fit.alone)} a stream."
    numbers = {"rate": facts.rate, "per_stream": fit.alone, "window": float(window), "rtt": fit.rtt}
    available = facts.available
    if fit.idle:
        text += f" The idle path takes {interval(fit.idle)}: the delay under load is the limit."
        remedy = (
            "Find the delay on the path or its return: queues, a busy destination, delayed acknowledgements."
        )
        return Verdict("window_limited", fit.confidence, text, remedy, fit.evidence, numbers)
    if not available:
        return Verdict("window_limited", fit.confidence, text, _REMEDY, fit.evidence, numbers)
    per_direction = available / facts.direction_count
    needed, streams = per_direction * fit.rtt / 8, streams_for(NEAR, window, fit.rtt, per_direction)
    numbers |= {"window_needed": needed, "streams_needed": float(streams), "usable": available}
    return Verdict(
        "window_limited",
        fit.confidence,
        f"{text} A window of {byte_size(needed)} would fill the medium.",
        f"{_REMEDY} {count(streams, 'stream')} of {byte_size(window)} would reach {share(NEAR)} of it.",
        fit.evidence,
        numbers,
    )
