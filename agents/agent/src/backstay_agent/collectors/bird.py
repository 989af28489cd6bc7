"""Collector `bird`: a BIRD daemon's own view, on change and once a minute."""

from typing import Protocol as Interface

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.emit import Emit
from backstay_agent.host.bird import BirdGoneError
from backstay_agent.host.clock import Clock
from backstay_agent.parsers import bird
from backstay_wire import BfdSession, CollectorOutcome, DaemonReport, Protocol

_EVERY_NS = 60_000_000_000
_View = tuple[bool, str, list[Protocol], list[BfdSession]]


class Control(Interface):
    """The daemon's control socket (host/bird.py)."""

    async def ask(self, command: str) -> list[str]:
        """The lines of an answer. Raises BirdGoneError, TimeoutError."""

    async def close(self) -> None:
        """End the conversation."""


class BirdCollector:
    """One BIRD daemon."""

    name = "bird"
    limit_s = 10.0

    def __init__(self, *, device: str, interval_s: float, control: Control, clock: Clock, emit: Emit) -> None:
        self.device = device
        self.interval_s = interval_s
        self._control = control
        self._clock = clock
        self._emit = emit
        self._known: _View | None = None
        self._sent_ns = 0

    async def start(self) -> None:
        """The connection is made when first needed."""

    async def stop(self) -> None:
        """End the conversation."""
        await self._control.close()

    async def collect(self) -> Ran:
        """Ask for status, protocols and BFD sessions. A daemon that is not there is a finding, no failure."""
        try:
            view = await self._look()
        except BirdGoneError as error:
            self._report((False, "", [], []))
            return Ran(CollectorOutcome.NO_DATA, f"BIRD does not run: {error}")
        except TimeoutError as error:
            raise NoAnswerError("BIRD accepted the connection but does not answer") from error
        except bird.BirdError as error:
            raise UnusableError(f"BIRD refused: {error}") from error
        self._report(view)
        return Ran()

    async def _look(self) -> _View:
        version = bird.version(await self._control.ask("show status"))
        protocols = bird.protocols(await self._control.ask("show protocols"))
        sessions: list[BfdSession] = []
        if any(protocol.proto == "BFD" for protocol in protocols):
            sessions = bird.bfd_sessions(await self._control.ask("show bfd sessions"))
        return True, version, protocols[:1024], sessions[:4096]

    def _report(self, view: _View) -> None:
        now = self._clock.monotonic_ns()
        if view == self._known and now - self._sent_ns < _EVERY_NS:
            return
        changed = self._known is not None and view != self._known
        self._known, self._sent_ns = view, now
        running, version, protocols, sessions = view
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: DaemonReport(
                boot=boot,
                seq=seq,
                device=self.device,
                at=at,
                daemon="bird",
                version=version,
                running=running,
                protocols=protocols,
                bfd=sessions,
            ),
            urgent=changed,
        )
