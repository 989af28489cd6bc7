"""Collector `keepalived`: VRRP instances: which router holds each shared address, and its faults."""

from collections.abc import Awaitable, Callable

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError, ran_with
from backstay_agent.collectors.daemon import DaemonReporter, DaemonView
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control.dump_file import NoDumpError
from backstay_agent.host.daemon_control.keepalived import KeepalivedGoneError
from backstay_agent.parsers.routing import keepalived
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome

_SECOND = 1_000_000_000

Read = Callable[[], Awaitable[str]]
"""Signals keepalived and reads its data file (host/daemon_control/keepalived.py)."""


class KeepalivedCollector:
    """The keepalived of one host."""

    name = "keepalived"
    limit_s = 10.0

    def __init__(self, *, device: str, interval_s: float, read: Read, clock: Clock, emit: ReportSink) -> None:
        self.device = device
        self.interval_s = interval_s
        self._read = read
        self._clock = clock
        self._daemon = DaemonReporter(device=device, daemon="keepalived", clock=clock, emit=emit)
        self._metrics = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)

    async def start(self) -> None:
        """Nothing is kept open."""

    async def stop(self) -> None:
        """Nothing is kept open."""

    async def collect(self) -> Ran:
        """Request the data and parse it. A keepalived that does not run is a finding, not a failure."""
        try:
            found, unparsed = keepalived.instances(await self._read())
        except KeepalivedGoneError as error:
            self._daemon.report(DaemonView())
            return Ran(CollectorOutcome.NO_DATA, f"keepalived does not run: {error}"[:1024])
        except TimeoutError as error:
            raise NoAnswerError("keepalived did not write its data") from error
        except (NoDumpError, keepalived.KeepalivedError) as error:
            raise UnusableError(str(error)) from error
        self._daemon.report(DaemonView(running=True, protocols=keepalived.protocols(found)))
        self._metrics.report(keepalived.metrics(found, self._clock.wall_ns() / _SECOND), {})
        return ran_with(unparsed)
