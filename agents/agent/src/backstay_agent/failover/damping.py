"""Flap damping: a gateway that dies repeatedly is used again later each time.

The first failure costs nothing beyond `recover_after`. Each further one that is still remembered keeps the
gateway out of use, while another one is alive, for twice as long as the previous one, five minutes at most.
Two minutes without a failure remove one failure. Times are monotonic nanoseconds. (After RFC 2439, which
damps routes.)
"""

from dataclasses import dataclass

_SECOND = 1_000_000_000
_FORGET_NS = 120 * _SECOND
_MOST_NS = 300 * _SECOND
_MAX_FAILURES = 12
_LEAST_HOLD_S = 1.0


@dataclass(frozen=True, slots=True)
class Damper:
    """The remembered failures of one gateway."""

    failures: int = 0
    last_ns: int = 0
    until_ns: int = 0
    """Until then another gateway is preferred to this one, if one is alive."""

    def died(self, now_ns: int, hold_down_s: float) -> "Damper":
        """Record a failure at `now_ns`, under a policy with this hold-down."""
        failures = min(self.remembered(now_ns) + 1, _MAX_FAILURES)
        return Damper(failures, now_ns, now_ns + hold_ns(failures, hold_down_s))

    def remembered(self, now_ns: int) -> int:
        """Failures that still count."""
        return max(0, self.failures - max(0, now_ns - self.last_ns) // _FORGET_NS)

    def holds(self, now_ns: int) -> bool:
        """Whether it is held down now."""
        return now_ns < self.until_ns


def hold_ns(failures: int, hold_down_s: float) -> int:
    """How long the `failures`-th remembered failure holds a gateway down."""
    if failures <= 1:
        return 0
    base = max(hold_down_s, _LEAST_HOLD_S) * _SECOND
    return min(round(base) << (failures - 1), _MOST_NS)
