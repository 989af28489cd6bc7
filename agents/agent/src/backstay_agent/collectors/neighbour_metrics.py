"""Shared by collectors of neighbour tables: one port's counts as metrics, and when to report them.

Tables of a quiet network do not change for minutes, so a set of metrics is sent if a value is new, or each
minute.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backstay_agent.collectors.metric_reporter import Counters, MetricReporter
from backstay_agent.host.clock import Clock
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import MetricValue

_NOTABLE = 5
"""Frames per second that are worth a report: below that, it is normal address resolution."""

_RESTLESS = frozenset({"neigh.ipv4_kernel", "neigh.ipv6_kernel", "neigh.talker_share"})
"""Levels that are reported with the others but do not cause a report."""


@dataclass(frozen=True, slots=True)
class PortTable:
    """One port's entries: learnt ones by family, static ones, unanswered ones, and their most common hardware
    address."""

    port: str
    ipv4: int = 0
    ipv6: int = 0
    permanent: int = 0
    incomplete: int = 0
    top_mac: str = ""
    top_mac_entries: int = 0

    def metrics(self) -> list[MetricValue]:
        """The reported metrics; every port reports the same ones."""
        levels = {
            "neigh.ipv4_entries": self.ipv4,
            "neigh.ipv6_entries": self.ipv6,
            "neigh.permanent": self.permanent,
            "neigh.incomplete": self.incomplete,
            "neigh.top_mac": self.top_mac,
            "neigh.top_mac_entries": self.top_mac_entries,
        }
        return [MetricValue(subject=self.port, metric=name, value=value) for name, value in levels.items()]


def most_at(macs: Counter[bytes]) -> tuple[bytes, int]:
    """The hardware address of most entries, and their number; ties are resolved in the same way each time."""
    return max(macs.items(), key=lambda item: (item[1], item[0]), default=(b"", 0))


def mac_text(octets: bytes) -> str:
    """`02:00:00:00:00:01`; longer for longer hardware addresses (InfiniBand: 20 octets)."""
    return octets[:20].hex(":")


class NeighbourReporter:
    """Emits the metrics of a device's tables when they change."""

    def __init__(self, reporter: MetricReporter, clock: Clock) -> None:
        self._reporter = reporter
        self._clock = clock
        self._last_reported: Sequence[object] = ()
        self._counters: Counters = {}
        self._at_ns: int | None = None

    def report(
        self, levels: Sequence[MetricValue], counters: Counters, sensitive: Iterable[str] = ()
    ) -> None:
        """Report changed metrics. `sensitive`: counters whose growth always counts as a change."""
        now = self._clock.monotonic_ns()
        reported = [item for item in levels if item.metric not in _RESTLESS]
        essence = [(item.subject, item.metric, item.value) for item in reported]
        is_same = False
        if self._at_ns is not None:
            seconds = (now - self._at_ns) / 1e9
            is_same = essence == self._last_reported and not self._grew(
                counters, seconds, frozenset(sensitive)
            )
            if is_same and now - self._at_ns < REPEAT_NS:
                return
        self._last_reported, self._counters, self._at_ns = essence, counters, now
        self._reporter.report(levels, counters, can_wait=is_same)

    def _grew(self, counters: Counters, seconds: float, metric_reporter: frozenset[str]) -> bool:
        """Whether any counter grew enough for a report since the last one."""
        for key, value in counters.items():
            least = 1 if key[1] in metric_reporter else _NOTABLE * seconds
            if abs(value - self._counters.get(key, value)) >= least:
                return True
        return counters.keys() != self._counters.keys()
