"""Collector `neighbours`: fill level of this host's ARP and ND tables, and the senders of broadcasts that
fill them."""

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from backstay_agent.collectors.base import Ran, UnusableError
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.collectors.neighbour_metrics import NeighbourReporter, PortTable, mac_text, most_at
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel.arp_tap import ArpTap, BroadcastCount
from backstay_agent.host.kernel.neighbour_tables import KernelTable, PortEntries
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, MetricValue

_MOST_TAPS = 64
"""Maximum number of ports with a tap: each needs a socket."""
_LEAST_FRAMES = 10
"""Fewer frames per interval identify no main sender."""
_OVERFLOWS = ("neigh.ipv4_overflows", "neigh.ipv6_overflows")


class Tables(Protocol):
    """Source of counts (host/kernel/neighbour_tables.py). Each call raises OSError."""

    def tables(self) -> list[KernelTable]:
        """The kernel's tables."""

    def ports(self) -> dict[int, PortEntries]:
        """Entries by interface index."""


class Tap(Protocol):
    """Receives broadcasts of one port (host/kernel/arp_tap.py)."""

    def read(self) -> BroadcastCount:
        """Frames received since the last call. Raises OSError."""

    def close(self) -> None:
        """Stop receiving."""


@dataclass(slots=True)
class _Listening:
    """One port's tap and its counts so far."""

    index: int
    tap: Tap
    frames: int = 0
    senders: Counter[bytes] = field(default_factory=Counter)
    """Of the last interval: source -> frames."""


class LinuxNeighbours:
    """Collector `neighbours` of this host."""

    name = "neighbours"
    limit_s = 5.0

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        tables: Tables,
        kernel: KernelState,
        clock: Clock,
        emit: ReportSink,
        open_tap: Callable[[str], Tap] = ArpTap,
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._tables = tables
        self._kernel = kernel
        self._open_tap = open_tap
        self._listening: dict[str, _Listening] = {}
        self._may_listen = True
        reporter = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)
        self._reporter = NeighbourReporter(reporter, clock)

    async def start(self) -> None:
        """Make sure that the ports' names are known, and open their taps."""
        await self._kernel.start()
        self._listen()

    async def stop(self) -> None:
        """Close the taps."""
        for item in self._listening.values():
            item.tap.close()
        self._listening.clear()

    async def collect(self) -> Ran:
        """Count once. Raises UnusableError if the kernel does not answer."""
        try:
            tables, ports = self._tables.tables(), self._tables.ports()
        except OSError as error:
            raise UnusableError(f"neighbour tables: {error}") from error
        self._listen()
        self._read_taps()
        levels = [*_capacities(tables), *self._port_levels(ports), *self._talkers()]
        self._reporter.report(levels, self._counters(tables), sensitive=_OVERFLOWS)
        if not self._may_listen:
            return Ran(CollectorOutcome.OK, "may not listen to broadcasts: CAP_NET_RAW is missing")
        return Ran()

    def _port_levels(self, ports: dict[int, PortEntries]) -> list[MetricValue]:
        metrics = []
        for index, link in self._kernel.links.items():
            found = ports.get(index, PortEntries())
            mac, number = most_at(found.macs)
            table = PortTable(
                link.name, found.ipv4, found.ipv6, found.permanent, found.incomplete, mac_text(mac), number
            )
            metrics += table.metrics()
        return metrics

    def _listen(self) -> None:
        """Open taps for the existing ports: a port recreated under an old name needs a new one."""
        links = {link.name: index for index, link in self._kernel.links.items()}
        for name in [name for name, item in self._listening.items() if links.get(name) != item.index]:
            self._listening.pop(name).tap.close()
        for name in [name for name in links if name not in self._listening]:
            if self._may_listen and len(self._listening) < _MOST_TAPS:
                self._open(name, links[name])

    def _open(self, name: str, index: int) -> None:
        try:
            self._listening[name] = _Listening(index, self._open_tap(name))
        except PermissionError:
            self._may_listen = False
        except OSError:
            pass  # It no longer exists; the kernel's event reports that.

    def _read_taps(self) -> None:
        for item in self._listening.values():
            with contextlib.suppress(OSError):  # ENETDOWN is reported once, when the port goes down
                senders = item.tap.read()
                item.frames += senders.frames
                item.senders = senders.sources

    def _talkers(self) -> list[MetricValue]:
        """The main sender of each port's broadcasts; too few frames identify none."""
        metrics = []
        for name, item in self._listening.items():
            total = item.senders.total()
            mac, number = item.senders.most_common(1)[0] if total >= _LEAST_FRAMES else (b"", 0)
            share = round(100 * number / total) if number else 0
            metrics.append(MetricValue(subject=name, metric="neigh.talker", value=mac_text(mac)))
            metrics.append(MetricValue(subject=name, metric="neigh.talker_share", value=share))
        return metrics

    def _counters(self, tables: list[KernelTable]) -> dict[tuple[str, str], int]:
        counters = {("", f"neigh.ipv{table.version}_overflows"): table.overflows for table in tables}
        return counters | {
            (name, "neigh.arp_broadcasts"): item.frames for name, item in self._listening.items()
        }


def _capacities(tables: list[KernelTable]) -> list[MetricValue]:
    return [
        MetricValue(metric=f"neigh.ipv{table.version}_{what}", value=value)
        for table in tables
        for what, value in (("capacity", table.capacity), ("kernel", table.entries))
    ]
