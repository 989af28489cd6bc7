"""Counter growth: never negative, never more than the port can carry, and right in total."""

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay_agent.collectors.deltas import COLUMNS, PortGrowth, Span, port_growth, width_is_safe
from backstay_wire import NO_VALUE, DeltaOutcome

SECOND = 1_000_000_000
N = len(COLUMNS)


def grow(old: int, new: int, **span: object) -> PortGrowth:
    arguments = {"elapsed_ns": 10 * SECOND, "widths": (64,) * N, **span}
    return port_growth([old] * N, [new] * N, Span(**arguments))  # type: ignore[arg-type]


def test_growth_is_the_difference() -> None:
    assert grow(100, 350) == PortGrowth((250,) * N, DeltaOutcome.OK)


def test_wrap_of_a_32_bit_counter_is_corrected() -> None:
    found = grow(2**32 - 10, 20, widths=(32,) * N)
    assert found == PortGrowth((30,) * N, DeltaOutcome.WRAPPED)


def test_wrap_of_a_64_bit_counter_is_corrected() -> None:
    found = grow(2**64 - 10, 20, speed=1_000_000_000)
    assert found == PortGrowth((30,) * N, DeltaOutcome.WRAPPED)


def test_decreasing_64_bit_counter_is_a_reset() -> None:
    assert grow(5_000_000, 20).outcome is DeltaOutcome.RESET
    assert grow(5_000_000, 20, speed=10**9).values == (NO_VALUE,) * N


def test_implausible_wrap_of_a_32_bit_counter_is_a_reset() -> None:
    # At 1 Mbit/s, 10 s carry 1.25 MB: the counter cannot have passed 2^32 from 1,000,000.
    assert grow(1_000_000, 20, widths=(32,) * N, speed=10**6).outcome is DeltaOutcome.RESET


def test_restart_yields_no_value_even_if_the_counter_is_higher() -> None:
    assert grow(100, 350, restarted=True) == PortGrowth((NO_VALUE,) * N, DeltaOutcome.RESET)


def test_growth_above_line_rate_is_absurd() -> None:
    assert grow(0, 1_250_000_001 * 102 // 100, speed=10**9).outcome is DeltaOutcome.ABSURD


def test_interval_error_is_allowed_in_favour_of_the_port() -> None:
    at_line_rate = 1_250_000_000
    assert grow(0, at_line_rate, elapsed_ns=98 * SECOND // 10, speed=10**9).outcome is DeltaOutcome.ABSURD
    # The packet columns of this reading are absurd in any case, so only octets matter.
    values = [at_line_rate, at_line_rate, 1000, 1000, 0, 0, 0, 0]
    span = Span(98 * SECOND // 10, speed=10**9, slack_ns=SECOND // 5)
    assert port_growth([0] * N, values, span).outcome is DeltaOutcome.OK


def test_missed_poll_is_a_gap_with_its_growth() -> None:
    assert grow(100, 350, missed=True) == PortGrowth((250,) * N, DeltaOutcome.GAP)


def test_port_without_a_reading_is_missing() -> None:
    assert port_growth([1] * N, None, Span(SECOND)).outcome is DeltaOutcome.MISSING


def test_missing_counter_does_not_affect_others() -> None:
    found = port_growth([1] * (N - 1) + [None], [3] * (N - 1) + [None], Span(SECOND))
    assert found == PortGrowth((2,) * (N - 1) + (NO_VALUE,), DeltaOutcome.OK)


def test_counter_width_is_safe_if_less_than_half_can_be_used_per_interval() -> None:
    assert width_is_safe(64, 0, 3600)
    assert width_is_safe(32, 10**9, 17)
    assert not width_is_safe(32, 10**9, 18)
    assert not width_is_safe(32, 0, 1)


readings = st.integers(min_value=0, max_value=2**64 - 1)


@given(
    old=readings,
    new=readings,
    width=st.sampled_from([32, 64]),
    speed=st.sampled_from([0, 10**6, 10**9, 400 * 10**9]),
    elapsed_ms=st.integers(min_value=1, max_value=3_600_000),
    restarted=st.booleans(),
    missed=st.booleans(),
)
@settings(max_examples=500, deadline=None)
def test_growth_is_never_negative_or_above_line_rate(
    *, old: int, new: int, width: int, speed: int, elapsed_ms: int, restarted: bool, missed: bool
) -> None:
    span = Span(elapsed_ms * 1_000_000, speed=speed, widths=(width,) * N, restarted=restarted, missed=missed)
    found = port_growth([old % 2**width] * N, [new % 2**width] * N, span)
    for value in found.values[:2]:
        assert value >= NO_VALUE
        if speed and value != NO_VALUE:
            assert value * 8 * 1000 <= speed * elapsed_ms * 1.01
    no_figure = found.outcome in (DeltaOutcome.RESET, DeltaOutcome.ABSURD, DeltaOutcome.MISSING)
    assert no_figure == (found.values[0] == NO_VALUE)


@st.composite
def traces(draw: st.DrawFn) -> tuple[int, int, int, list[tuple[int, bool]]]:
    """(width, speed, first value, [(octets in this interval, poll missed)]) for which the width is safe."""
    width = draw(st.sampled_from([32, 64]))
    speed = draw(st.sampled_from([10**7, 10**8, 10**9]))
    start = draw(st.integers(min_value=0, max_value=2**width - 1) | st.just(2**width - 5))
    most = speed * 10 // 8
    steps = st.tuples(st.integers(0, most) | st.just(most), st.booleans())
    return width, speed, start, draw(st.lists(steps, min_size=1, max_size=60))


@given(traces())
@settings(max_examples=250, deadline=None)
def test_total_growth_is_exact_over_wraps_and_missed_polls(
    trace: tuple[int, int, int, list[tuple[int, bool]]],
) -> None:
    width, speed, start, steps = trace
    truth, counted = 0, 0
    value, seen, seen_truth, since = start, start, 0, 0
    ambiguous = 0
    for octets, missed in [*steps, (0, False)]:
        truth += octets
        value = (value + octets) % 2**width
        since += 1
        if missed:
            continue
        span = Span(since * 10 * SECOND, speed=speed, widths=(width,) * N, missed=since > 1)
        before, now = [seen, seen] + [0] * 6, [value, value] + [0] * 6
        found = port_growth(before, now, span)
        if width == 32 and not width_is_safe(32, speed, since * 10):
            # Too long for the width: the growth is unknown and must not be invented.
            assert found.values[0] <= truth - seen_truth or found.values[0] == NO_VALUE
            ambiguous += truth - seen_truth
        else:
            counted += found.values[0]
        seen, seen_truth, since = value, truth, 0
    assert counted == truth - ambiguous


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=50), st.integers(0, 48))
@settings(max_examples=150, deadline=None)
def test_reset_loses_at_most_one_interval(steps: list[int], reset_at: int) -> None:
    value, counted, lost = 10**9, 0, 0
    for number, octets in enumerate(steps):
        before = value
        reset = number == reset_at
        value = octets if reset else value + octets
        found = port_growth([before] * N, [value] * N, Span(10 * SECOND, restarted=reset))
        counted += max(0, found.values[0])
        lost += octets if reset else 0
    assert counted == total(steps) - lost


def total(steps: Iterable[int]) -> int:
    return sum(steps)
