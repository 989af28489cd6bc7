"""Recordings that the backend asks for: one device after the other, each result sent as a report.

What leaves the host is what `backstay-agent record` writes: anonymised, within limits. A process does each
request once; after a restart, one that is still wanted is done again.
"""

import asyncio
import base64
import gzip
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from random import SystemRandom
from typing import TYPE_CHECKING

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.values import SnmpError, SnmpTimeoutError
from backstay_agent.report_sink import ReportSink
from backstay_wire import (
    MAX_RECORDING_CHARS,
    Desired,
    RecordingReport,
    RecordingRequest,
    SnmpSource,
    Source,
)

if TYPE_CHECKING:
    from backstay_agent.recording.recorder import Recording

_log = logging.getLogger(__name__)
_MARGIN_S = 30.0
"""For anonymising and comparing with the replay, beyond the time for reading."""
_LONGEST_DETAIL = 1000


class RecordingFailedError(Exception):
    """The device was not recorded; the message says why."""


class RecordingJobs:
    """The requested recordings of one agent."""

    def __init__(self, clock: Clock, emit: ReportSink, local_offset: Callable[[], timedelta]) -> None:
        """`local_offset`: of this host's time zone from UTC, for devices that report local time."""
        self._clock = clock
        self._emit = emit
        self._local_offset = local_offset
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    def take_up(self, desired: Desired) -> None:
        """Begin what is new, and end what is no longer wanted."""
        wanted = {request.id: request for request in desired.recordings}
        for ident in self._tasks.keys() - wanted.keys():
            self._tasks.pop(ident).cancel()
        for ident, request in wanted.items():
            if ident not in self._tasks:
                source = _source(desired.sources, request.device)
                self._tasks[ident] = asyncio.create_task(
                    self._run(request, source), name=f"recording {request.device}"
                )

    async def close(self) -> None:
        """End all."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()

    async def _run(self, request: RecordingRequest, source: SnmpSource | None) -> None:
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(request.seconds + _MARGIN_S):
                    recording, incomplete = await self._record(request, source)
            except TimeoutError:
                self._report(request, f"not done within {request.seconds + _MARGIN_S:g} s")
            except (RecordingFailedError, SnmpError, SnmpTimeoutError) as error:
                self._report(request, str(error))
            except Exception as error:  # A fault of ours must not read as silence.
                _log.exception("recording a device crashed")
                self._report(request, f"{type(error).__name__}: {error}")
            else:
                self._finish(request, recording, incomplete)

    async def _record(
        self, request: RecordingRequest, source: SnmpSource | None
    ) -> tuple["Recording", Sequence[str]]:
        # Few agents ever record: the others do without these modules and NumPy.
        from backstay_agent.recording.anonymiser import AnonymiseError
        from backstay_agent.recording.recorder import publish, record
        from backstay_agent.recording.session import RecordingLimits

        if source is None:
            raise RecordingFailedError(f"this agent does not poll {request.device} by SNMP")
        limits = RecordingLimits(seconds=request.seconds)
        raw = await record(source, limits, self._clock, self._local_offset())
        # It takes seconds of processor time for a large device, and the loop has other deadlines.
        try:
            recording = await asyncio.to_thread(publish, raw, source, SystemRandom(), keep=(), replace=())
        except AnonymiseError as error:
            raise RecordingFailedError(str(error)) from error
        differences = [f"the replay differs: {name}" for name in recording.differences]
        return recording, [*raw.incomplete, *differences]

    def _finish(self, request: RecordingRequest, recording: "Recording", incomplete: Sequence[str]) -> None:
        data = base64.b64encode(gzip.compress(recording.data)).decode("ascii")
        if len(data) > MAX_RECORDING_CHARS:
            self._report(
                request,
                f"the recording has {len(recording.data):,} bytes, too many for a report:"
                " record it on the agent's host with backstay-agent record",
            )
            return
        self._report(request, "; ".join(incomplete), data=data, objects=len(recording.anonymised.records))

    def _report(self, request: RecordingRequest, detail: str, *, data: str = "", objects: int = 0) -> None:
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: RecordingReport(
                boot=boot,
                seq=seq,
                device=request.device,
                at=at,
                recording=request.id,
                state="recorded" if data else "failed",
                detail=detail[:_LONGEST_DETAIL],
                objects=objects,
                data=data,
            )
        )


def _source(sources: Sequence[Source], device: str) -> SnmpSource | None:
    return next(
        (source for source in sources if isinstance(source, SnmpSource) and source.device == device), None
    )
