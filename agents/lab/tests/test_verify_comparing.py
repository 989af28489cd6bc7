"""Comparison of API values with their sources; it must be able to fail."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from backstay_lab.demo.cli import totals
from backstay_lab.demo.errors import DemoError
from backstay_lab.verify.api_samples import ApiSamples, moment
from backstay_lab.verify.checks import (
    CheckRow,
    CheckTable,
    compare_growth,
    compare_names,
    compare_value,
    lines,
    total,
)
from backstay_lab.verify.series import Key, Series, Slack, growth
from backstay_lab.verify.tables import Readings, growths, levels, loads, sums
from backstay_lab.verify.topology_check import documented

KEY: Key = ("n1", "eth0", "in octets")
SLACK = Slack(early=0.1, late=0.1)
T0 = 1_000_000.0


def counter(rate: float, until: float = 30.0, every: float = 0.5) -> Series:
    """A counter that grows by `rate` per second and is read at intervals from T0."""
    series = Series()
    for step in range(int(until / every)):
        at = T0 + step * every
        series.add(at, at + 0.01, round(step * every * rate))
    return series


def port(at: float, bps: float, seconds: float = 2.0, pps: float = 0.0) -> dict[str, Any]:
    return {
        "node": "n1",
        "name": "eth0",
        "measured_at": datetime.fromtimestamp(T0 + at, UTC).isoformat(),
        "measured_s": seconds,
        **{f"{direction}_bps": bps for direction in ("in", "out")},
        **{f"{direction}_pps": pps for direction in ("in", "out")},
        **{f"{direction}_errors_ps": 0.0 for direction in ("in", "out")},
    }


def sampled(bps: float, ends: tuple[float, ...] = (4, 6, 8, 10)) -> ApiSamples:
    reported = ApiSamples(T0 + 1, T0 + 20)
    for at in ends:
        reported.port(port(at, bps))
    return reported


def rows(reported: ApiSamples, series: Series) -> list[CheckRow]:
    return list(growths("ports", reported, Readings({KEY: series}, SLACK), [KEY]).rows)


def test_growth_within_the_readings_around_both_ends_passes() -> None:
    (row,) = rows(sampled(8_000_000), counter(1_000_000))
    assert row.passed
    assert row.reported == "8,000,000"
    assert row.what == "n1:eth0 in octets in 8.0 s"


@pytest.mark.parametrize("wrong", [4_000_000, 5_500_000, 12_000_000, 0])
def test_growth_excluded_by_the_readings_fails(wrong: int) -> None:
    (row,) = rows(sampled(wrong), counter(1_000_000))
    assert not row.passed
    assert row.verdict == "NO"


def test_idle_port_must_match_exactly() -> None:
    (row,) = rows(sampled(0), counter(0))
    assert (row.verdict, row.passed) == ("equal", True)
    (row,) = rows(sampled(4), counter(0))
    assert not row.passed, "one octet in two seconds is too much"


def test_port_unknown_to_the_source_fails() -> None:
    (row,) = growths("ports", sampled(8), Readings({}, SLACK), [KEY]).rows
    assert (row.source, row.passed) == ("not read", False)


def test_readings_too_far_apart_are_inconclusive() -> None:
    (row,) = rows(sampled(8_000_000), counter(1_000_000, every=3.0))
    assert not row.passed
    assert "readings" in row.verdict


def test_contiguous_intervals_are_joined() -> None:
    reported = sampled(800, ends=(4, 6, 10, 12))
    found = reported.growth(KEY)
    assert found is not None
    assert (found.start - T0, found.end - T0, found.amount) == (8.0, 12.0, 400)


def test_interval_that_started_before_the_readings_is_excluded() -> None:
    reported = sampled(800, ends=(2,))
    assert reported.growth(KEY) is None


def test_only_rounding_of_a_rate_is_allowed() -> None:
    reported = ApiSamples(T0, T0 + 100)
    reported.port(port(20, 101, seconds=20.0))
    (interval,) = reported.growths[KEY].values()
    assert interval.rounding == 2
    exact = growth(counter(0), T0 + 1, T0 + 2, SLACK)
    assert compare_growth("x", 2, exact, rounding=2).passed
    assert not compare_growth("x", 3, exact, rounding=2).passed


def test_metric_reported_only_on_change_is_summed() -> None:
    reported, key = sampled(0), ("n1", "eth0", "ib.symbol_errors")
    figure = {
        "subject": "eth0",
        "metric": key[2],
        "outcome": "ok",
        "kind": "growth",
        "reported_state": None,
        "value": 1,
    }
    for at in (6, 10):
        reported.figure("n1", figure | {"at": port(at, 0)["measured_at"]}, 2.0)
    source = Series()
    for second, value in enumerate((5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7)):
        source.add(T0 + second, T0 + second, value)
    (row,) = sums("errors", reported, Readings({key: source}, SLACK), [key], "in octets").rows
    assert (row.reported, row.verdict) == ("2", "equal")
    source.values[:] = [5] * 4 + [9] * 9
    (row,) = sums("errors", reported, Readings({key: source}, SLACK), [key], "in octets").rows
    assert not row.passed


def test_counters_unchanged_in_both_are_one_row() -> None:
    reported, key = sampled(0), ("n1", "eth0", "ib.rcv_errors")
    (row,) = sums("errors", reported, Readings({key: counter(0)}, SLACK), [key], "in octets").rows
    assert (row.what, row.reported) == ("counters without growth", "1")


def test_level_is_compared_with_nearby_readings_and_state_with_all() -> None:
    reported = ApiSamples(T0, T0 + 20)
    level, state = ("n1", "", "hsg.hold_time"), ("n1", "port8", "ps32.oper")
    reported.levels = {level: {T0 + 5: 500}, state: {T0 - 50: "operational"}}
    held, oper = Series(), Series()
    for second in range(20):
        held.add(T0 + second, T0 + second, 0 if second < 10 else 500)
        oper.add(T0 + second, T0 + second, "connected")
    source = Readings({level: held, state: oper}, SLACK)
    assert [row.passed for row in levels("levels", reported, source, [level, state]).rows] == [False, False]
    reported.levels = {level: {T0 + 15: 500}, state: {T0 - 50: "connected"}}
    assert [row.passed for row in levels("levels", reported, source, [level, state]).rows] == [True, True]


LINK = {"name": "n1-n2", "source_port": "eth0", "target_port": None, "ends": ("n2", "n1")}


@pytest.mark.parametrize(("bps", "passes"), [(8_000_000, True), (8_000_100, False), (16_000_000, False)])
def test_load_must_equal_8_times_the_bytes_per_interval(bps: int, passes: bool) -> None:
    reported = sampled(8_000_000)
    link = LINK | {"ends": ("n1", "n2")}
    load = {("n1-n2", "back"): {T0 + 10: bps}}
    source = Readings({KEY: counter(1_000_000)}, SLACK)
    (row,) = loads(reported, [link], load, lambda key: source if key == KEY else None).rows
    assert row.passed is passes


def test_load_that_contradicts_the_counter_fails() -> None:
    load = {("n1-n2", "back"): {T0 + 10: 8_000_000}}
    source = Readings({KEY: counter(5_000_000)}, SLACK)
    (row,) = loads(sampled(8_000_000), [LINK | {"ends": ("n1", "n2")}], load, lambda _: source).rows
    assert not row.passed


def node(name: str, age: float | None = 1.0, state: str = "ok") -> dict[str, Any]:
    return {"key": f"node:{name}", "name": name, "kind": "host", "age_s": age, "state": state}


def test_declared_objects_must_exist_and_be_live() -> None:
    load = {"fresh": True}
    link = {"name": "a:1-b:1", "source": "node:a", "target": "node:b", "source_port": "1", "target_port": "1"}
    file = {
        "nodes": [{"name": name, "ports": [{"name": "1", "fabric": "f"}]} for name in ("a", "b")],
        "fabrics": [{"name": "f"}],
        "links": [{"a": "b:1", "b": "a:1"}],
    }
    topology = {"nodes": [node("a"), node("b")], "links": [link | {"forward": load, "back": None}]}
    assert total([documented(file, topology, [{"name": "f"}])]) == (6, 0)
    silent = {"nodes": [node("a"), node("b", None)], "links": [link | {"forward": None, "back": None}]}
    failed = [row.what for row in documented(file, silent, [{"name": "f"}]).rows if not row.passed]
    assert failed == ["nodes reporting", "links with live load"]
    poorer = {"nodes": [node("a")], "links": []}
    failed = [row.what for row in documented(file, poorer, []).rows if not row.passed]
    assert failed == ["nodes", "fabrics", "links between two ports", "ports that a link ends in"]


def test_only_some_missing_names_are_listed() -> None:
    row = compare_names("nodes", (f"n{number}" for number in range(9)), ["n0"])
    assert (row.reported, row.passed) == ("1", False)
    assert row.source == "9, missing: n1, n2, n3, n4, n5 and 3 more"


def test_value_must_equal_the_readings() -> None:
    assert compare_value("h", 0, [0]).passed
    assert not compare_value("h", 0, [500]).passed
    assert not compare_value("h", 0, []).passed


def test_empty_table_is_a_failure() -> None:
    assert total([CheckTable("empty", [])]) == (0, 1)
    good, bad = compare_value("x", 1, [1]), compare_value("y", 1, [2])
    assert total([CheckTable("one", [good, bad])]) == (1, 1)
    assert lines(CheckTable("one", [good, bad]))[0] == "one: 1 of 2"
    assert len(lines(CheckTable("one", [good, bad]), failures_only=True)) == 3


def test_aborted_verification_has_no_total() -> None:
    assert totals("12 passed, 3 failed", "cern") == (12, 3)
    with pytest.raises(DemoError, match="cern did not complete"):
        totals("snmpget could not be read", "cern")


def test_times_of_any_zone_are_parsed() -> None:
    assert moment("2026-03-01T12:00:00Z") == moment("2026-03-01T13:00:00+01:00")
