"""Clocks: offset, source and error of each node's clock."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors.clocks import clocks
from backstay.api.clocks.present import clocks_out
from backstay.api.clocks.schemas import ClockOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page, State

router = Router(tags=["clocks"])
SORTS = {
    "node": Column("node__name", natural=True),
    "source": Column("source", natural=True),
    "state": Column("status"),
    "offset": Column("distance_ms"),
    "error": Column("error_ms"),
    "drift": Column("drift_ppm", nullable=True),
    "stepped": Column("stepped_at", nullable=True),
    "age": Column("at", backwards=True),
}


class ClockQuery(ListQuery):
    """Filters of `list_clocks`."""

    node: Text | None = None
    source: Text | None = None
    state: State | None = None


@router.get("/clocks", response={200: Page[ClockOut], **READ}, operation_id="list_clocks")
def list_clocks(request: HttpRequest, query: Query[ClockQuery]) -> Page[ClockOut]:
    """Every reported clock, largest offset first. `q` searches node names."""
    site, now = site_of(request, query.site), timezone.now()
    rows = clocks(site, now, node=query.node, source=query.source, state=query.state, text=query.q)
    shown, following = query.rows(rows, SORTS, "-offset")
    return Page(items=clocks_out(site, shown, now), next=following)
