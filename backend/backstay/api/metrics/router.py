"""Device metrics, current and over time."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.http.auth import (
    Lookup,
)
from backstay.api.http.list_query import Column, Id, ListQuery, Points, Text
from backstay.api.http.schemas import READ, Page
from backstay.api.metrics.present import all_metrics, device_metric_out, history_out, metric_out
from backstay.api.metrics.schemas import DeviceMetricHistory, DeviceMetricOut, MetricOut
from backstay.core.model.device_metric import MetricState
from backstay.core.timerange import span
from backstay.inventory import selectors
from backstay.inventory.lookups import sorts_by
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.selectors.metric_history import MetricKey, metric_history
from backstay.telemetry.selectors.metrics import (
    device_metrics,
    value_of,
    with_meaning,
    with_state,
)

router = Router(tags=["metrics"])
_node = Lookup("node", selectors.node)


SORTS = {
    "subject": Column("subject", natural=True),
    "metric": Column("metric", natural=True),
    "name": Column("title", natural=True),
    "sentence": Column("sentence", natural=True, nullable=True),
    "state": Column("judged_state"),
    "value": Column("number", nullable=True),
    "age": Column("at", backwards=True),
}


class DeviceMetricQuery(ListQuery):
    """Filters of `list_device_metrics`."""

    metric: Text | None = None
    subject: Text | None = None
    state: MetricState | None = None


@router.get(
    "/nodes/{id}/metrics", response={200: Page[DeviceMetricOut], **READ}, operation_id="list_device_metrics"
)
@reads_standby
def list_device_metrics(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    query: Query[DeviceMetricQuery],
) -> Page[DeviceMetricOut]:
    """Device metrics other than traffic. `q` searches parts, names and titles."""
    node, now = _node(request, id), timezone.now()
    rows = device_metrics(node, metric=query.metric, subject=query.subject, text=query.q)
    if query.state is not None or sorts_by(query.sort, "state"):
        rows = with_state(rows, node.site, now, query.state)
    if sorts_by(query.sort, "name", "sentence"):
        rows = with_meaning(rows)
    shown, following = query.rows(rows, SORTS, "subject")
    items = [device_metric_out(value_of(row), now, node.site.interval_s) for row in shown]
    return Page(items=items, next=following)


@router.get(
    "/nodes/{id}/metrics/history",
    response={200: DeviceMetricHistory, **READ},
    operation_id="get_device_metric_history",
)
@reads_standby
def get_device_metric_history(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    *,
    metric: Text,
    subject: Text = "",
    collector: Text | None = None,
    start: Text = "now-6h",
    end: Text = "now",
    points: Points = 360,
) -> DeviceMetricHistory:
    """One metric over time: the growth per second of a counter, otherwise the level."""
    node = _node(request, id)
    since, until = span(start, end, timezone.now())
    key = MetricKey(node.pk, metric, subject, collector, metric_out(metric).kind == "growth")
    return history_out(key, metric_history(key, since, until, points=points, interval_s=node.site.interval_s))


_TITLE_SORTS = {
    "name": lambda metric: metric.name,
    "title": lambda metric: metric.title,
    "kind": lambda metric: metric.kind,
}


class MetricQuery(ListQuery):
    """Filters of `list_metrics`."""

    family: Text | None = None


@router.get("/metrics", response={200: Page[MetricOut], **READ}, operation_id="list_metrics")
def list_metrics(request: HttpRequest, query: Query[MetricQuery]) -> Page[MetricOut]:
    """Every metric other than traffic, with its description. `family` is the part before the dot."""
    wanted = (query.q or "").casefold()
    items = [
        metric
        for metric in all_metrics()
        if query.family in {None, metric.name.partition(".")[0]}
        and wanted in f"{metric.name} {metric.title} {metric.sentence}".casefold()
    ]
    return query.page(items, _TITLE_SORTS, lambda item: item.name, "name")
