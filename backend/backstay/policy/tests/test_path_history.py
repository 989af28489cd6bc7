"""Path history as segments, and reasons for a pending failback; values only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backstay.core.model.routing import Timers
from backstay.policy.failback import Failback, Waiting, pending
from backstay.policy.path_history import Segment, SwitchRecord, build_segments

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def test_path_without_switch_is_one_segment() -> None:
    assert build_segments([], "grf1", ago(9000), ago(60), NOW) == [Segment("grf1", ago(60), NOW, None)]


def test_no_segment_before_the_path_was_known() -> None:
    assert build_segments([], "grf1", ago(10), ago(60), NOW) == [Segment("grf1", ago(10), NOW, None)]
    assert build_segments([], "", None, ago(60), NOW) == []


def test_switches_give_contiguous_segments_with_outages() -> None:
    moves = [SwitchRecord(ago(40), "grf1", "atmgw", 131.0), SwitchRecord(ago(10), "atmgw", "grf1", 4.0)]
    found = build_segments(moves, "grf1", ago(10), ago(60), NOW)
    assert [(item.gateway, item.outage_ms) for item in found] == [
        ("grf1", None),
        ("atmgw", 131.0),
        ("grf1", 4.0),
    ]
    assert [item.start for item in found] == [ago(60), ago(40), ago(10)]
    assert [item.end for item in found] == [ago(40), ago(10), NOW]


def test_route_loss_is_a_segment() -> None:
    moves = [SwitchRecord(ago(40), "grf1", "", None), SwitchRecord(ago(30), "", "atmgw", 10_000.0)]
    assert [segment.gateway for segment in build_segments(moves, "atmgw", ago(30), ago(60), NOW)] == [
        "grf1",
        "",
        "atmgw",
    ]


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
