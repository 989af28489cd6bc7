"""Metrics and their meaning."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.http.schemas import State
from backstay.api.http.urls import node_url
from backstay.api.metrics.schemas import (
    DeviceMetricHistory,
    DeviceMetricOut,
    DeviceMetricPart,
    FabricCounter,
    MetricOut,
)
from backstay.core.model.device_metric import MetricHistory, per_second
from backstay.core.model.state import WORST_FIRST, seconds
from backstay.telemetry.catalogue import metric as known_metric
from backstay.telemetry.catalogue import metrics, state_of

if TYPE_CHECKING:
    from backstay.telemetry.selectors.metric_history import MetricKey
    from backstay.telemetry.selectors.metrics import MetricNow, Summary, Worst

OUTCOMES = ("ok", "wrapped", "reset", "gap", "absurd", "saturated", "missing")
"""In the order of the wire's DeltaOutcome."""
UNEXPLAINED = "Unknown metric: the agent is newer than this backend, or the device is not supported."


def metric_out(name: str) -> MetricOut:
    """A metric's meaning; for an unknown one only its name."""
    known = known_metric(name)
    if known is None:
        return MetricOut(
            name=name,
            title=name,
            kind="unknown",
            unit="",
            sentence=UNEXPLAINED,
            source="",
            error=False,
            good=[],
        )
    return MetricOut(
        name=known.name,
        title=known.title,
        kind=known.kind,
        unit=known.unit,
        sentence=known.sentence,
        source=known.source,
        error=known.error,
        good=sorted(known.good),
    )


def all_metrics() -> list[MetricOut]:
    return [metric_out(metric.name) for metric in metrics()]


def device_metric_out(item: MetricNow, now: datetime, interval_s: float) -> DeviceMetricOut:
    """One metric with its meaning."""
    meaning, reading = metric_out(item.metric), item.reading
    return DeviceMetricOut(
        id=item.id,
        name=meaning.title,
        kind=meaning.kind,
        metric=item.metric,
        subject=item.subject,
        collector=item.collector,
        unit=meaning.unit,
        sentence=meaning.sentence,
        state=state_of(item.metric, item.reading, now, interval_s),
        value=reading.number,
        reported_state=reading.state,
        per_s=per_second(reading) if meaning.kind == "growth" else None,
        outcome=OUTCOMES[reading.outcome],
        port_id=item.port_id,
        at=reading.at,
        age_s=seconds(now, reading.at) or 0.0,
        url=node_url(item.node_id),
    )


def history_out(key: MetricKey, history: MetricHistory) -> DeviceMetricHistory:
    """A metric's history with its meaning."""
    meaning, bins = metric_out(key.metric), history.bins
    return DeviceMetricHistory(
        metric=key.metric,
        subject=key.subject,
        title=meaning.title,
        unit=meaning.unit,
        kind=meaning.kind,
        per_second=key.is_growth,
        step_s=bins.step_s,
        at=bins.at,
        mean=bins.mean,
        min=bins.min,
        max=bins.max,
        p95=history.p95,
        level=history.level,
        coverage=bins.coverage,
        p95_exact=history.is_p95_exact,
    )


def counters_out(summaries: Iterable[Summary]) -> list[FabricCounter]:
    """A fabric's counters, problems first; the values of a state are combined."""
    by_metric: dict[str, list[Summary]] = {}
    for summary in summaries:
        by_metric.setdefault(summary.metric, []).append(summary)
    found = [_counter(name, summaries) for name, summaries in by_metric.items()]
    return sorted(found, key=lambda counter: (WORST_FIRST[counter.state], counter.name))


def _counter(name: str, summaries: list[Summary]) -> FabricCounter:
    meaning = metric_out(name)
    if meaning.kind == "state":
        return _state_counter(meaning, summaries)
    above = sum(item.above_zero for item in summaries)
    parts = sum(item.parts for item in summaries)
    bad: State = "warning" if meaning.error and above else "ok"
    worst = [part for item in summaries for part in item.worst if (part.number or 0) > 0]
    return FabricCounter(
        **meaning.model_dump(),
        state="unknown" if meaning.kind == "unknown" else bad,
        parts=parts,
        affected=above,
        total=_sum(item.total for item in summaries) if meaning.kind == "growth" else None,
        per_s=_sum(item.per_s for item in summaries) if meaning.kind == "growth" else None,
        states={},
        worst=[part_out(part) for part in worst],
    )


def _state_counter(meaning: MetricOut, summaries: list[Summary]) -> FabricCounter:
    good = frozenset(meaning.good)
    bad = [item for item in summaries if good and (item.state or "") not in good]
    return FabricCounter(
        **meaning.model_dump(),
        state="warning" if bad else "ok",
        parts=sum(item.parts for item in summaries),
        affected=sum(item.parts for item in bad),
        total=None,
        per_s=None,
        states={item.state or "?": item.parts for item in sorted(summaries, key=lambda item: -item.parts)},
        worst=[part_out(part) for item in bad for part in item.worst],
    )


def part_out(part: Worst) -> DeviceMetricPart:
    return DeviceMetricPart(
        node=part.node,
        node_id=part.node_id,
        subject=part.subject,
        value=part.number,
        reported_state=part.state,
        url=node_url(part.node_id),
    )


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
