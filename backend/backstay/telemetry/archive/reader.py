"""Archived samples of one port, and which files could not be read.

Only released parts are read: those whose partition is dropped. In one transaction that has read
`telemetry_samples` before, no partition can be dropped, so that each sample is either in that result or in
this.

pyarrow reads folders and buckets alike and checks the checksum of each page, so that a damaged value is a gap
and not a wrong value ([ADR 0020](docs/decisions/0020-archive.md)).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotDoneError
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.conf import settings
from django.db.models import QuerySet
from numpy.typing import NDArray

from backstay.core.model.history import Samples
from backstay.telemetry.archive.schema import SAMPLES
from backstay.telemetry.archive.store import Store, open_store
from backstay.telemetry.archive_models import ArchivePart

READ_S = 10.0
"""Longest read, seconds. What is not read by then is a gap."""
RESET_OUTCOME = 2
"""`backstay_wire.DeltaOutcome.RESET`."""
_READERS = 4
_VALUES = ("duration_ns", "in_octets", "out_octets", "in_peak", "out_peak", "outcome")
_COLUMNS = ("port_id", "ts", *_VALUES)
_readers = ThreadPoolExecutor(_READERS, "archive-reader")


@dataclass(frozen=True, slots=True)
class ArchiveGap:
    """A file that could not be read: the port's samples of that day are missing."""

    day: date
    path: str
    reason: str


def archived_days(node_id: int) -> set[date]:
    """UTC days of which the node's samples are only in the archive."""
    rows = _released(node_id).values_list("day__day", flat=True)
    return set(rows)


def archived_samples(
    node_id: int, port_id: int, start: datetime, end: datetime, *, read_s: float = READ_S
) -> tuple[Samples, list[ArchiveGap]]:
    """Samples whose interval ends after `start` and not after `end`, ascending; and the unreadable files."""
    parts = list(_parts(node_id, start, end))
    store = open_store(settings.ARCHIVE)
    if store is None:
        return _samples([]), [
            ArchiveGap(part.day.day, part.path, "no archive is configured") for part in parts
        ]
    until = time.monotonic() + read_s
    tables: list[pa.Table] = []
    gaps: list[ArchiveGap] = []
    reading = [(part, _readers.submit(_read, store, part, port_id, start, end)) for part in parts]
    for part, future in reading:
        try:
            tables.append(_result(future, until))
        except (OSError, pa.ArrowException, NotDoneError) as problem:
            gaps.append(ArchiveGap(part.day.day, part.path, _reason(problem, read_s)))
    return _samples(tables), gaps


def released_parts(site: str, day: date, first_node: int = 0, last_node: int = 2**62) -> list[ArchivePart]:
    """Files that have the only copy of samples of these nodes of a site on a UTC day."""
    parts = ArchivePart.objects.filter(
        table=SAMPLES,
        site=site,
        released_at__isnull=False,
        day__day=day,
        first_node__lte=last_node,
        last_node__gte=first_node,
    )
    return list(parts.select_related("day").order_by("number"))


def part_tables(
    part: ArchivePart, ports: NDArray[np.int64], start: datetime, end: datetime, *, read_s: float = READ_S
) -> Iterator[pa.Table | ArchiveGap]:
    """All columns of the ports' samples that end after `start` and not after `end`, a row group at a time.

    `read_s`: longest wait for one row group. A file that cannot be read is a gap, after what was read of it.
    """
    store = open_store(settings.ARCHIVE)
    if store is None:
        yield ArchiveGap(part.day.day, part.path, "no archive is configured")
        return
    pieces = _row_groups(store, part, ports, start, end)
    while True:
        future = _readers.submit(next, pieces, None)
        try:
            table = _result(future, time.monotonic() + read_s)
        except (OSError, pa.ArrowException, NotDoneError) as problem:
            yield ArchiveGap(part.day.day, part.path, _reason(problem, read_s))
            return
        if table is None:
            return
        yield table


def _row_groups(
    store: Store, part: ArchivePart, ports: NDArray[np.int64], start: datetime, end: datetime
) -> Iterator[pa.Table]:
    wanted = pa.array(ports)
    with store.open(part.path) as source:
        file = _opened(source, part)
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            column = group.column(file.schema_arrow.get_field_index("port_id")).statistics
            near = ports[np.searchsorted(ports, column.min) :][:1]
            if not len(near) or not _may_have(group, file.schema_arrow, int(near[0]), start, end):
                continue
            table = file.read_row_group(number, use_threads=False)
            yield table.filter(
                pc.and_(pc.is_in(table["port_id"], value_set=wanted), _is_within(table, start, end))
            )


def _parts(node_id: int, start: datetime, end: datetime) -> Iterable[ArchivePart]:
    days = (start.astimezone(UTC).date(), end.astimezone(UTC).date())
    return _released(node_id).filter(day__day__range=days).select_related("day")


def _released(node_id: int) -> QuerySet[ArchivePart]:
    return ArchivePart.objects.filter(
        table=SAMPLES, released_at__isnull=False, first_node__lte=node_id, last_node__gte=node_id
    )


def _result(future: Future[pa.Table], until: float) -> pa.Table:
    try:
        return future.result(max(0.0, until - time.monotonic()))
    except NotDoneError:
        future.cancel()
        raise


def _read(store: Store, part: ArchivePart, port_id: int, start: datetime, end: datetime) -> pa.Table:
    """The port's rows of one part, from the row groups that may have them; OSError, pa.ArrowException."""
    with store.open(part.path) as source:
        file = _opened(source, part)
        groups = [
            number
            for number in range(file.metadata.num_row_groups)
            if _may_have(file.metadata.row_group(number), file.schema_arrow, port_id, start, end)
        ]
        table = file.read_row_groups(groups, columns=list(_COLUMNS), use_threads=False)
    return table.filter(pc.and_(pc.equal(table["port_id"], port_id), _is_within(table, start, end)))


def _opened(source: Any, part: ArchivePart) -> pq.ParquetFile:
    if source.size() != part.bytes:
        raise OSError(f"has {source.size()} octets instead of {part.bytes}")
    return pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=True)


def _is_within(table: pa.Table, start: datetime, end: datetime) -> Any:
    return pc.and_(pc.greater(table["ts"], _scalar(start)), pc.less_equal(table["ts"], _scalar(end)))


def _may_have(group: Any, schema: pa.Schema, port_id: int, start: datetime, end: datetime) -> bool:
    """Whether a row group's statistics allow the port and the time."""
    port = group.column(schema.get_field_index("port_id")).statistics
    ts = group.column(schema.get_field_index("ts")).statistics
    return bool(port.min <= port_id <= port.max and ts.min <= end and ts.max > start)


def _scalar(at: datetime) -> pa.Scalar:
    return pa.scalar(at.astimezone(UTC), pa.timestamp("us", tz="UTC"))


def _samples(tables: list[pa.Table]) -> Samples:
    """The rows of all parts, sorted by time. Two parts of one day are of different partitions."""
    found = [table for table in tables if len(table)]
    ends = _joined(found, "ts").astype(np.int64)
    order = np.argsort(ends, kind="stable")
    columns = {name: _joined(found, name).astype(np.float64)[order] for name in _VALUES}
    return Samples(
        end=ends[order] / 1e6,
        seconds=columns["duration_ns"] / 1e9,
        in_octets=columns["in_octets"],
        out_octets=columns["out_octets"],
        in_peak=columns["in_peak"],
        out_peak=columns["out_peak"],
        reset=columns["outcome"] == RESET_OUTCOME,
    )


def _joined(tables: list[pa.Table], name: str) -> Any:
    """One column; null becomes NaN."""
    pieces = []
    for table in tables:
        column = table[name].combine_chunks()
        column = column.cast(pa.int64()) if name == "ts" else column.cast(pa.float64(), safe=False)
        pieces.append(column.to_numpy(zero_copy_only=False))
    return np.concatenate(pieces) if pieces else np.empty(0)


def _reason(problem: BaseException, read_s: float) -> str:
    if isinstance(problem, NotDoneError):
        return f"was not read within {read_s:g} s"
    if isinstance(problem, FileNotFoundError):
        return "is missing"
    return f"is damaged or unreadable: {problem}"[:300]
