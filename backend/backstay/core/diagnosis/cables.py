"""InfiniBand cables to swap, and why: error rates over 12 and over 125 minutes.

An InfiniBand link may have one bit error in 10^12 bits (IBTA volume 2, "bit error ratio"). The number of
errors allowed depends on the link's rate and on the observation time: at 10 Gb/s it is 7 symbol errors in 12
minutes and 75 in 125. The short window shows a cable that fails now, the long one a cable with a low constant
error rate. Errors that exceed only the short window's limit mean "watch", because a restart causes such
bursts too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.formatting import count

SHORT_S = 12 * 60.0
LONG_S = 125 * 60.0
BITS = 1e12
"""Bits in which a good link has one error at most."""

COUNTED = (
    "ib.symbol_errors",
    "ib.link_error_recovery",
    "ib.link_downed",
    "ib.local_link_integrity_errors",
)
"""Counters that a verdict depends on."""

Action = Literal["recable", "swap", "watch"]
ACTIONS: tuple[Action, ...] = ("recable", "swap", "watch")
"""Most urgent first: a cable in the wrong port, a bad cable, a cable to watch."""


@dataclass(frozen=True, slots=True)
class CableLimits:
    """Errors that a good cable may have: the rule `cable` makes them settings."""

    bit_errors: float = 1.0
    """In `BITS` bits."""
    least: float = 3.0
    """Fewer errors than this in a window are random at any rate."""
    retrained: float = 3.0
    """Recoveries or failures of a link within the long window that are no longer random."""


STANDARD = CableLimits()


@dataclass(frozen=True, slots=True)
class Grown:
    """Growth of a counter within the two windows."""

    short: float
    long: float


@dataclass(frozen=True, slots=True)
class PortHealth:
    """Errors and states of one port."""

    name: str
    """`node:port`."""
    rate: int
    """Signalling rate, bit/s; 0 unknown."""
    short_s: float
    """Seconds of the short window for which counters exist."""
    long_s: float
    grown: Mapping[str, Grown] = field(default_factory=dict)
    """By metric."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Metric -> state."""


@dataclass(frozen=True, slots=True)
class CableAdvice:
    """Recommended action for one cable, with all reasons."""

    action: Action
    reasons: tuple[str, ...]


def allowed(rate: int, seconds: float, limits: CableLimits = STANDARD) -> float:
    """Symbol errors that a good link may have at `rate` bit/s within `seconds`."""
    return max(rate * seconds * limits.bit_errors / BITS, limits.least)


def judge(ends: Iterable[PortHealth], limits: CableLimits = STANDARD) -> CableAdvice | None:
    """The verdict on the cable with these ends; None if it is good."""
    found = [reported for end in ends for reported in _complaints(end, limits)]
    if not found:
        return None
    worst = min((action for action, _ in found), key=ACTIONS.index)
    ordered = sorted(found, key=lambda reported: ACTIONS.index(reported[0]))
    return CableAdvice(worst, tuple(dict.fromkeys(reason for _, reason in ordered)))


Complaint = tuple[Action, str]


def _complaints(end: PortHealth, limits: CableLimits) -> list[Complaint]:
    counted = [*_symbols(end, limits), *_retrained(end, limits), *_marginal(end)]
    return [*_wrong(end), *_slow(end), *counted]


def _wrong(end: PortHealth) -> list[Complaint]:
    state = end.labels.get("ib.cable", "expected")
    return [] if state == "expected" else [("recable", f"{end.name}: the cable is {state}")]


def _slow(end: PortHealth) -> list[Complaint]:
    return [
        ("swap", f"{end.name} runs below the {what} of both its ends")
        for metric, what in (("ib.link_width", "width"), ("ib.link_speed", "speed"))
        if end.labels.get(metric) == "degraded"
    ]


def _symbols(end: PortHealth, limits: CableLimits) -> list[Complaint]:
    grown = end.grown.get("ib.symbol_errors", Grown(0, 0))
    lasting, recent = allowed(end.rate, end.long_s, limits), allowed(end.rate, end.short_s, limits)
    if grown.long > lasting:
        errors = count(round(grown.long), "symbol error")
        return [("swap", f"{end.name}: {errors} in {_minutes(end.long_s)}, {lasting:.0f} allowed")]
    if grown.short > recent:
        errors = count(round(grown.short), "symbol error")
        return [("watch", f"{end.name}: {errors} in {_minutes(end.short_s)}, {recent:.0f} allowed")]
    return []


def _retrained(end: PortHealth, limits: CableLimits) -> list[Complaint]:
    found: list[Complaint] = []
    for metric, what in (("ib.link_error_recovery", "recovered"), ("ib.link_downed", "went down")):
        times = round(end.grown.get(metric, Grown(0, 0)).long)
        if times:
            action: Action = "swap" if times >= limits.retrained else "watch"
            often = count(times, "time")
            found.append((action, f"{end.name}: the link {what} {often} in {_minutes(end.long_s)}"))
    return found


def _marginal(end: PortHealth) -> list[Complaint]:
    grown = end.grown.get("ib.local_link_integrity_errors", Grown(0, 0))
    if not grown.long:
        return []
    return [("swap", f"{end.name}: physical errors exceeded the port's limit")]


def _minutes(seconds: float) -> str:
    return f"{max(round(seconds / 60), 1)} min"
