"""How wrong a clock is, whether somebody set it, at a reboot or not, and how fast it drifts.

An offset is a clock's reading minus ours at one moment, with a bound of its error: half of the time that
the question took, and the steps in which the clock is told (hrSystemDate of many agents: whole seconds). What
such bounds and the fastest slewing can explain is no step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backstay.core.formatting import duration

TOLERANCE_S = 2.0
"""A clock that moves by less, beyond what the errors explain, was not set."""
FASTEST = 500e-6
"""Kernels slew a clock by at most 500 ppm (adjtimex(2)), and no crystal is off by as much."""
MOST_POINTS = 96
SHORTEST_S = 600.0
"""Offsets of a shorter time say nothing of a rate."""
FEWEST = 3
CRITICAL_S = 300.0
"""Kerberos tickets and the renewal of agents' credentials are refused from here on."""
SKEWED_S = 2.0
"""Beyond this, an agent's times are moved to ours; a device's are never used."""


@dataclass(frozen=True, slots=True)
class Offset:
    """One look at a clock."""

    at: float
    """Seconds since the epoch, by our clock."""
    offset_s: float
    """The clock minus ours."""
    error_s: float
    """The truth is no further away than this."""

    @property
    def certain_s(self) -> float:
        """How far off it is at least."""
        return max(0.0, abs(self.offset_s) - self.error_s)


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds off, at least, from which an incident opens, and below which it ends."""

    raise_s: float = 10.0
    clear_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Rate:
    """How much a clock gains, in microseconds a second, and how far off that may be."""

    ppm: float
    error_ppm: float


def step(before: Offset, after: Offset) -> float | None:
    """By how many seconds the clock was set between two looks; None: nothing says that it was.

    A clock that stands still falls behind as time passes: its drift tells, and not a step each time.
    """
    moved = after.offset_s - before.offset_s
    passed = max(0.0, after.at - before.at)
    errors = before.error_s + after.error_s
    if abs(moved + passed) <= errors:
        return None
    return moved if abs(moved) > TOLERANCE_S + errors + FASTEST * passed else None


def at_reboot(booted_at: float | None, before: float, after: float) -> bool:
    """Whether the machine started between two looks at its clock."""
    return booted_at is not None and before < booted_at <= after


def is_off(look: Offset, limits: Limits, *, firing: bool) -> bool:
    """Whether the clock is certainly off by so much that somebody has to set it."""
    return look.certain_s > (limits.clear_s if firing else limits.raise_s)


def is_skewed(look: Offset) -> bool:
    """Whether its own times would be misleading."""
    return look.certain_s > SKEWED_S


def remembered(points: Sequence[Offset], news: Offset) -> list[Offset]:
    """The past with one more look: when there are too many, every other of the older half is left out."""
    kept = [*points, news]
    if len(kept) > MOST_POINTS:
        middle = len(kept) // 2
        kept = [*kept[:middle:2], *kept[middle:]]
    return kept


def rate(points: Sequence[Offset], since: float | None = None) -> Rate | None:
    """The drift by a line of least squares through the looks after the last step, `since`.

    The bound is what the first and the last look's errors allow. None: too few, or of too short a time.
    """
    reported = [point for point in points if since is None or point.at >= since]
    if len(reported) < FEWEST or reported[-1].at - reported[0].at < SHORTEST_S:
        return None
    at = sum(point.at for point in reported) / len(reported)
    offset = sum(point.offset_s for point in reported) / len(reported)
    spread = sum((point.at - at) ** 2 for point in reported)
    slope = sum((point.at - at) * (point.offset_s - offset) for point in reported) / spread
    error = (reported[0].error_s + reported[-1].error_s) / (reported[-1].at - reported[0].at)
    return Rate(slope * 1e6, error * 1e6)


def behind(offset_s: float) -> str:
    """`31 d behind`, `4 s ahead`."""
    return f"{duration(abs(offset_s))} {'behind' if offset_s < 0 else 'ahead'}"


def reported_step(step_s: float, *, reboot: bool) -> str:
    """`clock went back 31 d at its reboot`."""
    direction = "back" if step_s < 0 else "ahead"
    return f"clock went {direction} {duration(abs(step_s))}" + (" at its reboot" if reboot else "")


def chip(look: Offset) -> str:
    """What a list says of a clock; empty when it is right as far as anybody can tell."""
    return f"clock {behind(look.offset_s)}" if is_skewed(look) else ""
