"""Clock offset, steps (at a reboot or not) and drift rate.

An offset is a clock's reading minus the server's at one moment. Its error bound is half of the request's
round-trip time plus the resolution of the reported clock (hrSystemDate of many agents: whole seconds). A
change that the error bounds and the fastest slewing can explain is not a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backstay.core.formatting import duration

TOLERANCE_S = 2.0
"""A smaller change, beyond the error bounds, is not a step."""
FASTEST = 500e-6
"""Kernels slew a clock by at most 500 ppm (adjtimex(2)); no crystal is off by that much."""
MOST_POINTS = 96
SHORTEST_S = 600.0
"""Offsets over a shorter time do not give a rate."""
FEWEST = 3
CRITICAL_S = 300.0
"""Kerberos and the renewal of agent credentials fail from this offset on."""
SKEWED_S = 2.0
"""Beyond this offset, times from an agent are corrected to the server's clock. Times from a device are never
used.
"""


@dataclass(frozen=True, slots=True)
class Offset:
    """One reading of a clock."""

    at: float
    """Seconds since the epoch, by the server's clock."""
    offset_s: float
    """The clock minus the server's clock."""
    error_s: float
    """Bound of the error."""

    @property
    def certain_s(self) -> float:
        """Lower bound of the absolute offset."""
        return max(0.0, abs(self.offset_s) - self.error_s)


@dataclass(frozen=True, slots=True)
class OffsetLimits:
    """Offsets, in seconds, at which an incident opens and below which it clears."""

    raise_s: float = 10.0
    clear_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Rate:
    """Drift in microseconds a second, with its error bound."""

    ppm: float
    error_ppm: float


def step(before: Offset, after: Offset) -> float | None:
    """Seconds by which the clock was stepped between two readings; None if no step is certain.

    A stopped clock falls behind as time passes: that is drift, not a step at each reading.
    """
    moved = after.offset_s - before.offset_s
    passed = max(0.0, after.at - before.at)
    errors = before.error_s + after.error_s
    if abs(moved + passed) <= errors:
        return None
    return moved if abs(moved) > TOLERANCE_S + errors + FASTEST * passed else None


def at_reboot(booted_at: float | None, before: float, after: float) -> bool:
    """Whether the machine booted between two readings of its clock."""
    return booted_at is not None and before < booted_at <= after


def is_off(look: Offset, limits: OffsetLimits, *, firing: bool) -> bool:
    """Whether the offset certainly exceeds the limit."""
    return look.certain_s > (limits.clear_s if firing else limits.raise_s)


def is_skewed(look: Offset) -> bool:
    """Whether the offset makes the clock's own timestamps misleading."""
    return look.certain_s > SKEWED_S


def remembered(points: Sequence[Offset], news: Offset) -> list[Offset]:
    """Append a reading. Above `MOST_POINTS`, every other reading of the older half is dropped."""
    kept = [*points, news]
    if len(kept) > MOST_POINTS:
        middle = len(kept) // 2
        kept = [*kept[:middle:2], *kept[middle:]]
    return kept


def rate(points: Sequence[Offset], since: float | None = None) -> Rate | None:
    """Drift from a least-squares line through the readings after the last step, `since`.

    The error bound follows from the errors of the first and the last reading. None if there are too few
    readings or they span too short a time.
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
    """Short label for lists; empty if the clock is in sync within its error."""
    return f"clock {behind(look.offset_s)}" if is_skewed(look) else ""
