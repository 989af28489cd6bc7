"""The track record for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.api.track_record.schemas import ComparedLoad, PredictionCheckOut, TrackRecordStatus

if TYPE_CHECKING:
    from backstay.inventory.models import Site
    from backstay.policy.track_record import TrackRecordSummary
    from backstay.policy.track_record_models import PredictionCheck


def status_out(site: Site, found: TrackRecordSummary) -> TrackRecordStatus:
    """Numbers and one sentence."""
    return TrackRecordStatus(
        site=site.name,
        headline=found.headline,
        measured=found.measured,
        not_measured=found.not_measured,
        pending=found.pending,
        median_error=found.median_error,
        worst_error=found.worst_error,
    )


def check_out(row: PredictionCheck) -> PredictionCheckOut:
    """One failover with its links."""
    links = [ComparedLoad(**link) for link in row.links]
    return PredictionCheckOut(
        id=row.pk,
        gateway=row.gateway,
        cause="failover" if row.drill_id is None else "drill",
        drill=row.drill_id,
        started_at=row.started_at,
        last_switch_at=row.last_switch_at,
        ended_at=row.ended_at,
        moved_nodes=row.moved_nodes,
        predicted_at=row.predicted_at,
        verdict=row.verdict or None,
        state=row.state,
        reason=row.reason,
        measured_at=row.measured_at,
        median_error=row.median_error,
        worst_error=row.worst_error,
        worst=_worst(links),
        links=links,
    )


def _worst(links: list[ComparedLoad]) -> ComparedLoad | None:
    known = [(abs(link.error_share), link) for link in links if link.error_share is not None]
    return max(known, key=lambda item: item[0])[1] if known else None
