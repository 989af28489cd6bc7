"""Window-limited: one window per round trip; rate per stream = W / RTT (RFC 7323, 1.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from backstay.core.diagnosis.throughput.facts import NEAR, Facts, cpu_share
from backstay.core.diagnosis.throughput.queueing import closed_rate, streams_for
from backstay.core.diagnosis.throughput.robust_statistics import exponent
from backstay.core.diagnosis.throughput.series import CONSTANT, PROPORTIONAL, growth
from backstay.core.formatting import byte_size, count, interval, rate, share
from backstay.core.model.throughput import Confidence, Verdict, VerdictEvidence

_FITS = (0.7, 1.4)
"""Ratio of rate to the windows' rate by mean value analysis.

The ratio may exceed 1, because a system may give a larger window than requested (socket(7): Linux doubles
it).
"""
_SET = 1.15
"""Above this ratio the reported window is wrong."""
_AS_ASKED = 0.05
_SURELY, _BLIND = 0.8, 0.9
"""Minimum ratio for a high-confidence verdict, if no loss was counted and if loss is unknown."""
_BENDING = 1.5
"""Windows that together exceed the medium by up to this factor stay below it because of queueing."""
_FLAT = 0.20
"""Buffers whose rates are within this relative distance from the median have no effect."""
_INFLATED = 1.3
_NEARLY = (0.6, 1.5)
"""Allowed ratio of derived to measured round trip."""
_REMEDY = "Let both ends use larger windows (window scaling, RFC 7323; socket buffers)."


@dataclass(frozen=True, slots=True)
class _Fit:
    """The round trip that explains the rate, with its confidence."""

    rtt: float
    confidence: Confidence
    evidence: tuple[VerdictEvidence, ...]
    alone: float
    """Bit/s of a single stream."""
    idle: float | None = None
    """The idle round trip, if this one is far longer."""
    window: int | None = None
    """Outstanding bytes, if not the peer's offer."""


def window_limited(facts: Facts) -> Verdict | None:
    """By a known round trip, by the pattern over windows, or by the pattern over buffers and streams."""
    window = facts.window
    if not window or (facts.used or 0) >= NEAR or facts.rate <= 0 or not _streams(facts, window):
        return None
    laws = (_by_rtt, _over_windows, _over_buffers, _by_loaded_rtt)
    fit = next((one for law in laws if (one := law(facts, window))), None)
    return _verdict(facts, fit.window or window, fit) if fit else None


def _streams(facts: Facts, window: int) -> bool:
    """Whether the window can bind; a blocking program has at most one write outstanding."""
    load, written = facts.set.load, facts.set.buffer
    return load in {"stream", "file"} or (load == "blocks" and bool(written) and (written or 0) > window)


def _by_rtt(facts: Facts, window: int) -> _Fit | None:
    """One window per idle round trip plus the transmission time of a full segment."""
    idle = facts.idle_rtt
    if idle is None:
        return None
    rtt = idle + _on_the_medium_s(facts)
    asked = facts.set.window or window
    # A system that gives twice the requested size may not use all of it: whole segments, bookkeeping.
    used = min((window, min(asked, window)), key=lambda item: _far(facts, item, rtt))
    part = _part(facts, used, rtt)
    if part is None:
        return _inflated(facts, window, idle, facts.loaded_rtt)
    lost = (VerdictEvidence("Segments were retransmitted.", False),) if facts.measured.retransmits else ()
    against = (*_unmoved(facts), *lost)
    within = facts.set.streams * facts.direction_count * 8 * used / rtt <= (facts.available or math.inf)
    least = _SURELY if facts.loss is not None else _BLIND
    is_certain = least <= part <= _SET and within and not against
    evidence = (_window_evidence(facts, used, rtt), *against)
    return _Fit(rtt, "high" if is_certain else "medium", evidence, 8 * used / rtt, window=used)


def _far(facts: Facts, window: int, rtt: float) -> float:
    return abs(math.log(facts.rate / _carried(facts, window, rtt)))


def _on_the_medium_s(facts: Facts) -> float:
    """Transmission time of a full segment, which a small echo does not include."""
    per_direction = (facts.available or 0.0) / facts.direction_count
    return 8 * facts.mss / per_direction if facts.mss and per_direction else 0.0


def _by_loaded_rtt(facts: Facts, window: int) -> _Fit | None:
    """One window per loaded round trip, if more streams carry more: a queue also fills windows."""
    loaded = facts.loaded_rtt
    if facts.idle_rtt or loaded is None or _part(facts, window, loaded) is None:
        return None
    grown = growth(facts.over_streams())
    if grown is not None and grown < CONSTANT:
        return None
    evidence = (
        _window_evidence(facts, window, loaded),
        *_unmoved(facts),
        VerdictEvidence("The idle round trip was not measured: a queue elsewhere fills windows too.", False),
    )
    return _Fit(loaded, "medium" if grown and grown >= PROPORTIONAL else "low", evidence, facts.per_stream)


def _part(facts: Facts, window: int, rtt: float) -> float | None:
    """Ratio of rate to the windows' rate at a round trip; None if the windows do not bind."""
    together = facts.set.streams * facts.direction_count * 8 * window / rtt
    room = (facts.available or together) * (_BENDING if facts.set.streams > 1 else 1.0)
    part = facts.rate / _carried(facts, window, rtt)
    return part if _FITS[0] <= part <= _FITS[1] and together <= room else None


def _window_evidence(facts: Facts, window: int, rtt: float) -> VerdictEvidence:
    law = f"{byte_size(window)} / {interval(rtt)} = {rate(8 * window / rtt)} per stream"
    asked = facts.set.window
    given = f" {byte_size(asked)} was requested." if asked and abs(window / asked - 1) > _AS_ASKED else ""
    return VerdictEvidence(f"{law}; {rate(facts.per_stream)} was measured.{given}")


def _inflated(facts: Facts, window: int, idle: float | None, loaded: float | None) -> _Fit | None:
    """The window is full and nothing is lost, but the round trip is far longer than when idle."""
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
            VerdictEvidence(f"The window of {byte_size(window)} is full and no segment is lost."),
            VerdictEvidence(f"Its round trip is {interval(rtt)}; the idle round trip is {interval(idle)}."),
            VerdictEvidence("Reduce the delay on the path; a larger window only hides it.", False),
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
    is_certain = len(series) > 2 and grown >= 0.93 and not facts.measured.retransmits
    rtt = 8 * window / facts.per_stream
    text = f"Rate grows with the window: {rate(nearest[0][1])} at {byte_size(nearest[0][0])}, "
    text += f"{rate(nearest[-1][1])} at {byte_size(nearest[-1][0])}."
    if facts.set.streams > 1 and (alone := facts.single()):
        rtt = 8 * window / alone
    return _Fit(rtt, "high" if is_certain else "medium", (VerdictEvidence(text),), facts.per_stream)


def _unmoved(facts: Facts) -> tuple[VerdictEvidence, ...]:
    """Counter-evidence: a larger window carried the same."""
    series = facts.over("window", "send_buffer")
    larger = [one for one in series if one[0] >= 1.5 * (facts.set.window or 0)]
    if larger and larger[0][1] < 1.15 * facts.rate:
        return (VerdictEvidence(f"A window of {byte_size(larger[0][0])} carried no more.", False),)
    return ()


def _over_buffers(facts: Facts, window: int) -> _Fit | None:
    """A single stream carries the same with every buffer, and more streams carry more: W / X is the round
    trip.
    """
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
        VerdictEvidence(
            f"One stream carries {rate(middle)} with {byte_size(min(near))} as with {byte_size(max(near))}, "
            "so the buffer is not the limit."
        ),
        VerdictEvidence(
            f"{int(more[0][0])} streams carry {rate(more[0][1])}, so the medium is not the limit."
        ),
        *_unlike(facts),
    )
    return _Fit(rtt, "medium" if any(not one.supports for one in evidence) else "high", evidence, alone)


def _unlike(facts: Facts) -> tuple[VerdictEvidence, VerdictEvidence]:
    """Other limits of a single stream: a full processor per stream, and random loss."""
    cpu, lost = facts.measured.cpu, facts.loss
    if not cpu:
        busy = VerdictEvidence(
            "Processors were not measured: a full one for each stream has the same effect.", False
        )
    elif all(cpu_share(one) < 0.8 for one in cpu):
        busy = VerdictEvidence("No processor is busy.")
    else:
        busy = VerdictEvidence("A processor is busy.", False)
    if lost is None:
        return busy, VerdictEvidence("Retransmits were not measured: random loss has the same effect.", False)
    return busy, VerdictEvidence("Nothing was retransmitted.") if lost == 0 else VerdictEvidence(
        "Segments were lost.", False
    )


def _carried(facts: Facts, window: int, rtt: float) -> float:
    """Combined rate of the streams' windows, with the available rate shared per direction."""
    direction_count, alone = facts.direction_count, 8 * window / rtt
    if not facts.available:
        return facts.set.streams * direction_count * alone
    return direction_count * closed_rate(facts.set.streams, window, rtt, facts.available / direction_count)


def _verdict(facts: Facts, window: int, fit: _Fit) -> Verdict:
    text = f"Window-limited: {byte_size(window)} / {interval(fit.rtt)} = {rate(fit.alone)} per stream."
    numbers = {"rate": facts.rate, "per_stream": fit.alone, "window": float(window), "rtt": fit.rtt}
    available = facts.available
    if fit.idle:
        text += f" The idle round trip is {interval(fit.idle)}: the delay under load is the limit."
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
