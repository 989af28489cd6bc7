"""Which stored conclusions from device metrics are valid now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from django.db import models
from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import Expression, ExpressionWrapper
from django.db.models.functions import Cast, Coalesce, Greatest

from backstay.core.model.device_metric import MISSED_INTERVALS, REPEAT_S
from backstay.core.model.freshness import max_age_s
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact
from backstay.telemetry.models import MetricSet

MOST_COLLECTORS = 4
"""Collectors of one device whose metrics count for one conclusion, by name; usually there is one."""


def counted(collectors: Iterable[str]) -> tuple[str, ...]:
    """The collectors whose metrics count."""
    return tuple(sorted(set(collectors))[:MOST_COLLECTORS])


def subsets(collectors: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every (current, stale) into which these collectors may fall."""
    for number in range(len(collectors) + 1):
        for current in combinations(collectors, number):
            yield current, tuple(name for name in collectors if name not in current)


def valid_now(rows: QuerySet[Any], site: Site, now: datetime) -> QuerySet[Any]:
    """The rows of `MetricEvidence` that are valid now: at most one per device and object."""
    return rows.exclude(Exists(_sets("current", site, now).filter(is_fresh=False))).exclude(
        Exists(_sets("stale", site, now).filter(is_fresh=True))
    )


def is_fresh_metric(site: Site, now: datetime, duration_s: Expression | F) -> Expression:
    """`core.model.device_metric.is_fresh` of rows with the column `at`."""
    period_s = Greatest(Coalesce(duration_s, Value(0.0)), Value(REPEAT_S))
    longest_s = Greatest(Value(max_age_s(site.interval_s)), MISSED_INTERVALS * period_s)
    age = ExpressionWrapper(
        Cast(longest_s, models.FloatField()) * Value(timedelta(seconds=1)), models.DurationField()
    )
    oldest = ExpressionWrapper(Value(now) - age, models.DateTimeField())
    return fact(Q(at__gte=oldest))


def _sets(collectors: str, site: Site, now: datetime) -> QuerySet[Any]:
    """The metric sets of the outer row's device and collectors, with `is_fresh`."""
    place = Func(
        OuterRef(collectors), F("collector"), function="array_position", output_field=IntegerField(null=True)
    )
    duration_s = ExpressionWrapper(F("duration_ns") / Value(1e9), models.FloatField())
    rows = MetricSet.objects.filter(node=OuterRef("node")).alias(place=place).filter(place__isnull=False)
    return rows.alias(is_fresh=is_fresh_metric(site, now, duration_s))
