"""Collector `linux-ethtool`: counters of this host's Mellanox adapters (driver mlx5) beyond traffic."""

from collections.abc import Awaitable, Callable, Collection

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError, ran_with
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel.ethtool import NoStatisticsError
from backstay_agent.parsers.linux import ethtool
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome

LEAST_S = 30.0
"""The driver queries the firmware for each reading: more than a millisecond per port."""

Ports = Callable[[], Collection[str]]
"""Names of the ports of mlx5 (host/kernel/ethtool.py)."""
Read = Callable[[str], Awaitable[str]]
"""Runs `ethtool -S` for one port."""


class LinuxEthtool:
    """The mlx5 ports of one host."""

    name = "linux-ethtool"
    limit_s = 30.0

    def __init__(
        self, *, device: str, interval_s: float, ports: Ports, read: Read, clock: Clock, emit: ReportSink
    ) -> None:
        self.device = device
        self.interval_s = max(interval_s, LEAST_S)
        self._ports = ports
        self._read = read
        self._metrics = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)

    async def start(self) -> None:
        """Nothing is kept open."""

    async def stop(self) -> None:
        """Nothing is kept open."""

    async def collect(self) -> Ran:
        """Read every port; one that cannot be read does not discard the others."""
        found: dict[tuple[str, str], int] = {}
        refused: list[str] = []
        unparsed: list[str] = []
        ports = self._ports()
        for port in ports:
            try:
                counters, rest = ethtool.counters(await self._read(port))
            except TimeoutError as error:
                raise NoAnswerError(f"ethtool does not answer for {port}") from error
            except (NoStatisticsError, ethtool.EthtoolError) as error:
                refused.append(f"{port}: {error}")
                continue
            unparsed += rest
            found.update(((port, metric), value) for metric, value in counters.items())
        if refused and not found:
            raise UnusableError("; ".join(refused)[:1024])
        if not ports:
            return Ran(CollectorOutcome.NO_DATA, "this host has no port of the driver mlx5")
        self._metrics.report([], found)
        return ran_with([*refused, *unparsed])
