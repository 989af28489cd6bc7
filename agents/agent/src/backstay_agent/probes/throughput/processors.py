"""The host's processors during a test, from /proc/stat (proc(5)). Pure except for the reading.

Times are in the kernel's ticks; only shares of a span are computed, so their length does not matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from backstay_wire import MAX_SPANS, HostLoad

STAT = Path("/proc/stat")
_LEAST_TICKS = 20
_USER, _NICE, _SYSTEM, _IDLE, _IOWAIT, _IRQ, _SOFTIRQ, _STEAL = range(8)


@dataclass(frozen=True, slots=True)
class Ticks:
    """One processor, or all together."""

    idle: int
    system: int
    softirq: int
    steal: int
    total: int

    def since(self, before: "Ticks") -> "Shares":
        """Use of the time in between, in percent."""
        whole = self.total - before.total
        if whole <= 0:
            return Shares(0.0, 0.0, 0.0, 0.0)
        part = 100.0 / whole
        return Shares(
            busy=max(0.0, 100.0 - (self.idle - before.idle) * part),
            system=max(0.0, (self.system - before.system) * part),
            softirq=max(0.0, (self.softirq - before.softirq) * part),
            steal=max(0.0, (self.steal - before.steal) * part),
        )


@dataclass(frozen=True, slots=True)
class Shares:
    """Percent of a span."""

    busy: float
    system: float
    softirq: float
    steal: float


@dataclass(frozen=True, slots=True)
class Processors:
    """All of them at one moment."""

    whole: Ticks
    per_core: tuple[Ticks, ...]


def read(path: Path = STAT) -> Processors | None:
    """Current values; None if unknown."""
    try:
        return parse(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def parse(output: str) -> Processors | None:
    """`cpu user nice system idle iowait irq softirq steal guest guest_nice`, then a line for each."""
    rows: dict[str, Ticks] = {}
    for line in output.splitlines():
        name, *values = line.split()
        if name.startswith("cpu") and len(values) > _STEAL:
            # Guests' time is in user and nice already.
            ticks = [int(value) for value in values[: _STEAL + 1]]
            idle, system = ticks[_IDLE] + ticks[_IOWAIT], ticks[_SYSTEM] + ticks[_IRQ]
            rows[name] = Ticks(idle, system, ticks[_SOFTIRQ], ticks[_STEAL], sum(ticks))
    whole = rows.pop("cpu", None)
    return Processors(whole, tuple(rows.values())) if whole and rows else None


def load(readings: Sequence[Processors]) -> HostLoad | None:
    """The load over all readings, about a second apart; None with fewer than two."""
    if len(readings) < 2:
        return None
    first, last = readings[0], readings[-1]
    whole = last.whole.since(first.whole)
    growth = [now.since(before) for before, now in zip(first.per_core, last.per_core, strict=False)]
    steps = [step for step in pairwise(readings) if _long(*step)][:MAX_SPANS]
    return HostLoad(
        cpus=len(last.per_core),
        busy=whole.busy,
        busiest=max(one.busy for one in growth),
        softirq=whole.softirq,
        busiest_softirq=max(one.softirq for one in growth),
        system=whole.system,
        steal=whole.steal,
        busy_spans=[round(now.whole.since(before.whole).busy, 1) for before, now in steps],
        busiest_spans=[round(_busiest(before, now), 1) for before, now in steps],
    )


def _long(before: Processors, now: Processors) -> bool:
    """Whether some ticks of each processor passed: a share of one or two ticks is meaningless."""
    return now.whole.total - before.whole.total >= _LEAST_TICKS * len(now.per_core)


def _busiest(before: Processors, now: Processors) -> float:
    both = zip(before.per_core, now.per_core, strict=False)
    return max((after.since(was).busy for was, after in both), default=0.0)
