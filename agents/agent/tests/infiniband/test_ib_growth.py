"""InfiniBand counters: words become octets, saturated ones are marked, cleared ones give no growth."""

import pytest

from backstay_agent.collectors.infiniband.counters import BY_TOOL, sticky_growth
from backstay_agent.collectors.infiniband.growth import PortReading, Window, error_metrics, traffic_growth
from backstay_wire import METRICS, NO_VALUE, DeltaOutcome

SECOND = 1_000_000_000
SDR_4X = 10 * SECOND
ONE_SECOND = Window(SECOND)


def reading(tokens: int, packets: int, *, wide: bool = True, **errors: int) -> PortReading:
    traffic = {"PortRcvData": tokens, "PortXmitData": tokens, "PortRcvPkts": packets, "PortXmitPkts": packets}
    return PortReading(traffic | ({"PortUnicastRcvPkts": packets} if wide else {}), errors)


def test_data_word_is_four_octets() -> None:
    grown = traffic_growth(reading(1000, 10), reading(251_000, 600), SDR_4X, ONE_SECOND)
    assert grown.outcome is DeltaOutcome.OK
    assert grown.values == (1_000_000, 1_000_000, 590, 590, 0, 0, 0, 0)


def test_growth_includes_errors_and_discards() -> None:
    before = reading(0, 0, PortRcvErrors=3, PortXmitDiscards=10)
    now = reading(1000, 10, PortRcvErrors=5, PortXmitDiscards=10, VL15Dropped=1)
    assert traffic_growth(before, now, SDR_4X, ONE_SECOND).values[4:] == (2, 0, 1, 0)


def test_growth_above_the_link_rate_is_absurd_without_a_value() -> None:
    grown = traffic_growth(reading(0, 0), reading(10**9, 10), SDR_4X, ONE_SECOND)
    assert (grown.outcome, set(grown.values)) == (DeltaOutcome.ABSURD, {NO_VALUE})


def test_cleared_counter_is_a_reset_without_a_value() -> None:
    grown = traffic_growth(reading(5000, 50), reading(1000, 10), SDR_4X, ONE_SECOND)
    assert (grown.outcome, set(grown.values)) == (DeltaOutcome.RESET, {NO_VALUE})


def test_narrow_data_counters_saturate() -> None:
    full = (1 << 32) - 1
    grown = traffic_growth(reading(full - 9, 5, wide=False), reading(full, 9, wide=False), 0, ONE_SECOND)
    assert (grown.outcome, set(grown.values)) == (DeltaOutcome.SATURATED, {NO_VALUE})
    below = traffic_growth(reading(1, 1, wide=False), reading(2, 2, wide=False), 0, ONE_SECOND)
    assert below.values[:4] == (4, 4, 1, 1)


def test_missed_sweep_is_a_gap_and_port_without_data_is_missing() -> None:
    spanning = Window(2 * SECOND, missed=True)
    assert traffic_growth(reading(0, 0), reading(9, 9), 0, spanning).outcome is DeltaOutcome.GAP
    assert traffic_growth(None, reading(9, 9), 0, ONE_SECOND).outcome is DeltaOutcome.MISSING
    assert traffic_growth(reading(9, 9), None, 0, ONE_SECOND).outcome is DeltaOutcome.MISSING


def test_fast_and_exact_computations_agree() -> None:
    """The fast computation needs extended counters; the exact one handles the others."""
    for tokens, packets in [(0, 0), (1, 1), (250_000, 500), (310_000_000, 4), (400_000_000, 5), (5, 6)]:
        quick = traffic_growth(reading(7, 7), reading(7 + tokens, 7 + packets), SDR_4X, ONE_SECOND)
        careful = traffic_growth(
            reading(7, 7, wide=False), reading(7 + tokens, 7 + packets, wide=False), SDR_4X, ONE_SECOND
        )
        assert quick == careful


@pytest.mark.parametrize(("bits", "full"), [(4, 15), (8, 255), (16, 65535), (32, 2**32 - 1)])
def test_counter_is_saturated_only_at_its_maximum(bits: int, full: int) -> None:
    assert sticky_growth(full, full, bits) == (full, DeltaOutcome.SATURATED)
    assert sticky_growth(full - 3, full, bits) == (full, DeltaOutcome.SATURATED)
    assert sticky_growth(full - 3, full - 1, bits) == (2, DeltaOutcome.OK)
    assert sticky_growth(full - 1, 1, bits) == (1, DeltaOutcome.RESET)


def test_wide_counter_is_not_saturated_at_the_narrow_maximum() -> None:
    before, now = reading(0, 0, LinkDownedCounter=250), reading(0, 0, LinkDownedCounter=255)
    narrow = error_metrics("1", before, now, missed=False)
    wide = PortReading(now.traffic, now.errors, frozenset({"LinkDownedCounter"}))
    assert [(f.value, f.outcome) for f in narrow] == [(255, DeltaOutcome.SATURATED)]
    assert [(f.value, f.outcome) for f in error_metrics("1", before, wide, missed=False)] == [
        (5, DeltaOutcome.OK)
    ]


def test_new_counter_grows_from_zero_and_vanished_counter_was_cleared() -> None:
    clean, dirty = reading(0, 0), reading(0, 0, SymbolErrorCounter=12)
    appeared = error_metrics("7", clean, dirty, missed=False)
    assert [(f.subject, f.metric, f.value, f.outcome) for f in appeared] == [
        ("7", "ib.symbol_errors", 12, DeltaOutcome.OK)
    ]
    assert error_metrics("7", dirty, clean, missed=False)[0].outcome is DeltaOutcome.RESET


def test_every_counter_is_a_registered_metric() -> None:
    assert {counter.metric for counter in BY_TOOL.values()} <= METRICS.keys()
