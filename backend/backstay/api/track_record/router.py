"""Track record: how far the capacity study's predictions were off when a gateway failed."""

from django.http import HttpRequest
from ninja import Query, Router

from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery
from backstay.api.http.schemas import READ
from backstay.api.track_record.present import check_out, status_out
from backstay.api.track_record.schemas import CheckState, TrackRecord
from backstay.policy.track_record import prediction_checks, track_record_summary

router = Router(tags=["capacity"])
SORTS = {
    "started_at": Column("started_at"),
    "gateway": Column("gateway", natural=True),
    "state": Column("state"),
    "moved_nodes": Column("moved_nodes"),
    "median_error": Column("median_error", nullable=True),
    "worst_error": Column("worst_error", nullable=True),
}


class TrackRecordQuery(ListQuery):
    """Filters of `list_prediction_checks`."""

    state: CheckState | None = None


@router.get(
    "/capacity/track-record", response={200: TrackRecord, **READ}, operation_id="list_prediction_checks"
)
def list_prediction_checks(request: HttpRequest, query: Query[TrackRecordQuery]) -> TrackRecord:
    """Failovers of gateways, the newest first: the predicted load of each link, and the measured one."""
    site = site_of(request, query.site)
    shown, following = query.rows(prediction_checks(site, query.state, query.q), SORTS, "-started_at")
    return TrackRecord(
        status=status_out(site, track_record_summary(site)),
        items=[check_out(row) for row in shown],
        next=following,
    )
