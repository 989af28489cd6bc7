"""Writes exports in a worker: one process at a time, some seconds a round, all users in turn.

A step reads one slab of time of a batch of devices and appends it to the file. About once a second, the
file is written to the disk and then the row says how far it is, so that a worker may be killed at any time:
the next round cuts off what the row does not count, and continues. An export that fails or loses its worker
MOST_ATTEMPTS times without progress has failed, and so has one that takes longer than LONGEST.
"""

from __future__ import annotations

import logging
import time
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, BinaryIO

import pyarrow as pa
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import F, Min, Q, Sum
from django.utils import timezone

from backstay.core.export_plan import (
    OPEN_EXPORTS,
    SLAB_S,
    STEP_ROWS,
    ExportPlan,
    ExportSpan,
    export_plan,
    progress_of,
    slabs,
)
from backstay.core.formatting import byte_size, grouped
from backstay.core.rollups.levels import LEVELS, DeviceMark, sources
from backstay.inventory.models import Site
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry import partitions
from backstay.telemetry.archive.reader import ArchiveGap
from backstay.telemetry.archive_models import ArchivePart
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import codec, files
from backstay.telemetry.exports.ports import PortBatch, port_batch, port_count
from backstay.telemetry.exports.rollup_tables import rollup_tables
from backstay.telemetry.exports.sample_tables import Piece, is_stored, sample_tables
from backstay.telemetry.exports.schema import gap_table
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups import partitions as rollup_partitions

log = logging.getLogger(__name__)
ROUND_S, SLICE_S, SAVE_S = 5.0, 2.0, 1.0
"""Of a round; of one export in it, so that a large one does not delay the others; between two saves."""
MOST_ATTEMPTS = 3
RETRY_S = 20.0
"""Between attempts without progress, so that a short outage does not use them up."""
LONGEST = timedelta(hours=6)
_SMALLER = "choose a coarser level, a shorter time or fewer ports"
MOST_GAPS = 100
"""Gaps that the row lists; the file has all of them."""


class LimitError(Exception):
    """The export would exceed a limit; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Position:
    """The next step: slab `at` of span `span`, devices from `node` on."""

    span: int = 0
    at: float = 0.0
    node: int = 0
    ports: int = 0
    """Ports of the slab that are done."""


def run_round(now: datetime, *, round_s: float = ROUND_S) -> int:
    """Write for about `round_s` seconds, the longest waiting export first; the number of slices."""
    if not files.is_configured():
        return 0
    sweep()
    fail_overdue(now)
    end = time.monotonic() + round_s
    slices = 0
    while time.monotonic() < end:
        due = Q(attempts=0) | Q(worked_at__lt=timezone.now() - timedelta(seconds=RETRY_S))
        waiting = Export.objects.filter(due, state__in=OPEN_EXPORTS).order_by(
            F("worked_at").asc(nulls_first=True), "pk"
        )
        export = waiting.select_related("site").first()
        if export is None:
            break
        write_slice(export, min(SLICE_S, end - time.monotonic()))
        slices += 1
    return slices


def sweep() -> None:
    """Remove files whose export was deleted or has failed."""
    found = files.stored()
    if not found:
        return
    known = dict(Export.objects.filter(file__in=found).values_list("file", "state"))
    for file, paths in found.items():
        for path in paths:
            is_partial = path.suffix in {f".{files.PARTIAL}", f".{files.CONVERTED}"}
            state = known.get(file)
            if state is None or state == "failed" or (state == "done" and is_partial):
                path.unlink(missing_ok=True)


def fail_overdue(now: datetime) -> None:
    """Exports that no worker ended in time."""
    reason = f"It was not finished within {LONGEST // timedelta(hours=1)} h: is a worker running?"
    Export.objects.filter(state__in=OPEN_EXPORTS, created_at__lt=now - LONGEST).update(
        state="failed", ended_at=now, failure=reason
    )


def write_slice(export: Export, seconds: float) -> None:
    """Continue an export for some seconds. Failures are recorded."""
    if export.attempts >= MOST_ATTEMPTS:
        _fail(export, export.failure or f"Its worker was lost {MOST_ATTEMPTS} times in the same step.")
        return
    export.attempts += 1
    if not _update(export, state="running", attempts=export.attempts, worked_at=timezone.now()):
        return
    try:
        _Writer(export, time.monotonic() + seconds).write()
    except LimitError as problem:
        _fail(export, str(problem))
    except files.LostFileError:
        _restart(export, "Its file is missing: is BACKSTAY_EXPORTS one folder of all workers?")
    except SoftTimeLimitExceeded:
        _record(export, "A step took too long.")
        raise
    except Exception as problem:
        log.exception("export %s failed in attempt %d", export.pk, export.attempts)
        _record(export, f"{type(problem).__name__}: {problem}".strip()[:300])


def _record(export: Export, reason: str) -> None:
    if export.attempts >= MOST_ATTEMPTS:
        _fail(export, reason)
    else:
        _update(export, failure=reason)


def _fail(export: Export, reason: str) -> None:
    log.error("export %s failed: %s", export.pk, reason)
    _update(export, state="failed", ended_at=timezone.now(), failure=reason)
    files.remove(export.file, (files.PARTIAL,))


def _restart(export: Export, reason: str) -> None:
    fresh: dict[str, Any] = {"plan": None, "position": {}, "rows": 0, "bytes": 0, "gaps": [], "gap_count": 0}
    _update(export, **fresh, progress=0.0)
    _record(export, reason)


def _update(export: Export, **values: Any) -> bool:
    """Whether the export still exists and is open: a deleted one ends within a second."""
    return bool(Export.objects.filter(pk=export.pk, state__in=OPEN_EXPORTS).update(**values))


class _Writer:
    """One slice of an export."""

    def __init__(self, export: Export, until: float) -> None:
        self.export, self.until = export, until
        self.kind: Any = export.format
        self.saved_at = time.monotonic()
        others = Export.objects.filter(person=export.person).exclude(pk=export.pk)
        self.others: int = others.aggregate(sum=Sum("bytes", default=0))["sum"]

    def write(self) -> None:
        export = self.export
        if files.free_bytes() < files.LEAST_FREE:
            raise OSError(f"less than {byte_size(files.LEAST_FREE)} of the exports' disk are free")
        with files.appended(export.file, export.bytes) as stream:
            if export.plan is None:
                self._begin(stream)
            assert export.plan is not None
            spans = [ExportSpan(**span) for span in export.plan["spans"]]
            position = Position(**export.position)
            is_complete = False
            while time.monotonic() < self.until:
                following = self._step(stream, spans, position)
                is_complete = following is None
                position = following or position
                is_due = time.monotonic() - self.saved_at >= SAVE_S
                if (is_due or is_complete) and not self._save(stream, spans, position):
                    return
                if is_complete:
                    break
            if not is_complete:
                self._save(stream, spans, position)
                return
        self._finish()

    def _begin(self, stream: BinaryIO) -> None:
        export = self.export
        plan = plan_of(export)
        ports = port_count(export.site_id, export.selection)
        export.plan = {"spans": [asdict(span) for span in plan.spans], "ports": ports}
        export.position = asdict(Position(at=plan.spans[0].start if plan.spans else 0.0))
        stream.write(codec.head(self.kind))
        for missing in plan.missing:
            self._gap(stream, missing.start, missing.end, missing.text)
        if not ports:
            start, end = export.start.timestamp(), export.end.timestamp()
            self._gap(stream, start, end, "The selection has no ports.")

    def _step(self, stream: BinaryIO, spans: list[ExportSpan], position: Position) -> Position | None:
        """Write one slab of one batch of devices; the next position, or None at the end."""
        if position.span >= len(spans):
            return None
        span = spans[position.span]
        start, end = next(slab for slab in slabs(span) if slab[1] > position.at)
        if not position.node:
            self._missing_slab(stream, span, start, end)
        batch = port_batch(self.export.site_id, self.export.selection, position.node, self._most(span))
        if batch is not None:
            for found in self._tables(span, batch, start, end):
                if isinstance(found, ArchiveGap):
                    self._gap(stream, start, end, f"The archive's file {found.path} {found.reason}.")
                elif len(found):
                    self._append(stream, found)
            done = position.ports + len(batch.ids)
            return replace(position, at=start, node=batch.nodes[-1] + 1, ports=done)
        if end < span.end:
            return Position(position.span, end)
        following = position.span + 1
        return Position(following, spans[following].start) if following < len(spans) else None

    @reads_standby
    def _tables(
        self, span: ExportSpan, batch: PortBatch, start: float, end: float
    ) -> list[pa.Table | ArchiveGap]:
        """About STEP_ROWS rows. All are read before one is written, because the read may be repeated."""
        site = self.export.site
        if span.level == "samples":
            cut = span.start if span.is_cut else None
            return list(sample_tables(site.name, Piece(batch, start, end, cut), site.interval_s))
        return list(rollup_tables(span.level, Piece(batch, start, end)))

    def _most(self, span: ExportSpan) -> int:
        """Ports of a step: its slab has about STEP_ROWS rows."""
        width = next((level.width_s for level in LEVELS if level.name == span.level), 0)
        return int(STEP_ROWS * (width or self.export.site.interval_s) / SLAB_S[span.level])

    def _missing_slab(self, stream: BinaryIO, span: ExportSpan, start: float, end: float) -> None:
        """Name a slab that is not stored, or was removed since the plan was made."""
        if span.level == "samples":
            if not is_stored(self.export.site.name, start):
                self._gap(stream, start, end, "No samples of this day are stored.")
        elif start < (kept := rollup_partitions.kept_at(self.export.site.retention).get(span.level, end)):
            self._gap(stream, start, min(kept, end), f"The bins of {span.level} were removed meanwhile.")

    def _append(self, stream: BinaryIO, table: pa.Table) -> None:
        stream.write(codec.encoded(self.kind, table))
        self.export.rows += len(table)
        size = stream.tell()
        if self.export.rows > settings.EXPORT_ROWS:
            raise LimitError(f"More than {grouped(settings.EXPORT_ROWS)} rows: {_SMALLER}.")
        if size > settings.EXPORT_BYTES:
            raise LimitError(f"More than {byte_size(settings.EXPORT_BYTES)}: {_SMALLER}.")
        if size + self.others > settings.EXPORT_USER_BYTES:
            limit = byte_size(settings.EXPORT_USER_BYTES)
            raise LimitError(
                f"More than {limit} in all exports of {self.export.person}: delete others first."
            )

    def _gap(self, stream: BinaryIO, start: float, end: float, text: str) -> None:
        gap = {"start": start, "end": end, "text": text}
        if gap in self.export.gaps:  # Several batches of devices share a file of the archive.
            return
        self.export.gap_count += 1
        if len(self.export.gaps) < MOST_GAPS:
            self.export.gaps.append(gap)
        self._append(stream, gap_table(start, end, text))

    def _save(self, stream: BinaryIO, spans: list[ExportSpan], position: Position) -> bool:
        """Record what is on the disk; False: the export was deleted."""
        export = self.export
        export.bytes = files.saved(stream)
        self.saved_at = time.monotonic()
        assert export.plan is not None
        share = position.ports / max(export.plan["ports"], 1)
        return _update(
            export,
            plan=export.plan,
            position=asdict(position),
            progress=progress_of(spans, position.at, min(share, 1.0)),
            rows=export.rows,
            bytes=export.bytes,
            gaps=export.gaps,
            gap_count=export.gap_count,
            attempts=0,
            failure="",
            worked_at=timezone.now(),
        )

    def _finish(self) -> None:
        export = self.export
        source = files.path_of(export.file, files.PARTIAL)
        if self.kind == "parquet":
            target = files.path_of(export.file, files.CONVERTED)
            codec.write_parquet(source, target, manifest_of(export))
            source = target
        size = files.finish(source, files.path_of(export.file, codec.SUFFIXES[self.kind]))
        if _update(export, state="done", ended_at=timezone.now(), bytes=size, progress=1.0, attempts=0):
            log.info("export %s: %d rows, %d bytes", export.pk, export.rows, size)
        files.remove(export.file, (files.PARTIAL,))


def manifest_of(export: Export) -> dict[str, Any]:
    """What a file contains and what it lacks."""
    return {
        "site": export.site.name,
        "selection": export.selection,
        "level": export.level,
        "start": export.start.isoformat(),
        "end": export.end.isoformat(),
        "rows": export.rows,
        "gaps": export.gaps,
        "gap_count": export.gap_count,
    }


def plan_of(export: Export) -> ExportPlan:
    """What the export reads, from what is stored of its site."""
    site = export.site
    marks = RollupMark.objects.filter(node__site=site).aggregate(
        since=Min("since"), fine=Min("fine_until"), coarse=Min("coarse_until")
    )
    mark = None
    if marks["since"] is not None:
        mark = DeviceMark(*(marks[name].timestamp() for name in ("since", "fine", "coarse")))
    stored = sources(_samples_since(site), mark, rollup_partitions.kept_at(site.retention))
    level: Any = export.level
    return export_plan(level, stored, export.start.timestamp(), export.end.timestamp(), site.interval_s)


def _samples_since(site: Site) -> float:
    """Start of the oldest day of samples, in the database or the archive; days between may be missing."""
    since = partitions.stored_from()
    if settings.ARCHIVE:
        parts = ArchivePart.objects.filter(site=site.name, released_at__isnull=False, table="samples")
        oldest = parts.aggregate(day=Min("day__day"))["day"]
        if oldest is not None:
            since = min(since, datetime.combine(oldest, datetime.min.time(), since.tzinfo))
    return since.timestamp()
