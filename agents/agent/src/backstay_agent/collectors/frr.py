"""Collector `frr`: state of FRR: its daemons, BFD, and its candidates with their distances."""

from typing import Protocol as Interface

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError, ran_with
from backstay_agent.collectors.daemon import DaemonReporter, DaemonView
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control.frr import FrrGoneError
from backstay_agent.host.daemon_control.vty import VtyGoneError, VtyRefusedError
from backstay_agent.parsers.routing import frr
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome


class Daemons(Interface):
    """FRR's daemons of one folder (host/daemon_control/frr.py)."""

    async def running(self) -> list[str]:
        """The names of the daemons that answer. Raises FrrGoneError."""

    async def ask(self, daemon: str, command: str) -> str:
        """One daemon's reply. Raises VtyGoneError, VtyRefusedError."""


class FrrCollector:
    """The FRR daemons of one host."""

    name = "frr"
    limit_s = 15.0

    def __init__(
        self, *, device: str, interval_s: float, daemons: Daemons, clock: Clock, emit: ReportSink
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._daemons = daemons
        self._reporter = DaemonReporter(device=device, daemon="frr", clock=clock, emit=emit)

    async def start(self) -> None:
        """Each run opens its own connections."""

    async def stop(self) -> None:
        """Nothing stays open."""

    async def collect(self) -> Ran:
        """Query which daemons run, then each of them. None at all is a finding, not a failure."""
        try:
            unparsed = list[str]()
            view = await self._look(unparsed)
        except FrrGoneError as error:
            self._reporter.report(DaemonView())
            return Ran(CollectorOutcome.NO_DATA, f"FRR does not run: {error}"[:1024])
        except VtyGoneError as error:
            raise NoAnswerError(f"a daemon of FRR does not answer: {error}") from error
        except VtyRefusedError as error:
            raise UnusableError(f"FRR does not know a question: {error}") from error
        except frr.FrrError as error:
            raise UnusableError(f"FRR's output is not readable: {error}") from error
        self._reporter.report(view)
        return ran_with(unparsed)

    async def _look(self, unparsed: list[str]) -> DaemonView:
        running = await self._daemons.running()
        asked = [(name, question) for name, question in frr.QUESTIONS.items() if name in running]
        output = [await self._daemons.ask(name, question) for name, question in asked]
        found = frr.answers("\n".join(output))
        unparsed += found.unparsed
        return DaemonView(
            running=True,
            version=frr.version(await self._daemons.ask(running[0], "show version")),
            protocols=frr.protocols(running, found),
            bfd=found.bfd,
            candidates=found.candidates,
        )
