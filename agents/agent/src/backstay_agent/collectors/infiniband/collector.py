"""Collector `infiniband`: a whole fabric, swept from this host.

The map decides on which devices it reports: if two agents sweep one fabric, each device is listed in one map,
and both use the same GUIDs and ports of neighbours. Facts about the fabric as a whole (its subnet manager,
missing devices) are reported for the sweeping host, with the fabric as the subject.
"""

import asyncio

from backstay_agent.collectors.base import CollectError, Ran, UnusableError
from backstay_agent.collectors.infiniband.device import COLLECTOR, DeviceReporter
from backstay_agent.collectors.infiniband.names import Names
from backstay_agent.collectors.infiniband.summary import absent, detail, fabric_metrics
from backstay_agent.collectors.infiniband.sweeper import DiscoveredFabric, FabricSweeper
from backstay_agent.collectors.infiniband.view import FabricView, view
from backstay_agent.host.clock import Clock
from backstay_agent.host.infiniband import ToolMissingError
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, InfinibandSource

_BATCH = 16
"""Number of devices to report on before other tasks run: a few milliseconds."""


class InfinibandCollector:
    """One fabric."""

    name = COLLECTOR
    limit_s = 75.0
    """Two discoveries at their limit, plus the counters."""

    def __init__(
        self, *, source: InfinibandSource, sweeper: FabricSweeper, clock: Clock, emit: ReportSink
    ) -> None:
        self.device = source.device
        self.interval_s = source.interval_s
        self._source = source
        self._sweeper = sweeper
        self._clock = clock
        self._names = Names(source.devices)
        self._swept = set(source.devices.values())
        self._reporters = {
            name: DeviceReporter(name, in_fabric=name in self._swept, clock=clock, emit=emit)
            for name in dict.fromkeys((source.device, *source.devices.values()))
        }
        self._seen: tuple[DiscoveredFabric, FabricView] | None = None

    async def start(self) -> None:
        """The first sweep runs the discovery."""

    async def stop(self) -> None:
        """Remove files left by the programs."""
        self._sweeper.close()

    async def collect(self) -> Ran:
        """Sweep once; faults of parts of the fabric are in the detail.

        Raises CollectError if nothing could be read at all.
        """
        began = self._clock.monotonic_ns()
        try:
            reading = await self._sweeper.sweep()
        except ToolMissingError as error:
            raise UnusableError(str(error)) from error
        except CollectError:
            for reporter in self._reporters.values():
                reporter.missed()
            raise
        took_ms = (self._clock.monotonic_ns() - began) / 1e6
        seen = await self._look(reading.fabric)
        missing = absent(self._swept, seen)
        own = fabric_metrics(self._source.fabric, reading, seen, missing, took_ms)
        for number, (name, reporter) in enumerate(self._reporters.items()):
            reporter.report(seen.devices.get(name), reading, own if name == self.device else ())
            if number % _BATCH == 0:
                await asyncio.sleep(0)
        return Ran(CollectorOutcome.OK, detail(reading, seen, missing, self._names))

    async def _look(self, fabric: DiscoveredFabric) -> FabricView:
        """The view of a fabric, computed once per discovery."""
        if self._seen is None or self._seen[0] is not fabric:
            found = await asyncio.to_thread(view, fabric, self._names, self._source.cables)
            self._seen = (fabric, found)
        return self._seen[1]
