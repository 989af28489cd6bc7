"""Outages of paths: their causes, how they were measured, their text, and when a path counts as observed.

An outage is a period in which no end-to-end probe was answered, or in which there was no route. Its duration
is from the sending of the first lost probe to the sending of the first answered one, so its uncertainty is
the probe interval. An ongoing outage has no duration, only a lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from backstay.core.formatting import duration, precise
from backstay.core.model.freshness import path_repeat_s

MISSED_REPORTS = 3
GRACE_S = 5.0


class OutageCause(StrEnum):
    """What broke a path; if there were several causes, the later member is used."""

    TARGET_DEAD = "target_dead"
    SWITCH = "switch"
    NO_ROUTE = "no_route"


CAUSE_LABELS: Mapping[OutageCause, str] = {
    OutageCause.TARGET_DEAD: "target unreachable, route kept",
    OutageCause.SWITCH: "gateway switch",
    OutageCause.NO_ROUTE: "no route",
}


class OutageMeasure(StrEnum):
    """How start and end were determined."""

    PROBES = "probes"
    ROUTE = "route"
    """Events of the kernel's route: the path has no target to probe."""
    REPORTS = "reports"
    """Times of the node's reports: its agent did not report the end, restarted within the outage, or does not
    measure it."""


def prevailing(first: str, second: str) -> str:
    """The cause of an outage for which both are reported."""
    order = [cause.value for cause in OutageCause]
    return max(first, second, key=order.index)


def max_silence(probe_interval_ms: int, interval_s: float) -> timedelta:
    """Time without a report of a path after which its state is unknown; `interval_s`: that of its site."""
    return timedelta(seconds=MISSED_REPORTS * path_repeat_s(probe_interval_ms, interval_s) + GRACE_S)


def known_until(reported_at: datetime | None, silence: timedelta, now: datetime) -> datetime | None:
    """Until when the path's newest report holds: now, or its time if no other followed within `silence`."""
    if reported_at is None or now - reported_at > silence:
        return reported_at
    return now


@dataclass(frozen=True, slots=True)
class Outage:
    """One outage of a path."""

    start: datetime
    end: datetime | None
    """None: ongoing."""
    duration_ms: float
    """Of an ongoing outage the least that it has lasted."""
    cause: OutageCause
    measured_by: OutageMeasure
    probe_interval_ms: int

    @property
    def uncertainty_ms(self) -> float | None:
        """Largest error of a measured duration; None: not known."""
        return {OutageMeasure.PROBES: float(self.probe_interval_ms), OutageMeasure.ROUTE: 1.0}.get(
            self.measured_by
        )

    @property
    def text(self) -> str:
        """`300 ms`, `20.35 s`, `about 31 s`, `at least 10 s, ongoing`."""
        if self.end is None:
            return f"at least {duration(math.floor(self.duration_ms / 1000))}, ongoing"
        about = "about " if self.measured_by is OutageMeasure.REPORTS else ""
        return f"{about}{precise(self.duration_ms)}"

    @property
    def measure_text(self) -> str:
        """`probes every 50 ms, ±50 ms`: where the duration comes from."""
        if self.measured_by is OutageMeasure.REPORTS:
            return "times of the node's reports"
        if self.measured_by is OutageMeasure.ROUTE:
            return "events of the kernel's route"
        return f"probes every {self.probe_interval_ms} ms, ±{self.probe_interval_ms} ms"

    @property
    def cause_text(self) -> str:
        return CAUSE_LABELS[self.cause]
