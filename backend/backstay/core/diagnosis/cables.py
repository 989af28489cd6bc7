"""Which InfiniBand cables to swap, and why: errors are judged as rates over 12 and over 125 minutes.

An InfiniBand link may have one wrong bit in 10^12 (IBTA volume 2, "bit error ratio"). What that allows
depends on the link's rate and on how long it was watched: at 10 Gb/s 7 symbol errors in 12 minutes and 75 in
125. The short window shows a cable that goes bad now, the long one a cable that is a little bad all the time;
what fills only the short one is watched, because the burst of a restart does that too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.formatting import count

SHORT_S = 12 * 60.0
LONG_S = 125 * 60.0
WORST_BER = 1e-12
LEAST_ERRORS = 3
"""Fewer than these in a window are chance at any rate."""
RETRAINED = 3
"""Recoveries or failures of a link within the long window that are no accident any more."""

Action = Literal["recable", "swap", "watch"]
ACTIONS: tuple[Action, ...] = ("recable", "swap", "watch")
"""From the most pressing: a cable in the wrong port, a bad cable, one to keep an eye on."""


@dataclass(frozen=True, slots=True)
class Grown:
    """What a counter grew by within the two windows."""

    short: float
    long: float


@dataclass(frozen=True, slots=True)
class PortHealth:
    """One port: errors within both windows, and the words of its states."""

    name: str
    """`node:port`."""
    rate: int
    """Signalling rate, bit/s; 0 unknown."""
    short_s: float
    """Seconds of the short window in which its counters were watched."""
    long_s: float
    grown: Mapping[str, Grown] = field(default_factory=dict)
    """By metric."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Metric -> word of a state."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done about one cable, with every reason."""

    action: Action
    reasons: tuple[str, ...]


def allowed(rate: int, seconds: float) -> float:
    """Symbol errors that a good link may show in a time at a rate."""
    return max(rate * seconds * WORST_BER, float(LEAST_ERRORS))


def judge(ends: Iterable[PortHealth]) -> Verdict | None:
    """What is wrong with the cable that has these ends; None when nothing is."""
    found = [reported for end in ends for reported in _complaints(end)]
    if not found:
        return None
    worst = min((action for action, _ in found), key=ACTIONS.index)
    ordered = sorted(found, key=lambda reported: ACTIONS.index(reported[0]))
    return Verdict(worst, tuple(dict.fromkeys(reason for _, reason in ordered)))


Complaint = tuple[Action, str]


def _complaints(end: PortHealth) -> list[Complaint]:
    return [*_wrong(end), *_slow(end), *_symbols(end), *_retrained(end), *_marginal(end)]


def _wrong(end: PortHealth) -> list[Complaint]:
    state = end.labels.get("ib.cable", "expected")
    return [] if state == "expected" else [("recable", f"{end.name}: the cable is {state}")]


def _slow(end: PortHealth) -> list[Complaint]:
    return [
        ("swap", f"{end.name} runs below the {what} of both its ends")
        for metric, what in (("ib.link_width", "width"), ("ib.link_speed", "speed"))
        if end.labels.get(metric) == "degraded"
    ]


def _symbols(end: PortHealth) -> list[Complaint]:
    grown = end.grown.get("ib.symbol_errors", Grown(0, 0))
    lasting, recent = allowed(end.rate, end.long_s), allowed(end.rate, end.short_s)
    if grown.long > lasting:
        errors = count(round(grown.long), "symbol error")
        return [("swap", f"{end.name}: {errors} in {_minutes(end.long_s)}, {lasting:.0f} allowed")]
    if grown.short > recent:
        errors = count(round(grown.short), "symbol error")
        return [("watch", f"{end.name}: {errors} in {_minutes(end.short_s)}, {recent:.0f} allowed")]
    return []


def _retrained(end: PortHealth) -> list[Complaint]:
    found: list[Complaint] = []
    for metric, what in (("ib.link_error_recovery", "recovered"), ("ib.link_downed", "went down")):
        times = round(end.grown.get(metric, Grown(0, 0)).long)
        if times:
            action: Action = "swap" if times >= RETRAINED else "watch"
            often = count(times, "time")
            found.append((action, f"{end.name}: the link {what} {often} in {_minutes(end.long_s)}"))
    return found


def _marginal(end: PortHealth) -> list[Complaint]:
    grown = end.grown.get("ib.local_link_integrity_errors", Grown(0, 0))
    if not grown.long:
        return []
    return [("swap", f"{end.name}: physical errors came faster than the port bears")]


def _minutes(seconds: float) -> str:
    return f"{max(round(seconds / 60), 1)} min"
