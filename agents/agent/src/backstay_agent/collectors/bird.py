"""Collector `bird`: state of a BIRD daemon and its candidates' preferences, on change and once a minute."""

from typing import Protocol as Interface

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError, ran_with
from backstay_agent.collectors.daemon import DaemonReporter, DaemonView
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control.bird import BirdGoneError
from backstay_agent.parsers.routing import bird
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_agent.report_sink import ReportSink
from backstay_wire import BfdSession, CollectorOutcome

_ROUTES_LIMIT = 10_000
"""A daemon with more routes is not queried for them: each query would take seconds on both sides."""


class Control(Interface):
    """The daemon's control socket (host/bird.py)."""

    async def ask(self, command: str) -> list[str]:
        """The lines of a reply. Raises BirdGoneError, TimeoutError."""

    async def close(self) -> None:
        """Close the connection."""


class BirdCollector:
    """One BIRD daemon."""

    name = "bird"
    limit_s = 10.0

    def __init__(
        self, *, device: str, interval_s: float, control: Control, clock: Clock, emit: ReportSink
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._control = control
        self._reporter = DaemonReporter(device=device, daemon="bird", clock=clock, emit=emit)

    async def start(self) -> None:
        """The connection is opened on first use."""

    async def stop(self) -> None:
        """Close the connection."""
        await self._control.close()

    async def collect(self) -> Ran:
        """Query status, protocols and BFD sessions. A missing daemon is a finding, not a failure."""
        try:
            unparsed = list[str]()
            view = await self._look(unparsed)
        except BirdGoneError as error:
            self._reporter.report(DaemonView())
            return Ran(CollectorOutcome.NO_DATA, f"BIRD does not run: {error}")
        except TimeoutError as error:
            raise NoAnswerError("BIRD accepted the connection but does not answer") from error
        except bird.BirdError as error:
            raise UnusableError(f"BIRD refused: {error}") from error
        self._reporter.report(view)
        return ran_with(unparsed)

    async def _look(self, unparsed: list[str]) -> DaemonView:
        version = bird.version(await self._control.ask("show status"))
        protocols = bird.protocols(await self._control.ask("show protocols"))
        sessions: list[BfdSession] = []
        if any(protocol.proto == "BFD" for protocol in protocols):
            sessions = bird.bfd_sessions(await self._control.ask("show bfd sessions"), unparsed)
        candidates: list[Candidate] = []
        if bird.destinations(await self._control.ask("show route count")) <= _ROUTES_LIMIT:
            candidates = bird.candidates(await self._control.ask("show route"), unparsed)
        return DaemonView(True, version, protocols, sessions, candidates)
