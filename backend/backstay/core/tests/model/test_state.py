"""Display states and texts: unknown wins, so that stale data never looks current."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backstay.core.model.freshness import incident_age_s, is_fresh, max_age_s
from backstay.core.model.load import Load, PortRates, link_loads
from backstay.core.model.state import (
    LinkState,
    OpenIncidents,
    PortView,
    ReportTimes,
    StateText,
    link_state,
    node_state,
    port_state,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def reports(seconds: float | None, *, watched: bool = True, detail: str = "") -> ReportTimes:
    return ReportTimes(None if seconds is None else ago(seconds), watched, ago(1), detail)


def port(oper_up: bool | None, *, admin_up: bool = True, fresh: bool = True) -> PortView:
    return PortView("grf1:ga030", oper_up, admin_up, ago(125), fresh)


def test_stale_after_two_intervals_and_at_least_5_s() -> None:
    assert [max_age_s(interval) for interval in (1, 2, 30)] == [5, 5, 60]
    assert is_fresh(ago(5), NOW, 2)
    assert not is_fresh(ago(5.1), NOW, 2)
    assert not is_fresh(None, NOW, 2)
    assert all(incident_age_s(interval) > max_age_s(interval) for interval in (1, 2, 10, 30, 300))


def test_node_state_shows_last_seen() -> None:
    assert node_state(reports(1), OpenIncidents(), NOW, 2) == StateText("ok", "last seen 1 s ago")
    assert node_state(reports(40), OpenIncidents(), NOW, 2) == StateText("unknown", "not reporting for 40 s")
    assert node_state(reports(None), OpenIncidents(), NOW, 2) == StateText("unknown", "no report yet")
    assert (
        node_state(reports(None, watched=False), OpenIncidents(), NOW, 2).text == "no agent collects from it"
    )
    assert (
        node_state(reports(40, detail="timeout"), OpenIncidents(), NOW, 2).text
        == "not reporting for 40 s: timeout"
    )


def test_node_not_reporting_is_unknown_despite_incidents() -> None:
    assert node_state(reports(40), OpenIncidents(critical=3), NOW, 2).state == "unknown"


def test_node_state_is_its_worst_incident() -> None:
    assert node_state(reports(1), OpenIncidents(warning=1), NOW, 2).state == "warning"
    assert node_state(reports(1), OpenIncidents(critical=1, warning=1), NOW, 2).state == "critical"


def test_port_states() -> None:
    assert port_state(port(True), NOW) == StateText("ok", "up for 2 min 5 s")
    assert port_state(port(False), NOW) == StateText("critical", "down for 2 min 5 s")
    assert port_state(port(False, admin_up=False), NOW).state == "disabled"
    spare = replace(port(False), used=False)
    assert port_state(spare, NOW) == StateText("disabled", "nothing plugged in for 2 min 5 s")
    assert port_state(replace(spare, oper_up=True), NOW).state == "ok"
    assert port_state(port(True, fresh=False), NOW) == StateText("unknown", "its node is not reporting")
    assert port_state(port(None), NOW).state == "unknown"


def test_link_is_down_if_a_reporting_end_is_down() -> None:
    reported = link_state([port(True), port(False)], (None, None), OpenIncidents(), NOW)
    assert reported == LinkState("critical", "grf1:ga030 is down for 2 min 5 s", "down")
    disabled = link_state([port(False), port(False, admin_up=False)], (None, None), OpenIncidents(), NOW)
    assert disabled == LinkState(
        "critical", "grf1:ga030 is administratively down for 2 min 5 s", "admin_down"
    )


def test_link_with_carrier_is_unknown_behind_a_node_that_does_not_report() -> None:
    ends = [port(True), replace(port(True, fresh=False), name="origin1:at0")]
    reported = link_state(ends, (None, None), OpenIncidents(), NOW)
    assert reported == LinkState("unknown", "up, no data yet; origin1 is not reporting", "up")
    uncollected = [ends[0], replace(ends[1], collected=False)]
    assert link_state(uncollected, (None, None), OpenIncidents(), NOW).state == "ok"


def test_link_with_carrier_is_unknown_behind_an_unreachable_router() -> None:
    ends = [port(True), port(True)]
    reported = link_state(ends, (None, None), OpenIncidents(), NOW, unreachable=["grf1"])
    assert reported == LinkState("unknown", "up, no data yet; grf1 is unreachable", "up")


def test_link_with_a_critical_incident_keeps_its_carrier() -> None:
    reported = link_state([port(True), port(True)], (None, None), OpenIncidents(critical=1), NOW)
    assert (reported.state, reported.carrier) == ("critical", "up")


def test_link_without_reporting_end_is_unknown() -> None:
    ends = [port(True, fresh=False), port(False, fresh=False)]
    assert link_state(ends, (None, None), OpenIncidents(critical=1), NOW) == LinkState(
        "unknown", "neither end is reporting", "unknown"
    )


def test_saturated_link_is_a_warning_with_its_utilisation() -> None:
    load = Load(53_000_000, 0.98, None, NOW, True)
    assert link_state([port(True)], (load, None), OpenIncidents(warning=1), NOW) == LinkState(
        "warning", "up, 98 % used", "up"
    )


def test_link_load_uses_the_newer_end() -> None:
    a = PortRates(ago(3), in_bps=10, out_bps=20)
    b = PortRates(ago(1), in_bps=21, out_bps=11)
    forward, back = link_loads(a, b, 100, NOW, 2)
    assert (forward and forward.bps, back and back.bps) == (21, 11)
    forward, back = link_loads(b, a, 100, NOW, 2)
    assert (forward and forward.bps, back and back.bps) == (11, 21)


def test_link_load_uses_the_end_with_a_value() -> None:
    a = PortRates(ago(3), in_bps=10, out_bps=20)
    b = PortRates(ago(1), in_bps=None, out_bps=None)
    forward, back = link_loads(a, b, 100, NOW, 2)
    assert (forward and forward.utilisation, back and back.utilisation) == (0.2, 0.1)
    assert link_loads(None, None, 100, NOW, 2) == (None, None)


def test_old_load_is_not_fresh() -> None:
    forward, _ = link_loads(PortRates(ago(60), 1, 1), None, 100, NOW, 2)
    assert forward is not None
    assert not forward.fresh
