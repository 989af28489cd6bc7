"""One port's samples, from the database and from the archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
from django.conf import settings
from django.db import transaction

from backstay.core.model.history import HistoryGap, Samples
from backstay.core.model.topology import Port
from backstay.telemetry import partitions
from backstay.telemetry.archive.reader import ArchiveGap, archived_days, archived_samples
from backstay.telemetry.selectors.rollup_reads import hot_samples

LATE_INTERVALS = 3
"""An archived sample that contains the end of a range ends at most so many intervals later."""
_DAY = timedelta(days=1)
_NOTHING = np.empty(0)
_NO_SAMPLES = Samples(_NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING, reset=np.empty(0, np.bool_))


def samples_since(port: Port) -> datetime:
    """The start of the newest days of which samples are stored or archived, without a missing day."""
    since = partitions.stored_from()
    if not settings.ARCHIVE:
        return since
    days = archived_days(port.node_id)
    while (before := since - _DAY).date() in days:
        since = before
    return since


def samples(
    port: Port, start: datetime, end: datetime, interval_s: float
) -> tuple[Samples, list[HistoryGap]]:
    """Samples that end after `start` and begin before `end`, ascending; and the days that cannot be read.

    In one transaction: a day that is dropped meanwhile is read once.
    """
    with transaction.atomic():
        hot = hot_samples(port, start, end)
        if not settings.ARCHIVE or start >= partitions.stored_from():
            return hot, []
        until = end + timedelta(seconds=LATE_INTERVALS * interval_s)
        archived, gaps = archived_samples(port.node_id, port.id, start, until)
    began = archived.end - archived.seconds < end.timestamp()
    return joined([archived.where(began), hot]), [_gap(gap) for gap in gaps]


def joined(parts: Sequence[Samples]) -> Samples:
    """Consecutive samples as one."""
    return Samples(
        *(
            np.concatenate([getattr(part, column.name) for part in (_NO_SAMPLES, *parts)])
            for column in fields(Samples)
        )
    )


def _gap(gap: ArchiveGap) -> HistoryGap:
    start = _midnight(gap.day)
    return HistoryGap(
        start.timestamp(), (start + _DAY).timestamp(), f"The archive's file {gap.path} {gap.reason}."
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
