"""Drift: nodes whose intended, running and saved routing are not one."""

from typing import Literal

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.api.drift.present import drift_out
from backstay.api.drift.schemas import DriftOut
from backstay.api.http.auth import site_of
from backstay.api.http.paging import (
    DEFAULT_LIMIT,
    Column,
    CursorText,
    Limit,
    Text,
    as_page,
    page_rows,
    sort_of,
)
from backstay.api.http.schemas import READ, Page
from backstay.rollout.models import Drift, Intended

router = Router(tags=["drift"])
SORTS = {
    "node": Column("node__name"),
    "since": Column("since"),
    "age": Column("since", backwards=True),
    "reboot": Column("reboot"),
}


@router.get("/drift", response={200: Page[DriftOut], **READ}, operation_id="list_drift")
def list_drift(
    request: HttpRequest,
    *,
    site: Text | None = None,
    node: Text | None = None,
    only: Literal["drift", "reboot"] | None = None,
    q: Text | None = None,
    sort: Text | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText | None = None,
) -> Page[DriftOut]:
    """Nodes that differ; `only=reboot` are those that would run something else after a reboot."""
    row, now = site_of(request, site), timezone.now()
    wanted = Q(node__site=row)
    wanted &= Q(node__name=node) if node is not None else Q()
    wanted &= Q(node__name__icontains=q) if q else Q()
    if only == "drift":
        wanted &= Q(running_differs=True) | Q(saved_differs=True)
    elif only == "reboot":
        wanted &= Q(reboot=True)
    rows = Drift.objects.filter(wanted).select_related("node")
    by = sort_of(sort, "node", SORTS)
    shown, following = page_rows(rows, SORTS, sort=by, cursor=cursor, limit=limit)
    nodes = [item.node_id for item in shown]
    kept = Intended.objects.filter(node__in=nodes).values_list(
        "node_id", "routing__engine__kind", "change_id"
    )
    intended = {ident: (engine, change) for ident, engine, change in kept}
    items = [drift_out(item, *intended[item.node_id], now) for item in shown if item.node_id in intended]
    return as_page(items, following)
