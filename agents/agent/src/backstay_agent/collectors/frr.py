"""Collector `frr`: FRR's own view through vtysh: daemons, BFD, and its candidates with their distances."""

from collections.abc import Sequence
from typing import Protocol as Interface

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.daemon import DaemonReporter, DaemonView
from backstay_agent.emit import Emit
from backstay_agent.host.clock import Clock
from backstay_agent.host.vtysh import FrrGoneError
from backstay_agent.parsers import frr
from backstay_wire import CollectorOutcome


class Shell(Interface):
    """vtysh (host/vtysh.py)."""

    async def ask(self, commands: Sequence[str]) -> str:
        """What it says. Raises FrrGoneError, TimeoutError."""


class FrrCollector:
    """The FRR daemons of one host."""

    name = "frr"
    limit_s = 15.0

    def __init__(self, *, device: str, interval_s: float, shell: Shell, clock: Clock, emit: Emit) -> None:
        self.device = device
        self.interval_s = interval_s
        self._shell = shell
        self._reporter = DaemonReporter(device=device, daemon="frr", clock=clock, emit=emit)

    async def start(self) -> None:
        """Each run is a conversation of its own."""

    async def stop(self) -> None:
        """Nothing stays open."""

    async def collect(self) -> Ran:
        """Ask which daemons run, then each of them. None at all is a finding, no failure."""
        try:
            view = await self._look()
        except FrrGoneError as error:
            self._reporter.report(DaemonView())
            return Ran(CollectorOutcome.NO_DATA, f"FRR does not run: {error}"[:1024])
        except TimeoutError as error:
            raise NoAnswerError("FRR does not answer vtysh") from error
        except frr.FrrError as error:
            raise UnusableError(f"FRR said what cannot be read: {error}") from error
        self._reporter.report(view)
        return Ran()

    async def _look(self) -> DaemonView:
        said = await self._shell.ask(["show version", "show daemons"])
        running = frr.daemons(said)
        questions = [question for name, question in frr.QUESTIONS.items() if name in running]
        found = frr.answers(await self._shell.ask(questions)) if questions else frr.Answers()
        return DaemonView(
            running=True,
            version=frr.version(said),
            protocols=frr.protocols(running, found),
            bfd=found.bfd,
            candidates=found.candidates,
        )
