"""Collector `linux-lldp`: neighbours of this host's ports, if lldpd is installed."""

from collections.abc import Awaitable, Callable

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError, ran_with
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control.lldp import LldpGoneError
from backstay_agent.parsers.linux import lldp
from backstay_agent.report_sink import ReportSink
from backstay_wire import Adjacency, AdjacencyReport, CollectorOutcome

LEAST_S = 60.0
"""Neighbours announce themselves each 30 s by default; a shorter interval shows nothing new."""

Read = Callable[[], Awaitable[str]]
"""Runs lldpctl (host/daemon_control/lldp.py)."""


class LinuxLldp:
    """The lldpd of one host."""

    name = "linux-lldp"
    limit_s = 10.0

    def __init__(self, *, device: str, interval_s: float, read: Read, clock: Clock, emit: ReportSink) -> None:
        self.device = device
        self.interval_s = max(interval_s, LEAST_S)
        self._read = read
        self._clock = clock
        self._emit = emit
        self._known: list[Adjacency] | None = None

    async def start(self) -> None:
        """Nothing is kept open."""

    async def stop(self) -> None:
        """Nothing is kept open."""

    async def collect(self) -> Ran:
        """Ask lldpd once. An lldpd that does not run is a finding, not a failure."""
        try:
            found, unparsed = lldp.neighbours(await self._read())
        except LldpGoneError as error:
            return Ran(CollectorOutcome.NO_DATA, f"lldpd does not answer: {error}"[:1024])
        except TimeoutError as error:
            raise NoAnswerError("lldpctl does not answer") from error
        except lldp.LldpError as error:
            raise UnusableError(f"lldpctl's output is not readable: {error}"[:1024]) from error
        self._report(found)
        return ran_with(unparsed)

    def _report(self, found: list[Adjacency]) -> None:
        """Report all neighbours; a repetition waits for the next counters."""
        at, is_same, self._known = self._clock.wall_ns(), found == self._known, found
        self._emit(
            lambda boot, seq: AdjacencyReport(
                boot=boot, seq=seq, device=self.device, at=at, source="lldp", adjacencies=found
            ),
            can_wait=is_same,
        )
