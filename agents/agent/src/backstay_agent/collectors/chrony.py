"""Collector `chrony`: state of this host's clock under chrony, if chronyc is installed."""

from collections.abc import Awaitable, Callable

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control.chrony import ChronyGoneError
from backstay_agent.parsers import chrony
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome

LEAST_S = 30.0
"""chrony measures every 64 s or less often; a shorter interval shows nothing new."""

Read = Callable[[], Awaitable[str]]
"""Runs chronyc (host/daemon_control/chrony.py)."""


class ChronyCollector:
    """The chrony of one host."""

    name = "chrony"
    limit_s = 10.0

    def __init__(self, *, device: str, interval_s: float, read: Read, clock: Clock, emit: ReportSink) -> None:
        self.device = device
        self.interval_s = max(interval_s, LEAST_S)
        self._read = read
        self._metrics = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)

    async def start(self) -> None:
        """Nothing is kept open."""

    async def stop(self) -> None:
        """Nothing is kept open."""

    async def collect(self) -> Ran:
        """Run chronyc once. A chronyd that does not run is a finding, not a failure."""
        try:
            found = chrony.tracking(await self._read())
        except ChronyGoneError as error:
            return Ran(CollectorOutcome.NO_DATA, f"chrony does not answer: {error}"[:1024])
        except TimeoutError as error:
            raise NoAnswerError("chronyc does not answer") from error
        except chrony.ChronyError as error:
            raise UnusableError(f"chronyc's output is not readable: {error}") from error
        self._metrics.report(chrony.metrics(found), {})
        return Ran()
