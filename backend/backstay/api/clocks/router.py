"""Clocks: the offset of each node and device, its source, its error, and since when."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from backstay.api.clocks.present import clock_out, view_of
from backstay.api.clocks.schemas import ClockOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page, State
from backstay.telemetry.selectors.clocks import clocks_now

router = Router(tags=["clocks"])
SORTS: dict[str, Callable[[ClockOut], Any]] = {
    "node": lambda item: item.node,
    "source": lambda item: item.source,
    "state": lambda item: item.state,
    "offset": lambda item: abs(item.offset_s),
    "error": lambda item: item.error_s,
    "drift": lambda item: None if item.drift_ppm is None else abs(item.drift_ppm),
    "stepped": lambda item: None if item.step is None else item.step.at,
    "age": lambda item: age_key(item.at),
}


class ClockQuery(ListQuery):
    """Filters of `list_clocks`."""

    node: Text | None = None
    source: Text | None = None
    state: State | None = None


@router.get("/clocks", response={200: Page[ClockOut], **READ}, operation_id="list_clocks")
def list_clocks(request: HttpRequest, query: Query[ClockQuery]) -> Page[ClockOut]:
    """Every reported clock, the largest offset first. `q` looks into names of nodes."""
    row = site_of(request, query.site)
    view, wanted = view_of(row), (query.q or "").casefold()
    items = [
        clock_out(view, clock)
        for clock in clocks_now(row)
        if query.node in {None, clock.node}
        and query.source in {None, clock.source}
        and wanted in clock.node.casefold()
    ]
    items = [item for item in items if query.state in {None, item.state}]
    return query.page(items, SORTS, lambda item: f"{item.node} {item.source}", "-offset")
