"""What is running but not saved: ports against the boot files that are read, devices by their own reports."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from backstay.api.http.auth import site_of
from backstay.api.http.list_query import ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.api.saved_state.present import saved_out
from backstay.api.saved_state.schemas import SavedNode
from backstay.telemetry.selectors.saved import saved_now

router = Router(tags=["saved-state"])
_WORST = {"critical": 0, "warning": 1, "unknown": 2, "disabled": 3, "ok": 4}
SORTS: dict[str, Callable[[SavedNode], Any]] = {
    "node": lambda item: item.node,
    "state": lambda item: _WORST[item.state],
}


class SavedStateQuery(ListQuery):
    """Filters of `list_saved_state`."""

    node: Text | None = None


@router.get("/saved-state", response={200: Page[SavedNode], **READ}, operation_id="list_saved_state")
def list_saved_state(request: HttpRequest, query: Query[SavedStateQuery]) -> Page[SavedNode]:
    """Each watched node: MTU, state and addresses of its ports as they run and as they boot; what must be
    saved by hand. Routes and ARP that Backstay manages are under `/drift`.
    """
    row = site_of(request, query.site)
    items = [
        saved_out(item)
        for item in saved_now(row)
        if query.node in {None, item.node} and query.matches(item.node)
    ]
    return query.page(items, SORTS, lambda item: item.node, "state")
