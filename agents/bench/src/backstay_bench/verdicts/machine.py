"""The machine that all emulated hosts share: the bench gets priority, and measures how busy it is."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from backstay_bench.verdicts.processors import work_ns

FIRST = -15
"""Nice value."""


@dataclass(frozen=True, slots=True)
class Work:
    """Processor time of the whole machine, and of this program with its children, ns."""

    whole: int
    idle: int
    interrupts: int
    own: int

    @classmethod
    def now(cls) -> Self:
        """Up to now (proc(5), /proc/stat)."""
        row = list(map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]))
        tick = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
        own = work_ns({os.getpid()})
        return cls(sum(row) * tick, (row[3] + row[4]) * tick, (row[5] + row[6]) * tick, own)

    def others(self, later: Self) -> float:
        """Others' share of all processors between the two, 0 to 1."""
        whole = max(later.whole - self.whole, 1)
        idle, interrupts = later.idle - self.idle, later.interrupts - self.interrupts
        return max(0.0, 1 - (idle + interrupts + later.own - self.own) / whole)


def go_first() -> None:
    """Raise our priority, and the session's where autogroups are enabled (sched(7))."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(FIRST))
