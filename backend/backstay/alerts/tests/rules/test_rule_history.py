"""Rules and previews that read roll-ups: p95, load below history, and how often a limit would have opened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import psycopg
import pytest
from django.db import connection

from backstay.alerts import rule_preview
from backstay.alerts.models import SiteRule
from backstay.alerts.rule import RuleResult
from backstay.alerts.rule_models import MetricLimit
from backstay.alerts.rule_settings import evaluate_with_overrides
from backstay.alerts.rules import RULES
from backstay.alerts.selectors import cadence
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.overrides import ScopedOverride
from backstay.core.alerting.previews import OpeningCounter
from backstay.core.errors import TooMany
from backstay.inventory.advisory_locks import LockClass
from backstay.inventory.models import Node
from backstay.telemetry import partitions
from backstay.telemetry.selectors.site_history import direction_baselines
from backstay.telemetry.tests.test_metric_rollups import metric_layout, report
from backstay.telemetry.tests.test_rollups import DAY, NOW, finish, insert, layout_of, node, steady

__all__ = ["node"]
"""A fixture: a switch of two ports on a fabric of 10 Gb/s."""
pytestmark = pytest.mark.slow

INTERVAL_S = 60.0
G = 1_000_000_000


def sampled(node: Node, days: float, gbps: Callable[[float], float], interval_s: float = INTERVAL_S) -> None:
    """Samples of the first port up to NOW: in as given by the hours before NOW, out twice as much."""
    count = round(days * 86_400 / interval_s)
    ends = [NOW.timestamp() - interval_s * (count - number - 1) for number in range(count)]
    rows = [[round(gbps((NOW.timestamp() - end) / 3600) * G / 8 * interval_s), 0] for end in ends]
    insert(layout_of(node), ends, interval_s, rows)
    finish()


def evaluated(node: Node, kind: str) -> RuleResult:
    cadence.forget()
    row = SiteRule.objects.get(site=node.site, kind=kind)
    row.enabled = True
    return evaluate_with_overrides(RULES[kind], row, SiteSnapshot(node.site, NOW), {})


def previewed(node: Node, kind: str, override: ScopedOverride) -> rule_preview.Preview:
    return rule_preview.preview_rule(SiteSnapshot(node.site, NOW), RULES[kind], override)


def test_preview_counts_each_time_a_direction_was_full(node: Node) -> None:
    """Three half hours with 4.7 Gb/s in and 9.4 Gb/s out."""
    sampled(node, 3, lambda ago: 4.7 if any(at < ago < at + 0.5 for at in (5, 20, 50)) else 1.0)
    found = previewed(node, "saturation", ScopedOverride("site"))
    assert found.opened == {"sw000:Ethernet1/1-lan": 3}
    assert (found.total, found.read, found.objects) == (3, 2, 4)
    assert any("2 of 4 objects have no values" in note for note in found.notes)
    half = {"raise_at": 0.45, "clear_at": 0.3}
    assert previewed(node, "saturation", ScopedOverride("site", parameters=half)).total == 6, (
        "both directions"
    )
    port = ScopedOverride("port", "sw000:Ethernet1/2", parameters=half)
    assert (previewed(node, "saturation", port).total, previewed(node, "saturation", port).objects) == (0, 1)
    long = ScopedOverride("site", parameters={"samples": 90})
    assert previewed(node, "saturation", long).total == 0, "90 samples of 30 s last 45 minutes"


def test_preview_says_what_it_did_not_read_in_its_time(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    sampled(node, 1, lambda _: 4.7)
    monkeypatch.setattr(rule_preview, "PREVIEW_S", 0.0)
    found = previewed(node, "saturation", ScopedOverride("site"))
    assert (found.total, found.read) == (0, 0)
    assert found.notes[0] == "4 objects were not read: the time of 0 s was over."


def test_p95_over_hours_ignores_short_dips_and_needs_half_of_the_window(node: Node) -> None:
    sampled(node, 1, lambda ago: 1.0 if 3 < ago < 3.2 else 4.5)
    (finding,) = evaluated(node, "saturation_p95").findings
    assert finding.title == "sw000:Ethernet1/1 -> lan: p95 at 90 % of 10 Gb/s"
    assert finding.direction == "forward"


def test_p95_of_a_young_port_is_unknown(node: Node) -> None:
    sampled(node, 0.1, lambda _: 4.9)
    assert evaluated(node, "saturation_p95").findings == ()


def test_load_below_its_own_history_opens_after_weeks_and_is_previewed(node: Node) -> None:
    """Five weeks with a daily peak; in the last five hours nearly nothing."""
    for ahead in range(-40, -8):
        partitions.ensure_day((DAY + timedelta(days=ahead)).date())
    sampled(node, 35, lambda ago: 0.1 if ago < 5 else 2.0 + (ago % 24) / 12, interval_s=1800.0)
    found = evaluated(node, "load_below_usual").findings
    assert [finding.direction for finding in found] == ["forward", "back"]
    assert found[0].title.startswith("sw000:Ethernet1/1 -> lan carries 200 Mb/s, usually ")
    preview = previewed(node, "load_below_usual", ScopedOverride("site"))
    assert preview.opened == {"sw000:Ethernet1/1-lan": 2}
    assert previewed(node, "load_below_usual", ScopedOverride("site", parameters={"share": 0.01})).total == 0
    table = SiteSnapshot(node.site, NOW).link_table
    known = direction_baselines(node.site, table, NOW.timestamp() // 3600 * 3600, 3)
    assert int(known.usual.weeks.max()) == 4


def test_limit_on_a_metric_without_roll_ups_says_so(node: Node) -> None:
    limit = MetricLimit(
        site=node.site,
        name="hot",
        metric="entity.temperature",
        above=True,
        raise_at=60,
        clear_at=55,
        for_s=60,
    )
    found = rule_preview.preview_limit(SiteSnapshot(node.site, NOW), limit)
    assert found.total == 0
    assert any("devices have no roll-ups" in note for note in found.notes)


def test_openings_are_counted_across_parts_with_hysteresis_and_gaps() -> None:
    nan = float("nan")
    values = np.array(
        [
            [9, 9, 5, 9, 9, 1, 1, 9, 9],
            [9, nan, 9, nan, 1, nan, 1, 9, 9],
            [9, 1, 9, 1, 9, 1, 9, 1, 9],
        ],
        np.float64,
    )
    limits = np.full(3, 8.0), np.full(3, 4.0), np.full(3, 2)
    whole, parts = OpeningCounter(*limits), OpeningCounter(*limits)
    whole.add(values)
    for start in range(0, 9, 2):
        parts.add(values[:, start : start + 2])
    assert whole.opened.tolist() == parts.opened.tolist() == [2, 2, 0]
    below = OpeningCounter(np.full(3, 2.0), np.full(3, 4.0), np.full(3, 1), above=False)
    below.add(values)
    assert below.opened.tolist() == [1, 1, 4]


def counted(node: Node, hours: float, columns: Callable[[float], dict[str, int]]) -> None:
    """Samples a minute of the first port up to NOW; `columns`: growth by the hours before NOW."""
    layout, count = layout_of(node), round(hours * 60)
    counters = ("octets", "packets", "errors", "discards", "peak")
    named = [f"{direction}_{counter}" for counter in counters for direction in ("in", "out")]
    rows: list[list[Any]] = []
    for number in range(count):
        end = NOW - timedelta(seconds=INTERVAL_S * (count - number - 1))
        given = columns((NOW - end).total_seconds() / 3600)
        values = [[given.get(name, 0), 0] for name in named]
        rows.append([layout.node_id, end, round(INTERVAL_S * 1e9), layout.pk, *values])
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO telemetry_samples (node_id, ts, duration_ns, shift_ns, layout_id,"
            f" {', '.join(named)}) VALUES (%s, %s, %s, 0, %s, {', '.join(['%s'] * len(named))})",
            rows,
        )
    finish()


def test_preview_of_the_busiest_second_counts_bursts_that_means_hide(node: Node) -> None:
    """A mean of 1 Gb/s; for half an hour, twice, one second of each minute has 9.9 of 10 Gb/s."""

    def columns(ago: float) -> dict[str, int]:
        is_burst = 5 < ago < 5.5 or 20 < ago < 20.5
        peak = round((9.9 if is_burst else 2.0) * G / 8)
        return {"in_octets": round(G / 8 * INTERVAL_S), "in_peak": peak, "out_peak": round(G / 8)}

    counted(node, 30, columns)
    found = previewed(node, "saturation_peak", ScopedOverride("site"))
    assert found.opened == {"sw000:Ethernet1/1-lan": 2}
    assert previewed(node, "saturation", ScopedOverride("site")).total == 0
    high = {"raise_at": 0.995, "clear_at": 0.9}
    assert previewed(node, "saturation_peak", ScopedOverride("site", parameters=high)).total == 0
    low = {"raise_at": 0.1, "clear_at": 0.05}
    assert previewed(node, "saturation_peak", ScopedOverride("site", parameters=low)).total == 2


@pytest.mark.parametrize(("kind", "name"), [("port_errors", "errors"), ("port_discards", "discards")])
def test_preview_of_losses_compares_them_with_the_packets(node: Node, kind: str, name: str) -> None:
    """Three half hours in which 2 % of the packets are lost, one of them with few packets."""

    def columns(ago: float) -> dict[str, int]:
        packets = 500 if 40 < ago < 40.5 else 100_000
        is_bad = any(at < ago < at + 0.5 for at in (5, 20, 40))
        lost = packets // 50 if is_bad else 0
        return {"in_octets": 10**6, "in_packets": packets, f"in_{name}": lost, "out_packets": 1000}

    counted(node, 45, columns)
    found = previewed(node, kind, ScopedOverride("site"))
    assert found.opened == {"sw000:Ethernet1/1": 2}, "5 lost packets in a sample of 30 s never count"
    few = ScopedOverride("site", parameters={"least": 1})
    assert previewed(node, kind, few).opened == {"sw000:Ethernet1/1": 3}
    other = "port_discards" if kind == "port_errors" else "port_errors"
    assert previewed(node, other, ScopedOverride("site")).total == 0
    high = ScopedOverride("site", parameters={"raise_at": 0.05, "clear_at": 0.04})
    assert previewed(node, kind, high).total == 0


def test_preview_of_a_metric_limit_counts_each_time_above_and_below(node: Node) -> None:
    """A load of 20 %, of 95 % for an hour, twice."""
    steady(node, NOW - timedelta(hours=2), NOW)
    ends = [(NOW - timedelta(minutes=number)).timestamp() for number in range(48 * 60, 0, -1)]
    loads = [
        [95.0 if 600 < number < 660 or 1800 < number < 1860 else 20.0] for number in range(48 * 60, 0, -1)
    ]
    report(metric_layout(node, (("host.processor_load", ""),), "host"), ends, loads)
    finish()

    def total(*, above: bool, raise_at: float, clear_at: float, for_s: float = 600.0, **more: str) -> int:
        limit = MetricLimit(
            site=node.site, name="busy", metric="host.processor_load", above=above, raise_at=raise_at,
            clear_at=clear_at, for_s=for_s, **more,
        )  # fmt: skip
        found = rule_preview.preview_limit(SiteSnapshot(node.site, NOW), limit)
        assert set(found.opened) <= {"sw000"}
        return found.total

    assert total(above=True, raise_at=90, clear_at=80) == 2
    assert total(above=True, raise_at=90, clear_at=80, for_s=7200) == 0, "it lasts an hour"
    assert total(above=True, raise_at=99, clear_at=80) == 0
    assert total(above=False, raise_at=50, clear_at=60) == 3, "before, between and after"
    assert total(above=True, raise_at=90, clear_at=80, role="no-such-role") == 0


def test_one_preview_runs_at_a_site_at_a_time(node: Node) -> None:
    """As PostgreSQL decides: a second connection holds the lock as another request would."""
    settings = connection.get_connection_params()
    settings.pop("cursor_factory", None)
    settings.pop("context", None)
    with psycopg.connect(**settings) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LockClass.PREVIEWS.value, node.site.pk])
        with pytest.raises(TooMany) as refused, rule_preview.preview_slot(node.site):
            pass
        assert refused.value.retry_after_s == rule_preview.PREVIEW_S
    with rule_preview.preview_slot(node.site):
        pass
