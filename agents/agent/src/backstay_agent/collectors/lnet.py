"""Collector `lnet`: Lustre's networks on this host and the state of their gateways, from lnetctl."""

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.host import programs
from backstay_agent.host.clock import Clock
from backstay_agent.parsers import lnet
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome

_ASK_S = 5.0
_NOT_CONFIGURED = ("No such file or directory", "Network is down", "LNet stack down", "not configured")


class LnetCollector:
    """The LNet of one host."""

    name = "lnet"
    limit_s = 12.0

    def __init__(
        self, *, device: str, interval_s: float, lnetctl: str, clock: Clock, emit: ReportSink
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._lnetctl = lnetctl
        self._reporter = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)

    async def start(self) -> None:
        """Nothing is kept open."""

    async def stop(self) -> None:
        """Nothing is kept open."""

    async def collect(self) -> Ran:
        """Query networks and routes. A host without LNet is a finding, not a failure."""
        try:
            nets = lnet.nets(await self._ask("net"))
            routes = lnet.routes(await self._ask("route"))
        except (programs.NoProgramError, _LnetDownError) as error:
            return Ran(CollectorOutcome.NO_DATA, f"LNet does not run: {error}"[:1024])
        except TimeoutError as error:
            raise NoAnswerError("lnetctl does not answer") from error
        except lnet.LnetError as error:
            raise UnusableError(f"lnetctl's output is not readable: {error}") from error
        self._reporter.report([*nets.metrics, *routes], nets.counters)
        return Ran()

    async def _ask(self, what: str) -> str:
        ended = await programs.run([self._lnetctl, what, "show", "-v"], timeout_s=_ASK_S)
        if ended.status == 0:
            return ended.out
        output = (ended.err or ended.out).strip()
        if any(text in output for text in _NOT_CONFIGURED):
            raise _LnetDownError(output)
        raise lnet.LnetError(f"status {ended.status}: {output[:500]}")


class _LnetDownError(Exception):
    """LNet is not loaded or not configured."""
