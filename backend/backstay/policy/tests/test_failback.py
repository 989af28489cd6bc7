"""Reasons for a pending failback; values only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backstay.core.model.routing import Timers
from backstay.policy.failback import Failback, Waiting, pending

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


WAITING = Waiting("grf1", ago(5), ago(30))


def why(timers: Timers, detection: str = "checker", waiting: Waiting = WAITING) -> Failback:
    return pending(waiting, detection, timers, NOW)


def test_manual_failback_waits_for_an_operator() -> None:
    assert why(Timers(revert="manual")).why == "manual"


def test_delayed_failback_states_its_time() -> None:
    reported = why(Timers(revert="after", revert_after_s=60.0))
    assert (reported.why, reported.until) == ("after", ago(-55))
    assert why(Timers(revert="after", revert_after_s=1.0)).until is None


def test_immediate_failback_waits_for_hold_down() -> None:
    reported = why(Timers(hold_down_s=45.0))
    assert (reported.why, reported.until) == ("hold_down", ago(-15))


def test_recovering_gateway_is_still_probed() -> None:
    reported = why(Timers(interval_ms=50, recover_after=20), waiting=Waiting("grf1", ago(0.25), ago(30)))
    assert (reported.why, reported.until) == ("recovering", ago(-0.75))


@pytest.mark.parametrize("detection", ["bfd", "protocol"])
def test_routing_daemon_decides_on_failback(detection: str) -> None:
    assert why(Timers(revert="manual"), detection).why == "daemon"
