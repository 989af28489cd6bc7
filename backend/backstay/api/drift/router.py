"""Drift: nodes whose intended, running and saved routing are not one."""

from typing import Literal

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.drift.present import drift_out
from backstay.api.drift.schemas import DriftOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.rollout.models import Drift, Intended

router = Router(tags=["drift"])
SORTS = {
    "node": Column("node__name"),
    "since": Column("since"),
    "age": Column("since", backwards=True),
    "reboot": Column("reboot"),
}


class DriftQuery(ListQuery):
    """Filters of `list_drift`."""

    node: Text | None = None
    only: Literal["drift", "reboot"] | None = None


@router.get("/drift", response={200: Page[DriftOut], **READ}, operation_id="list_drift")
def list_drift(request: HttpRequest, query: Query[DriftQuery]) -> Page[DriftOut]:
    """Nodes that differ; `only=reboot` are those that would run something else after a reboot."""
    row, now = site_of(request, query.site), timezone.now()
    wanted = Q(node__site=row)
    wanted &= Q(node__name=query.node) if query.node is not None else Q()
    wanted &= Q(node__name__icontains=query.q) if query.q else Q()
    if query.only == "drift":
        wanted &= Q(running_differs=True) | Q(saved_differs=True)
    elif query.only == "reboot":
        wanted &= Q(reboot=True)
    rows = Drift.objects.filter(wanted).select_related("node")
    shown, following = query.rows(rows, SORTS, "node")
    nodes = [item.node_id for item in shown]
    kept = Intended.objects.filter(node__in=nodes).values_list(
        "node_id", "routing__engine__kind", "change_id"
    )
    intended = {ident: (engine, change) for ident, engine, change in kept}
    items = [drift_out(item, *intended[item.node_id], now) for item in shown if item.node_id in intended]
    return Page(items=items, next=following)
