"""States of device metrics computed by PostgreSQL equal those decided by Python, over random reports."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import QuerySet

from backstay.inventory.models import Node, Site
from backstay.telemetry import catalogue
from backstay.telemetry.catalogue import state_of
from backstay.telemetry.models import DeviceMetric, MetricLayout, MetricSet
from backstay.telemetry.selectors.metrics import device_metrics, values_of, with_state

NOW = datetime(2026, 3, 1, tzinfo=UTC)
UNKNOWN = ["fan.no_such_metric"]
NUMBERS = (None, 0.0, -1.0, 0.5, 7.0, math.inf, -math.inf, math.nan)
TEXTS = (None, "", "no such state")
AGES_S = (-30.0, 0.0, 4.9, 120.0, 149.999, 150.0, 150.001, 449.0, 450.0, 451.0, 5000.0)
DURATIONS_S = (None, 0, 2, 60, 180)


@pytest.fixture
def node(db: None) -> Node:
    site = Site.objects.create(name="a", title="a", interval_s=2, imported_at=NOW)
    return Node.objects.create(site=site, name="sp01", role="compute")


def report(node: Node, chance: random.Random, collector: str) -> None:
    """A random value of every metric, more often one of its own states."""
    known = [item.name for item in catalogue.metrics()] + UNKNOWN
    states = [_text(chance, name) for name in known]
    layout = MetricLayout.objects.create(
        node=node, collector=collector, digest=collector.encode(), subjects=[""] * len(known), metrics=known
    )
    duration_s = chance.choice(DURATIONS_S)
    MetricSet.objects.create(
        node=node,
        collector=collector,
        layout=layout,
        at=NOW - timedelta(seconds=chance.choice(AGES_S)),
        duration_ns=None if duration_s is None else duration_s * 10**9,
        numbers=[chance.choice(NUMBERS) for _ in known],
        states=states,
        outcomes=chance.choice([None, [chance.randrange(7) for _ in known]]),
    )


def _text(chance: random.Random, name: str) -> str | None:
    meaning = catalogue.metric(name)
    good = sorted(meaning.good) if meaning is not None else []
    return chance.choice([*TEXTS, *good, *good])


@pytest.mark.parametrize("seed", range(4))
def test_sql_and_python_agree_on_random_metrics(node: Node, seed: int) -> None:
    chance = random.Random(seed)
    node.site.interval_s = chance.choice((2, 60, 300))
    for number in range(12):
        report(node, chance, f"collector{number}")
    rows = device_metrics(node)
    expected = {
        item.id: state_of(item.metric, item.reading, NOW, node.site.interval_s) for item in values_of(rows)
    }
    ranked: QuerySet[Any] = with_state(rows, node.site, NOW)

    assert dict(ranked.values_list("pk", "judged_state")) == expected
    assert set(expected.values()) == {"ok", "warning", "unknown"}
    in_order = list(ranked.order_by("judged_state", "pk").values_list("judged_state", flat=True))
    assert in_order == sorted(expected.values())
    for state in ("ok", "warning", "unknown"):
        only = with_state(rows, node.site, NOW, state)
        assert {row.pk for row in only} == {ident for ident, item in expected.items() if item == state}


def test_state_of_a_page_does_not_read_the_others(node: Node, django_assert_num_queries: Any) -> None:
    report(node, random.Random(1), "snmp")
    with django_assert_num_queries(1):
        rows: QuerySet[Any] = with_state(device_metrics(node), node.site, NOW)
        page = list(rows.order_by("judged_state", "pk")[:5])
    assert len(page) == 5
    assert DeviceMetric.objects.filter(node=node).count() > 200
