"""Port counters of this host: read each second, reported each interval with the peak second in it."""

from dataclasses import dataclass, field
from typing import Protocol

from backstay_agent.collectors.base import Ran
from backstay_agent.collectors.deltas import Span, port_growth
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.collectors.samples import PortRow, port_samples
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel.port_statistics import Counters
from backstay_agent.report_sink import ReportSink
from backstay_wire import NO_VALUE, CollectorOutcome

_SECOND_NS = 1_000_000_000
_SHORTEST_NS = _SECOND_NS // 2
"""A span shorter than this is not extrapolated to a peak: a late tick is followed by a short one."""


class CounterSource(Protocol):
    """Source of counters (host/kernel/netlink.py)."""

    def counters(self) -> dict[int, Counters]:
        """Counters of every port by interface index."""


@dataclass(slots=True)
class _Reading:
    at_ns: int
    ports: dict[int, Counters]


@dataclass(slots=True)
class _Interval:
    """The current, incomplete interval."""

    start: _Reading
    peaks: dict[int, tuple[int, int]] = field(default_factory=dict)


class LinuxCounters:
    """Collector `linux` of this host."""

    name = "linux"

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        source: CounterSource,
        kernel: KernelState,
        clock: Clock,
        emit: ReportSink,
    ) -> None:
        self.device = device
        self._ticks = max(1, round(interval_s))
        self.interval_s = interval_s / self._ticks
        """Between two readings: a second, or the whole interval if that is shorter."""
        self.limit_s = 5.0
        self._source = source
        self._kernel = kernel
        self._clock = clock
        self._emit = emit
        self._interval: _Interval | None = None
        self._last: _Reading | None = None

    async def start(self) -> None:
        """Make sure that the ports' names are known."""
        await self._kernel.start()

    async def stop(self) -> None:
        """Nothing to undo; the incomplete interval is not reported."""

    async def collect(self) -> Ran:
        """Read once; at the end of an interval, report it."""
        now = _Reading(self._clock.monotonic_ns(), self._source.counters())
        if self._interval is None or self._last is None:
            self._interval = _Interval(now)
        else:
            self._note_peaks(self._last, now)
            # By the clock, not by counting runs: a skipped run must not stretch every interval.
            length = self._ticks * self.interval_s * _SECOND_NS
            if now.at_ns - self._interval.start.at_ns >= length - self.interval_s * _SECOND_NS / 2:
                self._report(self._interval, now)
                self._interval = _Interval(now)
        self._last = now
        if not self._kernel.links:
            return Ran(CollectorOutcome.NO_DATA, "this host has no port besides loopback")
        return Ran()

    def _note_peaks(self, last: _Reading, now: _Reading) -> None:
        """Octets in the second just past; a late reading counts as its mean second."""
        assert self._interval is not None
        elapsed = now.at_ns - last.at_ns
        if elapsed < _SHORTEST_NS:
            return
        scale = max(_SECOND_NS, elapsed)
        for index, counters in now.ports.items():
            old = last.ports.get(index)
            if old is None or counters[0] < old[0] or counters[1] < old[1]:
                continue
            came = (counters[0] - old[0]) * _SECOND_NS // scale
            left = (counters[1] - old[1]) * _SECOND_NS // scale
            known = self._interval.peaks.get(index, (0, 0))
            self._interval.peaks[index] = (max(known[0], came), max(known[1], left))

    def _report(self, interval: _Interval, now: _Reading) -> None:
        elapsed = now.at_ns - interval.start.at_ns
        missed = elapsed > 1.5 * self._ticks * self.interval_s * _SECOND_NS
        rows: list[PortRow] = []
        for index, link in self._kernel.links.items():
            before = interval.start.ports.get(index)
            if before is None or index not in now.ports:
                # Came or went within the interval: its first whole interval is the next one.
                continue
            stated = 0 if link.virtual else self._kernel.speeds.get(index, 0)
            speed = self._kernel.stated_speeds.usable(link.name, stated)
            growth = port_growth(before, now.ports[index], Span(elapsed, speed, missed=missed))
            if speed:
                self._kernel.stated_speeds.learn(link.name, speed, growth.outcome)
            no_figure = growth.values[0] == NO_VALUE
            peak = (NO_VALUE, NO_VALUE) if no_figure else interval.peaks.get(index, (NO_VALUE, NO_VALUE))
            rows.append(PortRow(link.name, growth, *peak))
        if rows:
            at = self._clock.wall_ns()
            self._emit(
                lambda boot, seq: port_samples(
                    rows, boot=boot, seq=seq, device=self.device, at=at, duration_ns=elapsed
                )
            )
