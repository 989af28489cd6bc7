"""Unsaved state: ports compared with boot files, devices by their own reports."""

from django.http import HttpRequest
from ninja import Query, Router

from backstay.api.http.auth import site_of
from backstay.api.http.conditional_reads import INVENTORY, STATES, depends_on
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.api.saved_state.present import saved_out
from backstay.api.saved_state.schemas import SavedNode
from backstay.telemetry.selectors.saved import saved_now, watched_nodes

router = Router(tags=["saved-state"])
_SAVED_TABLES = frozenset(
    {
        "telemetry_arpstate",
        "telemetry_metriclayout",
        "telemetry_metricset",
        "telemetry_routingstate",
    }
)
SORTS = {"node": Column("name", natural=True), "state": Column("rank")}


class SavedStateQuery(ListQuery):
    """Filters of `list_saved_state`."""

    node: Text | None = None


@router.get("/saved-state", response={200: Page[SavedNode], **READ}, operation_id="list_saved_state")
@depends_on(INVENTORY, STATES, _SAVED_TABLES)
def list_saved_state(request: HttpRequest, query: Query[SavedStateQuery]) -> Page[SavedNode]:
    """Each monitored node: running and saved MTU, state and addresses of its ports, and manual steps.
    Routes and ARP that Backstay manages are under `/drift`.
    """
    site = site_of(request, query.site)
    rows = watched_nodes(site, node=query.node, text=query.q)
    shown, following = query.rows(rows, SORTS, "node")
    items = [saved_out(item) for item in saved_now(site, [row.pk for row in shown])]
    return Page(items=items, next=following)
