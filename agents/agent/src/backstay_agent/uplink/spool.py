"""The spool: every report is on disk before it is sent, and stays there until the backend has it.

Possible losses: kill -9 of the agent loses at most the report being written (the rest is in the kernel's page
cache). A power cut also loses what was appended since the last `sync`, which the agent calls each second. A
bit flip or a torn tail loses the affected records, and they are counted. A full quota, or a full disk, loses
the oldest segment, and its unacknowledged records are counted exactly.

What cannot be read does not keep the agent from starting: a damaged segment or a stray folder is set aside
(`NAME.damaged-N`), and the event log names it. The counts are kept twice, each with a checksum: a damaged
number would otherwise discard segments that nobody counted.

Order of sending: the newest first, since operators look at the present; up to half of each batch is taken
from the oldest end, so that a backlog drains while live data never waits behind it. Within a batch, reports
are in the order of their creation.
"""

import contextlib
import errno
import logging
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from pydantic import ValidationError

from backstay_agent.host.files import report_aside, usable_dir
from backstay_agent.logs import event
from backstay_agent.report_sink import BuildReport
from backstay_agent.uplink.counts import LossCounts
from backstay_agent.uplink.segment import (
    ACK_SUFFIX,
    SUFFIX,
    TAKEN,
    WAITING,
    Segment,
    segment_numbers,
    segment_paths,
)
from backstay_wire import Report

_SEGMENTS = 32
"""A full quota loses one segment of this many."""
_SMALLEST = 64 * 1024
_LARGEST = 8 * 1024 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class TakenRecord:
    """A record taken for sending."""

    segment: Segment
    position: int
    payload: bytes


def in_order(batch: list[TakenRecord]) -> list[TakenRecord]:
    """The records in the order of their creation."""
    return sorted(batch, key=lambda held: (held.segment.number, held.position))


class Spool:
    """Reports that the backend has not acknowledged."""

    def __init__(self, folder: Path, quota: int) -> None:
        """Open the spool in `folder`, whatever its state. `quota` is in octets."""
        usable_dir(folder)
        self._folder = folder
        self._quota = quota
        self._segment_size = min(_LARGEST, max(_SMALLEST, quota // _SEGMENTS))
        self._counts = LossCounts(folder)
        self.dropped, self._gone = self._counts.read()
        self._noted = True
        self._segments: list[Segment] = []
        self._unsynced: set[Segment] = set()
        self._open_segments()

    @property
    def waiting(self) -> int:
        """Records not acknowledged, including those being sent."""
        return sum(segment.unacknowledged for segment in self._segments)

    @property
    def idle(self) -> bool:
        """Nothing is waiting to be taken."""
        return not any(segment.waiting for segment in self._segments)

    @property
    def unsynced(self) -> bool:
        """Something was appended since the last `sync`."""
        return bool(self._unsynced)

    @property
    def size(self) -> int:
        """Octets on disk."""
        return sum(segment.size for segment in self._segments)

    def append(self, payload: bytes) -> TakenRecord | None:
        """Keep a report; None if even an emptied disk has no room for it, which is counted."""
        self._make_room(len(payload))
        while True:
            segment = self._segments[-1]
            try:
                segment.append(payload)
            except OSError as error:
                if error.errno in _FULL and self._drop_oldest():
                    continue
                self._count_dropped(1)
                return None
            self._unsynced.add(segment)
            return TakenRecord(segment, len(segment.states) - 1, payload)

    def take(self, most: int, octets: int) -> list[TakenRecord]:
        """Up to `most` records of up to `octets` together (at least one record), now TAKEN."""
        newest = self._pick(most - most // 2, octets, newest=True)
        left = octets - sum(len(held.payload) for held in newest)
        oldest = self._pick(most - len(newest), left, newest=False) if newest else []
        return in_order(newest + oldest)

    def take_one(self, held: TakenRecord) -> bool:
        """Take only this record; False if it is already taken."""
        if held.segment not in self._segments or held.segment.states[held.position] != WAITING:
            return False
        held.segment.mark(held.position, TAKEN)
        return True

    def acknowledge(self, batch: list[TakenRecord]) -> None:
        """The backend has these, or will never accept them."""
        by_segment: dict[int, list[int]] = {}
        for held in batch:
            by_segment.setdefault(held.segment.number, []).append(held.position)
        for segment in list(self._segments):
            positions = by_segment.get(segment.number)
            if positions:
                with contextlib.suppress(OSError):
                    segment.acknowledge(positions)
            if segment is not self._segments[-1] and not segment.unacknowledged:
                self._segments.remove(segment)
                segment.delete()

    def release(self, batch: list[TakenRecord]) -> None:
        """These could not be sent: they wait again."""
        for held in batch:
            if held.segment in self._segments and held.segment.states[held.position] == TAKEN:
                held.segment.mark(held.position, WAITING)

    def sync(self) -> None:
        """Sync appended records to disk; blocks, so call it in a thread."""
        while self._unsynced:
            # A segment that was sent and deleted meanwhile needs no sync.
            with contextlib.suppress(OSError):
                self._unsynced.pop().sync()

    def close(self) -> None:
        """Sync everything to disk and close the files."""
        self.sync()
        self._note()
        for segment in self._segments:
            segment.close()

    def _pick(self, most: int, octets: int, *, newest: bool) -> list[TakenRecord]:
        picked: list[TakenRecord] = []
        for segment in reversed(self._segments) if newest else list(self._segments):
            while segment.waiting and len(picked) < most:
                find = segment.states.rfind if newest else segment.states.find
                position = find(WAITING)
                octets -= segment.length(position)
                if octets < 0 and (picked or not newest):
                    return picked
                payload = segment.read(position)
                if payload is None:
                    # Damaged on disk since it was written.
                    with contextlib.suppress(OSError):
                        segment.acknowledge([position])
                    self._count_dropped(1)
                    continue
                segment.mark(position, TAKEN)
                picked.append(TakenRecord(segment, position, payload))
        return picked

    def _make_room(self, length: int) -> None:
        if self._segments[-1].size + length > self._segment_size and self._segments[-1].states:
            with contextlib.suppress(OSError):
                self._segments.append(Segment(self._folder, self._segments[-1].number + 1))
        while self.size + length > self._quota and self._drop_oldest():
            pass

    def _drop_oldest(self, keep: int = 1) -> bool:
        """Discard the oldest segment to make room; False if only `keep` are left."""
        if len(self._segments) <= keep:
            return False
        segment = self._segments.pop(0)
        # The count is written with the segment's number before the segment is deleted: a crash in between
        # then neither loses these records nor counts them twice.
        self._gone = segment.number
        self._count_dropped(segment.unacknowledged)
        segment.delete()
        self._note()
        return True

    def _open_segments(self) -> None:
        numbers = sorted(segment_numbers(self._folder))
        for number in numbers:
            segment = self._open_segment(number)
            if segment is None:
                continue
            counted = number <= self._gone
            if not counted and segment.damaged:
                self._count_dropped(segment.damaged)
            if counted or not segment.unacknowledged:
                segment.delete()
            else:
                self._segments.append(segment)
        for orphan in self._folder.glob(f"*{ACK_SUFFIX}"):
            if not orphan.with_suffix(SUFFIX).exists():
                with contextlib.suppress(OSError):
                    orphan.unlink()
        self._start_segment(max([self._gone, *numbers]) + 1)

    def _open_segment(self, number: int) -> Segment | None:
        """A segment of an earlier run; None if it was set aside, which is one lost record at least."""
        try:
            return Segment(self._folder, number)
        except OSError as error:
            for path in segment_paths(self._folder, number):
                if path.is_dir() or not os.access(path, os.R_OK | os.W_OK):
                    report_aside(path, error)
            # With its acknowledgements gone, the segment itself may be readable.
            with contextlib.suppress(OSError):
                return Segment(self._folder, number)
            aside = [report_aside(path, error) for path in segment_paths(self._folder, number)]
            if any(aside):
                self._count_dropped(1)
            return None

    def _start_segment(self, number: int) -> None:
        """Start a new segment to write to; on a full disk, discard the oldest one."""
        while True:
            try:
                self._segments.append(Segment(self._folder, number))
            except OSError as error:
                if error.errno in _FULL and self._drop_oldest(keep=0):
                    continue
                if error.errno in _FULL or not any(
                    report_aside(path, error) for path in segment_paths(self._folder, number)
                ):
                    raise
                continue
            return

    def _count_dropped(self, records: int) -> None:
        self.dropped += records
        self._noted = False
        self._note()

    def _note(self) -> None:
        """Write the counts to disk unless they are there. A full disk may refuse: memory still has them, and
        writing is retried as soon as something has been deleted, and at the end."""
        if not self._noted:
            with contextlib.suppress(OSError):
                self._counts.write(self.dropped, self._gone)
                self._noted = True


_log = logging.getLogger(__name__)


# An escaped NUL, after any number of escaped backslashes.
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


def encode(report: Report) -> bytes:
    """A report as JSON. NUL, which PostgreSQL cannot store, becomes U+FFFD, whichever collector sent it."""
    text = report.model_dump_json()
    return (_NUL.sub(r"\1\\ufffd", text) if "\\u0000" in text else text).encode()


class Outbox:
    """Numbers reports and puts them into the spool. An instance is a ReportSink.

    (boot, seq) makes each report unique for ever, so resending one is harmless.
    """

    def __init__(self, spool: Spool, boot: UUID) -> None:
        self._spool = spool
        self._boot = boot
        self._next = 1
        self.on_report: Callable[[TakenRecord, bool, bool], None] | None = None
        """Called with each spooled record, whether it is urgent, and whether it can wait."""
        self.on_leaving: Callable[[], None] | None = None
        """Called when a request is about to leave: what is due soon is reported now."""

    @property
    def made(self) -> int:
        """Reports made since start."""
        return self._next - 1

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        """See ReportSink. A report that does not validate is logged and not sent: its producer has a bug."""
        try:
            report = build(self._boot, self._next)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            event(_log, logging.ERROR, "report does not fit the wire", kind=error.title, problem=first)
            return
        self._next += 1
        held = self._spool.append(encode(report))
        if held is None:
            event(_log, logging.ERROR, "report lost: no room on disk", dropped=self._spool.dropped)
        elif self.on_report is not None:
            self.on_report(held, urgent, can_wait)
        if self.on_leaving is not None and not urgent and not can_wait:
            self.on_leaving()
