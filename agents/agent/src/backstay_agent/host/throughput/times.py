"""Compact storage of many individual times: a histogram of 32 buckets per octave, accurate to 3 %. Pure.

Ten million blocks would not fit as a list; the minimum, the maximum and the sum are exact.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

_FINE = 5
"""log2 of the buckets per octave."""
_COARSE = 2
"""The same for the reported histogram."""
STALL_US = 35_000
"""A delayed acknowledgement takes at least 40 ms on Linux (TCP_DELACK_MIN), a little less by its jiffies."""


class Times:
    """Times in microseconds."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.number = 0
        self.total = 0
        self.least = 0
        self.most = 0

    def add(self, value_us: int) -> None:
        """Count one."""
        self.counts[bucket(value_us, _FINE)] += 1
        self.least = value_us if not self.number else min(self.least, value_us)
        self.most = max(self.most, value_us)
        self.number += 1
        self.total += value_us

    def merge(self, others: Iterable["Times"]) -> "Times":
        """The sum of these and this one."""
        for other in others:
            if other.number:
                self.least = other.least if not self.number else min(self.least, other.least)
                self.most = max(self.most, other.most)
                self.counts.update(other.counts)
                self.number += other.number
                self.total += other.total
        return self

    def quantile(self, share: float, *, above_us: int = 0) -> int:
        """The time that `share` of those above a bound do not exceed; 0 if there is none."""
        rows = sorted((key, count) for key, count in self.counts.items() if bounds(key, _FINE)[0] >= above_us)
        wanted = share * sum(count for _, count in rows)
        seen = 0
        for key, count in rows:
            seen += count
            if seen >= wanted:
                low, high = bounds(key, _FINE)
                return min(max((low + high - 1) // 2, self.least), self.most)
        return 0

    def stalls(self, unstalled_us: int | None = None) -> tuple[int, int]:
        """(number of times longer than one without a stall by a stall, median of their excess).

        The time without a stall is the minimum, unless a smaller one is known: if every block stalls, the
        quickest did too.
        """
        quickest = self.least if unstalled_us is None else min(self.least, unstalled_us)
        bound = quickest + STALL_US
        number = sum(count for key, count in self.counts.items() if bounds(key, _FINE)[0] >= bound)
        return number, self.quantile(0.5, above_us=bound) - quickest if number else 0

    def reported(self) -> dict[str, Any] | None:
        """In the form of the wire's `Latency`; None if there are no times."""
        if not self.number:
            return None
        coarse: Counter[int] = Counter()
        for key, count in self.counts.items():
            coarse[bucket(bounds(key, _FINE)[0], _COARSE)] += count
        rows = sorted(coarse.items())
        return {
            "least": self.least,
            "mean": self.total / self.number,
            "median": self.quantile(0.5),
            "p90": self.quantile(0.9),
            "p99": self.quantile(0.99),
            "most": self.most,
            "histogram": {
                "below_us": [bounds(key, _COARSE)[1] for key, _ in rows],
                "count": [count for _, count in rows],
            },
        }


def bucket(value: int, fine: int) -> int:
    """Number of the bucket: one per microsecond at first, then 2**fine per octave."""
    if value < 1 << fine:
        return max(0, value)
    octave = value.bit_length() - 1 - fine
    return (octave << fine) + (value >> octave)


def bounds(key: int, fine: int) -> tuple[int, int]:
    """The minimum of a bucket, and that of the next one."""
    octave = max(0, (key >> fine) - 1)
    low = key - (octave << fine)
    return low << octave, (low + 1) << octave
