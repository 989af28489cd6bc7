"""Queueing, comparison, regression and the mesh grid."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.diagnosis.throughput.compare import Point, compare, regression
from backstay.core.diagnosis.throughput.grid import judge_grid
from backstay.core.diagnosis.throughput.queueing import closed_rate, mathis_rate, streams_for
from backstay.core.diagnosis.throughput.robust_statistics import relative_line
from backstay.core.diagnosis.throughput.series import plateau
from backstay.core.formatting import byte_size, interval, per_second
from backstay.core.model.throughput import Cell, Measured, Parameters


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(1, 64), st.floats(1e3, 1e7), st.floats(1e-5, 1.0), st.floats(1e6, 1e11))
def test_windows_are_bounded_by_medium_and_single_rates(
    streams: int, window: float, rtt: float, capacity: float
) -> None:
    got = closed_rate(streams, window, rtt, capacity)
    alone = min(8 * window / rtt, capacity)
    assert got <= min(streams * alone, capacity) * (1 + 1e-9)
    assert got >= closed_rate(max(streams - 1, 1), window, rtt, capacity) * (1 - 1e-9)


def test_two_windows_of_half_the_pipe_queue_behind_each_other() -> None:
    # One queue of service 1 and delay 1: X(1) = 1/2, X(2) = 2/(1 + 1.5).
    assert closed_rate(1, 1 / 8, 2.0, 1.0) == pytest.approx(0.5)
    assert closed_rate(2, 1 / 8, 2.0, 1.0) == pytest.approx(0.8)


def test_streams_for_includes_queueing() -> None:
    number = streams_for(0.85, 65536, 3.1e-3, 800e6)
    assert (
        closed_rate(number, 65536, 3.1e-3, 800e6)
        >= 0.85 * 800e6
        > closed_rate(number - 1, 65536, 3.1e-3, 800e6)
    )
    assert number > 800e6 / (8 * 65536 / 3.1e-3)


def test_mathis_matches_the_papers_example() -> None:
    # MSS 1460, 100 ms, one loss in a hundred: 1460 * 8 * 1.2247 / (0.1 * 0.1).
    assert mathis_rate(1460, 0.1, 0.01) == pytest.approx(1.4305e6, rel=1e-3)
    with pytest.raises(ValueError, match="loss"):
        mathis_rate(1460, 0.1, 0.0)


def test_line_fit_with_relative_errors_finds_cost_and_rate() -> None:
    line = relative_line([(size, 0.004 + size / 1e6) for size in (8e3, 64e3, 512e3)])
    assert line is not None
    assert line.intercept == pytest.approx(0.004)
    assert line.slope == pytest.approx(1e-6)
    assert relative_line([(1.0, 1.0), (1.0, 2.0)]) is None


def test_plateau_needs_doubled_streams() -> None:
    assert plateau([(1, 100.0), (2, 195.0), (3, 200.0)]) is None
    found = plateau([(1, 100.0), (2, 195.0), (3, 200.0), (4, 201.0)])
    assert found is not None
    assert (found.knee, found.last) == (2, 4)


def cells(*rates: float, swing: float = 0.0) -> list[Cell]:
    return [
        Cell(
            Parameters(streams=n), Measured(one, seconds=tuple(one * (1 + swing * s) for s in (-1, 0, 1, 0)))
        )
        for n, one in enumerate(rates, 1)
    ]


def test_only_significant_differences_are_reported() -> None:
    found = compare(cells(100e6, 200e6, 300e6), cells(120e6, 236e6, 303e6))
    assert found is not None
    assert (found.outcome, [one.outcome for one in found.differences]) == (
        "faster",
        ["faster", "faster", "same"],
    )
    assert found.change == pytest.approx(0.18)
    noisy = compare(cells(100e6, swing=0.4), cells(120e6, swing=0.4))
    assert noisy is not None
    assert noisy.outcome == "same"


def test_unmatched_cells_are_listed() -> None:
    found = compare(cells(100e6, 200e6), cells(100e6))
    assert found is not None
    assert found.only_before == (Point(Parameters(streams=2)),)
    other = [replace(one, parameters=Parameters(streams=n)) for n, one in enumerate(cells(1e6, 1e6), 2)]
    assert compare(cells(100e6), other) is None


def test_constant_differences_are_reported_and_do_not_prevent_matching() -> None:
    jumbo = [replace(one, parameters=replace(one.parameters, mtu=9000)) for one in cells(120e6, 240e6)]
    found = compare(cells(100e6, 200e6), jumbo)
    assert found is not None
    assert found.change == pytest.approx(0.2)
    assert found.sentence.endswith("The runs also differ in mtu.")
    mixed = [jumbo[0], *cells(100e6, 200e6)[1:]]
    assert compare(cells(100e6, 200e6), mixed) is not None
    assert len(compare(cells(100e6, 200e6), mixed).differences) == 1  # type: ignore[union-attr]


def test_mesh_pairs_are_compared_individually() -> None:
    pairs = [("a", "b"), ("b", "a"), ("a", "c")]

    def mesh(*rates: float) -> list[Cell]:
        return [
            Cell(Parameters(), Measured(one), ends=(pair,)) for pair, one in zip(pairs, rates, strict=False)
        ]

    found = compare(mesh(100e6, 200e6, 300e6), mesh(100e6, 50e6))
    assert found is not None
    assert [(one.point.ends, one.outcome) for one in found.differences] == [
        ((("a", "b"),), "same"),
        ((("b", "a"),), "slower"),
    ]
    assert found.only_before == (Point(Parameters(), (("a", "c"),)),)


def test_runs_between_different_ends_are_compared() -> None:
    here, there = ([replace(one, ends=((end, "z"),)) for one in cells(100e6, 200e6)] for end in "ab")
    found = compare(here, there)
    assert found is not None
    assert [one.outcome for one in found.differences] == ["same", "same"]
    assert found.differences[0].point.ends == (("a", "z"),)
    assert found.sentence.endswith("The runs also differ in ends.")


def test_regression_needs_five_runs_and_states_its_size() -> None:
    assert regression([900e6] * 4, 100e6).outcome == "too_few"
    found = regression([900e6, 910e6, 890e6, 905e6, 895e6], 630e6)
    assert found.outcome == "slower"
    assert found.change == pytest.approx(-0.3)
    assert "30 %" in found.sentence


def test_one_outlier_does_not_affect_the_regression() -> None:
    past = [900e6, 910e6, 890e6, 905e6, 895e6, 50e6]
    assert regression(past, 890e6).outcome == "usual"
    assert regression(past, 600e6).outcome == "slower"


def test_small_change_is_never_a_regression() -> None:
    assert regression([900e6] * 9, 870e6).outcome == "usual"
    assert regression([900e6] * 9, 840e6).outcome == "slower"


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(0, 999))
def test_noise_is_rarely_a_regression(seed: int) -> None:
    chance = random.Random(seed)
    past = [chance.gauss(900e6, 20e6) for _ in range(20)]
    assert regression(past, 900e6 + chance.choice([-1, 1]) * 30e6).outcome == "usual"


HOSTS = ("a", "b", "c", "d", "e")


def grid(**slow: float) -> dict[tuple[str, str], float | None]:
    """1 Gb/s between all hosts; `ab=1e8` is one cell, `a_=` a row, `_a=` a column."""
    found: dict[tuple[str, str], float | None] = dict.fromkeys(permutations(HOSTS, 2), 1e9)
    for key, rate in slow.items():
        for pair in found:
            if all(want in ("_", got) for want, got in zip(key, pair, strict=True)):
                found[pair] = rate
    return found


def test_even_grid_has_no_suspects() -> None:
    assert judge_grid(grid()).suspects == ()


@pytest.mark.parametrize(
    ("slow", "host", "side"),
    [({"b_": 1e8}, "b", "sends"), ({"_b": 1e8}, "b", "receives"), ({"b_": 1e8, "_b": 2e8}, "b", "both")],
)
def test_slow_row_or_column_names_the_host(slow: dict[str, float], host: str, side: str) -> None:
    (found,) = judge_grid(grid(**slow)).suspects
    assert (found.host, found.side) == (host, side)


def test_single_slow_cell_names_the_path() -> None:
    (found,) = judge_grid(grid(ab=1e8)).suspects
    assert (found.host, found.peer, found.side) == ("a", "b", "path")


def test_two_bad_hosts_are_both_named() -> None:
    found = judge_grid(grid(a_=1e8, _d=2e8)).suspects
    assert {(one.host, one.side) for one in found} == {("a", "sends"), ("d", "receives")}


def test_unmeasured_cells_are_not_suspect() -> None:
    known = grid(b_=1e8)
    known["c", "d"] = known["b", "e"] = None
    (found,) = judge_grid(known).suspects
    assert (found.host, found.side) == ("b", "sends")
    assert judge_grid({("a", "b"): 1e9}).sentence.startswith("Inconclusive")


def test_texts_have_at_most_one_decimal() -> None:
    assert [byte_size(one) for one in (100, 65536, 1536 * 1024, 300e3)] == [
        "100 B",
        "64 KiB",
        "1.5 MiB",
        "293 KiB",
    ]
    assert [interval(one) for one in (3.1e-3, 0.2, 4.3e-5, 1.5)] == ["3.1 ms", "200 ms", "43 µs", "1.5 s"]
    assert per_second(4638.7, "packets") == "4640 packets/s"
    assert per_second(5.0, "writes") == "5 writes/s"
