"""Collector `ssh`: a host without an agent: its ports, traffic, routes and neighbours from its commands."""

from dataclasses import replace
from typing import Protocol as Interface

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.daemon import DaemonReporter
from backstay_agent.collectors.deltas import Span, port_growth
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.collectors.samples import PortRow, port_samples
from backstay_agent.collectors.speed_check import StatedSpeeds
from backstay_agent.collectors.ssh import date
from backstay_agent.collectors.ssh.date import HostDate
from backstay_agent.collectors.ssh.view import HostView, Read, Shell
from backstay_agent.collectors.ssh.wraps import without_ambiguous
from backstay_agent.host.clock import Clock
from backstay_agent.host.ssh import SshError
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, DeviceReport, NeighbourReport, RouteReport

SUSPECT_NS = 3_000_000_000
"""A clock that deviates from ours by more, beyond both errors, is reported at once."""
_EVERY_NS = 60_000_000_000


class ClosableShell(Shell, Interface):
    """A shell that can be closed."""

    async def close(self) -> None:
        """Close the connection."""


class TextHostCollector:
    """One host over ssh."""

    name = "ssh"
    limit_s = 60.0

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        host: ClosableShell,
        read: Read,
        clock: Clock,
        emit: ReportSink,
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._host = host
        self._read = read
        self._clock = clock
        self._emit = emit
        self._metrics = MetricReporter(device=device, collector=self.name, clock=clock, emit=emit)
        self._daemons: dict[str, DaemonReporter] = {}
        self._before: tuple[HostView, int] | None = None
        self._speeds = StatedSpeeds()
        self._missed = False
        self._sent_ns: int | None = None
        self._last_date: HostDate | None = None
        """Its clock as last reported."""

    async def start(self) -> None:
        """The connection is opened on first use."""

    async def stop(self) -> None:
        """Close the connection."""
        await self._host.close()

    async def collect(self) -> Ran:
        """Run the commands and report their results."""
        began = self._clock.monotonic_ns()
        try:
            view = await self._read(self._host)
            host_date = await date.look(self._host, self._clock)
        except SshError as error:
            self._missed = True
            raise UnusableError(str(error)) from error
        except TimeoutError as error:
            self._missed = True
            await self._host.close()
            raise NoAnswerError("the host does not answer in time") from error
        if not view.ports:
            last = "; ".join(view.troubles) or "it named no port"
            raise UnusableError(f"nothing to be read from this host: {last}"[:1024])
        view = without_ambiguous(view, self.interval_s)
        self._report_traffic(view, began)
        view = replace(view, ports=self._speeds.corrected(view.ports))
        self._metrics.report(view.levels, view.growing, can_wait=False)
        for daemon, seen in view.daemons.items():
            self._reporter(daemon).report(seen)
        self._report_state(view, host_date)
        self._before, self._missed = (view, began), False
        return Ran(CollectorOutcome.OK, _remarks(view))

    def _reporter(self, daemon: str) -> DaemonReporter:
        if daemon not in self._daemons:
            self._daemons[daemon] = DaemonReporter(
                device=self.device, daemon=daemon, clock=self._clock, emit=self._emit
            )
        return self._daemons[daemon]

    def _report_traffic(self, view: HostView, now: int) -> None:
        if self._before is None:
            return
        before, then = self._before
        rows = []
        for port in view.ports:
            speed = self._speeds.usable(port.name, port.speed)
            span = Span(now - then, speed=speed, widths=view.widths, missed=self._missed)
            growth = port_growth(before.counters.get(port.name), view.counters.get(port.name), span)
            if speed:
                self._speeds.learn(port.name, speed, growth.outcome)
            rows.append(PortRow(port.name, growth))
        at, device = self._clock.wall_ns(), self.device
        self._emit(
            lambda boot, seq: port_samples(
                rows, boot=boot, seq=seq, device=device, at=at, duration_ns=max(1, now - then)
            )
        )

    def _report_state(self, view: HostView, host_date: HostDate | None) -> None:
        """Report ports, routes, neighbours and the clock: if one of them changed, and each minute."""
        now, before = self._clock.monotonic_ns(), self._before[0] if self._before else None
        due = self._sent_ns is None or now - self._sent_ns >= _EVERY_NS
        at, device = self._clock.wall_ns(), self.device
        if due:
            self._sent_ns = now
        if due or before is None or view.ports != before.ports or self._clock_was_set(host_date):
            self._last_date = host_date
            self._emit(
                lambda boot, seq: DeviceReport(
                    boot=boot,
                    seq=seq,
                    device=device,
                    at=host_date.at_ns if host_date else at,
                    clock=host_date.ns if host_date else None,
                    clock_source="date",
                    clock_error=host_date.error_ns if host_date else 0,
                    sys_name=view.name[:1024],
                    sys_descr=view.description[:1024],
                    ports=view.ports,
                )
            )
        if view.routes and (due or before is None or view.routes != before.routes):
            self._emit(
                lambda boot, seq: RouteReport(
                    boot=boot, seq=seq, device=device, at=at, complete=True, routes=view.routes
                )
            )
        if view.neighbours and (due or before is None or view.neighbours != before.neighbours):
            self._emit(
                lambda boot, seq: NeighbourReport(
                    boot=boot, seq=seq, device=device, at=at, neighbours=view.neighbours
                )
            )

    def _clock_was_set(self, host_date: HostDate | None) -> bool:
        """Whether the host's clock moved differently from ours since it was reported."""
        last = self._last_date
        if host_date is None or last is None:
            return host_date is not None and last is None
        moved = (host_date.ns - host_date.at_ns) - (last.ns - last.at_ns)
        return abs(moved) > SUSPECT_NS + host_date.error_ns + last.error_ns


def _remarks(view: HostView) -> str:
    lines = [f"{view.unparsed} lines are not known"] if view.unparsed else []
    return "; ".join([*view.troubles, *lines])[:1024]
