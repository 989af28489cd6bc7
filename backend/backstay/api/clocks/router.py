"""Clocks: offset, source and error of each node's clock."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.clocks import clocks, fingerprint
from backstay.api.clocks.present import View, clock_out
from backstay.api.clocks.schemas import ClockOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page, State
from backstay.core.model.freshness import is_fresh
from backstay.telemetry.selectors.clocks import clock_now
from backstay.telemetry.selectors.nodes import nodes_now

if TYPE_CHECKING:
    from backstay.inventory.models import Site
    from backstay.telemetry.models import ClockReading

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
    return Page(items=_clocks_out(site, shown, now), next=following)


def _clocks_out(site: "Site", rows: "Collection[ClockReading]", now: datetime) -> list[ClockOut]:
    """Rows of `alerts.selectors.clocks` in this order."""
    idents = {row.node_id for row in rows}
    reported = nodes_now(site, idents).items()
    fresh = (node for node, item in reported if is_fresh(item.report_times.at, now, site.interval_s))
    known = incidents.with_fingerprints(site, [fingerprint(node) for node in idents])
    by_node = {node: known[fingerprint(node)] for node in idents if fingerprint(node) in known}
    view = View(now, frozenset(fresh), by_node)
    return [clock_out(view, clock_now(row)) for row in rows]
