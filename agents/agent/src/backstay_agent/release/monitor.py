"""The running agent's side of a release: watches the record, limits the desired state by it, reports it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.release.record import ReleaseFile, ReleaseRecord, refusal
from backstay_agent.report_sink import ReportSink
from backstay_agent.routing_assignments import path_watches
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import ChangeAssignment, Desired, ManagementReport
from backstay_wire.management import MAX_POLICIES

_log = logging.getLogger(__name__)
_LOOK_S = 1.0
"""Interval of looks at the record's time stamp: the command waits 15 s for the agent's acknowledgement."""


def effective(desired: Desired, record: ReleaseRecord | None) -> Desired:
    """What the agent manages: `desired` without what is released. Its paths are still observed."""
    if record is None or desired.routing is None or record.is_over(desired):
        return desired
    if record.change is not None:
        routes = list(record.previous.routes) if record.previous else []
    else:
        routes = [route for route in desired.routing.routes if not record.covers(route.policy)]
    routing = desired.routing.model_copy(update={"routes": routes})
    return desired.model_copy(update={"routing": routing, "paths": path_watches(desired)})


class ReleaseMonitor:
    """The record of this agent, as it was last read."""

    def __init__(
        self,
        file: ReleaseFile,
        *,
        node: str,
        clock: Clock,
        emit: ReportSink,
        apply: Callable[[], Awaitable[None]],
    ) -> None:
        """`apply` makes the agent manage exactly what the record leaves to it."""
        self._file = file
        self._node = node
        self._clock = clock
        self._emit = emit
        self._apply = apply
        self._stamp = file.stamp
        self.record = file.read()
        self._reported: ReleaseRecord | None = None
        self._reported_ns = 0

    def effective(self, desired: Desired) -> Desired:
        """What is managed of `desired`."""
        return effective(desired, self.record)

    def refusal(self, assignment: ChangeAssignment) -> str:
        """Why a change must not be applied here; empty: it may."""
        return refusal(assignment, self.record)

    def take_up(self, desired: Desired) -> None:
        """Clear the release that the backend names; forget one that a newer change has ended."""
        record = self.record
        if record is None:
            return
        if record.resumed_ns is None and desired.managed_again == record.id:
            now = self._clock.wall_ns()
            self._replace(record.model_copy(update={"resumed_ns": now, "resumed_by": "the backend"}))
        elif record.is_over(desired):
            self._replace(None)

    def _replace(self, record: ReleaseRecord | None) -> None:
        try:
            if record is None:
                self._file.remove()
            else:
                self._file.write(record)
        except OSError as error:
            # The old record stays in force and this is tried again with the next desired state.
            event(_log, logging.ERROR, "cannot write the record of a release", error=error)
            return
        self._stamp, self.record = self._file.stamp, record
        self._report()

    async def run(self) -> None:
        """Watch until cancelled."""
        self._acknowledge()
        while True:
            if self._file.stamp != self._stamp:
                self._stamp = self._file.stamp
                before, self.record = self.record, self._file.read()
                if _is_other(before, self.record):
                    event(_log, logging.WARNING, "the record of a release changed", record=self._shown())
                    await self._apply()
                self._acknowledge()
            self._report()
            await asyncio.sleep(_LOOK_S)

    def _shown(self) -> str:
        return "none" if self.record is None else f"{self.record.scope} by {self.record.by}"

    def _acknowledge(self) -> None:
        with contextlib.suppress(OSError):
            self._file.acknowledge(self.record)

    def _report(self) -> None:
        """At once on each change, else each minute."""
        now, record = self._clock.monotonic_ns(), self.record
        if record is None:
            self._reported = None
            return
        is_news = record != self._reported
        if not is_news and now - self._reported_ns < REPEAT_NS:
            return
        self._reported, self._reported_ns = record, now
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: ManagementReport(
                boot=boot, seq=seq, device=self._node, at=at, **_content(record, at)
            ),
            urgent=is_news,
            can_wait=not is_news,
        )


def _is_other(one: ReleaseRecord | None, other: ReleaseRecord | None) -> bool:
    """Whether they release something else; what is left to do does not matter."""
    if one is None or other is None:
        return one is not other
    return one.model_copy(update={"left": other.left}) != other


def _content(record: ReleaseRecord, now_ns: int) -> dict[str, object]:
    """The fields of the report; a record that cannot be read has no time of its own."""
    state = "released" if record.change is None else "reverted"
    is_over = record.resumed_ns is not None
    since = (record.resumed_ns or now_ns) if is_over else record.at_ns or now_ns
    return {
        "state": "managed" if is_over else state,
        "release": record.id,
        "scope": record.scope,
        "policies": list(record.policies[:MAX_POLICIES]),
        "since": since,
        "by": (record.resumed_by if is_over else record.by)[:1024],
        "reason": record.reason[:1024],
        "left": "; ".join(record.left)[:1024],
        "change": record.change,
    }
