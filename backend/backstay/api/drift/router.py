"""Drift: nodes whose intended, running and saved routing differ."""

from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.drift.present import drift_out
from backstay.api.drift.schemas import DriftOut
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, Page
from backstay.rollout.selectors import drifting, intended_by

router = Router(tags=["drift"])
SORTS = {
    "node": Column("node__name", natural=True),
    "since": Column("since"),
    "age": Column("since", backwards=True),
    "reboot": Column("reboot"),
    "urgency": Column("urgency", natural=True),
}


class DriftQuery(ListQuery):
    """Filters of `list_drift`."""

    node: Text | None = None
    only: Literal["drift", "reboot"] | None = None


@router.get("/drift", response={200: Page[DriftOut], **READ}, operation_id="list_drift")
def list_drift(request: HttpRequest, query: Query[DriftQuery]) -> Page[DriftOut]:
    """Nodes with drift; `only=reboot`: those that a reboot would change. `sort=urgency`: these first, then by
    name."""
    row, now = site_of(request, query.site), timezone.now()
    rows = drifting(row, node=query.node, only=query.only, text=query.q)
    shown, following = query.rows(rows, SORTS, "node")
    intended = intended_by(item.node_id for item in shown)
    items = [drift_out(item, *intended[item.node_id], now) for item in shown if item.node_id in intended]
    return Page(items=items, next=following)
