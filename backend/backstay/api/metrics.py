"""What figures mean."""

from django.http import HttpRequest
from ninja import Router

from backstay.api.http.answers import READ
from backstay.api.http.paging import DEFAULT_LIMIT, CursorText, Limit, Text, as_page, page, sort_of
from backstay.api.present.figures import all_metrics
from backstay.api.schemas.page import Page
from backstay.api.schemas_figures import MetricOut

router = Router(tags=["metrics"])
SORTS = {
    "name": lambda metric: metric.name,
    "title": lambda metric: metric.title,
    "kind": lambda metric: metric.kind,
}


@router.get("/metrics", response={200: Page[MetricOut], **READ}, operation_id="list_metrics")
def list_metrics(
    request: HttpRequest,
    *,
    family: Text | None = None,
    sort: Text | None = None,
    q: Text | None = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText | None = None,
) -> Page[MetricOut]:
    """Every figure beyond traffic that agents report, explained. `family` is what stands before the dot."""
    wanted = (q or "").casefold()
    items = [
        metric
        for metric in all_metrics()
        if family in {None, metric.name.partition(".")[0]}
        and wanted in f"{metric.name} {metric.title} {metric.sentence}".casefold()
    ]
    by = sort_of(sort, "name", SORTS)
    return as_page(*page(items, SORTS, lambda item: item.name, sort=by, cursor=cursor, limit=limit))
