"""Reads of device metrics: current values, summaries by fabric, and growth within a window."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, DurationField, F, Q, QuerySet, TextField, Value
from django.db.models.expressions import Expression, ExpressionWrapper
from django.db.models.functions import Coalesce, Greatest

from backstay.core.model.device_metric import (
    COUNTED,
    METRIC_STATES,
    MISSED_INTERVALS,
    REPEAT_S,
    MetricReading,
    MetricState,
)
from backstay.core.model.freshness import max_age_s
from backstay.inventory.lookups import with_texts
from backstay.inventory.models import Fabric, Node, Site
from backstay.inventory.sql import fetch_rows
from backstay.inventory.state_sql import fact, state_case
from backstay.telemetry import catalogue
from backstay.telemetry.models import DeviceMetric

# A metric belongs to a fabric if its subject is a port on it, or if its device is on no other fabric.
_BY_FABRIC = """
    WITH ports AS (
        SELECT port.node_id, port.name, port.fabric_id FROM inventory_port AS port
        WHERE port.fabric_id IS NOT NULL
            AND port.node_id IN (SELECT node_id FROM inventory_port WHERE fabric_id = %(fabric)s)
    ),
    members AS (
        SELECT node_id, min(fabric_id) = max(fabric_id) AS only FROM ports GROUP BY node_id
        HAVING bool_or(fabric_id = %(fabric)s)
    )
    SELECT slot.metric, slot.word, count(*), count(*) FILTER (WHERE slot.number > 0),
           sum(slot.number) FILTER (WHERE coalesce(slot.outcome, 0) IN (0, 1, 3)),
           sum(slot.number / (known.duration_ns / 1e9)) FILTER (WHERE coalesce(slot.outcome, 0) IN (0, 1, 3)),
           (array_agg(
               json_build_array(member.node_id, node.name, slot.subject, slot.number, slot.word)
               ORDER BY slot.number DESC NULLS LAST, node.name, slot.subject
           ) FILTER (WHERE slot.number > 0 OR slot.word IS NOT NULL))[1:%(most)s]
    FROM members AS member
    JOIN inventory_node AS node ON node.id = member.node_id
    JOIN telemetry_metricset AS known ON known.node_id = member.node_id
    JOIN telemetry_metriclayout AS layout ON layout.id = known.layout_id
    CROSS JOIN LATERAL unnest(
        layout.subjects, layout.metrics, known.numbers, known.states, known.outcomes
    ) AS slot (subject, metric, number, word, outcome)
    LEFT JOIN ports AS port ON port.node_id = member.node_id AND port.name = slot.subject
    WHERE (port.fabric_id = %(fabric)s OR slot.subject = %(name)s OR (port.name IS NULL AND member.only))
      AND known.at >= %(since)s
    GROUP BY slot.metric, slot.word
"""
_GROWN = """
    WITH within AS (
        SELECT node_id, layout_id, ts, duration_ns, places, numbers FROM telemetry_metrichistory
        WHERE node_id = ANY (%(nodes)s) AND ts > %(long)s AND ts <= %(now)s
    ),
    grown AS (
        SELECT within.layout_id, slot.place,
               sum(slot.number) FILTER (WHERE within.ts > %(short)s) AS short, sum(slot.number) AS long
        FROM within CROSS JOIN LATERAL unnest(within.places, within.numbers) AS slot (place, number)
        WHERE slot.number <> 'NaN' GROUP BY within.layout_id, slot.place
    )
    SELECT layout.node_id, named.subject, named.metric,
           sum(coalesce(grown.short, 0))::float8, sum(grown.long)::float8
    FROM telemetry_metriclayout AS layout
    CROSS JOIN LATERAL unnest(layout.subjects, layout.metrics)
        WITH ORDINALITY AS named (subject, metric, place)
    JOIN grown ON grown.layout_id = layout.id AND grown.place = named.place
    WHERE named.metric = ANY (%(metrics)s)
    GROUP BY layout.node_id, named.subject, named.metric
"""
# A window counts from its first report: an interval without growth need not be reported.
_WATCHED = """
    SELECT node.id, extract(epoch FROM %(now)s - greatest(first.began, %(short)s))::float8,
           extract(epoch FROM %(now)s - greatest(first.began, %(long)s))::float8
    FROM unnest(%(nodes)s::bigint[]) AS node (id)
    CROSS JOIN LATERAL (
        SELECT past.ts - past.duration_ns / 1e9 * interval '1 second' AS began
        FROM telemetry_metrichistory AS past
        JOIN telemetry_metriclayout AS layout ON layout.id = past.layout_id
        WHERE past.node_id = node.id AND past.ts > %(before)s AND past.ts <= %(now)s
          AND past.duration_ns IS NOT NULL AND layout.metrics && %(metrics)s::varchar[]
        ORDER BY past.ts LIMIT 1
    ) AS first
"""
WORST = 5
"""Maximum number of parts listed for a metric above zero."""


@dataclass(frozen=True, slots=True)
class MetricNow:
    """One metric of one part of one device, as last reported."""

    node_id: int
    node: str
    collector: str
    subject: str
    metric: str
    reading: MetricReading
    port_id: int | None
    fabric_id: int | None

    @property
    def id(self) -> str:
        """Unique within the device."""
        return f"{self.metric}|{self.subject}|{self.collector}"


@dataclass(frozen=True, slots=True)
class Worst:
    """One part whose metric is not zero or not healthy."""

    node_id: int
    node: str
    subject: str
    number: float | None
    state: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """One metric, or one value of a state, across a fabric."""

    metric: str
    state: str | None
    parts: int
    above_zero: int
    total: float | None
    per_s: float | None
    worst: tuple[Worst, ...]


@dataclass(frozen=True, slots=True)
class Windows:
    """Growth within two windows that end now, and the time covered per device."""

    grown: dict[tuple[int, str, str], tuple[float, float]]
    """(node id, subject, metric) -> (short, long); missing: no growth."""
    watched_s: dict[int, tuple[float, float]]


def metrics_now(
    site: Site,
    nodes: Collection[int] | None = None,
    metrics: Collection[str] | None = None,
    subject: str | None = None,
) -> list[MetricNow]:
    """Newest metrics, by device, metric and part; None does not filter. One query."""
    rows = DeviceMetric.objects.filter(node__site=site)
    rows = rows if nodes is None else rows.filter(node__in=nodes)
    rows = rows if metrics is None else rows.filter(metric__in=metrics)
    rows = rows if subject is None else rows.filter(subject=subject)
    return values_of(rows.order_by("node_id", "metric", "subject", "collector"))


def values_of(rows: QuerySet[DeviceMetric]) -> list[MetricNow]:
    """Convert rows to values in order; one query."""
    columns = ("node_id", "node__name", "collector", "subject", "metric", "number", "state", "outcome")
    return [
        _metric_now(row)
        for row in rows.values_list(*columns, "at", "duration_s", "port_id", "port__fabric_id")
    ]


def value_of(row: DeviceMetric) -> MetricNow:
    """Convert a row of `device_metrics`."""
    fabric = None if row.port is None else row.port.fabric_id
    reading = MetricReading(row.number, row.state, row.outcome, row.at, row.duration_s)
    return MetricNow(
        row.node_id, row.node.name, row.collector, row.subject, row.metric, reading, row.port_id, fabric
    )


def device_metrics(
    node: Node, *, metric: str | None = None, subject: str | None = None, text: str | None = None
) -> QuerySet[DeviceMetric]:
    """A device's metrics; `text` searches subjects, names and titles."""
    rows = DeviceMetric.objects.filter(node=node).select_related("node", "port")
    rows = rows if metric is None else rows.filter(metric=metric)
    rows = rows if subject is None else rows.filter(subject=subject)
    if not text:
        return rows
    titled = [item.name for item in catalogue.metrics() if text.casefold() in item.title.casefold()]
    return rows.filter(Q(subject__icontains=text) | Q(metric__icontains=text) | Q(metric__in=titled))


def with_state(
    rows: QuerySet[DeviceMetric], site: Site, now: datetime, only: MetricState | None = None
) -> QuerySet[DeviceMetric]:
    """A site's metrics with `judged_state`; `only` filters by state."""
    known = catalogue.metrics()
    rows = with_texts(rows, "kind", {item.name: item.kind for item in known}, "metric")
    unhealthy = Q()
    for good in {item.good for item in known if item.good}:
        names = [item.name for item in known if item.good == good]
        unhealthy |= Q(metric__in=names) & ~Q(text__in=sorted(good))
    rows = rows.alias(text=Coalesce("state", Value("")), oldest=_oldest(site, now)).alias(
        is_fresh=fact(Q(at__gte=F("oldest"))),
        is_registered=fact(Q(kind__isnull=False)),
        is_healthy=fact(~unhealthy),
        has_number=fact(Q(number__isnull=False)),
        is_counted=fact(Q(outcome__in=COUNTED)),
        is_error=fact(Q(metric__in=[item.name for item in known if item.error])),
        # PostgreSQL sorts NaN above every number.
        is_above_zero=fact(Q(number__gt=0) & ~Q(number=math.nan)),
    )
    rows = rows.annotate(judged_state=state_case(METRIC_STATES))
    return rows if only is None else rows.filter(Q(judged_state=only))


def _oldest(site: Site, now: datetime) -> Expression:
    """Time of the oldest report that is fresh: `core.model.device_metric.is_fresh`."""
    period_s = Greatest(Coalesce("duration_s", Value(0.0)), Value(REPEAT_S))
    missed = ExpressionWrapper(
        period_s * Value(timedelta(seconds=MISSED_INTERVALS)), output_field=DurationField()
    )
    longest = Greatest(missed, Value(timedelta(seconds=max_age_s(site.interval_s))))
    return ExpressionWrapper(Value(now) - longest, output_field=DateTimeField())


def with_meaning(rows: QuerySet[DeviceMetric]) -> QuerySet[DeviceMetric]:
    """Metrics with `title` and `sentence`; an unknown metric has its name as title and no sentence."""
    known = {item.name: item for item in catalogue.metrics()}
    titles = with_texts(rows, "known_title", {name: item.title for name, item in known.items()}, "metric")
    rows = titles.annotate(title=Coalesce("known_title", "metric", output_field=TextField()))
    return with_texts(rows, "sentence", {name: item.sentence for name, item in known.items()}, "metric")


def fabric_summary(site: Site, fabric_id: int, fabric: str, since: datetime) -> list[Summary]:
    """Metrics of a fabric's devices other than traffic, by metric and state; one query."""
    known = {"fabric": fabric_id, "name": fabric, "since": since, "most": WORST}
    return [
        Summary(metric, state, parts, above, total, per_s, tuple(Worst(*item) for item in worst or ()))
        for metric, state, parts, above, total, per_s, worst in fetch_rows(_BY_FABRIC, known)
    ]


RECENT = timedelta(minutes=15)
"""Maximum age of current metrics, for any collector."""


def recent_counters(fabric: Fabric, now: datetime) -> list[Summary]:
    """Counters of the fabric's devices, without old reports."""
    return fabric_summary(fabric.site, fabric.pk, fabric.name, now - RECENT)


def grown_within(
    nodes: Collection[int], metrics: Collection[str], now: datetime, short_s: float, long_s: float
) -> Windows:
    """Growth of counters within the last `short_s` and `long_s` seconds; two queries."""
    known = {
        "nodes": list(nodes),
        "metrics": list(metrics),
        "now": now,
        "short": now - timedelta(seconds=short_s),
        "long": now - timedelta(seconds=long_s),
        "before": now - timedelta(seconds=long_s + 2 * REPEAT_S),
    }
    grown = {
        (node, subject, metric): (short, long)
        for node, subject, metric, short, long in fetch_rows(_GROWN, known)
    }
    watched = {node: (short, long) for node, short, long in fetch_rows(_WATCHED, known)}
    return Windows(grown, watched)


def _metric_now(row: tuple[Any, ...]) -> MetricNow:
    node_id, node, collector, subject, metric, number, state, outcome, at, seconds, port, fabric = row
    reading = MetricReading(number, state, outcome, at, seconds)
    return MetricNow(node_id, node, collector, subject, metric, reading, port, fabric)
