"""A device's own figures, now and over time."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router
from pydantic import Field

from backstay.api.http.auth import (
    Lookup,
)
from backstay.api.http.list_query import Id, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page
from backstay.api.metrics.present import all_metrics, device_metric_out, history_out, metric_out, state_of
from backstay.api.metrics.schemas import DeviceMetricHistory, DeviceMetricOut, MetricOut
from backstay.core.model.figure import binned
from backstay.core.timerange import span
from backstay.inventory import selectors
from backstay.telemetry.selectors.metrics import MetricNow, metric_history, metrics_now

router = Router(tags=["metrics"])
_node = Lookup("node", selectors.node)
Points = Annotated[int, Field(ge=10, le=5000)]
FigureState = Literal["ok", "warning", "unknown"]


class DeviceMetricQuery(ListQuery):
    """Filters of `list_device_metrics`."""

    metric: Text | None = None
    subject: Text | None = None
    state: FigureState | None = None


@router.get(
    "/nodes/{id}/metrics", response={200: Page[DeviceMetricOut], **READ}, operation_id="list_device_metrics"
)
def list_device_metrics(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    query: Query[DeviceMetricQuery],
) -> Page[DeviceMetricOut]:
    """What a device counts and reports beyond traffic. `q` looks into parts, names and titles."""
    node, now = _node(request, id), timezone.now()
    interval_s = node.site.interval_s
    wanted = (query.q or "").casefold()
    figures = metrics_now(
        node.site, [node.pk], None if query.metric is None else [query.metric], query.subject
    )
    states = {figure.id: state_of(figure, now, interval_s) for figure in figures}
    items = [
        figure
        for figure in figures
        if query.state in {None, states[figure.id]}
        and wanted in f"{figure.subject} {figure.metric} {metric_out(figure.metric).title}".casefold()
    ]
    keys: dict[str, Callable[[MetricNow], Any]] = {
        "sentence": lambda figure: metric_out(figure.metric).sentence,
        "metric": lambda figure: figure.metric,
        "name": lambda figure: metric_out(figure.metric).title,
        "subject": lambda figure: figure.subject,
        "state": lambda figure: states[figure.id],
        "value": lambda figure: figure.reading.number,
        "age": lambda figure: age_key(figure.reading.at),
    }
    shown, following = query.chosen(items, keys, lambda item: item.id, "subject")
    return Page(items=[device_metric_out(figure, now, interval_s) for figure in shown], next=following)


@router.get(
    "/nodes/{id}/metrics/history",
    response={200: DeviceMetricHistory, **READ},
    operation_id="get_device_metric_history",
)
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
    """One metric over time: of a counter its growth per second, else its level."""
    node = _node(request, id)
    since, until = span(start, end, timezone.now())
    past = metric_history(node.pk, (metric, subject), collector, since, until)
    growth = metric_out(metric).kind == "growth"
    bins = binned(past, since.timestamp(), until.timestamp(), points, node.site.interval_s, growth=growth)
    return history_out((metric, subject), bins)


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
    """Every metric beyond traffic that agents report, explained. `family` is the part before the dot."""
    wanted = (query.q or "").casefold()
    items = [
        metric
        for metric in all_metrics()
        if query.family in {None, metric.name.partition(".")[0]}
        and wanted in f"{metric.name} {metric.title} {metric.sentence}".casefold()
    ]
    return query.page(items, _TITLE_SORTS, lambda item: item.name, "name")
