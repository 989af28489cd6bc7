"""Holds of this node: begun by the backend or by `backstay-agent hold`, applied, ended in time, reported.

A running hold needs neither the backend nor this process: it is on disk, and a restarted agent continues it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal, Protocol

from backstay_agent.host.clock import Clock
from backstay_agent.host.hold_file import Hold, HoldFile, HoldFileError, Holds, Moment
from backstay_agent.host.kernel import boot_time
from backstay_agent.logs import event
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import HoldReport, NodeHold

_log = logging.getLogger(__name__)
_LOOK_S = 0.5
"""Interval of reports and of writing what is left."""
_SHORTEST_WAIT_S = 0.01


class HeldRouting(Protocol):
    """The part of the agent that a hold stops."""

    async def hold(self, *, held: bool, ended: str = "") -> None:
        """Leave the managed routes alone, or restore them; `ended`: why."""

    @property
    def not_held(self) -> list[str]:
        """What continues in spite of a hold."""


def moment(clock: Clock) -> Moment:
    """Now. Raises OSError."""
    return Moment(boot_id=boot_time.boot_id(), boot_ns=boot_time.now_ns(), wall_ns=clock.wall_ns())


def described(hold: Hold, now: Moment) -> str:
    """`held until 14:32:05 UTC by alice`."""
    until = datetime.fromtimestamp(hold.until_ns(now) / 1e9, UTC)
    return f"held until {until:%H:%M:%S} UTC by {hold.by}"


class HoldKeeper:
    """The holds of one agent."""

    def __init__(
        self, file: HoldFile, routing: HeldRouting, *, device: str, clock: Clock, emit: ReportSink
    ) -> None:
        self._file = file
        self._routing = routing
        self._clock = clock
        self._emit = emit
        self._device = device
        self._assigned: NodeHold | None = None
        self._knows_assigned = False
        self._holds = Holds()
        self._version: object = None
        self._is_held = False
        self._reported: dict[str, int] = {}
        """Hold -> monotonic time of its last report."""
        self._wake = asyncio.Event()

    @property
    def text(self) -> str:
        """`held until 14:32:05 UTC by alice`; empty: not held."""
        longest = self._longest()
        return "" if longest is None else described(longest, moment(self._clock))

    async def start(self) -> None:
        """Apply what the file has, before any route is touched; an expired hold ends in `run`."""
        try:
            self._read()
        except (OSError, HoldFileError) as error:
            event(_log, logging.ERROR, "cannot read the holds of this node", error=error)
        if self._holds.holds:
            await self._hold(held=True)

    def take_up(self, assigned: NodeHold | None) -> None:
        """The backend's hold, or none."""
        self._assigned, self._knows_assigned = assigned, True
        self._wake.set()

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            self._wake.clear()
            try:
                await self.step()
            except (OSError, HoldFileError) as error:
                event(_log, logging.ERROR, "cannot keep the holds of this node", error=error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._wait_s()):
                    await self._wake.wait()

    def _wait_s(self) -> float:
        if not self._holds.holds:
            return _LOOK_S
        now = moment(self._clock)
        left = min(hold.left(now) for hold in self._holds.holds) / 1e9
        return min(_LOOK_S, max(left, _SHORTEST_WAIT_S))

    async def step(self) -> None:
        """Begin, end, apply and report once. Raises OSError, HoldFileError."""
        before = {hold.id: hold for hold in self._holds.holds}
        self._read()
        for ident, hold in before.items():
            if ident not in {known.id for known in self._holds.holds}:
                self._report(hold, "ended", "ended on the node")
        self._accept()
        causes = [self._end(hold, why) for hold in self._holds.holds if (why := self._over(hold))]
        held = bool(self._holds.holds)
        if held != self._is_held:
            await self._hold(held=held, ended=causes[0] if causes else "the hold ended on the node")
        self._keep_up()

    def _read(self) -> None:
        """Read the file if it was written since."""
        version = self._file.version
        if version != self._version:
            self._version = version
            self._holds = self._file.read()

    def _update(self, change: Callable[[Holds], Holds]) -> None:
        """Change what applies even if it cannot be written."""
        try:
            self._holds = self._file.update(change)
            self._version = self._file.version
        except (OSError, HoldFileError) as error:
            event(_log, logging.ERROR, "a hold is not stored: it does not survive a restart", error=error)
            self._holds = change(self._holds)

    def _accept(self) -> None:
        """Begin the assigned hold, once."""
        if not self._knows_assigned:
            return
        wanted = self._assigned
        kept = tuple(ident for ident in self._holds.ended if wanted is not None and ident == wanted.id)
        if kept != self._holds.ended:
            self._update(lambda holds: holds.model_copy(update={"ended": kept}))
        if wanted is None or wanted.id in {*self._holds.ended, *(hold.id for hold in self._holds.holds)}:
            return
        now = moment(self._clock)
        hold = Hold(
            id=wanted.id,
            origin="backend",
            by=wanted.by,
            reason=wanted.reason,
            seconds=wanted.seconds,
            began_ns=now.wall_ns,
            written=now,
            left_ns=round(wanted.seconds * 1e9),
        )
        self._update(lambda holds: holds.with_(hold))

    def _over(self, hold: Hold) -> str:
        """Why a hold is over; empty: it is not."""
        if hold.left(moment(self._clock)) <= 0:
            return "its time is over"
        withdrawn = self._assigned is None or self._assigned.id != hold.id
        if hold.origin == "backend" and self._knows_assigned and withdrawn:
            return "ended early by the backend"
        return ""

    def _end(self, hold: Hold, why: str) -> str:
        """Returns the cause, for the report of the restored routes."""
        ended = (hold.id,) if hold.origin == "backend" else ()
        self._update(
            lambda holds: holds.without(hold.id).model_copy(update={"ended": (*holds.ended, *ended)})
        )
        self._report(hold, "ended", why)
        return f"the hold of {hold.by} is over ({why})"

    async def _hold(self, *, held: bool, ended: str = "") -> None:
        event(
            _log, logging.WARNING, "the node is held" if held else "the node is not held any more", why=ended
        )
        await self._routing.hold(held=held, ended=ended)
        self._is_held = held

    def _keep_up(self) -> None:
        """Report each hold when it begins and each minute; then write what is left of it."""
        now = self._clock.monotonic_ns()
        for hold in self._holds.holds:
            last = self._reported.get(hold.id)
            if last is not None and now - last < REPEAT_NS:
                continue
            self._reported[hold.id] = now
            applied = hold.rewritten(moment(self._clock)).model_copy(update={"applied": True})
            self._update(lambda holds, hold=applied: holds.with_(hold))  # type: ignore[misc]
            self._report(hold, "held", "; ".join(self._routing.not_held))

    def _longest(self) -> Hold | None:
        now = moment(self._clock)
        return max(self._holds.holds, key=lambda hold: hold.left(now), default=None)

    def _report(self, hold: Hold, state: Literal["held", "ended"], detail: str) -> None:
        now = moment(self._clock)
        until = hold.until_ns(now) if state == "held" else now.wall_ns
        if state == "ended":
            self._reported.pop(hold.id, None)
        self._emit(
            lambda boot, seq: HoldReport(
                boot=boot,
                seq=seq,
                device=self._device,
                at=now.wall_ns,
                hold=hold.id,
                origin=hold.origin,
                by=hold.by,
                reason=hold.reason,
                state=state,
                seconds=hold.seconds,
                began=hold.began_ns,
                until=until,
                detail=detail[:1000],
            ),
            urgent=True,
        )
