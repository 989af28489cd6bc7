"""Outages in words, and the time after which a path is not observed any more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backstay.core.model.outage import (
    Outage,
    OutageCause,
    OutageMeasure,
    known_until,
    max_silence,
    prevailing,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def outage(duration_ms: float, measured_by: str = "probes", *, is_over: bool = True) -> Outage:
    return Outage(
        start=NOW,
        end=NOW + timedelta(milliseconds=duration_ms) if is_over else None,
        duration_ms=duration_ms,
        cause=OutageCause.TARGET_DEAD,
        measured_by=OutageMeasure(measured_by),
        probe_interval_ms=50,
    )


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (outage(300), "300 ms"),
        (outage(20_350), "20.35 s"),
        (outage(31_000, "reports"), "about 31 s"),
        (outage(10_050, is_over=False), "at least 10 s, ongoing"),
        (outage(10_999, is_over=False), "at least 10 s, ongoing"),
        (outage(125_000, is_over=False), "at least 2 min 5 s, ongoing"),
    ],
)
def test_outage_in_words(found: Outage, text: str) -> None:
    assert found.text == text


def test_measurement_is_stated_with_its_uncertainty() -> None:
    assert outage(300).measure_text == "probes every 50 ms, ±50 ms"
    assert [outage(300, name).uncertainty_ms for name in ("probes", "route", "reports")] == [50.0, 1.0, None]


def test_route_loss_prevails_over_a_switch_and_a_switch_over_a_dead_target() -> None:
    assert prevailing("target_dead", "switch") == prevailing("switch", "target_dead") == "switch"
    assert prevailing("no_route", "switch") == "no_route"


def test_path_is_known_until_three_reports_are_missing() -> None:
    silence = max_silence(50, 5)
    assert silence == timedelta(seconds=35)
    assert max_silence(5000, 5) == timedelta(seconds=380)
    assert known_until(NOW, silence, NOW + timedelta(seconds=35)) == NOW + timedelta(seconds=35)
    assert known_until(NOW, silence, NOW + timedelta(seconds=36)) == NOW
    assert known_until(None, silence, NOW) is None


def test_path_is_repeated_with_the_counters_of_its_site_up_to_each_30_s() -> None:
    assert max_silence(50, 30) == timedelta(seconds=95)
    assert max_silence(50, 3600) == timedelta(seconds=95)
