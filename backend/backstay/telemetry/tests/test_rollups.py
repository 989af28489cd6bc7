"""Roll-ups in PostgreSQL: complete, repeatable, with late samples, and joined seamlessly by a chart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from backstay.core.model.history import PortHistory
from backstay.core.model.topology import Port as PortView
from backstay.core.rollups.levels import DAY_S, HOUR_S, LEVELS
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node, Port
from backstay.telemetry import partitions
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollup_models import RollupMark
from backstay.telemetry.rollups import execution
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.rollups.arrays import fetch_columns
from backstay.telemetry.selectors import rollup_reads
from backstay.telemetry.selectors.history import best_measured, port_baselines, port_history
from backstay.telemetry.tests.test_partitions import reader
from bench.site import switch_site

DAY = datetime(2031, 5, 7, tzinfo=UTC)
NOW = DAY + timedelta(days=3, hours=4, minutes=20)
PORTS = 2


@pytest.fixture
def node(db: None) -> Node:
    import_text(switch_site("lab", devices=2, ports=PORTS, agents=1), "lab.yaml", timezone.now())
    for ahead in range(-9, 5):
        partitions.ensure_day((DAY + timedelta(days=ahead)).date())
    return Node.objects.get(name="sw000")


def layout_of(node: Node, *, backwards: bool = False) -> PortLayout:
    ports = sorted(node.ports.values_list("pk", flat=True), reverse=backwards)
    return PortLayout.objects.get_or_create(node=node, digest=bytes([backwards]), defaults={"ports": ports})[
        0
    ]


def insert(
    layout: PortLayout,
    ends: Sequence[float],
    seconds: float | Sequence[float],
    octets: Sequence[Sequence[int]],
    outcome: Sequence[list[int] | None] | None = None,
) -> None:
    """Samples in both directions: out is twice in; ends are Unix seconds."""
    lengths = [seconds] * len(ends) if isinstance(seconds, float) else seconds
    statement = """
        INSERT INTO telemetry_samples (node_id, ts, duration_ns, shift_ns, layout_id, in_octets, out_octets,
                                       in_packets, out_packets, in_errors, outcome)
        VALUES (%s, %s, %s, 0, %s, %s, %s, %s, %s, %s, %s)
    """
    with connection.cursor() as cursor:
        cursor.executemany(
            statement,
            [
                [
                    layout.node_id, datetime.fromtimestamp(end, UTC), round(length * 1e9), layout.pk,
                    list(row), [2 * one if one >= 0 else -1 for one in row], [one // 1000 for one in row],
                    [0] * len(row), [1] * len(row), None if outcome is None else outcome[at],
                ]
                for at, (end, length, row) in enumerate(zip(ends, lengths, octets, strict=True))
            ],
        )  # fmt: skip


def steady(
    node: Node, start: datetime, end: datetime, interval_s: float = 60.0, bps: int = 8_000_000
) -> None:
    """Samples of one rate on both ports, double on the second."""
    count = round((end - start).total_seconds() / interval_s)
    ends = [start.timestamp() + interval_s * number for number in range(1, count + 1)]
    octets = round(bps / 8 * interval_s)
    insert(layout_of(node), ends, interval_s, [[octets, 2 * octets]] * count)


def finish(now: datetime = NOW) -> None:
    """Rounds until nothing is left."""
    while execution.run_round(now):
        pass


def stored(level: str, column: str = "in_octets") -> list[int]:
    """Sum of a column of each port in the order of the ports' ids."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT port, sum(value) FROM telemetry_rollup_{level} AS past
            JOIN telemetry_portlayout AS layout ON layout.id = past.layout_id
            CROSS JOIN LATERAL unnest(layout.ports) WITH ORDINALITY AS slot (port, number)
            CROSS JOIN LATERAL unnest(past.{column}[slot.number:slot.number]) AS value
            GROUP BY port ORDER BY port
            """
        )
        return [int(total) for _, total in cursor.fetchall()]


def row_versions(level: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM telemetry_rollup_{level} ORDER BY node_id, at, layout_id")
        return [tuple(map(str, row)) for row in cursor.fetchall()]


def view(node: Node, number: int = 0) -> PortView:
    port = node.ports.order_by("pk")[number]
    return PortView(port.pk, node.pk, port.name, None, False, ())


def chart(node: Node, start: datetime, end: datetime, points: int = 600) -> PortHistory:
    return port_history(view(node), start, end, points=points, interval_s=60.0)


def mark_late(node: Node, hour: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO telemetry_rolluplate VALUES (%s, %s)", [node.pk, hour])


def test_every_level_has_the_sums_of_the_samples(node: Node) -> None:
    random = np.random.default_rng(3)
    seconds = np.round(random.uniform(20, 200, 1200), 6)
    ends = DAY.timestamp() + 12.5 + np.cumsum(seconds + random.choice([0, 0, 0, 900], 1200))
    octets = random.integers(-1, 10**11, (1200, PORTS))
    outcomes = [[2, 0] if random.random() < 0.01 else None for _ in ends]
    insert(layout_of(node), ends.tolist(), seconds.tolist(), octets.tolist(), outcomes)
    finish(datetime.fromtimestamp(ends[-1], UTC) + timedelta(days=2))
    expected = np.maximum(octets, 0).sum(axis=0).tolist()
    for level in LEVELS:
        assert stored(level.name) == expected
        assert stored(level.name, "out_octets") == [2 * total for total in expected]
        assert stored(level.name, "in_errors") == [1200, 1200]
        assert stored(level.name, "resets") == [sum(one is not None for one in outcomes), 0]


def test_a_second_run_changes_nothing(node: Node) -> None:
    steady(node, DAY, DAY + timedelta(hours=30))
    finish()
    before = [row_versions(level.name) for level in LEVELS]
    assert [len(rows) for rows in before] == [30, 2, 2]
    finish()
    RollupMark.objects.update(fine_until=DAY, coarse_until=DAY)
    finish()
    assert [row_versions(level.name) for level in LEVELS] == before


def test_an_open_hour_is_not_rolled_up(node: Node) -> None:
    steady(node, DAY, DAY + timedelta(hours=2))
    finish(DAY + timedelta(hours=2, minutes=9))
    assert len(row_versions("5m")) == 1
    finish(DAY + timedelta(hours=2, minutes=10))
    assert len(row_versions("5m")) == 2


def test_change_of_the_ports_order_inside_a_bin_loses_nothing(node: Node) -> None:
    half = DAY.timestamp() + 1830.0
    first = [DAY.timestamp() + 60.0 * number for number in range(1, 31)] + [half]
    insert(layout_of(node), first, [60.0] * 30 + [30.0], [[60, 120]] * 30 + [[30, 60]])
    second = [half + 60.0 * number for number in range(1, 60)]
    insert(layout_of(node, backwards=True), second, 60.0, [[120, 60]] * 59)
    finish()
    assert stored("5m") == [30 * 60 + 30 + 59 * 60, 2 * (30 * 60 + 30 + 59 * 60)]
    history = chart(node, DAY, DAY + timedelta(days=2))
    assert history.level == "samples"
    week = chart(node, DAY - timedelta(days=4), DAY + timedelta(days=3))
    means = [mean for mean in week.bins.inward.mean if mean is not None]
    assert means == [8] * len(means)
    assert len(means) >= 3


def test_late_samples_are_rolled_up_again_with_their_day(node: Node) -> None:
    steady(node, DAY, DAY + timedelta(hours=6))
    steady(node, DAY + timedelta(hours=7), DAY + timedelta(hours=48))
    finish()
    before = stored("1d")
    steady(node, DAY + timedelta(hours=6), DAY + timedelta(hours=7))
    mark_late(node, DAY + timedelta(hours=6))
    mark_late(node, DAY + timedelta(hours=6))
    finish()
    octets = 3600 * 1_000_000
    for level in LEVELS:
        assert stored(level.name) == [before[0] + octets, before[1] + 2 * octets]
    assert execution.run_round(NOW) == 0


def test_samples_before_the_first_ones_are_late_too(node: Node) -> None:
    steady(node, DAY + timedelta(hours=30), DAY + timedelta(hours=48))
    finish()
    steady(node, DAY, DAY + timedelta(hours=2))
    for hour in (0, 1):
        mark_late(node, DAY + timedelta(hours=hour))
    finish()
    assert {stored(level.name)[0] for level in LEVELS} == {20 * 3600 * 1_000_000}
    assert RollupMark.objects.get(node=node).since == DAY


def test_charts_of_a_site_installed_after_midnight_have_the_width_of_its_samples(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yesterday has no partition, and nothing of it is rolled up: it makes no bin wider."""
    monkeypatch.setattr(partitions, "stored_from", lambda: DAY)
    execution.add_marks(DAY + timedelta(minutes=6))
    assert RollupMark.objects.get(node=node).since == DAY
    now = DAY + timedelta(minutes=14)
    steady(node, DAY + timedelta(minutes=6), now)
    finish(now)
    history = chart(node, now - timedelta(minutes=15), now)
    assert (history.level, history.bins.step_s) == ("samples", 60.0)


def test_an_hour_without_its_samples_keeps_its_row(node: Node) -> None:
    """A day's samples are dropped; then a sample that began before comes late."""
    steady(node, DAY, DAY + timedelta(hours=48))
    finish()
    before = [row_versions(level.name) for level in LEVELS]
    for day in partitions.days():
        if day <= DAY.date():
            partitions._drop(day)
    mark_late(node, DAY + timedelta(hours=23))
    finish()
    assert [row_versions(level.name) for level in LEVELS] == before


def test_a_day_is_dropped_only_once_it_is_rolled_up(
    node: Node, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.HOT_DAYS = 7
    steady(node, DAY, DAY + timedelta(hours=24))
    execution.add_marks(DAY + timedelta(hours=1))
    later = DAY + timedelta(days=9)
    assert DAY.date() not in partitions.maintain(later)
    assert "kept until it is rolled up" in caplog.text
    finish(later)
    assert DAY.date() in partitions.maintain(later)


def test_roll_ups_that_fail_for_long_do_not_fill_the_disk(node: Node, settings: Settings) -> None:
    settings.HOT_DAYS = 7
    execution.add_marks(DAY)
    assert DAY.date() in partitions.maintain(DAY + timedelta(days=16))


def test_levels_of_a_chart_join_without_a_seam(node: Node) -> None:
    steady(node, DAY, NOW)
    finish()
    for start, level in ((NOW - timedelta(hours=10), "samples"), (NOW - timedelta(days=3), "5m")):
        points = 600 if level == "samples" else 300
        history = chart(node, start, NOW, points)
        assert history.level == level
        assert history.bins.coverage == pytest.approx(1, abs=0.01)
        assert history.is_p95_exact
        assert history.bins.inward.p95 == 8_000_000
        means = history.bins.inward.mean
        assert means[1:] == [8_000_000] * (len(means) - 1), "no gap and no step, up to the newest bin"


def test_history_outlives_the_samples(node: Node, settings: Settings) -> None:
    steady(node, DAY, DAY + timedelta(days=2))
    finish()
    for day in partitions.days():
        if day <= (DAY + timedelta(days=1)).date():
            partitions._drop(day)
    history = chart(node, DAY + timedelta(hours=1), DAY + timedelta(hours=3))
    assert (history.level, history.bins.step_s) == ("5m", 300)
    assert history.bins.inward.mean == [8_000_000] * 24
    year = chart(node, NOW - timedelta(days=365), NOW)
    assert year.level == "1h"
    assert year.bins.coverage == pytest.approx(2 / 365, rel=0.01)
    assert {mean for mean in year.bins.inward.mean if mean is not None} == {8_000_000}


def test_p95_beyond_the_5_minute_bins_is_an_estimate_and_says_so(node: Node) -> None:
    start = DAY - timedelta(days=1)
    random = np.random.default_rng(5)
    rates = np.repeat(random.lognormal(16, 0.5, 4 * 288), 5)
    ends = start.timestamp() + 60.0 * np.arange(1, len(rates) + 1)
    insert(layout_of(node), ends.tolist(), 60.0, [[round(rate * 60 / 8)] * 2 for rate in rates])
    finish()
    exact = chart(node, start, NOW - timedelta(hours=5), 40)
    assert exact.level == "1h"
    assert exact.is_p95_exact
    used = np.sort(rates[::5][: round((NOW - start).total_seconds() / 300) - 60])
    assert exact.bins.inward.p95 == pytest.approx(used[math.ceil(0.95 * len(used)) - 1], rel=0.005)
    with connection.cursor() as cursor:
        cursor.execute("SELECT telemetry_drop_rollup('5m', %s)", [DAY.date()])
        rollup_partitions._known.clear()
    rough = chart(node, start, NOW - timedelta(hours=5), 40)
    assert not rough.is_p95_exact
    assert rough.bins.inward.p95 == pytest.approx(exact.bins.inward.p95, rel=0.1)


def test_resets_are_marked_in_roll_ups(node: Node) -> None:
    ends = [DAY.timestamp() + 60.0 * number for number in range(1, 2881)]
    outcomes = [[2, 0] if number == 100 else None for number in range(2880)]
    rows = [[-1, 60] if number == 100 else [60, 60] for number in range(2880)]
    insert(layout_of(node), ends, 60.0, rows, outcomes)
    finish()
    at = ends[100]
    assert chart(node, DAY, DAY + timedelta(hours=4)).bins.resets == [at]
    week = chart(node, NOW - timedelta(days=7), NOW)
    assert week.bins.resets == [math.ceil(at / 300) * 300.0]


def test_sample_after_the_end_counts_only_up_to_it(node: Node) -> None:
    """A sample that begins before the range's end is read, however long it is; its reset is not marked."""
    end = DAY + timedelta(hours=1)
    insert(layout_of(node), [end.timestamp() + 7200.0], 9000.0, [[9000, 9000]], [[2, 0]])
    history = chart(node, DAY, end)
    assert history.bins.coverage == pytest.approx(0.5)
    assert history.bins.resets == []
    assert [mean for mean in history.bins.inward.mean if mean is not None] == [8] * 30


def test_the_end_with_more_samples_is_chosen_for_long_ranges(node: Node) -> None:
    other = Node.objects.get(name="sw001")
    steady(node, DAY, DAY + timedelta(hours=30))
    steady(other, DAY, DAY + timedelta(hours=40))
    finish()
    ends = [view(node).id, view(other).id]
    for start in (NOW - timedelta(days=3, hours=3), NOW - timedelta(days=300)):
        assert best_measured(ends, start, NOW) == ends[1]


def test_partitions_are_created_ahead_and_dropped_after_their_days(db: None, settings: Settings) -> None:
    settings.ROLLUP_DAYS = {"5m": 62, "1h": 400, "1d": 3650}
    rollup_partitions._known.clear()
    for day in (date(2029, 1, 5), date(2031, 2, 1), date(2031, 3, 1)):
        rollup_partitions.ensure_rollups(day)
    gone = rollup_partitions.maintain(datetime(2031, 5, 3, tzinfo=UTC))
    assert {("5m", date(2029, 1, 1)), ("5m", date(2031, 2, 1)), ("1h", date(2029, 1, 1))} <= set(gone)
    left = rollup_partitions.starts()
    assert date(2031, 3, 1) in left["5m"]
    assert date(2031, 5, 1) in left["5m"]
    assert date(2029, 1, 1) in left["1d"]
    assert rollup_partitions.maintain(datetime(2031, 5, 3, tzinfo=UTC)) == []


def test_open_reader_delays_no_row_and_no_new_partition(transactional_db: None) -> None:
    rollup_partitions._known.clear()
    rollup_partitions.ensure_rollups(date(2002, 1, 1))
    try:
        with reader("telemetry_rollup_5m"), reader("telemetry_rollup_1d"), connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '1s'")
            rollup_partitions.ensure_rollups(date(2003, 2, 1))
            cursor.execute(
                "INSERT INTO telemetry_rollup_5m (node_id, at, layout_id, seconds, samples, in_octets,"
                " out_octets, in_min, in_max, out_min, out_max) VALUES (1, '2003-02-01Z', 1, '{1}', '{1}',"
                " '{{1}}', '{{1}}', '{{1}}', '{{1}}', '{{1}}', '{{1}}') RETURNING tableoid::regclass::text"
            )
            assert cursor.fetchone() == ("telemetry_rollup_5m_200302",)
            gone = rollup_partitions.maintain(datetime(2031, 5, 3, tzinfo=UTC))
            assert ("5m", date(2002, 1, 1)) not in gone, "it is being read"
    finally:
        assert ("5m", date(2002, 1, 1)) in rollup_partitions.maintain(datetime(2031, 5, 3, tzinfo=UTC))
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


def test_ports_that_no_layout_has_are_gaps(node: Node) -> None:
    steady(node, DAY, DAY + timedelta(hours=2))
    finish()
    port = Port.objects.create(node=node, name="new", declared=False)
    found = PortView(port.pk, node.pk, port.name, None, False, ())
    history = port_history(
        found, DAY, DAY + timedelta(seconds=7 * DAY_S + HOUR_S), points=600, interval_s=60.0
    )
    assert set(history.bins.inward.mean) == {None}
    assert history.bins.coverage == 0


def test_device_that_cannot_be_rolled_up_stops_no_other(node: Node, caplog: pytest.LogCaptureFixture) -> None:
    other = Node.objects.get(name="sw001")
    steady(node, DAY, DAY + timedelta(hours=2))
    steady(other, DAY, DAY + timedelta(hours=2))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE telemetry_samples SET out_octets = '{1}' WHERE node_id = %s AND ts = %s",
            [node.pk, DAY + timedelta(minutes=30)],
        )
    finish()
    assert f"device {node.pk} is not rolled up" in caplog.text
    octets = 3600 * 1_000_000
    assert stored("5m") == [octets, 2 * octets, 2 * octets, 4 * octets], (
        "only the hour of that sample is lost"
    )
    assert stored("1d") == stored("5m")
    assert set(RollupMark.objects.values_list("coarse_until", flat=True)) == {DAY + timedelta(days=3)}


def test_very_short_samples_are_counted(node: Node) -> None:
    insert(layout_of(node), [DAY.timestamp() + 3600.0], 1e-9, [[7, 8]])
    finish()
    assert stored("1d") == [7, 8]


def test_baseline_of_a_chart_is_that_of_the_port_and_takes_one_query(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five weeks of samples; the day of the chart is at another rate, and not part of its own baseline."""
    for number in range(-35, -9):
        partitions.ensure_day((DAY + timedelta(days=number)).date())
    steady(node, DAY - timedelta(days=35), DAY, 1800.0, 4_000_000)
    steady(node, DAY, DAY + timedelta(days=2), 1800.0, 1_000_000)
    finish()
    history = port_history(view(node), DAY, DAY + timedelta(days=1), points=300, interval_s=1800.0)
    queries: list[str] = []

    def counted(statement: str, values: Mapping[str, Any]) -> Any:
        queries.append(statement)
        return fetch_columns(statement, values)

    monkeypatch.setattr(rollup_reads, "fetch_columns", counted)
    inward, outward = port_baselines(view(node), history.bins)
    assert len(queries) == 1
    assert history.bins.inward.mean[1:] == [1_000_000] * (len(history.bins.at) - 1)
    assert len(inward.median) == len(history.bins.at)
    for values in (inward.median, inward.low, inward.high):
        assert values == pytest.approx(4_000_000)
    assert outward.median == pytest.approx(8_000_000)
    assert set(inward.weeks.tolist()) == {5}
    young = chart(node, DAY - timedelta(days=22), DAY - timedelta(days=21))
    assert np.isnan(port_baselines(view(node), young.bins)[0].median).all()
