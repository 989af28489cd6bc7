"""The ARP reporter: running and saved address resolution of this node, each minute and on change.

Ports and permanent entries are read when the kernel reports them; settings below /proc/sys cause no event and
are read each interval, files by their time stamp.
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path

from backstay_agent.actuators import arp_state
from backstay_agent.actuators.arp_state import ArpState
from backstay_agent.host.clock import Clock
from backstay_agent.host.files import stamp
from backstay_agent.host.kernel import arp_tables
from backstay_agent.host.kernel.neighbour_events import Key, NeighbourEvents
from backstay_agent.logs import event
from backstay_agent.report_sink import ReportSink
from backstay_wire import ArpFiles, ArpReport

_log = logging.getLogger(__name__)
_REPEAT_S = 60.0
_TICK_S = 0.25
_LEAST_S = 0.75
"""Minimum between two reads: one costs milliseconds."""


@dataclass(frozen=True, slots=True)
class ArpReportScope:
    """What to report on."""

    device: str
    files: ArpFiles
    revision: int
    interval_s: float
    """Interval for reading the settings."""


class ArpReporter:
    """Reports until it is stopped."""

    def __init__(self, about: ArpReportScope, clock: Clock, emit: ReportSink) -> None:
        self._about = about
        self._clock = clock
        self._emit = emit
        self._permanent: frozenset[Key] = frozenset()
        self._last_reported: ArpState | None = None
        self._last_reported_ns = 0

    async def run(self) -> None:
        """Report until cancelled. Raises OSError if the kernel's events cannot be received."""
        with contextlib.closing(NeighbourEvents()) as events:
            while True:
                files = self._stamps()
                state = await self._look()
                if state is not None:
                    self._report(state)
                await self._wait(events, files, state)

    async def _look(self) -> ArpState | None:
        try:
            state, self._permanent = await asyncio.to_thread(arp_state.read_with_keys, self._about.files)
        except OSError as error:
            event(_log, logging.WARNING, "cannot read this node's ARP", error=error)
            return None
        return state

    async def _wait(self, events: NeighbourEvents, files: object, state: ArpState | None) -> None:
        """Until something changed, or the time is over."""
        began = settings_ns = self._clock.monotonic_ns()
        await asyncio.sleep(_LEAST_S)
        while (now := self._clock.monotonic_ns()) < began + _REPEAT_S * 1e9:
            if events.touched(self._permanent):
                await asyncio.sleep(_TICK_S)  # A change touches many entries.
                return
            if self._stamps() != files:
                return
            if now >= settings_ns + self._about.interval_s * 1e9:
                settings_ns = now
                if state is None or await asyncio.to_thread(_set_anew, state):
                    return
            await asyncio.sleep(_TICK_S)

    def _stamps(self) -> object:
        return stamp(Path(self._about.files.config)), stamp(Path(self._about.files.settings))

    def _report(self, state: ArpState) -> None:
        """Report at once on each change, else each minute."""
        now = self._clock.monotonic_ns()
        same = state == self._last_reported
        if same and now - self._last_reported_ns < _REPEAT_S * 1e9:
            return
        self._last_reported, self._last_reported_ns = state, now
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: ArpReport(
                boot=boot,
                seq=seq,
                device=self._about.device,
                at=at,
                revision=self._about.revision,
                digest=state.digest,
                ports=state.ports,
                table=state.table,
                files=state.files,
            ),
            urgent=not same,
            can_wait=same,
        )


def _set_anew(state: ArpState) -> bool:
    """Whether a setting changed. A port that came or went causes an event."""
    was = {port.port: port.settings for port in state.ports}
    return arp_tables.table() != state.table or arp_tables.settings(was) != was
