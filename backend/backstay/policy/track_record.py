"""Reads of the track record: how far predictions of the capacity study were off."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Max, QuerySet

from backstay.core.formatting import count, share
from backstay.inventory.models import Site
from backstay.policy.track_record_models import PredictionCheck


@dataclass(frozen=True, slots=True)
class TrackRecordSummary:
    """All failovers of a site that are kept; errors are shares of the usable rate, without sign."""

    measured: int
    not_measured: int
    pending: int
    median_error: float | None
    """Median of the medians of the failovers; None: none was measured."""
    worst_error: float | None

    @property
    def headline(self) -> str:
        """`3 failovers measured: median error 2 %, worst 9 %`."""
        rest = f"; {self.not_measured} not measured" if self.not_measured else ""
        if self.median_error is None or self.worst_error is None:
            return f"No prediction has been compared with a failover{rest}"
        errors = (
            f"median error {share(self.median_error)}, worst {share(self.worst_error)} of the usable rate"
        )
        return f"{count(self.measured, 'failover')} measured: {errors}{rest}"


def prediction_checks(
    site: Site, state: str | None = None, text: str | None = None
) -> QuerySet[PredictionCheck]:
    """Failovers of gateways; `text` looks into their names."""
    rows = PredictionCheck.objects.filter(site=site)
    if state is not None:
        rows = rows.filter(state=state)
    return rows.filter(gateway__icontains=text) if text else rows


def track_record_summary(site: Site) -> TrackRecordSummary:
    """Two queries."""
    rows = PredictionCheck.objects.filter(site=site)
    grouped = rows.order_by().values("state").annotate(number=Count("pk"), worst=Max("worst_error"))
    found = {row["state"]: row for row in grouped}
    medians = list(rows.filter(state="measured").values_list("median_error", flat=True))
    known = [item for item in medians if item is not None]

    def number(state: str) -> int:
        return int(found[state]["number"]) if state in found else 0

    return TrackRecordSummary(
        measured=number("measured"),
        not_measured=number("not_measured"),
        pending=number("pending"),
        median_error=median(known) if known else None,
        worst_error=found["measured"]["worst"] if "measured" in found else None,
    )
