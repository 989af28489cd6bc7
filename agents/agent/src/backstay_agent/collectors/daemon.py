"""Shared by collectors of routing daemons: reports the daemon's state on change and once a minute, each 10 s
while it has BFD sessions, and its candidates as metrics."""

from dataclasses import dataclass, field

from backstay_agent.collectors.metric_reporter import send_metrics
from backstay_agent.host.clock import Clock
from backstay_agent.parsers.routing.candidates import Candidate, metrics
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import BfdSession, DaemonReport, Protocol

_BFD_EVERY_NS = 10_000_000_000
"""A session that stays up is evidence only if it was read after a fault began. Its report waits for the next
counters unless this host has just reported an event, as it has when its gateway fails."""


@dataclass(frozen=True)
class DaemonView:
    """Current state of a daemon; by default one that does not run."""

    running: bool = False
    version: str = ""
    protocols: list[Protocol] = field(default_factory=list)
    bfd: list[BfdSession] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)


class DaemonReporter:
    """Reports changes at once, and everything each minute; the state of BFD sessions more often."""

    def __init__(self, *, device: str, daemon: str, clock: Clock, emit: ReportSink) -> None:
        self._device = device
        self._daemon = daemon
        self._clock = clock
        self._emit = emit
        self._known: DaemonView | None = None
        self._sent_ns = 0
        self._all_sent_ns = 0
        """With the candidates."""

    def report(self, view: DaemonView) -> None:
        """Report the view if it changed or is due again."""
        now, before = self._clock.monotonic_ns(), self._known
        is_all_due = view != before or now - self._all_sent_ns >= REPEAT_NS
        if not is_all_due and not (view.bfd and now - self._sent_ns >= _BFD_EVERY_NS):
            return
        self._known, self._sent_ns = view, now
        is_changed = before is not None and view != before
        self._report_state(view, urgent=is_changed, can_wait=view == before)
        if not is_all_due:
            return
        self._all_sent_ns = now
        if view.candidates or (before is not None and before.candidates):
            is_changed = before is not None and view.candidates != before.candidates
            found, at = metrics(view.candidates), self._clock.wall_ns()
            send_metrics(
                self._emit,
                self._device,
                self._daemon,
                found,
                at=at,
                urgent=is_changed,
                can_wait=view == before,
            )

    def _report_state(self, view: DaemonView, *, urgent: bool, can_wait: bool) -> None:
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: DaemonReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=at,
                daemon=self._daemon,
                version=view.version,
                running=view.running,
                protocols=view.protocols[:1024],
                bfd=view.bfd[:4096],
            ),
            urgent=urgent,
            can_wait=can_wait,
        )
