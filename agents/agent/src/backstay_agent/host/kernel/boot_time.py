"""The clock that a guard counts by: CLOCK_BOOTTIME, which cannot be set and which continues in sleep."""

import os
import time
from pathlib import Path

_KERNEL = "/proc/sys/kernel/random/boot_id"
FILE_VARIABLE = "BACKSTAY_BOOT_ID_FILE"
"""Names a file that holds the boot's id, for a node of a lab: all share one kernel, each reboots alone."""


def now_ns() -> int:
    """Nanoseconds since this boot, time asleep included (clock_gettime(2))."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def boot_id() -> str:
    """Another one after each boot (random(4)); BOOTTIME of two boots cannot be compared."""
    return Path(os.environ.get(FILE_VARIABLE) or _KERNEL).read_text(encoding="ascii").strip()
