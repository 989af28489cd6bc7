"""The clock that a guard counts by: CLOCK_BOOTTIME, which cannot be set and which continues in sleep."""

import time
from pathlib import Path


def now_ns() -> int:
    """Nanoseconds since this boot, time asleep included (clock_gettime(2))."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def boot_id() -> str:
    """Another one after each boot (random(4)); BOOTTIME of two boots cannot be compared."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
