"""Deadlines of periodic jobs: pure arithmetic on monotonic nanoseconds.

Deadlines are `base + k * period`, so a late run does not shift later ones (no drift). Deadlines that passed
meanwhile are skipped (no pile-up): the gap is visible in the samples.
"""

from zlib import crc32

SECOND = 1_000_000_000
REPEAT_NS = 60 * SECOND
"""What does not change is reported again after this time, paths and BFD sessions excepted."""
UNREST_NS = 60 * SECOND
"""After an event no report waits for this long: it may be evidence about a fault."""


def phase(key: str, period_ns: int) -> int:
    """A stable offset in [0, period) for `key`: spreads jobs with the same period over it."""
    return crc32(key.encode()) * period_ns >> 32


def first_run(now_ns: int, period_ns: int, phase_ns: int) -> int:
    """The first deadline at or after `now_ns` on the grid of `period_ns` shifted by `phase_ns`."""
    behind = (now_ns - phase_ns) % period_ns
    return now_ns if behind == 0 else now_ns + period_ns - behind


def next_run(previous_ns: int, now_ns: int, period_ns: int) -> tuple[int, int]:
    """(next deadline after now, number of deadlines skipped) after the run of `previous_ns`."""
    missed = max(0, (now_ns - previous_ns) // period_ns)
    return previous_ns + (missed + 1) * period_ns, missed
